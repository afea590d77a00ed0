"""Prints the figures of the project itself: `make bench`. No test; nothing is judged but by the reader.

Measured runs go to a folder of their own and are removed; the figures of the full profile are read from results/.
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
    from generate.data.files import ResultFile
    from runners.harness.record import model

LIMITS_OF_FULL = "at most 30 minutes a build, 400 KB a file of 12 rounds, measured work at least 85 %"
console = Console(width=120)


def main() -> None:
    """Print every figure."""
    report_command()
    committed = [file for file in load.load(ROOT / "results").files if not file.local]
    full = [file for file in committed if file.record.run.profile == "full" and file.record.complete]
    if full:
        full_profile(full)
    else:
        console.print("results/ holds no complete run of the full profile: nothing to say of it")


def timed(title: str, *command: str) -> float:
    """Run *command*; print and return its wall time, in seconds."""
    began_s = time.monotonic()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own commands
    spent_s = time.monotonic() - began_s
    console.print(f"{title}: {spent_s:.1f} s")
    return spent_s


def report_command() -> None:
    """Do what `make report` does in an empty clone of the last commit, and print where its time goes."""
    console.rule(
        "make report, quick profile (at most 240 s a build, and 25 s that are not measuring, with packages cached)"
    )
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)  # noqa: S603, S607 - our own words
        make = ("make", "--directory", folder, f"PYTHON={sys.executable}", "PYTHONS=")
        spent_s = sum(timed(goal, *make, goal) for goal in (".venv/site.done", "measure", "site"))
        records = [file.record for file in load.load(Path(folder, "results", "local")).files]
        for one in records:
            console.print(report.time_shares(one.run.wall_ns, samples_of(one)))
            console.print("measured work is to be at least 75 %")
    measuring_s = sum(sum(one.run.wall_ns.values()) for one in records) / 1e9
    console.print(f"together: {spent_s:.1f} s, of which {spent_s - measuring_s:.1f} s are not measuring")


def samples_of(one: model.Record) -> int:
    """Count the samples that a file's own build took."""
    return sum(len(series.samples.round) for series in one.series if series.role != "reference")


def full_profile(files: list[ResultFile]) -> None:
    """Print what the committed full runs took, and how large they are."""
    console.rule(f"committed runs of the full profile ({LIMITS_OF_FULL})")
    for file in files:
        one, size_kb = file.record, file.size_bytes / 1000
        wall_s = sum(one.run.wall_ns.values()) / 1e9
        shares = report.time_shares(one.run.wall_ns, samples_of(one))
        console.print(f"{one.machine.label} {one.build.version}: {wall_s / 60:.1f} min, {size_kb:.0f} KB; {shares}")


if __name__ == "__main__":
    main()
