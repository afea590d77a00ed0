"""How much memory a process and all processes below it take now. Linux alone tells."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")


class Memory(NamedTuple):
    """What a look at the memory has found."""

    proportional_bytes: int
    """Resident memory; a page that several processes share counts for each by its share (Pss)."""
    processes: frozenset[int]
    """Whose memory it is."""


def look() -> Memory | None:
    """Add up the memory of this process and of those that its main thread has started, and so on down.

    None where the system does not tell, or where a process ends meanwhile.
    """
    try:
        processes = _with_children(os.getpid())
        return Memory(sum(map(_proportional_bytes, processes)), frozenset(processes))
    except OSError:
        return None


def _with_children(process: int) -> list[int]:
    children = (PROC / f"{process}/task/{process}/children").read_text(encoding="ascii").split()
    return [process, *(below for child in children for below in _with_children(int(child)))]


def _proportional_bytes(process: int) -> int:
    """Return the Pss of *process*. It is counted page by page, where the other counters of memory may lag behind."""
    for line in (PROC / f"{process}/smaps_rollup").read_text(encoding="ascii").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    msg = f"the system does not say how much memory process {process} takes"
    raise OSError(msg)
