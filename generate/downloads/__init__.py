"""What can be downloaded: raw files, tables, verdicts."""
