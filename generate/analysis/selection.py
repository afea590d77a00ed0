"""Which results lead: one order for pages, verdicts, comparisons and downloads. Pure.

Local results (one's own) come before those that are published, then full runs that ended before those that were cut
off, and these before quick ones; then the machines in the order in which the workflow names them, others after; then
the newest run, and of a run its reference build. Of the files of one machine and build, the first of that order that
has a scenario speaks for it. Nothing of what was measured decides what leads.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from generate.results.runs import by_run
from generate.text.hosted_machines import rank
from generate.text.names import build_order, cell_address, slug
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from packaging.version import Version

    from generate.analysis.summaries import GatedRecord
    from generate.results.load import ResultFile
    from runners.harness.record.model import Record

BY_PRODUCT = ".reference.json"
"""How the name of a file ends that holds the reference build as another build's job measured it."""


class Host(NamedTuple):
    """A machine: one's own is not the one of the same name whose results are published."""

    machine: str
    local: bool

    @property
    def key(self) -> str:
        """Its name in addresses."""
        return slug(self.machine) + "-local" * self.local


class Cell(NamedTuple):
    """A machine and a build, whichever file speaks for them."""

    machine: str
    local: bool
    """Whether it is somebody's own: not the machine of the same name whose results are published."""
    build: str

    @property
    def key(self) -> str:
        """Its name in addresses."""
        return cell_address(self.machine, self.build, local=self.local)

    @property
    def host(self) -> Host:
        """Its machine."""
        return Host(self.machine, self.local)


class CellResult(NamedTuple):
    """One file, and what it is of."""

    seen: GatedRecord
    machine: str
    build: str
    run_began: str
    """When the first job of its run did."""

    @property
    def column(self) -> Cell:
        """Which machine and build it is of."""
        return Cell(self.machine, self.file.local, self.build)

    @property
    def host(self) -> Host:
        """Which machine it is of."""
        return self.column.host

    @property
    def address(self) -> str:
        """The name of its machine and build in addresses."""
        return self.column.key

    @property
    def file(self) -> ResultFile:
        """The file."""
        return self.seen.file

    @property
    def record(self) -> Record:
        """What the file holds."""
        return self.seen.file.record

    @property
    def order(self) -> tuple[str, Version, bool, str]:
        """Where its build stands among others."""
        return build_order(self.build)

    @property
    def machine_page(self) -> str:
        """Where its machine's page lies below docs/."""
        return f"machines/{slug(self.machine)}.md"

    @property
    def build_page(self) -> str:
        """Where its build's page lies below docs/."""
        return f"builds/{slug(self.build)}.md"

    @property
    def standing(self) -> Standing:
        """What it is ordered by."""
        return _standing(self.file, self.run_began)


Standing = tuple[bool, bool, bool, int, str, bool, bool, str, str]
"""What files are ordered by: the greatest leads."""


def in_order(seen: Iterable[GatedRecord]) -> list[CellResult]:
    """Return the files, the one that leads all first."""
    by_path = {one.file.path: one for one in seen}
    found = []
    for file, began in _ordered(one.file for one in by_path.values()):
        machine, _, build = column_of(file)
        found.append(CellResult(by_path[file.path], machine, build, began))
    return found


def select_current(files: Iterable[ResultFile]) -> list[ResultFile]:
    """Return the files that lead for any series of their machine and build, in order of path.

    The others are history: they can be had as they are, and no page is made from them.
    """
    known: dict[Cell, set[tuple[str, str, str]]] = defaultdict(set)
    leading = []
    for file, _ in _ordered(files):
        mine = known[column_of(file)]
        has = {(one.scenario, one.case, one.runner) for one in file.record.series if one.role != "reference"}
        if not has <= mine:
            leading.append(file)
            mine |= has
    return sorted(leading, key=lambda file: file.path)


def column_of(file: ResultFile) -> Cell:
    """Say which machine and build a file is of."""
    return Cell(file.record.machine.label, file.local, build_name(file.record.build))


def _ordered(files: Iterable[ResultFile]) -> list[tuple[ResultFile, str]]:
    """Return the files, the one that leads all first, each with when its run began."""
    began = [(file, run.started) for run in by_run(files) for file in run.files]
    return sorted(began, key=lambda each: _standing(*each), reverse=True)


def _standing(file: ResultFile, run_began: str) -> Standing:
    record, run = file.record, file.record.run
    is_full, is_reference = run.profile == "full", record.build == record.reference_build
    is_own_job = not file.path.endswith(BY_PRODUCT)
    of_run = (-rank(record.machine.label), run_began, is_reference, is_own_job, run.started)
    return file.local, is_full and record.complete, is_full, *of_run, file.path
