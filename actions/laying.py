"""Says which of a run's files are laid beside those that a branch has already. Pure.

What is published is never changed. Of a cell that was measured again after it had been published, nothing is taken:
its files were measured together, and one of them beside an older one would be read as if they were of one job.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from actions.collected import cell_of
from runners.harness.record import cells_file

if TYPE_CHECKING:
    from collections.abc import Mapping


class Laid(NamedTuple):
    """What is to be written, and what is not."""

    files: dict[str, bytes]
    """By path below the folder that stands for results/."""
    kept: list[str]
    """Paths that the branch has otherwise, in order; it keeps them."""


def laid(files: Mapping[str, bytes], there: Mapping[str, bytes]) -> Laid:
    """Lay *files* beside those that are *there*, both by path; the list of cells is among them."""
    published = {cell for cell in map(cell_of, files) if _meets_another(cell, files, there)}
    new = {name: data for name, data in files.items() if cell_of(name) not in published}
    lists = [name for name in new if _is_list(name) and name in there]
    joined = {name: cells_file.joined(there[name], new[name], published) for name in lists}
    return Laid(new | joined, sorted(name for name in there if cell_of(name) in published))


def _meets_another(cell: str, files: Mapping[str, bytes], there: Mapping[str, bytes]) -> bool:
    """Tell whether the branch has files of *cell* that are of another measurement than ours."""
    ours, theirs = ({name for name in each if cell_of(name) == cell and not _is_list(name)} for each in (files, there))
    return any(files[name] != there[name] for name in ours & theirs) or bool(ours - theirs and theirs - ours)


def _is_list(name: str) -> bool:
    return name.rpartition("/")[2] == cells_file.FILE
