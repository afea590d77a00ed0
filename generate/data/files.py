"""Result files: decoded, and as headers. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from runners.harness.record.cells_file import RunOutcomes
    from runners.harness.record.model import Build, Machine, Record, Run


@dataclass(frozen=True, slots=True)
class FileHeader:
    """A result file without its series."""

    path: str
    """Where it lies below the folder that was read, with forward slashes."""
    sha256: str
    """Of its bytes, in hexadecimal."""
    local: bool
    """Whether it lies under local/: somebody's own, not published."""
    size_bytes: int
    modified_ns: int
    """When it was last written, as the file system says."""
    complete: bool
    """As in the record, like what follows."""
    run: Run
    machine: Machine
    build: Build
    reference_build: Build
    scenario_sha256: dict[str, str]
    """By scenario that it has, the hash of its files as they were measured."""


@dataclass(frozen=True)
class ResultFile:
    """One result file that can be used, decoded."""

    path: str
    """Where it lies below the folder that was read, with forward slashes."""
    record: Record
    sha256: str
    local: bool
    size_bytes: int
    modified_ns: int = 0
    reference_path: str | None = None
    """The file that the reference build's series were taken from; None if it has its own."""
    counterpart: ResultFile | None = None
    """Its counterpart in the same run: of a variant the plain build, of a free-threaded build the one with the GIL."""

    @cached_property
    def header(self) -> FileHeader:
        """The file without its series."""
        own = ("path", "sha256", "local", "size_bytes", "modified_ns")
        recorded = ("complete", "run", "machine", "build", "reference_build", "scenario_sha256")
        return FileHeader(
            **{name: getattr(self, name) for name in own}, **{name: getattr(self.record, name) for name in recorded}
        )


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
