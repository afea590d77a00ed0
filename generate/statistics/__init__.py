"""Medians, ratios and their exact intervals; sign tests and false discoveries. Pure."""
