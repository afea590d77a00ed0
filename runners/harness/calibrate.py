"""Finds, on the measured build, what a scenario fits to the machine: `python -m runners.harness.calibrate MODULE`.

Standard library only, written for Python 3.10. Prints what the workload's `calibrate` returns, as JSON.
"""

import importlib
import json
import sys

if __name__ == "__main__":
    sys.stdout.write(json.dumps(importlib.import_module(sys.argv[1]).calibrate()))
