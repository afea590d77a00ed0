"""Artifacts of a run, and short ways to collect them."""

import datetime as dt
import zipfile
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from factory import COMMIT, Plan, altered, build, make_record

from actions import collect, dispatch
from actions.collect import Collected
from actions.job import HostedRun
from actions.run_plan import Plan as RunPlan
from generate.data.cells_file import CellOutcome
from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode
from runners.harness.record.model import Build, Record, Status

RUN = HostedRun(dt.date(2026, 1, 1), 1001, 1, 1, COMMIT, "https://example.org/r/actions/runs/1001", "dispatch")
SCENARIOS = find()
CELL, OTHER = "ubuntu-24.04--3.14t", "ubuntu-24.04--3.14"
JOB, OTHER_JOB = "ubuntu-24.04--job2", "ubuntu-24.04--job1"
OWN, OTHERS_OWN, REFERENCE = f"{CELL}.json", f"{OTHER}.json", f"{JOB}.reference.json"
BUILDS = {"3.13": build("3.13.1"), "3.14": build("3.14.0"), "3.14t": build("3.14.0", free_threaded=True)}
NO_SAMPLES: dict[str, Any] = {"round": [], "position": [], "status": [], "reason": [], "warm_up_us": [], "values": {}}


def plan(**inputs: str) -> RunPlan:
    usual = {"machines": "ubuntu-24.04", "profile": "full", "scenarios": "primes", "rounds": "2", "note": "a note"}
    return dispatch.make_plan(usual | inputs, SCENARIOS)


PLAN = plan(pythons="3.14,3.14t")


def record(python: str, job: str = JOB, attempt: int = 1, **run_changes: Any) -> Record:  # noqa: ANN401 - of the run
    """Make what a job measured on a build. 3.14 is a by-product, except in the other job."""
    made = variant(BUILDS[python], job, attempt)
    made = msgspec.structs.replace(made, run=msgspec.structs.replace(made.run, **run_changes))
    is_by_product = python == "3.14" and not job.startswith(OTHER_JOB)
    return msgspec.structs.replace(made, kind="by_product") if is_by_product else made


def variant(
    measured: Build, job: str = OTHER_JOB, attempt: int = 1, scenario: str = "primes", runners: Collection[str] = ()
) -> Record:
    """Make what a job measured on a build with some *runners*, or all."""
    names = {"run_id": f"{RUN.name(attempt)}.{job}", "run_name": RUN.name(attempt), "machine": "ubuntu-24.04"}
    made = make_record({scenario: SCENARIOS[scenario]}, Plan(measured, BUILDS["3.14"], rounds=2, **names))  # type: ignore[arg-type]
    series = [each for each in made.series if each.role != "reference" and (not runners or each.runner in runners)]
    run = msgspec.structs.replace(made.run, scenarios=[scenario], url=RUN.url, trigger="dispatch")
    return msgspec.structs.replace(made, run=run, series=series)


def with_status(made: Record, runner: str, status: Status) -> Record:
    """Return a record in which a runner has no sample, for a reason."""
    lost = {"status": status, "reason": "it broke", "observed": None, "samples": NO_SAMPLES}
    return altered(made, lambda series: series.runner == runner, lambda tree: tree.update(lost))


def pack(artifacts: Path, job: str, attempt: int, files: dict[str, bytes]) -> Path:
    packed = artifacts / f"run-{job}.{attempt}" / "artifact.zip"
    packed.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in files.items():
            opened.writestr(name, data)
    return packed


def good_files() -> dict[str, bytes]:
    return {OWN: encode(record("3.14t")), REFERENCE: encode(record("3.14"))}


def pack_both(artifacts: Path, **own: bytes) -> Path:
    """Write the artifacts of two good jobs, with *own* in place of the first's files; return the first's zip."""
    pack(artifacts, OTHER_JOB, 1, {OTHERS_OWN: encode(record("3.14", OTHER_JOB))})
    return pack(artifacts, JOB, 1, good_files() | own)


def collect_from(artifacts: Path, attempt: int = 1, planned_in: int = 1, by: RunPlan = PLAN) -> Collected:
    return collect.collect(by, replace(RUN, planned_in=planned_in, attempt=attempt), artifacts)


def outcome(collected: Collected, cell: str = CELL) -> CellOutcome:
    (match,) = [each for each in collected.outcomes.cells if each.cell == cell]
    return match


def kept(collected: Collected) -> set[str]:
    """Return the paths of what was accepted, below the run's folders, with the attempt."""
    return {accepted.path.removeprefix("2026-01-01/2026-01-01-gh1001-") for accepted in collected.accepted}


def statuses(collected: Collected) -> dict[str, str]:
    return {each.cell: each.status for each in collected.outcomes.cells}
