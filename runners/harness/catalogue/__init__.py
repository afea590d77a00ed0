"""Finds the scenarios and their runners by reading files, without importing a runner."""
