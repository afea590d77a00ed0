"""Prints which modules a worker of a scenario has loaded for its samples, and which a child that it spawns has.

As a program, since both must be new processes: `python tests/runners/loaded.py SCENARIO`. JSON: a list of each.
"""

import json
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def loaded(*_received: object) -> list[str]:
    """Return the project's own modules that this process has; to receive a scenario's things imports what has them."""
    return sorted(name for name in sys.modules if name.partition(".")[0] == "runners")


def main(scenario: str) -> None:
    """Import what a sample imports, as the worker does, then hand a job to a spawned process."""
    sys.path.insert(0, str(ROOT))
    from runners.harness.measure import Sample  # noqa: PLC0415 - the path comes first

    workload, runs = None, []
    for path in sorted((ROOT / "runners" / scenario).glob("[a-z]*.py")):
        if path.stem in {"scenario", "workload"} or "monkey" in path.read_text(encoding="utf-8"):
            continue  # one that patches the library would patch this process
        request = {"package": "runners", "scenario": scenario, "runner": path.stem}
        with suppress(ImportError):  # its package is not here, or this Python is too old for it
            workload, runner = Sample(request, None, 0)._import()  # type: ignore[arg-type]  # nothing is said over it
            runs.append(getattr(runner, "run", None) or runner.serve)
    assert workload is not None
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        spawned = pool.submit(loaded, workload.prepare, workload.judge, *runs).result()
    sys.stdout.write(json.dumps([loaded(), spawned]))


if __name__ == "__main__":
    main(sys.argv[1])
