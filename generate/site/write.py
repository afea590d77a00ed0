"""The one module that writes. It is given what each file must hold, and touches only those that differ."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runners.harness.errors import UserError
from runners.harness.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping

    Content = str | bytes | Path
    """Text, bytes, or a file to copy."""

MANIFEST = ".generated.json"
"""What the last generation of pages wrote. Only that may be removed: whatever else lies there belongs to somebody."""
DATA_MANIFEST = ".generated-data.json"
"""The same of the downloads."""


class OutputError(UserError):
    """The folder to write to cannot be used."""


@dataclass(frozen=True)
class Written:
    """What one generation did to the files."""

    written: int
    """Files that are new or whose content changed."""
    unchanged: int
    """Files that held the same bytes already."""
    removed: int
    """Files of the last generation that are no longer made."""

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{self.written} files written, {self.unchanged} unchanged, {self.removed} removed"


def write(folder: Path, files: Mapping[str, Content], sources: Path, *, manifest: str = MANIFEST) -> Written:
    """Make *folder* hold *files* (path -> content), and remove what an earlier call wrote and this one does not.

    Earlier calls are those with the same *manifest*, the name of the file that lists what was written.

    Raises OutputError where that would overwrite *sources*, the hand-written pages.
    """
    _refuse_sources(folder, sources)
    before = _manifest(folder / manifest)
    changed = [path for path, content in files.items() if _replace(_inside(folder, path), _bytes(content))]
    stale = sorted(before - files.keys())
    for path in stale:
        _inside(folder, path).unlink(missing_ok=True)
    _remove_empty(folder, stale)
    _replace(folder / manifest, json.dumps(sorted(files), indent=0).encode())
    return Written(len(changed), len(files) - len(changed), len(stale))


def _refuse_sources(folder: Path, sources: Path) -> None:
    target = (folder / "docs").resolve()
    if target == sources.resolve() or sources.resolve().is_relative_to(target):
        msg = f"--out {folder} would overwrite the hand-written pages in {sources}; choose another folder"
        raise OutputError(msg)


def _inside(folder: Path, path: str) -> Path:
    """Return the place of *path* in *folder*. Raises OutputError where it would lie outside."""
    if Path(path).is_absolute() or ".." in Path(path).parts:
        msg = f"{path!r} leads out of the folder of the site"
        raise OutputError(msg)
    return folder / path


def _bytes(content: Content) -> bytes:
    if isinstance(content, Path):
        return content.read_bytes()
    return content.encode() if isinstance(content, str) else content


def _replace(path: Path, data: bytes) -> bool:
    """Write *data* to *path* in one step unless it is there already; tell whether it was written."""
    if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
        return False
    write_atomically(path, data)
    return True


def _manifest(path: Path) -> set[str]:
    try:
        return set(json.loads(path.read_bytes()))
    except (OSError, ValueError):
        return set()


def _remove_empty(folder: Path, paths: list[str]) -> None:
    """Remove the folders that *paths* leave empty, innermost first."""
    parents = {parent for path in paths for parent in Path(path).parents if parent.parts}
    for parent in sorted(parents, key=lambda each: -len(each.parts)):
        place = folder / parent
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()
