"""Result files: decoded, and as headers. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
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


class ResultRun(NamedTuple):
    """The files of one run."""

    name: str
    """The day on which its first file was begun, and the name that its records have."""
    files: list[FileHeader]
    """In order of path."""

    @property
    def id(self) -> str:
        """The name alone."""
        return self.run.name

    @property
    def run(self) -> Run:
        """What its first file says of the run."""
        return self.files[0].run

    @property
    def started(self) -> str:
        """When the first of its jobs began, in UTC."""
        return min(file.run.started for file in self.files)

    @property
    def ended(self) -> str:
        """When the last of its jobs ended; where one was cut off, when it began."""
        return max(file.run.finished or file.run.started for file in self.files)


def run_key(file: FileHeader) -> tuple[bool, str]:
    """Return what the files of one run have in common: of a hosted one its address, of any other its name."""
    return file.local, file.run.url or file.run.name


def group_by_run(files: Iterable[FileHeader]) -> list[ResultRun]:
    """Return the runs that *files* are of, attempts of a hosted run as one, those that ended last first."""
    by_address: dict[tuple[bool, str], list[FileHeader]] = defaultdict(list)
    for file in sorted(files, key=lambda file: file.path):
        by_address[run_key(file)].append(file)
    runs = [ResultRun(f"{of_run[0].run.started[:10]}/{of_run[0].run.name}", of_run) for of_run in by_address.values()]
    return sorted(runs, key=lambda run: (run.ended, run.name), reverse=True)


def add_counterparts(files: Sequence[ResultFile]) -> list[ResultFile]:
    """Return *files*, each with the reference build's series of its run and its counterpart, if others have those."""
    own = {(*_run(file), file.record.build): file for file in files}
    plain = {(*_run(file), _python(file.record.build)): file for file in files if not file.record.build.variant}
    completed = []
    for file in files:
        run, build = _run(file), file.record.build
        counterpart = None
        if build.variant:
            counterpart = plain.get((*run, _python(build)))
        elif build.free_threaded:
            counterpart = own.get((*run, _with_gil(build)))
        reference = own.get((*run, file.record.reference_build))
        completed.append(replace(_with(file, reference), counterpart=counterpart))
    return completed


def _run(file: ResultFile) -> tuple[str, str, bool]:
    return file.record.run.id, file.record.machine.label, file.local


def _python(build: Build) -> tuple[str, str, bool]:
    """Return what a variant has in common with its plain build."""
    return build.implementation, build.version, build.free_threaded


def _with_gil(build: Build) -> Build:
    """Return the same version and origin, options and switches, with the GIL."""
    return msgspec.structs.replace(build, free_threaded=False, gil_at_start=True)


def _with(file: ResultFile, reference: ResultFile | None) -> ResultFile:
    """Return *file* with the series of *reference*, unless it is that or has them already."""
    series = file.record.series
    if reference is None or reference is file or any(each.role == "reference" for each in series):
        return file
    theirs = [
        msgspec.structs.replace(each, role="reference") for each in reference.record.series if each.role == "subject"
    ]
    record = msgspec.structs.replace(file.record, series=[*series, *theirs])
    return replace(file, record=record, reference_path=reference.path)


IDENTITY = (
    *("implementation", "version", "free_threaded", "jit", "compiler", "flags"),
    *("variant", "variables", "options"),
)
"""The fields of a build that must be alike."""


def build_identity(build: Build) -> tuple[object, ...]:
    """Return what two builds must have alike to be the same one."""
    return tuple(getattr(build, name) for name in IDENTITY)
