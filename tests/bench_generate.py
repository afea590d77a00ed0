"""Prints what generating costs as history grows: `make bench`. No test; nothing is judged but by the reader.

The result files are made from committed ones, as the weekly schedule lays them, in a temporary folder: 10,000 of them
(`--files 10000`) take 2.4 GB and some minutes, and are made only where they are asked for. A week has six machines and
ten builds. The job of a cell measures the reference build as well, which is a file of its own: 19 files a machine, 114
a week. The first 100 files are of 53 cells, 1,000 and 10,000 are of 60.
"""

from __future__ import annotations

import datetime as dt
import gzip
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import asv_project
import click
import msgspec
from outside import ROOT, build_site
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

RUN = ROOT / "results" / "2026-11-22" / "20261122T192117Z-3ffb447a"
COMMITTED = [RUN / f"linux-x86_64-2-core-cpython-{version}.json" for version in ("3.13.15", "3.14.7t", "3.14.7")]
"""Whole runs of the full profile, the reference build's last."""
ASKED = {1000: "pages 12 s and 500 MB"}
"""At most, by how many files there are."""
MACHINES = ("ubuntu-24.04", "ubuntu-24.04-arm", "macos-26", "macos-26-intel", "windows-2025", "windows-11-arm")
REFERENCE = "3.13.0"
VERSIONS = (
    REFERENCE,
    "3.10.13",
    "3.11.7",
    "3.12.1",
    "3.14.7",
    "3.15.0rc1",
    "3.16.0a1",
    "3.13.0t",
    "3.14.7t",
    "3.15.0rc1t",
)
HOME_AT = {7: 13, 60: 114}
"""By number of cells, in how many files they are: each but the reference comes with one of the reference."""
FIRST_WEEK = dt.date(2026, 1, 3)
WITHOUT_GIL = [
    (f'"gil_{when}":true'.encode(), f'"gil_{when}":false'.encode()) for when in ("before", "after_imports", "after_run")
]
HAS_ASV = find_spec("asv") is not None
console = Console(width=120)


class Cost(NamedTuple):
    """What a command took."""

    wall_s: float
    cpu_s: float
    """Of all its processes."""
    peak_mb: float
    """Of the largest of its processes."""


class Template(NamedTuple):
    """A committed file: its facts, and its series as they stand there."""

    facts: dict[str, Any]
    series: bytes

    @classmethod
    def of(cls, path: Path) -> Template:
        """Read *path*."""
        record = msgspec.json.decode(path.read_bytes(), type=dict[str, msgspec.Raw])
        series = bytes(record.pop("series"))
        return cls({name: msgspec.json.decode(value) for name, value in record.items()}, series)

    def file(self, machine: str, version: str, run_id: str, day: str) -> bytes:
        """Return the file as another machine, build and day would have it."""
        facts, series = self.facts, self.series
        is_threaded = version.endswith("t")
        build = {"version": version.removesuffix("t"), "free_threaded": is_threaded, "gil_at_start": not is_threaded}
        for with_gil, without in WITHOUT_GIL if is_threaded else ():
            series = series.replace(with_gil, without)
        changed = {
            "run": facts["run"]
            | {"id": run_id, "started": f"{day}T03:00:00Z", "finished": f"{day}T04:00:00Z", "trigger": "schedule"},
            "machine": facts["machine"] | {"label": machine},
            "build": facts["build"] | build,
            "reference_build": facts["reference_build"] | {"version": REFERENCE},
        }
        return msgspec.json.encode(facts | changed | {"series": msgspec.Raw(series)}) + b"\n"


@click.command()
@click.option("--files", "counts", multiple=True, type=int, default=(100, 1000), show_default=True)
def main(counts: tuple[int, ...]) -> None:
    """Generate from so many result files, without and with the downloads."""
    table = Table("files", "what", "wall", "CPU", "peak", "a further file")
    before: tuple[int, float] | None = None
    for count in sorted(counts):
        console.print(f"{count:,} files, at most: {ASKED.get(count, 'nothing is asked')}")
        with tempfile.TemporaryDirectory() as folder:
            results, out = Path(folder, "results"), Path(folder, "build")
            costs = dict(measured(results, out, count))
        for what, cost in costs.items():
            further = ""
            if what == "pages" and before:
                further = f"{1000 * (cost.cpu_s - before[1]) / (count - before[0]):.1f} ms of CPU"
            table.add_row(
                f"{count:,}", what, f"{cost.wall_s:.1f} s", f"{cost.cpu_s:.1f} s", f"{cost.peak_mb:.0f} MB", further
            )
        before = count, costs["pages"].cpu_s
    console.print(table)
    home()
    if not HAS_ASV:
        console.print("asv is not installed (pip install asv): its `publish` is not compared")


def home() -> None:
    """Print what home takes at few cells and at many: what it has of other machines comes when they are chosen."""
    found = {cells: home_kb(files) for cells, files in HOME_AT.items()}
    (few, few_kb), (many, many_kb) = found.items()
    console.print(
        f"home, compressed: {few_kb:.1f} kB at {few} cells, {many_kb:.1f} kB at {many}:"
        f" {100 * (many_kb / few_kb - 1):+.1f} % (at most 5 %)"
    )


def home_kb(files: int) -> float:
    """Build the site of so many files; return what its home takes, compressed as a host does."""
    with tempfile.TemporaryDirectory() as folder:
        lay(Path(folder, "results"), files)
        return len(gzip.compress((build_site(Path(folder)) / "index.html").read_bytes())) / 1000


def measured(results: Path, out: Path, count: int) -> list[tuple[str, Cost]]:
    """Return what each way of generating took."""
    lay(results, count)
    found = [("pages", generate(results, out, "pages")), ("pages and downloads", generate(results, out))]
    if HAS_ASV:
        asv_project.lay(out / "asv", count)
        found.append(("asv publish", run(out / "asv", sys.executable, "-m", "asv", "publish")))
    return found


def generate(results: Path, out: Path, *command: str) -> Cost:
    """Run the generator in a process of its own."""
    return run(ROOT, sys.executable, "-m", "generate", *command, "--results", str(results), "--out", str(out))


def run(folder: Path, *words: str) -> Cost:
    """Run a command in *folder*; end where it fails."""
    began_s = time.monotonic()
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL)  # noqa: S603 - our own commands
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(words)} ended with {os.waitstatus_to_exitcode(status)}")
    return Cost(time.monotonic() - began_s, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def lay(folder: Path, count: int) -> None:
    """Write *count* files below *folder*, made from the committed ones."""
    *others, reference = [Template.of(path) for path in COMMITTED]
    for number, (path, machine, version, run_id) in enumerate(islice(_files(), count)):
        template = reference if version == REFERENCE else others[number % len(others)]
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(template.file(machine, version, run_id, path[:10]))


def _files() -> Iterator[tuple[str, str, str, str]]:
    """Go through all files there ever will be: where each lies, its machine, its build, its run."""
    day, week = FIRST_WEEK, 1
    while True:
        for machine in MACHINES:
            for version in VERSIONS:
                cell = f"{machine}-cpython-{version}"
                run_id, path = f"{day}-gh{week}-{cell}", f"{day}/{day}-gh{week}/{cell}"
                yield f"{path}.json", machine, version, run_id
                if version != REFERENCE:
                    yield f"{path}.reference.json", machine, REFERENCE, run_id
        day, week = day + dt.timedelta(days=7), week + 1


if __name__ == "__main__":
    main()
