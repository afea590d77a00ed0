"""The process in which one sample is taken: `python -m runners.harness.worker PORT TOKEN`.

Processes that a runner spawns import this module while the clock runs, so it holds nothing.
"""

if __name__ == "__main__":
    from runners.harness.measure import main

    main()
