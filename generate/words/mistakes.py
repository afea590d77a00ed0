"""Words for an exception that is a mistake of this project, from which it can be found."""

from __future__ import annotations

import traceback
from pathlib import Path

from runners.harness.catalogue.scenarios import ROOT

OURS = tuple(ROOT / name for name in ("actions", "generate", "runners"))
"""Folders of our own code."""


def describe_mistake(error: Exception) -> str:
    """Say what was raised, and in which line of ours: "KeyError: 'S1' (generate/claims/read.py:40)".

    Where other code raised it, that is the line that called this.
    """
    said = ": ".join(filter(None, [type(error).__name__, str(error)]))
    called = ((Path(frame.f_code.co_filename), line) for frame, line in traceback.walk_tb(error.__traceback__))
    ours = [
        f"{path.relative_to(ROOT).as_posix()}:{line}" for path, line in called if any(map(path.is_relative_to, OURS))
    ]
    return f"{said} ({ours[-1]})" if ours else said
