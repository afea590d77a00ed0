"""Estimates over several runs, the bounds they are judged by, percentiles. Pure but for one file read."""
