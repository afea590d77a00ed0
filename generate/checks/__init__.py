"""Two commands over result files: `check` and `compare`."""
