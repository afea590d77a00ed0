"""Prints what generating costs as history grows: `make bench`. No test; only the reader judges.

The result files are made from committed ones, as the weekly schedule lays them, in a temporary folder. A week has six
machines and ten builds. The job of a build measures the reference build as well, which is a file of its own: 19 files a
machine, 114 a week. All but the newest four weeks are of older code.
"""

import datetime as dt
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
from outside import ROOT
from rich.console import Console
from rich.table import Table

COMMITTED = sorted(ROOT.glob("results/2026-11-24/20261124T034759Z-0b66a037/*.json"))
"""A complete run of the full profile, the reference build last."""
MACHINES = ("ubuntu-24.04", "ubuntu-24.04-arm", "macos-26", "macos-26-intel", "windows-2025", "windows-11-arm")
REFERENCE = "3.13.0"
OTHERS = ("3.10.13", "3.11.7", "3.12.1", "3.14.7", "3.15.0rc1", "3.16.0a1", "3.13.0t", "3.14.7t", "3.15.0rc1t")
FIRST_WEEK = dt.date(2026, 1, 3)
CURRENT_WEEKS = 4
OLDER_CODE = "0" * 64
WITHOUT_GIL = [
    (f'"gil_{when}":true'.encode(), f'"gil_{when}":false'.encode()) for when in ("before", "after_imports", "after_run")
]


class Cost(NamedTuple):
    """What a command took: CPU of all its processes, memory of the largest."""

    wall_s: float
    cpu_s: float
    peak_mb: float


class Laid(NamedTuple):
    """A file to be made."""

    path: str
    machine: str
    version: str
    run_id: str
    week: int


class Template(NamedTuple):
    """A committed file: its facts, and its series as bytes."""

    facts: dict[str, Any]
    series: bytes

    @classmethod
    def read(cls, path: Path) -> "Template":
        record = msgspec.json.decode(path.read_bytes(), type=dict[str, msgspec.Raw])
        series = bytes(record.pop("series"))
        return cls({name: msgspec.json.decode(value) for name, value in record.items()}, series)

    def file(self, laid: Laid, *, is_current: bool) -> bytes:
        """Return the file as another machine, build and day would have it."""
        facts, series = self.facts, self.series
        is_threaded = laid.version.endswith("t")
        build = {
            "version": laid.version.removesuffix("t"),
            "free_threaded": is_threaded,
            "gil_at_start": not is_threaded,
        }
        for with_gil, without in WITHOUT_GIL if is_threaded else ():
            series = series.replace(with_gil, without)
        day = laid.path[:10]
        run = {"id": laid.run_id, "started": f"{day}T03:00:00Z", "finished": f"{day}T04:00:00Z", "trigger": "schedule"}
        hashes = facts["scenario_sha256"]
        changed = {
            "run": facts["run"] | run,
            "machine": facts["machine"] | {"label": laid.machine},
            "build": facts["build"] | build,
            "reference_build": facts["reference_build"] | {"version": REFERENCE},
            "scenario_sha256": hashes if is_current else dict.fromkeys(hashes, OLDER_CODE),
        }
        return msgspec.json.encode(facts | changed | {"series": msgspec.Raw(series)}) + b"\n"


@click.command()
@click.option("--files", "counts", multiple=True, type=int, default=(100, 1000), show_default=True)
def main(counts: tuple[int, ...]) -> None:
    """Generate from a number of result files: 1,000 may take 12 s and 500 MB."""
    table = Table("files", "wall", "CPU", "peak", "a further file")
    before: tuple[int, Cost] | None = None
    for count in sorted(counts):
        with tempfile.TemporaryDirectory() as folder:
            lay(Path(folder, "results"), count)
            cost = generate(Path(folder, "results"), Path(folder, "build"))
        further = f"{1000 * (cost.cpu_s - before[1].cpu_s) / (count - before[0]):.1f} ms of CPU" if before else ""
        table.add_row(f"{count:,}", f"{cost.wall_s:.1f} s", f"{cost.cpu_s:.1f} s", f"{cost.peak_mb:.0f} MB", further)
        before = count, cost
    Console(width=120).print(table)


def generate(results: Path, out: Path) -> Cost:
    """Run the generator in a process of its own."""
    began_s = time.monotonic()
    command = (sys.executable, "-m", "generate", "--results", str(results), "--out", str(out))
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"generate ended with {os.waitstatus_to_exitcode(status)}")
    return Cost(time.monotonic() - began_s, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def lay(folder: Path, count: int) -> None:
    """Write *count* files below *folder*, made from the committed ones."""
    *others, reference = [Template.read(path) for path in COMMITTED]
    planned = _plan()
    files = [next(planned) for _ in range(count)]
    for number, laid in enumerate(files):
        template = reference if laid.version == REFERENCE else others[number % len(others)]
        place = folder / laid.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(template.file(laid, is_current=laid.week > files[-1].week - CURRENT_WEEKS))


def _plan() -> Iterator[Laid]:
    """Yield all files there ever will be."""
    day, week = FIRST_WEEK, 1
    while True:
        for machine in MACHINES:
            for version in (REFERENCE, *OTHERS):
                cell = f"{machine}-cpython-{version}"
                run_id, path = f"{day}-gh{week}-{cell}", f"{day}/{day}-gh{week}/{cell}"
                yield Laid(f"{path}.json", machine, version, run_id, week)
                if version != REFERENCE:
                    yield Laid(f"{path}.reference.json", machine, REFERENCE, run_id, week)
        day, week = day + dt.timedelta(days=7), week + 1


if __name__ == "__main__":
    main()
