"""Reads the results, judges the claims by them, and renders the site."""
