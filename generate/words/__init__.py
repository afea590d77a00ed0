"""Formats numbers, names and commands, in the same way on all pages."""
