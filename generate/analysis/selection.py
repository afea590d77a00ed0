"""Which results are current: one order for pages, verdicts, comparisons and downloads, by headers alone. Pure.

`Precedence` is the order, field by field: the reasons stand there. Of the files of one machine and build, the first of
that order that has a scenario speaks for it. Of the patch releases of one Python the newest that was measured on a
machine is current: 3.13.15, and not 3.13.0 beside it. Of what was measured only the controls have a say, which show how
noisy the hours were; nothing that is compared has.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

from generate.analysis.gated import why_busy
from generate.results.runs import by_run
from generate.text.hosted_machines import rank
from generate.text.names import build_order, cell_address, slug
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from packaging.version import Version

    from generate.analysis.gated import GatedRecord
    from generate.analysis.summary import Summary
    from generate.results.model import FileHeader, Measured, ResultFile
    from runners.harness.record.model import Record


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

    @classmethod
    def of(cls, file: FileHeader) -> Self:
        """Return the cell that a file is of."""
        return cls(file.machine.label, file.local, build_name(file.build))

    @property
    def key(self) -> str:
        """Its name in addresses."""
        return cell_address(self.machine, self.build, local=self.local)

    @property
    def host(self) -> Host:
        """Its machine."""
        return Host(self.machine, self.local)


@dataclass(frozen=True, slots=True, order=True)
class Precedence:
    """What files are ordered by, field by field: the greatest comes first."""

    is_plain: bool
    """Whether it is of a plain build: no sentence is of a variant."""
    is_local: bool
    may_decide: bool
    """Whether its machine was not busy with something else."""
    is_whole: bool
    """Whether it is of a full run that ended."""
    is_full: bool
    is_of_all: bool
    """Whether it is of all cases and runners, not of some that its command named: the others would be missed."""
    is_calm: bool
    """Whether the same code took about the same time whenever it was measured."""
    is_usual_processor: bool
    """Whether most runs under its machine's name had its processor: builds of one can be set side by side."""
    is_paired: bool
    """Whether its run measured the same Python with and without the GIL: what is said of both is then of one run."""
    machine_rank: int
    """0 for the machine that the workflow names first, less for others."""
    run_began: str
    """When the first job of its run did."""
    is_reference_build: bool
    is_own_job: bool
    """Whether it was measured for itself, not beside another build."""
    job_began: str
    path: str

    @property
    def worth(self) -> tuple[bool | int, ...]:
        """What orders cells before how fresh they are: sentences are of the reference build, where it says as much."""
        said = self.is_plain, self.is_local, self.may_decide, self.is_whole, self.is_full
        return *said, self.machine_rank, self.is_reference_build

    @classmethod
    def of(cls, file: FileHeader, run_began: str) -> Self:
        """Return what orders *file*."""
        is_full = not file.run.is_quick
        return cls(
            is_plain=not file.is_variant,
            is_local=file.local,
            may_decide=not why_busy(file.machine),
            is_whole=is_full and file.complete,
            is_full=is_full,
            is_of_all=not file.run.cases and not file.run.runners,
            is_calm=not file.is_loud,
            is_usual_processor=file.is_usual_processor,
            is_paired=file.is_paired,
            machine_rank=-rank(file.machine.label),
            run_began=run_began,
            is_reference_build=file.build == file.reference_build,
            is_own_job=not file.is_by_product,
            job_began=file.run.started,
            path=file.path,
        )


class CellResult(NamedTuple):
    """One file, and what it is of."""

    gated: GatedRecord
    cell: Cell
    precedence: Precedence

    @classmethod
    def of(cls, gated: GatedRecord) -> Self:
        """Return the cell result of a file by itself, in the order of its own job."""
        header = gated.file.header
        return cls(gated, Cell.of(header), Precedence.of(header, header.run.started))

    @property
    def machine(self) -> str:
        """Its machine's label."""
        return self.cell.machine

    @property
    def machine_name(self) -> str:
        """What its machine is called in words."""
        return self.file.machine_name or self.machine

    @property
    def build(self) -> str:
        """Its build's name."""
        return self.cell.build

    @property
    def host(self) -> Host:
        """Which machine it is of."""
        return self.cell.host

    @property
    def address(self) -> str:
        """The name of its machine and build in addresses."""
        return self.cell.key

    @property
    def file(self) -> ResultFile:
        """The file."""
        return self.gated.file

    @property
    def record(self) -> Record:
        """What the file holds."""
        return self.gated.file.record

    def other_packages(self, rows: Iterable[Summary]) -> str:
        """Name the packages of which its *rows* have another version than the reference build: a ratio is of both then.

        Each once; none of a variant, whose own name says what is different.
        """
        named = (row.other_packages.split("; ") for row in rows if row.other_packages and not self.record.build.variant)
        return "; ".join(sorted({name for names in named for name in names}))

    @property
    def order(self) -> tuple[str, Version, bool, str]:
        """Where its build stands among others."""
        return build_order(self.build)

    @property
    def page(self) -> str:
        """Where the page of its every series lies below docs/."""
        return f"machines/{self._place}.md"

    @property
    def anchor(self) -> str:
        """What its file's section on that page is called: a run can have several files of a machine and build."""
        return slug(self.file.path.removesuffix(".json").replace("/", "-"))

    @property
    def map_page(self) -> str:
        """Where the page of its map lies below docs/, if it has one of its own."""
        return f"choose/{self._place}.md"

    @property
    def _place(self) -> str:
        return f"{slug(self.machine)}/{slug(self.build)}{'-local' * self.file.local}"

    @property
    def machine_page(self) -> str:
        """Where its machine's page lies below docs/."""
        return f"machines/{slug(self.machine)}.md"

    @property
    def build_page(self) -> str:
        """Where its build's page lies below docs/."""
        return f"builds/{slug(self.build)}.md"


def in_order(records: Iterable[GatedRecord]) -> list[CellResult]:
    """Return the files, the one that comes before all others first."""
    by_path = {gated.file.path: gated for gated in records}
    ordered = in_precedence(gated.file.header for gated in by_path.values())
    return [CellResult(by_path[file.path], Cell.of(file), precedence) for precedence, file in ordered]


def as_said(cells: Iterable[CellResult]) -> list[CellResult]:
    """Return *cells*, the one that sentences are of first: by what they are worth, of as much by precedence."""
    return sorted(cells, key=lambda cell: (cell.precedence.worth, cell.precedence), reverse=True)


def select_current(files: Iterable[FileHeader]) -> list[FileHeader]:
    """Return the files that come first for any series of their machine and build, in order of path.

    The others are history: they can be had as they are, and no page is made from them. So are those of a patch release
    of which a newer one is current with the same scenarios.
    """
    every = [*files]
    first = series_that_come_first(every)
    current = [file for file in every if first[file.path]]
    releases: dict[PythonRelease, list[FileHeader]] = defaultdict(list)
    for file in current:
        releases[PythonRelease.of(file)].append(file)
    newest = [file for file in current if not _is_superseded(file, releases[PythonRelease.of(file)])]
    return sorted(newest, key=lambda file: file.path)


def series_that_come_first(files: Iterable[FileHeader]) -> dict[str, frozenset[Measured]]:
    """Return by path which series of each file come before those of all others of its machine and build.

    What an older method measured of a scenario is left out where a newer one measured any of it and comes before: its
    cases may be other ones now.
    """
    known: dict[Cell, set[Measured]] = defaultdict(set)
    newest_method: dict[tuple[Cell, str], int] = {}
    first = {}
    for _, file in in_precedence(files):
        cell = Cell.of(file)
        own = {each for each in file.measured if newest_method.get((cell, each.scenario), 0) <= file.schema_version}
        first[file.path] = frozenset(own - known[cell])
        known[cell] |= file.measured
        for scenario in _scenarios(file):
            newest_method[cell, scenario] = max(newest_method.get((cell, scenario), 0), file.schema_version)
    return first


class PythonRelease(NamedTuple):
    """A machine and a feature release: what patch releases of one Python have in common."""

    machine: str
    local: bool
    implementation: str
    version: tuple[int, ...]
    free_threaded: bool
    kind: str
    """What else tells builds of one version apart: variants, the just-in-time compiler."""

    @classmethod
    def of(cls, file: FileHeader) -> Self:
        """Return the release that a file is of."""
        implementation, version, free_threaded, kind = build_order(build_name(file.build))
        return cls(file.machine.label, file.local, implementation, version.release[:2], free_threaded, kind)


def _is_superseded(older: FileHeader, others: Iterable[FileHeader]) -> bool:
    """Say whether *others* of its release are of a newer patch release, have all of its scenarios and decide as much.

    The scenarios may be spread over several files of one patch release.
    """
    by_patch: dict[Version, set[str]] = defaultdict(set)
    for other in others:
        if _patch(other) > _patch(older) and _weight(other) >= _weight(older):
            by_patch[_patch(other)] |= _scenarios(other)
    return any(_scenarios(older) <= scenarios for scenarios in by_patch.values())


def _scenarios(file: FileHeader) -> set[str]:
    return {series.scenario for series in file.measured}


def _patch(file: FileHeader) -> Version:
    return build_order(build_name(file.build))[1]


def _weight(file: FileHeader) -> tuple[bool, bool, bool]:
    return not why_busy(file.machine), *_extent(file)


def _extent(file: FileHeader) -> tuple[bool, bool]:
    return not file.run.is_quick, file.complete


def disturbance(newer: FileHeader, current: FileHeader) -> Literal["busy", "processor", "noise", "alone", ""]:
    """Say by what *newer*, of the cell of *current*, comes after it; empty where by nothing."""
    if why_busy(newer.machine):
        return "busy"
    is_calmer = current.is_loud and not newer.is_loud
    if current.is_usual_processor and not newer.is_usual_processor and not is_calmer:
        return "processor"
    if newer.is_loud and not current.is_loud:
        return "noise"
    return "alone" if current.is_paired and not newer.is_paired and not is_calmer else ""


def gives_way(newer: FileHeader, current: FileHeader, scenario: str | None = None) -> bool:
    """Say whether *newer*, of the cell of *current*, would be current had nothing disturbed it.

    With *scenario*, for something of that.
    """
    if not disturbance(newer, current) or why_busy(current.machine) or newer.run.started <= current.run.started:
        return False
    shared = {each.scenario for each in newer.measured & current.measured}
    return _extent(newer) >= _extent(current) and bool(shared if scenario is None else shared & {scenario})


def in_precedence(files: Iterable[FileHeader]) -> list[tuple[Precedence, FileHeader]]:
    """Return the files, each with what it is ordered by, the one that comes before all others first."""
    ranked = [(Precedence.of(file, run.started), file) for run in by_run(files) for file in run.files]
    return sorted(ranked, key=itemgetter(0), reverse=True)
