"""Result files, the runs they belong to, and what files of one run share. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from runners.harness.builds.host import MOST_STEAL_SHARE, is_busy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from runners.harness.record.model import Build, Machine, Record, Run

DEBUG_FLAG = "--with-pydebug"
NO_BREAK = "\N{NO-BREAK SPACE}"
BUILD_IDENTITY = (
    *("implementation", "version", "free_threaded", "jit", "compiler", "flags"),
    *("variant", "variables", "options"),
)


def build_identity(build: Build) -> tuple[object, ...]:
    """Return what two builds have in common if they are the same, wherever they run."""
    return tuple(getattr(build, name) for name in BUILD_IDENTITY)


def is_debug(build: Build) -> bool:
    """True for a build with CPython's debug checks."""
    return DEBUG_FLAG in build.flags


def why_busy(machine: Machine) -> str:
    """Return why nothing measured on *machine* decides: it was busy; empty if it was not."""
    if is_busy(machine):
        cores = f"{machine.usable_cores} core{'s' * (machine.usable_cores != 1)}"
        return f"the machine was busy: load {machine.load_before:.1f} on {cores} before the first sample"
    if machine.steal_share is not None and machine.steal_share > MOST_STEAL_SHARE:
        share = f"{100 * machine.steal_share:.1f}{NO_BREAK}%"
        return f"the machine was busy: its host kept {share} of the processor time for others"
    return ""


@dataclass(frozen=True)
class ResultFile:
    """One result file that can be used, decoded."""

    path: str
    """Below the folder that was read, with forward slashes."""
    record: Record
    sha256: str
    local: bool
    """True if it lies under local/: somebody's own, not published."""
    size_bytes: int
    modified_ns: int = 0
    counterpart_path: str | None = None
    """From the same run: a variant's plain build, or the same Python with the GIL for a free-threaded build."""

    @cached_property
    def why_excluded(self) -> str:
        """Why this run decides nothing; empty if it counts."""
        run = self.record.run
        if run.finished is not None and run.finished < run.started:
            return f"its clock ran backwards: begun {run.started}, finished {run.finished}"
        return why_busy(self.record.machine) or ("a debug build" if is_debug(self.record.build) else "")


class RawFile(NamedTuple):
    """A result file to be copied among the downloads."""

    location: Path
    sha256: str
    size_bytes: int
    modified_ns: int
    """With the size, shows whether the file changed since it was read."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file, or a part of the tree, was not used."""

    path: str
    field: str
    """Place in the file, as `$.series[0].status`; empty for the file itself."""
    message: str
    remedy: str

    def __str__(self) -> str:
        """Format it as one line. It may quote text from others' files."""
        place = f"{self.path} {self.field}".rstrip()
        return f"{place}: {self.message}; {self.remedy}"


class ResultRun(NamedTuple):
    """The files of one run."""

    files: list[ResultFile]
    """In order of path."""

    @property
    def run(self) -> Run:
        """The run as its first file records it."""
        return self.files[0].record.run

    @property
    def id(self) -> str:
        """Its name. The jobs of a hosted run share one."""
        return self.run.name

    @property
    def name(self) -> str:
        """The id with the day on which its first file was begun."""
        return f"{self.run.started[:10]}/{self.id}"

    @property
    def started(self) -> str:
        """When the first of its jobs began, in UTC."""
        return min(file.record.run.started for file in self.files)

    @property
    def ended(self) -> str:
        """When the last of its jobs ended, or began if it was cut off."""
        return max(file.record.run.finished or file.record.run.started for file in self.files)


def group_by_run(files: Iterable[ResultFile]) -> list[ResultRun]:
    """Return the runs of *files*, the last to end first. Attempts of a hosted run are one run."""
    grouped: dict[tuple[bool, str], list[ResultFile]] = defaultdict(list)
    for file in sorted(files, key=lambda file: file.path):
        grouped[file.local, file.record.run.url or file.record.run.name].append(file)
    return sorted(map(ResultRun, grouped.values()), key=lambda run: (run.ended, run.name), reverse=True)


def add_counterparts(files: Sequence[ResultFile]) -> list[ResultFile]:
    """Return *files*, each with the reference build's series and the counterpart of its run, if other files have them.

    A run of several builds writes a file for each, and only the reference build's file has its series. The other files
    get them in the role `reference`, as in a job that measures two builds into one file. Counterparts are
    measured in turn with them, block by block, so they are compared by round.
    """
    by_build = {(*_run(file), file.record.build): file for file in files}
    plain = {(*_run(file), _python(file.record.build)): file for file in files if not file.record.build.variant}
    completed = []
    for file in files:
        build, counterpart = file.record.build, None
        if build.variant:
            counterpart = plain.get((*_run(file), _python(build)))
        elif build.free_threaded:
            with_gil = msgspec.structs.replace(build, free_threaded=False, gil_at_start=True)
            counterpart = by_build.get((*_run(file), with_gil))
        with_reference = _with_reference(file, by_build.get((*_run(file), file.record.reference_build)))
        completed.append(replace(with_reference, counterpart_path=counterpart.path if counterpart else None))
    return completed


def _run(file: ResultFile) -> tuple[str, str, bool]:
    return file.record.run.id, file.record.machine.label, file.local


def _python(build: Build) -> tuple[str, str, bool]:
    """Return what a variant has in common with its plain build."""
    return build.implementation, build.version, build.free_threaded


def _with_reference(file: ResultFile, reference: ResultFile | None) -> ResultFile:
    series = file.record.series
    if reference is None or reference is file or any(each.role == "reference" for each in series):
        return file
    theirs = [
        msgspec.structs.replace(each, role="reference") for each in reference.record.series if each.role == "subject"
    ]
    record = msgspec.structs.replace(file.record, series=[*series, *theirs])
    return replace(file, record=record)
