"""Prints, as JSON, what a scenario's workload calibrates to this machine: `python -m runners.harness.calibrate MODULE`.

Runs on the measured build: standard library only, written for Python 3.10.
"""

import importlib
import json
import sys

if __name__ == "__main__":
    sys.stdout.write(json.dumps(importlib.import_module(sys.argv[1]).calibrate()))
