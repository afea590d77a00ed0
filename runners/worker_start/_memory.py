"""Memory of a process and of all processes below it. Only Linux reports it."""

from __future__ import annotations

import os
from pathlib import Path


def tree_bytes() -> int | None:
    """Return the resident memory of this process and its descendants; None if it is unknown.

    A page that several processes share counts once in all (Pss).
    """
    try:
        return sum(map(_proportional_bytes, _with_descendants(os.getpid())))
    except OSError:  # not Linux, or a process has just ended
        return None


def _with_descendants(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    return [process, *(below for child in children for below in _with_descendants(int(child)))]


def _proportional_bytes(process: int) -> int:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
