"""Result files to records: which could be read, and which belong to one run; and the record of the validation."""
