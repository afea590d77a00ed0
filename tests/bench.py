"""Prints where the time of a run goes: part of `make bench`. The reader judges the figures.

`make report` runs in a temporary clone; the figures of the full profile are those of results/.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from generate.data import read as load
from runners.harness.run import report

if TYPE_CHECKING:
    from runners.harness.record import model

console = Console(width=120)


def main() -> None:
    """Print every figure."""
    bench_report()
    console.rule("committed runs of the full profile (at most 30 minutes a build, measured work at least 85 %)")
    for file in load.load(ROOT / "results").files:
        record = file.record
        if record.run.profile == "full" and record.complete and not file.local:
            minutes, size_kb = sum(record.run.wall_ns.values()) / 60e9, file.size_bytes / 1000
            name = f"{record.machine.label} {record.build.version}"
            console.print(f"{name}: {minutes:.1f} min, {size_kb:.0f} KB; {time_shares(record)}")


def bench_report() -> None:
    """Do what `make report` does in an empty clone of the last commit, and print where its time goes."""
    console.rule("make report, quick profile (at most 240 s a build and 25 s of anything else, with packages cached)")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)  # noqa: S603, S607 - fixed words
        make = ("make", "--directory", folder, f"PYTHON={sys.executable}", "PYTHONS=")
        spent_s = sum(timed(goal, *make, goal) for goal in (".venv/site.done", "measure", "site"))
        records = [file.record for file in load.load(Path(folder, "results", "local")).files]
    for record in records:
        console.print(f"{time_shares(record)} (measured work at least 75 %)")
    measuring_s = sum(sum(record.run.wall_ns.values()) for record in records) / 1e9
    console.print(f"together: {spent_s:.1f} s, with {spent_s - measuring_s:.1f} s of anything but measuring")


def timed(title: str, *command: str) -> float:
    """Run *command*; print and return its wall time in seconds."""
    began_s = time.monotonic()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own commands
    spent_s = time.monotonic() - began_s
    console.print(f"{title}: {spent_s:.1f} s")
    return spent_s


def time_shares(record: model.Record) -> str:
    """Describe where a record's wall time went."""
    return report.time_shares(record.run.wall_ns, sum(len(series.samples.round) for series in record.series))


if __name__ == "__main__":
    main()
