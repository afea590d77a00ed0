"""Ends what our side has started, when our side dies. One small process a run.

It reads `+ID` and `-ID` lines (process groups that begin and end) and, at the end of its input, ends what is left.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys

if sys.platform == "win32":
    NEW_GROUP = subprocess.CREATE_NEW_PROCESS_GROUP
else:
    NEW_GROUP = 0
"""What starts a process in a group of its own on Windows, where a session does so elsewhere: an interrupt from the
keyboard is for our side, which then ends the others."""


def end_group(group: int) -> None:
    """End every process of *group* at once. It is no error when there is none."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(group)], capture_output=True, check=False)  # noqa: S603, S607
        return
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # macOS answers with the second for a group of zombies
        return


def main() -> None:
    """Watch until the end of the input."""
    alive: set[int] = set()
    for line in sys.stdin:
        (alive.add if line[0] == "+" else alive.discard)(int(line[1:]))
    for group in alive:
        end_group(group)


if __name__ == "__main__":
    main()
