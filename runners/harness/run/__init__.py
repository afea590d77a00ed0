"""One run: its plan, its samples in order, its files, its progress on the terminal."""
