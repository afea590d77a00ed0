"""What is known of result files: of each its header, of some the whole record. Pure."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.record.model import Build, Machine, Record, Run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from runners.harness.record.cells_file import RunOutcomes


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
    """What it has series of, without the reference build's."""
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
    reference_path: str | None = None
    """Where the file lies from which the reference build's series were set beside its own; None where it has them."""
    twin: ResultFile | None = None
    """Of the same run: of a variant the plain build, of a free-threaded build the same Python with the GIL; or None."""

    @cached_property
    def header(self) -> FileHeader:
        """What is known of it where it is not decoded."""
        own = [series for series in self.record.series if series.role != "reference"]
        known = {
            **{name: getattr(self, name) for name in _OF_FILE},
            **{name: getattr(self.record, name) for name in _OF_RECORD},
        }
        return FileHeader(
            measured=frozenset(Measured(*series.key[:3]) for series in own),
            has_reference=len(own) < len(self.record.series),
            **known,
        )


_HEADER = {each.name for each in fields(FileHeader)}
_OF_FILE = tuple(each.name for each in fields(ResultFile) if each.name in _HEADER)
"""What a header has as its file has it."""
_OF_RECORD = tuple(name for name in Record.__struct_fields__ if name in _HEADER)
"""What it has as the record has it."""


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
