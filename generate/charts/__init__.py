"""Figures of the results."""
