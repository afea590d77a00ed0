"""Lets the processes of a run open as many files as its cases need, where a system gives fewer by default. Our side."""

from __future__ import annotations

import sys
from contextlib import suppress

ENOUGH = 10_240
"""What macOS lets a process have; a thousand connections have two ends, and tasks files of their own."""


def allow_enough(system: str = sys.platform) -> None:
    """On macOS, whose shells give 256, raise the limit of this process, and so of those that it starts, to ENOUGH.

    Elsewhere nothing changes: there the limit is part of what results were measured under. A hard limit stays; what
    does not fit below it is then recorded with the system's refusal.
    """
    if system != "darwin":
        return
    import resource  # noqa: PLC0415 - Windows has no such module

    given, highest = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if highest == resource.RLIM_INFINITY else min(ENOUGH, highest)
    if given != resource.RLIM_INFINITY and given < wanted:
        with suppress(OSError, ValueError):  # refused: what then can't be opened is said where it happens
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, highest))
