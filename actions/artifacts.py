"""What a job of a run left: its artifact, a zip that nobody has unpacked. Our side.

It is trusted in nothing. Only files that are asked for by name are read, and none further than it may reach: what a zip
says of sizes is not believed, and its paths lead nowhere, as nothing is unpacked.
"""

from __future__ import annotations

import hashlib
import re
import stat
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping
    from pathlib import Path

PREFIX = "run-"
"""Of the artifacts' names. The plan's has it too: a pattern that matches one artifact alone gives it no folder."""
PLAN = re.compile(rf"{PREFIX}plan\.[1-9]\d{{0,3}}(\.zip)?", re.ASCII)
OF_A_CELL = re.compile(rf"{PREFIX}(.+)\.([1-9]\d{{0,3}})", re.ASCII)
"""The cell, and the attempt of the run that measured it."""
MOST_ZIP_BYTES = 2_000_000
"""Twice what a cell's files come to uncompressed. Its list of names is read as a whole."""
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
    cell: str
    attempt: int

    def read(self, limits: Mapping[str, int]) -> tuple[dict[str, bytes | Refused], list[str]]:
        """Read the files of these names, each up to as many bytes; give the others' names beside them, in order."""
        packed = _zip_in(self.folder)
        if isinstance(packed, Refused):
            return dict.fromkeys(limits, packed), []
        try:
            with zipfile.ZipFile(packed) as opened:
                names = {member.filename for member in opened.infolist()}
                files = {name: _member(opened, name, most) for name, most in limits.items()}
        except UNREADABLE as error:
            return dict.fromkeys(limits, _unreadable(error)), []
        return files, sorted(names - limits.keys())


def of_cells(artifacts: Path) -> Iterator[Artifact]:
    """Give the artifacts that are called as cells' are, those of new attempts first."""
    found = [(path, OF_A_CELL.fullmatch(path.name)) for path in _entries(artifacts) if not PLAN.fullmatch(path.name)]
    named = [Artifact(path, match[1], int(match[2])) for path, match in found if match]
    yield from sorted(named, key=lambda artifact: -artifact.attempt)


def unplanned(artifacts: Path, cells: Container[str], attempt: int) -> Iterator[str]:
    """Name, in order, what is neither the plan's nor one of *cells*' of an attempt up to *attempt*."""
    known = {one.folder for one in of_cells(artifacts) if one.cell in cells and one.attempt <= attempt}
    yield from (path.name for path in _entries(artifacts) if path not in known and not PLAN.fullmatch(path.name))


def digest(files: Mapping[str, bytes]) -> str:
    """Return the sha256 of names and bytes: what collects and what publishes agree on."""
    lines = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _entries(artifacts: Path) -> list[Path]:
    return sorted(artifacts.iterdir()) if artifacts.is_dir() else []


def _zip_in(folder: Path) -> Path | Refused:
    """Return the one file of a folder, whatever the server called it."""
    entries = [] if folder.is_symlink() or not folder.is_dir() else [*folder.iterdir()]
    if len(entries) != 1 or not stat.S_ISREG((facts := entries[0].lstat()).st_mode):
        return Refused("its artifact is not a folder with one zip")
    if facts.st_size > MOST_ZIP_BYTES:
        return Refused(f"its artifact has {facts.st_size:,} bytes; at most {MOST_ZIP_BYTES:,} are read")
    return entries[0]


def _member(opened: zipfile.ZipFile, name: str, most_bytes: int) -> bytes | Refused:
    found = [member for member in opened.infolist() if member.filename == name]
    if not found:
        return MISSING
    if len(found) > 1:
        return Refused("it is there twice")
    if stat.S_IFMT(found[0].external_attr >> 16) not in {0, stat.S_IFREG}:
        return Refused("not a plain file")
    if found[0].compress_type not in KNOWN_METHODS:
        return Refused("compressed in a way that is not read here")
    try:
        with opened.open(found[0]) as stream:
            data = stream.read(most_bytes + 1)
    except UNREADABLE as error:
        return _unreadable(error)
    return data if len(data) <= most_bytes else Refused(f"more than {most_bytes:,} bytes, and no more are published")


def _unreadable(error: Exception) -> Refused:
    return Refused(f"its artifact can't be read: {type(error).__name__}: {error}")
