"""What is known of result files: of each its header, of some the whole record. Pure."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Self

import msgspec

from generate.results.noise import noise_of
from runners.harness.record.model import Build, Machine, Record, Run, SeriesKey

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from runners.harness.record.cells_file import RunOutcomes

Refusals = tuple[tuple[SeriesKey, str], ...]
"""Series, and the reason to print for each."""


class Measured(NamedTuple):
    """What a file has a series of."""

    scenario: str
    case: str
    runner: str


@dataclass(frozen=True, slots=True)
class FileHeader:
    """What is known of every result file, also of those that are history and are never decoded again."""

    path: str
    """Where it lies below the folder that was read, with forward slashes."""
    sha256: str
    """Of its bytes, in hexadecimal."""
    local: bool
    """Whether it lies under local/: somebody's own, not published."""
    size_bytes: int
    modified_ns: int
    """When it was last written, as the file system says."""
    measured: frozenset[Measured]
    """What it has series of, without the reference build's. Files of the same series share the set."""
    refused: Refusals
    """What the sanity gate refuses in it, and why."""
    schema_version: int
    """As in the record, like what follows."""
    kind: str
    complete: bool
    run: Run
    machine: Machine
    build: Build
    reference_build: Build
    has_reference: bool
    """Whether the reference build's series stand in it as well."""
    scenario_sha256: dict[str, str]
    """By scenario that it has, the hash of its files as they were measured."""
    noise: dict[str, float]
    """How far each baseline differs from itself, as a logarithm; see `noise_of`."""
    is_usual_processor: bool = True
    """Whether it is of the processor that most of the newest runs under its machine's name had."""
    is_loud: bool = False
    """Whether its hours were so noisy that it gives way to a calmer run of its cell."""
    is_paired: bool = False
    """Whether its run measured the same Python with and without the GIL."""
    machine_name: str = ""
    """What its machine is called in words; empty where that was not looked at."""

    @property
    def is_variant(self) -> bool:
        """Whether its build has other packages or switches than the plain one, or is one under a label."""
        return bool(self.build.variant)

    @property
    def is_by_product(self) -> bool:
        """Whether it is the reference build as the job of another build measured it."""
        return self.kind == "by_product"


@dataclass(frozen=True)
class ResultFile:
    """One result file that can be used, decoded."""

    path: str
    """As in its header, like all but the record."""
    record: Record
    sha256: str
    local: bool
    size_bytes: int
    modified_ns: int = 0
    refused: Refusals | None = None
    """What the sanity gate refuses in it; None where it was not asked."""
    is_usual_processor: bool = True
    is_loud: bool = False
    is_paired: bool = False
    machine_name: str = ""
    reference_path: str | None = None
    """Where the file lies from which the reference build's series were set beside its own; None where it has them."""
    twin: ResultFile | None = None
    """Of the same run: of a variant the plain build, of a free-threaded build the same Python with the GIL; or None."""

    @classmethod
    def of(cls, header: FileHeader, record: Record) -> Self:
        """Return the file of a *header* with its *record*, which was decoded again."""
        return cls(record=record, **{name: getattr(header, name) for name in _OF_FILE})

    @cached_property
    def header(self) -> FileHeader:
        """What is known of it where it is not decoded."""
        own = [series for series in self.record.series if series.role != "reference"]
        known = {
            **{name: getattr(self, name) for name in _OF_FILE},
            **{name: getattr(self.record, name) for name in _OF_RECORD},
            "refused": self.refused or (),
        }
        return FileHeader(
            measured=frozenset(Measured(*series.key[:3]) for series in own),
            has_reference=len(own) < len(self.record.series),
            noise=noise_of(self.record),
            **known,
        )


_HEADER = {each.name for each in fields(FileHeader)}
_OF_FILE = tuple(each.name for each in fields(ResultFile) if each.name in _HEADER)
"""What a header has as its file has it."""
_OF_RECORD = tuple(name for name in Record.__struct_fields__ if name in _HEADER)
"""What it has as the record has it."""


class SeriesMedian(msgspec.Struct, frozen=True):
    """A metric of a series over the rounds of one file. In the metric's unit; None where it has no value."""

    scenario: str
    case: str
    runner: str
    role: str
    status: str
    """As in the record; `failed` where the sanity gate refuses the series."""
    source_sha256: str
    packages: str
    """Versions of the packages that its runner needs, and of those that its baseline's does; empty where none does."""
    metric: str
    unit: str
    rounds: int
    """How many had a value."""
    median: float | None
    low: float | None
    high: float | None
    ratio: float | None
    """Median of the series over its block's baseline, paired by round; None of the baseline itself."""
    ratio_low: float | None
    ratio_high: float | None


class RawFile(NamedTuple):
    """A result file as it is, to be put among the downloads."""

    location: Path
    sha256: str
    size_bytes: int
    modified_ns: int
    """When it was last written: that and its size say whether it is what was read."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file, or a part of the tree, was not used."""

    path: str
    """Where it lies below the folder that was read, with forward slashes."""
    field: str
    """Where in the file, as `$.series[0].status`; empty when it is the file as a whole."""
    message: str
    """What is wrong, in one line."""
    remedy: str
    """What to do about it, in one line."""

    def __str__(self) -> str:
        """Say it in one line; it may hold what others wrote."""
        place = f"{self.path} {self.field}".rstrip()
        return f"{place}: {self.message}; {self.remedy}"


@dataclass(frozen=True, slots=True)
class Loaded:
    """Result files, decoded, and problems: both in order of path."""

    files: list[ResultFile]
    problems: list[Problem]


@dataclass(frozen=True, slots=True)
class Listing:
    """All that a folder of results has, by header, and problems: both in order of path."""

    files: Sequence[FileHeader]
    problems: Sequence[Problem]
    runs: Sequence[RunOutcomes] = ()
    """What became of the cells of hosted runs."""

    def without(self, problems: Sequence[Problem]) -> Listing:
        """Return it without the files of further *problems*."""
        left_out = {problem.path for problem in problems}
        every = sorted([*self.problems, *problems], key=lambda problem: (problem.path, problem.field))
        return replace(self, files=[file for file in self.files if file.path not in left_out], problems=every)
