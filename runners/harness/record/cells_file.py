"""What became of the cells of hosted runs: the file cells.json beside the results of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

FILE = "cells.json"
MOST_BYTES = 1_000_000
Text = Annotated[str, msgspec.Meta(max_length=500)]


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What became of a cell."""

    cell: Text
    machine: Text
    python: Text
    status: Literal["measured", "failed", "excluded"]
    reason: Text | None
    files: list[Text]


class Outcomes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What became of a run."""

    run_id: Text
    url: Text
    note: Text
    profile: Text
    cells: list[Outcome]


class Read(NamedTuple):
    """What a folder of results tells of its runs."""

    runs: list[Outcomes]
    """In order of path."""
    faults: list[tuple[str, str]]
    """Files that can't be used: path and reason."""


def read(results: Path) -> Read:
    """Read every cells.json below *results*. Raises nothing for a file, whatever is in it."""
    found = Read([], [])
    for path in sorted(results.rglob(FILE)):
        name = path.relative_to(results).as_posix()
        try:
            found.runs.append(_read(path))
        except (OSError, ValueError, RecursionError, msgspec.MsgspecError) as error:
            told = error.strerror if isinstance(error, OSError) else str(error)  # its own words hold the whole path
            found.faults.append((name, told or "nested too deeply"))
    return found


def _read(path: Path) -> Outcomes:
    if path.is_symlink() or not path.is_file():
        msg = "not a plain file"
        raise ValueError(msg)
    if path.stat().st_size > MOST_BYTES:
        msg = f"{path.stat().st_size:,} bytes; it has at most {MOST_BYTES:,}"
        raise ValueError(msg)
    return msgspec.json.decode(path.read_bytes(), type=Outcomes)


def joined(before: bytes, after: bytes, keeping: Collection[str] = ()) -> bytes:
    """Return the list *after* with the cells that *before* has as measured: what was published stays measured.

    Of a re-run only what was measured anew need come back. Of the cells *keeping*, which keep their files, stays what
    *before* tells of these. A list that can't be read counts as none.
    """
    try:
        old, new = (msgspec.json.decode(told, type=Outcomes) for told in (before, after))
    except msgspec.MsgspecError:
        return after
    kept = {cell.cell: cell for cell in old.cells if cell.cell in keeping}
    measured = {cell.cell: cell for cell in old.cells if cell.status == "measured"}
    others = [cell if cell.status == "measured" else measured.get(cell.cell, cell) for cell in new.cells]
    cells = [kept.get(cell.cell, cell) for cell in others]
    return after if cells == new.cells else encoded(msgspec.structs.replace(new, cells=cells))


def encoded(told: Outcomes) -> bytes:
    """Return what a list's file holds."""
    return msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n"
