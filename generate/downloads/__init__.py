"""What can be downloaded: raw files, tables, verdicts, a feed."""
