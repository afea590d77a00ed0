"""Result files, the runs they belong to, and what files of one run share. Pure."""

import functools
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec
from packaging.version import InvalidVersion, Version

from runners.harness import matrix
from runners.harness.builds.host import why_busy
from runners.harness.record.build_names import DEBUG_BUILD, build_name, name_parts, slowed_by
from runners.harness.record.model import Build, Record, Run

NO_BREAK = "\N{NO-BREAK SPACE}"
MAX_LETTERS = 60
"""Longest name in an address: a file name with two of them stays within the limits of systems."""
_KEPT = re.compile(r"(?:[\w .()-]|\+(?=[A-Za-z0-9]))+", re.ASCII)
"""A final + tells 3.14.0+, which was built between releases, from 3.14.0."""
_DIGEST_LETTERS = 8
_MARKS = re.compile(r"\((?:R|TM|C)\)", re.IGNORECASE)
BUILD_IDENTITY = (
    *("implementation", "version", "free_threaded", "jit", "compiler", "flags"),
    *("variant", "variables", "options"),
)


hosted_matrix = functools.cache(matrix.read)
"""Returns the machines and Pythons of the workflow, as runners/harness/matrix.toml names them."""


@functools.cache
def rank_machine(label: str) -> int:
    """Return a machine's place among the workflow's; others come last."""
    labels = [machine.label for machine in hosted_matrix().machine]
    return labels.index(label) if label in labels else len(labels)


def slug(name: str) -> str:
    """Return *name* for an address, with a digest if it is long or has characters that an address can't hold."""
    short = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")
    if _KEPT.fullmatch(name) and short and len(short) <= MAX_LETTERS:
        return short
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_LETTERS]
    return f"{short[:MAX_LETTERS].strip('-.') or 'unnamed'}-{digest}"


@functools.cache
def build_order(build: str) -> tuple[str, Version, bool, str]:
    """Return a build's sort key: implementation, version, whether it is free-threaded, variant.

    Invalid versions come before all others of their implementation.
    """
    implementation, version, free_threaded, kinds, variant = name_parts(build)
    number = version.removesuffix("+")
    kind = "+" * (number != version) + "-".join(kinds) + "".join(f"+{word}" for word in variant)
    try:
        return implementation, Version(number), free_threaded, kind
    except InvalidVersion:
        return implementation, Version("0.dev0"), free_threaded, version


class MachineKey(NamedTuple):
    """A host with its processor. Your own differs from a published one of the same name."""

    machine: str
    """Its label."""
    local: bool
    processor: str
    cores: int

    @property
    def key(self) -> str:
        """Its name in addresses."""
        return self._name + "-local" * self.local

    @property
    def _name(self) -> str:
        processor = " ".join(_MARKS.sub(" ", self.processor).split())
        cores = "" if f"{self.cores}-core" in self.machine else f" {self.cores} cores"
        return slug(f"{self.machine}{cores} {processor}")

    def address(self, build: str, separator: str) -> str:
        return f"{self._name}{separator}{slug(build)}{'-local' * self.local}"


class ResultKey(NamedTuple):
    machine_key: MachineKey
    build: str

    @property
    def machine(self) -> str:
        """Label of its machine."""
        return self.machine_key.machine

    @property
    def local(self) -> bool:
        """True for somebody's own, unpublished results."""
        return self.machine_key.local

    @property
    def key(self) -> str:
        """Its name in addresses."""
        return self.machine_key.address(self.build, "-")


def build_identity(build: Build) -> tuple[object, ...]:
    """Return the facts that identify a build on any machine."""
    return tuple(getattr(build, name) for name in BUILD_IDENTITY)


@dataclass(frozen=True)
class ResultFile:
    """One result file that can be used."""

    path: str
    """Below the folder that was read, with forward slashes."""
    record: Record
    """Without its series if it is history: the site shows only that it exists."""
    sha256: str
    local: bool
    """True if it is under local/: somebody's own, not published."""
    size_bytes: int
    modified_ns: int = 0
    """With the size, shows whether the file changed since it was read."""
    location: Path = Path()
    reference_path: str = ""
    """From the same run: the reference build's file, if that is another."""
    counterpart_path: str = ""
    """From the same run: a variant's plain build, or the same Python with the GIL for a free-threaded build."""

    @property
    def order(self) -> tuple[str, str]:
        """Its place among files by time."""
        return self.record.run.started, self.path

    @property
    def has_gil_counterpart(self) -> bool:
        """True for a plain build without the GIL whose run measured the same Python with it."""
        build = self.record.build
        return bool(self.counterpart_path) and build.free_threaded and not build.variant

    @cached_property
    def key(self) -> ResultKey:
        machine = self.record.machine
        host = MachineKey(machine.label, self.local, machine.cpu, machine.usable_cores)
        return ResultKey(host, build_name(self.record.build))

    @cached_property
    def why_excluded(self) -> str:
        """Why this run decides nothing; empty if it counts."""
        run = self.record.run
        if run.finished is not None and run.finished < run.started:
            return f"its clock ran backwards: begun {run.started}, finished {run.finished}"
        return why_busy(self.record.machine) or (DEBUG_BUILD if slowed_by(self.record.build) else "")


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


def relate(files: Iterable[ResultFile]) -> list[ResultFile]:
    """Return *files*, each with the paths of the reference build's file and of its counterpart in the same run.

    A run of several builds writes a file for each. They are measured in turn, block by block, so they are compared by
    round.
    """
    files = [*files]
    by_build = {(*_run(file), file.record.build): file.path for file in files}
    plain = {(*_run(file), _python(file.record.build)): file.path for file in files if not file.record.build.variant}
    related = []
    for file in files:
        run, build, counterpart = _run(file), file.record.build, ""
        if build.variant:
            counterpart = plain.get((*run, _python(build)), "")
        elif build.free_threaded:
            with_gil = msgspec.structs.replace(build, free_threaded=False, gil_at_start=True)
            counterpart = by_build.get((*run, with_gil), "")
        reference = by_build.get((*run, file.record.reference_build), "")
        other = reference if reference != file.path else ""
        related.append(replace(file, reference_path=other, counterpart_path=counterpart))
    return related


def _run(file: ResultFile) -> tuple[str, str, bool]:
    return file.record.run.id, file.record.machine.label, file.local


def _python(build: Build) -> tuple[str, str, bool]:
    """Return the facts that a variant shares with its plain build."""
    return build.implementation, build.version, build.free_threaded
