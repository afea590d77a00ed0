"""One fresh process for each sample: started, heard, limited in time, ended with all that it started."""
