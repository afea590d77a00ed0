"""Measures a function of the user's own, as every model of concurrency: `python -m runners try`."""
