"""Names what a run's collected files hold, so that who publishes them can tell that nobody changed them."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def paths(folder: Path) -> Iterator[Path]:
    """Give all that lies below a folder and is no plain folder itself, in order of name; links are not followed."""
    found = []
    for parent, folders, names in os.walk(folder):
        links = [name for name in folders if Path(parent, name).is_symlink()]
        found += [Path(parent, name) for name in (*names, *links)]
    yield from sorted(found)


def is_plain(path: Path) -> bool:
    """Tell whether it is a file, and neither a link nor anything else."""
    return stat.S_ISREG(path.lstat().st_mode)


def digest(folder: Path) -> str:
    """Return the sha256 of the names and the bytes of a folder's plain files."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n"
        for path in paths(folder)
        if is_plain(path)
    ]
    return hashlib.sha256("".join(lines).encode(errors="surrogateescape")).hexdigest()
