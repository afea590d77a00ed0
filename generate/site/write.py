"""Writes the site's sources: a complete new folder next to the old one, which then takes its place.

A killed generation leaves the old site or, between its last renames, one that the next generation replaces.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from generate.data.files import ResultFile
from generate.site.navigation import THEME, WRITTEN
from runners.harness.errors import UserError

Rendered = str | bytes | Path
"""Text, bytes, or a file to copy."""
Content = Rendered | ResultFile


MAKING, REPLACED = ".making", ".replaced"
SITE_FILE = "mkdocs.yml"
PARTS = (SITE_FILE, THEME, "docs")
"""Everything that is written, in order of replacement: first the file that marks the folder as ours."""


class OutputError(UserError):
    """The output folder cannot be used."""


@contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Turn an OSError, such as a lack of permission or space, into an OutputError with the folder and file."""
    try:
        yield
    except OSError as error:
        file = f" ({error.filename})" if error.filename else ""
        msg = f"--out {folder}: {error.strerror or error}{file}; choose another folder, or fix that"
        raise OutputError(msg) from error


def write(folder: Path, files: Mapping[str, Content], sources: Path) -> None:
    """Replace the site's sources in *folder* by *files*, content by path. Other files in it stay.

    Raises OutputError if that would overwrite *sources*, the hand-written pages, or somebody else's files.
    """
    _check_target(folder, sources)
    making, replaced = folder / MAKING, folder / REPLACED
    _remove(making, replaced)  # left by a killed generation
    try:
        for path, content in files.items():
            put(_inside(making, path), content)
        replaced.mkdir(parents=True)
        for part in PARTS:
            if (folder / part).is_dir() or not (making / part).exists():
                with suppress(FileNotFoundError):
                    (folder / part).rename(replaced / part)
            if (making / part).exists():
                (making / part).replace(folder / part)  # the marking file is never absent
    finally:
        _remove(making, replaced)


def _remove(*folders: Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def _check_target(folder: Path, sources: Path) -> None:
    target = (folder / "docs").resolve()
    if target == sources.resolve() or sources.resolve().is_relative_to(target):
        msg = f"--out {folder} would overwrite the hand-written pages in {sources}; choose another folder"
        raise OutputError(msg)
    site_file = folder / SITE_FILE
    is_ours = site_file.is_file() and site_file.read_bytes().startswith(WRITTEN.encode())
    if not is_ours and any((folder / part).exists() for part in PARTS):
        msg = (
            f"{folder} has files that the generator did not write; choose another folder, or remove {', '.join(PARTS)}"
        )
        raise OutputError(msg)


def _inside(folder: Path, path: str) -> Path:
    parts = Path(path).parts
    if Path(path).is_absolute() or ".." in parts or parts[0] not in PARTS:
        msg = f"{path!r} leads out of the folder of the site"
        raise OutputError(msg)
    return folder / path


def put(path: Path, content: Content) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, ResultFile):
        _link(content, path)
    else:
        path.write_bytes(as_bytes(content))


def as_bytes(content: Rendered) -> bytes:
    if isinstance(content, Path):
        return content.read_bytes()
    return content.encode() if isinstance(content, str) else content


def _link(raw: ResultFile, path: Path) -> None:
    """Link a result file, or copy it. Raises OutputError if it changed since it was read.

    Links save the space and time of copies. Nothing writes into these files: a run replaces its own by renaming.
    """
    try:
        os.link(raw.location, path)
    except OSError:  # another file system, or one without links
        shutil.copy2(raw.location, path)
    facts = path.stat()
    if (facts.st_size, facts.st_mtime_ns) != (raw.size_bytes, raw.modified_ns):
        msg = f"{raw.location.name} was changed while it was read: end the run that measures, and try again"
        raise OutputError(msg)
