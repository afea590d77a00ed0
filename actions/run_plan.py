"""The plan of a run: jobs, and the cells (machine and build) that each measures in turn."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from actions import job, named_builds
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.errors import UserError
from runners.harness.matrix import Exclusion
from runners.harness.record.model import Profile
from runners.harness.run.plan import Entry, Selection, entries

PLAN_FILE = "plan.json"


class PlannedCell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    """Ends with the number of its run, if that is measured again."""
    python: str

    @property
    def own_file(self) -> str:
        """Name of its result file."""
        return f"{self.id}.json"


class PlannedJob(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cells of a machine that are measured in turn, on one host."""

    id: str
    """Names its artifact and the run of its records."""
    machine: str
    reference: str
    """The reference build that is measured with the cells; empty if it is the only cell."""
    cells: list[PlannedCell]

    @property
    def pythons(self) -> list[str]:
        """The builds it measures, the reference first."""
        return [*filter(None, [self.reference]), *(cell.python for cell in self.cells)]

    @property
    def reference_file(self) -> str:
        """Name of the reference's file, if that is a by-product."""
        return f"{self.id}.reference.json"

    @property
    def failure_file(self) -> str:
        """Name of the file with the reason of a failure."""
        return f"{self.id}.failed.txt"

    @property
    def result_files(self) -> list[str]:
        """Names of the files that it may upload, in the order of its builds."""
        return [*([self.reference_file] if self.reference else []), *(cell.own_file for cell in self.cells)]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    profile: Profile
    rounds: int
    scenarios: list[str]
    """Empty: all."""
    publish: bool
    note: str
    jobs: list[PlannedJob]
    excluded: list[Exclusion]

    @property
    def cells(self) -> list[PlannedCell]:
        return [cell for planned in self.jobs for cell in planned.cells]

    @property
    def selection(self) -> Selection:
        """The profile and the scenarios."""
        return Selection(self.profile, tuple(self.scenarios))


def read_plan(path: Path) -> Plan:
    """Read the plan, if its digest is PLAN_SHA256: any job of the run could have replaced it. Raises UserError."""
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != job.read_variable("PLAN_SHA256"):
        msg = f"{path.name} is not the plan that this run made"
        raise UserError(msg)
    return msgspec.json.decode(data, type=Plan)


def list_entries(plan: Plan, planned: PlannedJob, scenarios: Mapping[str, Scenario]) -> list[Entry]:
    """Return what a job measures. A build with a different package only measures the runners that import it."""
    return entries(scenarios, plan.selection, [*map(named_builds.list_packages, planned.pythons)])


def make_cell_id(machine: str, python: str) -> str:
    """Return the id of a cell, for names of files and jobs."""
    return f"{machine}--{named_builds.make_file_name(python)}"
