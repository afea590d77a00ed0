"""What two good jobs of a run bring, and short ways to take it in."""

from __future__ import annotations

import datetime as dt
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from factory import COMMIT, Plan, altered, build, make, some_scenarios

from actions import collect, dispatch
from actions.job import HostedRun
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from actions.collect import Collected
    from runners.harness.record.cells_file import CellOutcome
    from runners.harness.record.model import Record, Status

RUN = HostedRun(dt.date(2026, 1, 1), 1001, 1, 1, COMMIT, "https://example.org/r/actions/runs/1001", "dispatch")
SCENARIOS = {"primes": some_scenarios()["primes"]}
PLAN = dispatch.make_plan(
    {
        "machines": "ubuntu-24.04",
        "pythons": "3.14,3.14t",
        "profile": "full",
        "scenarios": "primes",
        "rounds": "12",
        "note": "a note",
    },
    ["primes", "power"],
)
CELL, OTHER = "ubuntu-24.04--3.14t", "ubuntu-24.04--3.14"
JOB, OTHER_JOB = "ubuntu-24.04--job2", "ubuntu-24.04--job1"
OWN, OTHERS_OWN, REFERENCE = f"{CELL}.json", f"{OTHER}.json", f"{JOB}.reference.json"


BUILDS = {"3.13": build("3.13.1"), "3.14": build("3.14.0"), "3.14t": build("3.14.0", free_threaded=True)}


def record(python: str, job: str = JOB, attempt: int = 1, **changes: Any) -> Record:  # noqa: ANN401 - of the run
    """Make what a job measured on a build: of 3.14 a by-product, but in the other job."""
    builds = BUILDS
    run_id = f"{RUN.name(attempt)}.{job}"
    kind: Literal["cell", "by_product"] = "by_product" if python == "3.14" and job != OTHER_JOB else "cell"
    names: dict[str, Any] = {"run_id": run_id, "run_name": RUN.name(attempt), "kind": kind}
    made = make(SCENARIOS, Plan(builds[python], builds["3.14"], machine="ubuntu-24.04", **names))
    own = [series for series in made.series if series.role != "reference"]
    run = msgspec.structs.replace(
        made.run, **{"scenarios": ["primes"], "url": RUN.url, "trigger": "dispatch", **changes}
    )
    return msgspec.structs.replace(made, run=run, series=own)


NO_SAMPLES: dict[str, Any] = {"round": [], "position": [], "status": [], "reason": [], "warm_up_us": [], "values": {}}


def with_status(made: Record, runner: str, status: Status) -> Record:
    """Return a record in which a runner has no sample, for a reason."""

    def lose(tree: dict[str, Any]) -> None:
        tree.update(status=status, reason="it broke", observed=None, samples=NO_SAMPLES)

    return altered(made, lambda series: series.runner == runner, lose)


def pack(artifacts: Path, job: str, attempt: int, files: dict[str, bytes]) -> Path:
    """Put an artifact where it is downloaded to; return its zip."""
    packed = artifacts / f"run-{job}.{attempt}" / "artifact.zip"
    packed.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in files.items():
            opened.writestr(name, data)
    return packed


def good_files() -> dict[str, bytes]:
    return {OWN: encode(record("3.14t")), REFERENCE: encode(record("3.14"))}


def put(artifacts: Path, **own: bytes) -> Path:
    """Put what two good jobs bring, or *own* in place of the first's files; return the first's zip."""
    pack(artifacts, OTHER_JOB, 1, {OTHERS_OWN: encode(record("3.14", OTHER_JOB))})
    return pack(artifacts, JOB, 1, good_files() | own)


def collected(artifacts: Path, attempt: int = 1, planned_in: int = 1) -> Collected:
    return collect.collect(PLAN, replace(RUN, planned_in=planned_in, attempt=attempt), artifacts)


def brought(artifacts: Path, **own: bytes) -> Collected:
    """Put what two good jobs bring, or *own* in place of the first's files, and take it in."""
    put(artifacts, **own)
    return collected(artifacts)


def outcome(found: Collected, cell: str = CELL) -> CellOutcome:
    (one,) = [one for one in found.outcomes.cells if one.cell == cell]
    return one


def kept(found: Collected) -> set[str]:
    """Return the paths of what was accepted, below the day's folder."""
    return {accepted.file.path.removeprefix("2026-01-01/") for accepted in found.accepted}


def statuses(found: Collected) -> dict[str, str]:
    return {one.cell: one.status for one in found.outcomes.cells}
