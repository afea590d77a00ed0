"""Lays any number of result files as the weekly schedule lays them. FIXTURES: the figures are the committed ones.

A week has six machines and ten builds. The job of a cell measures the reference build as well, which is a file of its
own: 19 files a machine, 114 a week. The first 100 files are of 53 cells, 1,000 and 10,000 are of 60.
"""

from __future__ import annotations

import datetime as dt
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
FIRST_WEEK = dt.date(2026, 1, 3)
WITHOUT_GIL = [
    (f'"gil_{when}":true'.encode(), f'"gil_{when}":false'.encode()) for when in ("before", "after_imports", "after_run")
]


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


def lay(folder: Path, count: int, committed: list[Path]) -> None:
    """Write *count* files below *folder*, made from *committed* ones, of which the last is the reference build's."""
    *others, reference = [Template.of(path) for path in committed]
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
