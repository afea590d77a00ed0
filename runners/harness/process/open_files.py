"""Lets the processes of a run open as many files as its cases need."""

import sys
from contextlib import suppress

ENOUGH = 10_240
"""macOS's own maximum; a thousand connections have two ends, and tasks open files too."""


def raise_limit(system: str = sys.platform) -> None:
    """On macOS, where shells allow 256 open files, raise the limit of this process and its children to ENOUGH.

    Elsewhere the limit belongs to the system that is measured. A hard limit stays; whatever then fails is recorded.
    """
    if system != "darwin":
        return
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(ENOUGH, hard)  # on macOS the number for no limit is larger than any
    if soft < wanted:
        with suppress(OSError, ValueError):  # a case that needs more fails with the system's reason
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
