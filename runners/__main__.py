"""`python -m runners` is `python -m runners.harness`."""

from runners.harness.__main__ import main

if __name__ == "__main__":
    main()
