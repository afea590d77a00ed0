"""Outcomes of the cells of a hosted run: the file cells.json next to its results."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import msgspec

if TYPE_CHECKING:
    from pathlib import Path

FILE = "cells.json"
MOST_BYTES = 1_000_000
Text = Annotated[str, msgspec.Meta(max_length=500)]


class CellOutcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What became of a cell."""

    cell: Text
    """Machine and Python, as the run named them."""
    machine: Text
    """Label of the machine."""
    python: Text
    """The interpreter that was asked for."""
    status: Literal["measured", "failed", "excluded"]
    """measured; failed, where no file was kept or nothing of what the cell is about was measured; or excluded."""
    reason: Text | None
    """Why it was not measured, or what is amiss though it was; null where nothing is."""
    files: list[Text]
    """Paths below results/: each attempt has a folder of its own."""


class RunOutcomes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What became of the cells of a run, as far as an attempt came."""

    run_id: Text
    """Names the attempt."""
    url: Text
    """Of the hosted run; empty where it has none."""
    note: Text
    """What was written to it when it was begun; may be empty."""
    profile: Text
    """quick, full or map."""
    cells: list[CellOutcome]
    """What became of each."""


class Read(NamedTuple):
    """What a folder of results tells of its runs."""

    runs: list[RunOutcomes]
    """In order of path, in which the tenth attempt comes after the second."""
    faults: list[tuple[str, str]]
    """Files that can't be used: path and reason."""


def read(results: Path) -> Read:
    """Read every cells.json below *results*. Raises nothing for a file, whatever is in it."""
    outcomes = Read([], [])
    for path in sorted(results.rglob(FILE), key=_in_order_of_numbers):
        name = path.relative_to(results).as_posix()
        try:
            outcomes.runs.append(_read(path))
        except (OSError, ValueError, RecursionError, msgspec.MsgspecError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)  # its own words hold the whole path
            outcomes.faults.append((name, reason or "nested too deeply"))
    return outcomes


def _in_order_of_numbers(path: Path) -> str:
    return re.sub(r"\d+", lambda number: number[0].zfill(20), path.as_posix())


def _read(path: Path) -> RunOutcomes:
    if path.is_symlink() or not path.is_file():
        msg = "not a plain file"
        raise ValueError(msg)
    if path.stat().st_size > MOST_BYTES:
        msg = f"{path.stat().st_size:,} bytes; it has at most {MOST_BYTES:,}"
        raise ValueError(msg)
    return msgspec.json.decode(path.read_bytes(), type=RunOutcomes)


def encoded(outcomes: RunOutcomes) -> bytes:
    """Return what the file of a run's cells holds."""
    return msgspec.json.format(msgspec.json.encode(outcomes), indent=1) + b"\n"
