"""Starts a fresh process for each sample, listens to it, and kills it with everything that it started."""
