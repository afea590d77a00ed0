"""The process that takes one sample: `python -m runners.harness.worker PORT TOKEN`.

Keep it empty: processes that a runner spawns import this module while the clock runs.
"""

if __name__ == "__main__":
    from runners.harness.measure import main

    main()
