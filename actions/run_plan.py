"""A run as it was planned: jobs, and the cells (machine and build) that each of them measures in turn."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from actions import job, named_builds
from runners.harness.errors import UserError
from runners.harness.matrix import Exclusion  # noqa: TC001 - msgspec reads the annotations
from runners.harness.record.model import Profile  # noqa: TC001 - likewise
from runners.harness.run.plan import Selection, entries

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.run.plan import Entry

PLAN_FILE = "plan.json"
REPEAT = "--run"
"""Followed by a number in the ids of a repeated job and its cells."""


class PlannedCell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A machine and a build."""

    id: str
    """Names its file."""
    machine: str
    python: str

    @property
    def own_file(self) -> str:
        """The name of its result file."""
        return f"{self.id}.json"


class PlannedJob(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cells of a machine that are measured in turn, on one host."""

    id: str
    """Names its artifact, and the run of its records."""
    machine: str
    reference: str
    """The reference build, which is measured beside the cells; empty where it is the one cell."""
    cells: list[PlannedCell]
    repeat: int = 1
    """From 1: which of several measurements of these cells, each in a job of its own."""

    @property
    def pythons(self) -> list[str]:
        """The builds that it measures, the reference first."""
        return [*([self.reference] if self.reference else []), *(cell.python for cell in self.cells)]

    @property
    def reference_file(self) -> str:
        """The name of the reference build's file, where that is a by-product."""
        return f"{self.id}.reference.json"

    @property
    def failure_file(self) -> str:
        """The name of the file that says why it failed."""
        return f"{self.id}.failed.txt"

    @property
    def result_files(self) -> list[str]:
        """The names of the files that it may bring."""
        return [*([self.reference_file] if self.reference else []), *(cell.own_file for cell in self.cells)]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A run: what was requested, and the jobs that come of it."""

    profile: Profile
    rounds: int
    scenarios: list[str]
    """Empty: all."""
    publish: bool
    note: str
    jobs: list[PlannedJob]
    excluded: list[Exclusion]

    @property
    def repeats(self) -> int:
        """How often each build is measured."""
        return max(planned.repeat for planned in self.jobs)

    @property
    def cells(self) -> list[PlannedCell]:
        """Those of all jobs."""
        return [cell for of_run in self.jobs for cell in of_run.cells]


def read_plan(path: Path) -> Plan:
    """Read the plan (PLAN_SHA256: its digest). It came as an artifact, which any job of the run could have replaced.

    Raises UserError.
    """
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != job.variable("PLAN_SHA256"):
        msg = f"{path.name} is not the plan that this run made"
        raise UserError(msg)
    return msgspec.json.decode(data, type=Plan)


def entries_of(plan: Plan, planned: PlannedJob, scenarios: Mapping[str, Scenario]) -> list[Entry]:
    """List what a job measures: a build with another package measures what imports it, and no more."""
    varied = [named_builds.varied(python) for python in planned.pythons]
    return entries(scenarios, Selection(plan.profile, tuple(plan.scenarios)), varied)


def cell_id(machine: str, build_address: str) -> str:
    """Name a cell."""
    return f"{machine}--{build_address}"


def repeated(planned: PlannedJob, number: int) -> PlannedJob:
    """Return a job that measures the same cells in run *number*, with ids of its own from the second on."""
    if number == 1:
        return planned
    cells = [msgspec.structs.replace(cell, id=f"{cell.id}{REPEAT}{number}") for cell in planned.cells]
    return msgspec.structs.replace(planned, id=f"{planned.id}{REPEAT}{number}", cells=cells, repeat=number)


def repeat_of(cell: str) -> int:
    """Return which repeat the id of a *cell* is of."""
    _, _, number = cell.rpartition(REPEAT)
    return int(number) if REPEAT in cell and number.isdecimal() else 1
