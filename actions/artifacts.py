"""What a job of a run left: its artifact, as a zip that nobody has unpacked, or as a folder. Our side.

It is trusted in nothing. Only files that are asked for by name are read, and none further than it may reach: what a zip
says of sizes is not believed, and its paths lead nowhere, as nothing is unpacked.
"""

from __future__ import annotations

import re
import stat
import zipfile
import zlib
from itertools import islice
from pathlib import Path  # noqa: TC003 - Artifact is a NamedTuple, whose types stay
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = "run-"
"""Of the artifacts' names. The plan's has it too: a pattern that matches one artifact alone unpacks it without a
folder."""
PLAN = re.compile(rf"{PREFIX}plan\.[1-9]\d{{0,3}}(\.zip)?|plan\.json", re.ASCII)
OF_A_CELL = re.compile(rf"{PREFIX}(.+)\.([1-9]\d{{0,3}})", re.ASCII)
"""The cell, and the attempt of the run that measured it."""
MISSING = "it did not come back"
MOST_ZIP_BYTES = 2_000_000
"""Twice what a cell's files come to uncompressed. Its list of names is read as a whole."""
KNOWN_WAYS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""To compress: those that stop where they are told to."""
UNREADABLE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError)


class RefusedError(Exception):
    """A file can't be trusted; it says why."""


class Artifact(NamedTuple):
    """One artifact, as it was downloaded: the folder of its name."""

    folder: Path

    def names(self) -> list[str]:
        """Name all that it holds at its top, in order; of a zip all members. Nothing where it can't be read."""
        if self.folder.is_symlink() or not self.folder.is_dir():
            return []
        if (packed := self._zip()) is None:
            return sorted(path.name for path in self.folder.iterdir())
        try:
            with zipfile.ZipFile(packed) as opened:
                return sorted(opened.namelist())
        except UNREADABLE:
            return []

    def read(self, name: str, most_bytes: int) -> bytes:
        """Return a file's bytes. Raises RefusedError where it is not there, no plain file, or too large."""
        if self.folder.is_symlink():
            msg = "its artifact is a symbolic link"
            raise RefusedError(msg)
        packed = self._zip() if self.folder.is_dir() else None
        return _of_folder(self.folder / name, most_bytes) if packed is None else _of_zip(packed, name, most_bytes)

    def _zip(self) -> Path | None:
        """Return the one file that the folder holds, where that is a zip. Its name is whatever the server called it."""
        entries = list(islice(self.folder.iterdir(), 2))
        is_alone = len(entries) == 1 and stat.S_ISREG(entries[0].lstat().st_mode)
        return entries[0] if is_alone and zipfile.is_zipfile(entries[0]) else None


def of_cell(artifacts: Path, cell: str, since: int) -> list[Artifact]:
    """Return a cell's artifacts, the newest attempt first; those before the attempt *since* were of another plan."""
    found = {attempt: path for path, name, attempt in _named(artifacts) if name == cell and attempt >= since}
    return [Artifact(found[attempt]) for attempt in sorted(found, reverse=True)]


def unplanned(artifacts: Path, cells: frozenset[str]) -> Iterator[Path]:
    """Give what lies among the artifacts and is neither the plan's nor one of the *cells*', in order of name."""
    known = {path for path, name, _ in _named(artifacts) if name in cells}
    if artifacts.is_dir():
        yield from (path for path in sorted(artifacts.iterdir()) if path not in known and not PLAN.fullmatch(path.name))


def _named(artifacts: Path) -> Iterator[tuple[Path, str, int]]:
    for path in artifacts.iterdir() if artifacts.is_dir() else ():
        if match := OF_A_CELL.fullmatch(path.name):
            yield path, match[1], int(match[2])


def _of_folder(path: Path, most_bytes: int) -> bytes:
    try:
        facts = path.lstat()
    except OSError:
        raise RefusedError(MISSING) from None
    if not stat.S_ISREG(facts.st_mode):
        msg = "not a plain file"
        raise RefusedError(msg)
    if facts.st_size > most_bytes:
        msg = f"{facts.st_size:,} bytes; at most {most_bytes:,} are published"
        raise RefusedError(msg)
    return path.read_bytes()


def _of_zip(packed: Path, name: str, most_bytes: int) -> bytes:
    if (size := packed.stat().st_size) > MOST_ZIP_BYTES:
        msg = f"its artifact has {size:,} bytes; at most {MOST_ZIP_BYTES:,} are read"
        raise RefusedError(msg)
    try:
        with zipfile.ZipFile(packed) as opened, opened.open(_member(opened, name)) as stream:
            data = stream.read(most_bytes + 1)
    except UNREADABLE as error:
        msg = f"its artifact can't be read: {type(error).__name__}: {error}"
        raise RefusedError(msg) from error
    if len(data) > most_bytes:
        msg = f"more than {most_bytes:,} bytes, and no more are published"
        raise RefusedError(msg)
    return data


def _member(opened: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    """Return the member of that name. Raises RefusedError where it is none that may be read."""
    found = [member for member in opened.infolist() if member.filename == name]
    if not found:
        raise RefusedError(MISSING)
    kind = stat.S_IFMT(found[0].external_attr >> 16)
    faults = {
        "it is there twice": len(found) > 1,
        "not a plain file": kind not in {0, stat.S_IFREG},
        "compressed in a way that is not read here": found[0].compress_type not in KNOWN_WAYS,
    }
    for fault, is_so in faults.items():
        if is_so:
            raise RefusedError(fault)
    return found[0]
