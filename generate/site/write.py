"""The one module that writes the site's sources: a complete new folder beside the old one, which then takes its place.

Nothing compares with what is there: to write 2,500 files anew takes half a second. A generation that is killed leaves
what was there before, or, between two of the three renames at its end, nothing that the next one would not replace.
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from generate.data.files import RawFile
from generate.site.navigation import THEME, WRITTEN
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Content = str | bytes | Path | RawFile
    """Text, bytes, a file to copy, or a result file."""

MAKING, REPLACED = ".making", ".replaced"
SITE_FILE = "mkdocs.yml"
PARTS = (SITE_FILE, THEME, "docs")
"""All that is written, in the order in which it takes its place: the file by which a folder is known as ours first."""


class OutputError(UserError):
    """The folder to write to cannot be used."""


@contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Turn what the system refuses (no permission, no room) into an OutputError that names the folder and the file."""
    try:
        yield
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        msg = f"--out {folder}: {error.strerror or error}{where}; choose another folder, or put that right"
        raise OutputError(msg) from error


def write(folder: Path, files: Mapping[str, Content], sources: Path) -> None:
    """Make the site's sources in *folder* be *files*, content by path, and nothing else. What is beside them stays.

    Raises OutputError where that would overwrite *sources*, the hand-written pages, or what somebody else wrote.
    """
    _refuse(folder, sources)
    making, replaced = folder / MAKING, folder / REPLACED
    for left in (making, replaced):  # by a generation that was killed
        shutil.rmtree(left, ignore_errors=True)
    try:
        for path, content in files.items():
            _put(_inside(making, path), content)
        replaced.mkdir(parents=True)
        for part in PARTS:
            if (folder / part).is_dir() or not (making / part).exists():
                with suppress(FileNotFoundError):
                    (folder / part).rename(replaced / part)
            if (making / part).exists():
                (making / part).replace(folder / part)  # the file without a moment in which there is none
    finally:
        for left in (making, replaced):
            shutil.rmtree(left, ignore_errors=True)


def _refuse(folder: Path, sources: Path) -> None:
    target = (folder / "docs").resolve()
    if target == sources.resolve() or sources.resolve().is_relative_to(target):
        msg = f"--out {folder} would overwrite the hand-written pages in {sources}; choose another folder"
        raise OutputError(msg)
    site_file = folder / SITE_FILE
    ours = site_file.is_file() and site_file.read_bytes().startswith(WRITTEN.encode())
    if not ours and any((folder / part).exists() for part in PARTS):
        msg = f"{folder} holds what the generator did not write; choose another folder, or remove {', '.join(PARTS)}"
        raise OutputError(msg)


def _inside(folder: Path, path: str) -> Path:
    """Return the place of *path* in *folder*. Raises OutputError where it would lie outside, or beside the parts."""
    parts = Path(path).parts
    if Path(path).is_absolute() or ".." in parts or parts[0] not in PARTS:
        msg = f"{path!r} leads out of the folder of the site"
        raise OutputError(msg)
    return folder / path


def _put(path: Path, content: Content) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, RawFile):
        _link(content, path)
    elif isinstance(content, Path):
        path.write_bytes(content.read_bytes())
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def _link(raw: RawFile, path: Path) -> None:
    """Put a result file at *path*. Raises UserError where it is not what was read before.

    It gets a second name where the file system allows that: a copy of all that was ever measured would take as much
    room and time again with each generation. Nothing writes into these files: a run replaces its own by renaming.
    """
    try:
        os.link(raw.location, path)
    except OSError:  # another file system, or one without links
        shutil.copy2(raw.location, path)
    facts = path.stat()
    if (facts.st_size, facts.st_mtime_ns) != (raw.size_bytes, raw.modified_ns):
        msg = f"{raw.location.name} was changed while it was read: end what measures, and do this again"
        raise OutputError(msg)
