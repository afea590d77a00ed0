"""Outcomes of the cells of a hosted run: the file cells.json next to its results."""

import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec

FILE = "cells.json"
MOST_BYTES = 1_000_000
Text = Annotated[str, msgspec.Meta(max_length=500)]


class CellOutcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome of a cell."""

    cell: Text
    """Machine and Python, as the run named them."""
    machine: Text
    """Label of the machine."""
    python: Text
    """The requested interpreter."""
    status: Literal["measured", "failed", "excluded"]
    """measured; failed, if no file was kept or the cell has no value of its own; or excluded."""
    reason: Text | None
    """Why it was not measured, or what is wrong with it; null if nothing is."""
    files: list[Text]
    """Paths below results/: each attempt has a folder of its own."""


class RunOutcomes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The outcomes of a run's cells, up to an attempt."""

    run_id: Text
    """Name of the attempt."""
    url: Text
    """Address of the hosted run; may be empty."""
    note: Text
    """The note that its dispatch was given; may be empty."""
    profile: Text
    """quick, full or map."""
    cells: list[CellOutcome]
    """The outcome of each cell."""


def read(results: Path) -> tuple[list[RunOutcomes], list[tuple[str, str]]]:
    """Read every cells.json below *results*, sorted by path, numbers by value.

    Also returns the path and reason of each unusable file: never raises for the content of one.
    """
    runs: list[RunOutcomes] = []
    faults: list[tuple[str, str]] = []
    for path in sorted(results.rglob(FILE), key=_by_number):
        name = path.relative_to(results).as_posix()
        try:
            runs.append(_read(path))
        except (OSError, ValueError, RecursionError, msgspec.MsgspecError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)  # its text has the full path
            readable = name.encode(errors="backslashreplace").decode()
            faults.append((readable, reason or "nested too deeply"))
    return runs, faults


def _by_number(path: Path) -> str:
    return re.sub(r"\d+", lambda number: number[0].zfill(20), path.as_posix())


def _read(path: Path) -> RunOutcomes:
    if path.is_symlink() or not path.is_file():
        msg = "not a plain file"
        raise ValueError(msg)
    if path.stat().st_size > MOST_BYTES:
        msg = f"{path.stat().st_size:,} bytes; it has at most {MOST_BYTES:,}"
        raise ValueError(msg)
    return msgspec.json.decode(path.read_bytes(), type=RunOutcomes)


def encode(outcomes: RunOutcomes) -> bytes:
    return msgspec.json.format(msgspec.json.encode(outcomes), indent=1) + b"\n"
