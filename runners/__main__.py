"""`python -m runners` is `python -m runners.harness`."""

import sys

try:
    from runners.harness.__main__ import main
except ModuleNotFoundError as error:
    if str(error.name).startswith("runners"):
        raise
    sys.exit(f"error: this Python lacks {error.name}: run make setup, then .venv/bin/python -m runners")

if __name__ == "__main__":
    main()
