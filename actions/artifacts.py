"""What a job of a run left: its artifact, a zip that nobody has unpacked.

It is trusted in nothing. Only files that are asked for by name are read, and none further than it may reach: what a zip
says of sizes is not believed, and its paths lead nowhere, as nothing is unpacked.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from pathlib import Path

PREFIX = "run-"
"""Of the artifacts' names. The plan's has it too: a pattern that matches one artifact alone gives it no folder."""
PLAN = re.compile(rf"{PREFIX}plan\.[1-9]\d{{0,3}}(\.zip)?", re.ASCII)
OF_A_JOB = re.compile(rf"{PREFIX}(.+)\.([1-9]\d{{0,3}})", re.ASCII)
"""The job, and the attempt of the run that it was in."""
MOST_ZIP_BYTES = 4_000_000
"""More than the files of a job may come to uncompressed. Its list of names is read as a whole."""
KNOWN_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""Of compression: those that stop where they are asked to."""
UNREADABLE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError)


@dataclass(frozen=True)
class Refused:
    """A file that can't be trusted."""

    reason: str


MISSING = Refused("it did not come back")


@dataclass(frozen=True)
class Artifact:
    """One artifact, as it was downloaded: a folder of its name, with its zip."""

    folder: Path
    job: str
    attempt: int

    def read(self, limits: Mapping[str, int]) -> tuple[dict[str, bytes | Refused], list[str]]:
        """Read the files of these names, each up to as many bytes; give the others' names beside them, in order."""
        try:
            packed = [*self.folder.iterdir()]
            if len(packed) != 1:
                rejected = Refused("its artifact is not a folder with one zip")
            elif (size_bytes := packed[0].stat().st_size) > MOST_ZIP_BYTES:
                rejected = Refused(f"its artifact has {size_bytes:,} bytes; at most {MOST_ZIP_BYTES:,} are read")
            else:
                with zipfile.ZipFile(packed[0]) as opened:
                    files = {name: _member(opened, name, most) for name, most in limits.items()}
                    return files, sorted({*opened.namelist()} - limits.keys())
        except UNREADABLE as error:
            rejected = _unreadable(error)
        return dict.fromkeys(limits, rejected), []


def of_jobs(folder: Path, jobs: Container[str], attempt: int) -> tuple[list[Artifact], list[str]]:
    """Return the artifacts of *jobs* and attempts up to *attempt*, those of new attempts first.

    Beside them, in order, the names of what is neither one of them nor the plan's.
    """
    found, others = [], []
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        match = OF_A_JOB.fullmatch(path.name)
        if PLAN.fullmatch(path.name):
            continue
        if match and match[1] in jobs and int(match[2]) <= attempt:
            found.append(Artifact(path, match[1], int(match[2])))
        else:
            others.append(path.name)
    return sorted(found, key=lambda artifact: -artifact.attempt), others


def digest(files: Mapping[str, bytes]) -> str:
    """Return the sha256 of names and bytes: what collects and what publishes agree on."""
    lines = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _member(opened: zipfile.ZipFile, name: str, most_bytes: int) -> bytes | Refused:
    """Read a file of a zip. Nothing is unpacked: a link is the few bytes of its target, and of two the last is read."""
    if name not in opened.namelist():
        return MISSING
    if opened.getinfo(name).compress_type not in KNOWN_METHODS:
        return Refused("compressed in a way that is not read here")
    try:
        with opened.open(name) as stream:
            data = stream.read(most_bytes + 1)
    except UNREADABLE as error:
        return _unreadable(error)
    return data if len(data) <= most_bytes else Refused(f"more than {most_bytes:,} bytes, and no more are published")


def _unreadable(error: Exception) -> Refused:
    return Refused(f"its artifact can't be read: {type(error).__name__}: {error}")
