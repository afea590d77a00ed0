"""Result files to records: which could be read, which belong to one run. And what the statistics were tried on."""
