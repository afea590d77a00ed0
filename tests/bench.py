"""Prints how the time of a run is spent: part of `make bench`. The reader judges the figures.

`make report` runs in a temporary clone.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from generate.data import read as load
from runners.harness.run import report

console = Console(width=120)


def bench_report() -> None:
    console.rule("make report, quick profile (at most 240 s a build and 25 s of anything else, with packages cached)")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)  # noqa: S603, S607 - fixed words
        make = ("make", "--directory", folder, f"PYTHON={sys.executable}", "PYTHONS=")
        spent_s = sum(timed(goal, *make, goal) for goal in (".venv/site.done", "measure", "site"))
        records = [file.record for file in load.load(Path(folder, "results", "local")).files]
    for record in records:
        samples = sum(len(series.samples.round) for series in record.series)
        console.print(f"{report.time_shares(record.run.wall_ns, samples)} (measured work at least 75 %)")
    measuring_s = sum(sum(record.run.wall_ns.values()) for record in records) / 1e9
    console.print(f"together: {spent_s:.1f} s, with {spent_s - measuring_s:.1f} s of anything but measuring")


def timed(title: str, *command: str) -> float:
    began_s = time.monotonic()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own commands
    spent_s = time.monotonic() - began_s
    console.print(f"{title}: {spent_s:.1f} s")
    return spent_s


if __name__ == "__main__":
    bench_report()
