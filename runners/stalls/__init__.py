"""Stalls: scenario.py has the question, workload.py the work; the other files are runners."""
