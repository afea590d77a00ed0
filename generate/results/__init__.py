"""Result files to records: which were read, which could not be used, which belong to one run."""
