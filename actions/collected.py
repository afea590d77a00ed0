"""Which files a run has once it is collected, and their digest: what collects and what publishes agree on. Our side."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from runners.harness.record import cells_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from actions.dispatch import CellJob, Plan


def file_names(cell: CellJob) -> list[str]:
    """Name the files that a cell's artifact may hold: its own, and its reference build's."""
    return [f"{cell.id}.json", *([f"{cell.id}.reference.json"] if cell.reference else [])]


def cell_of(name: str) -> str:
    """Return the cell whose file has that name or path: a cell's files were measured together."""
    return name.rpartition("/")[2].removesuffix(".json").removesuffix(".reference")


def names(plan: Plan, run_id: str) -> frozenset[str]:
    """Return the paths of all files that a run may have, below the folder that stands for results/."""
    files = [cells_file.FILE, *(name for cell in plan.cells for name in file_names(cell))]
    return frozenset(f"{folder(run_id)}/{name}" for name in files)


def folder(run_id: str) -> str:
    """Return the run's folder below results/: the day, and its name, which begins with the day."""
    return f"{run_id[:10]}/{run_id}"


def paths(root: Path) -> Iterator[Path]:
    """Give all that lies below a folder and is no plain folder itself, in order of name; links are not followed."""
    found = []
    for parent, folders, names in os.walk(root):
        links = [name for name in folders if Path(parent, name).is_symlink()]
        found += [Path(parent, name) for name in (*names, *links)]
    yield from sorted(found)


def is_plain(path: Path) -> bool:
    """Tell whether it is a file, and neither a link nor anything else."""
    return stat.S_ISREG(path.lstat().st_mode)


def digest(root: Path) -> str:
    """Return the sha256 of the names and the bytes of a folder's plain files."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(root).as_posix()}\n"
        for path in paths(root)
        if is_plain(path)
    ]
    return hashlib.sha256("".join(lines).encode(errors="surrogateescape")).hexdigest()
