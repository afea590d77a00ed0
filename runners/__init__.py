"""Concurrency scenarios and their runners, one folder a scenario, one file a runner."""
