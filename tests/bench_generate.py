"""Prints what generating costs as history grows: `make bench`. No test; nothing is judged but by the reader.

The result files are made from committed ones, as the weekly schedule lays them, in a temporary folder: 10,000 of them
(`--files 10000`) take 2.4 GB and some minutes, and are made only where they are asked for.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import click
import weekly
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
COMMITTED = sorted(ROOT.glob("results/2026-11-21/20261121T044826Z-4556c0d5/*.json"))
"""Whole runs of the full profile, the reference build's last."""
ASKED = {
    100: "pages cold 5 s and 350 MB, again 3.5 s, pages and downloads 12 s",
    1000: "pages cold 15 s and 600 MB, one new file 5 s",
    10_000: "pages cold 110 s and 900 MB, one new file 9 s",
}
"""At most, by how many files there are."""
console = Console(width=120)


class Cost(NamedTuple):
    """What a command took."""

    wall_s: float
    cpu_s: float
    """Of all its processes."""
    peak_mb: float
    """Of the largest of its processes."""


@click.command()
@click.option("--files", "counts", multiple=True, type=int, default=(100, 1000), show_default=True)
def main(counts: tuple[int, ...]) -> None:
    """Generate from so many result files: cold, again, with one new file, and with the downloads."""
    table = Table("files", "what", "wall", "CPU", "peak", "a further file, cold")
    before: tuple[int, float] | None = None
    for count in sorted(counts):
        console.print(f"{count:,} files, at most: {ASKED.get(count, 'nothing is asked')}")
        with tempfile.TemporaryDirectory() as folder:
            results, out = Path(folder, "results"), Path(folder, "build")
            costs = dict(measured(results, out, count))
        for what, cost in costs.items():
            further = ""
            if what == "pages, cold" and before:
                further = f"{1000 * (cost.cpu_s - before[1]) / (count - before[0]):.1f} ms of CPU"
            table.add_row(
                f"{count:,}", what, f"{cost.wall_s:.1f} s", f"{cost.cpu_s:.1f} s", f"{cost.peak_mb:.0f} MB", further
            )
        before = count, costs["pages, cold"].cpu_s
    console.print(table)


def measured(results: Path, out: Path, count: int) -> list[tuple[str, Cost]]:
    """Return what each way of generating took."""
    weekly.lay(results, count, COMMITTED)
    found = [("pages, cold", generate(results, out, "pages")), ("pages, again", generate(results, out, "pages"))]
    weekly.lay(results, count + 1, COMMITTED)
    found.append(("pages, one new file", generate(results, out, "pages")))
    shutil.rmtree(out)
    found.append(("pages and downloads, cold", generate(results, out)))
    return found


def generate(results: Path, out: Path, *command: str) -> Cost:
    """Run the generator in a process of its own; end where it fails."""
    words = [sys.executable, "-m", "generate", *command, "--results", str(results), "--out", str(out)]
    began_s = time.monotonic()
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(words)} ended with {os.waitstatus_to_exitcode(status)}")
    return Cost(time.monotonic() - began_s, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


if __name__ == "__main__":
    main()
