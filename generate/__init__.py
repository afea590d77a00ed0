"""Turns results into the site: load, tidy, judge, draw, write."""
