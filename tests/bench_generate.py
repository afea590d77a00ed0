"""Prints what generating costs as history grows: `make bench`. No test; only the reader judges.

The result files are synthetic, laid as the weekly schedule lays them, in a temporary folder. A week has six machines
and ten builds. The job of a build measures the reference build as well, which is a file of its own: 19 files a machine,
114 a week. All but the newest four weeks are of older code.
"""

import datetime as dt
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import click
from factory import Plan, build, make_record
from msgspec.structs import replace
from rich.console import Console
from rich.table import Table

from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode
from runners.harness.record.model import Record

MACHINES = ("ubuntu-24.04", "ubuntu-24.04-arm", "macos-26", "macos-26-intel", "windows-2025", "windows-11-arm")
REFERENCE = "3.13.0"
OTHERS = ("3.10.13", "3.11.7", "3.12.1", "3.14.7", "3.15.0rc1", "3.16.0a1", "3.13.0t", "3.14.7t", "3.15.0rc1t")
FIRST_WEEK = dt.date(2026, 1, 3)
CURRENT_WEEKS = 4
OLDER_CODE = "0" * 64


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
    """Write *count* files below *folder*."""
    planned = _plan()
    files = [next(planned) for _ in range(count)]
    records = {version: make_one(version) for version in {laid.version for laid in files}}
    for laid in files:
        place = folder / laid.path
        place.parent.mkdir(parents=True, exist_ok=True)
        is_current = laid.week > files[-1].week - CURRENT_WEEKS
        place.write_bytes(encode(date(records[laid.version], laid, is_current=is_current)))


def make_one(version: str) -> Record:
    """Make the record of a version, without the reference build's series: another file has them."""
    built = build(version.removesuffix("t"), free_threaded=version.endswith("t"))
    record = make_record(find(), Plan(built, build(REFERENCE), rounds=6))
    return replace(record, series=[series for series in record.series if series.role != "reference"])


def date(record: Record, laid: Laid, *, is_current: bool) -> Record:
    """Return the record as another machine and day would have it."""
    day, name = laid.path.split("/")[:2]
    run = {"started": f"{day}T03:00:00Z", "finished": f"{day}T04:00:00Z", "trigger": "schedule"}
    hashes = record.scenario_sha256
    return replace(
        record,
        run=replace(record.run, id=laid.run_id, name=name, **run),
        machine=replace(record.machine, label=laid.machine),
        scenario_sha256=hashes if is_current else dict.fromkeys(hashes, OLDER_CODE),
    )


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
