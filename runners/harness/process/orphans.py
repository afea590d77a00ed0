"""Ends what our side has started, when our side dies. One small process a run.

It reads `+ID` and `-ID` lines (process groups that begin and end) and, at the end of its input, ends what is left:
these groups and, on Linux, whatever has the mark that is its argument.

The mark is a limit on message queues that only workers have. What a worker starts inherits it, in a session of its own,
after a double fork, and with an emptied environment too.
"""

from __future__ import annotations

import os
import re
import secrets
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    NEW_GROUP = subprocess.CREATE_NEW_PROCESS_GROUP
else:
    NEW_GROUP = 0
"""What starts a process in a group of its own on Windows, where a session does so elsewhere: an interrupt from the
keyboard is for our side, which then ends the others."""


SWEEP_LIMIT_S = 5.0
PAUSE_S = 0.0005


def new_mark() -> int:
    """Draw a mark: a limit (bytes) that hardly another process has; 0 where there can be none."""
    if sys.platform == "linux":
        import resource  # noqa: PLC0415 - not there on Windows

        most = resource.getrlimit(resource.RLIMIT_MSGQUEUE)[1]
        half = (2**31 if most == resource.RLIM_INFINITY else most) // 2
        return half + secrets.randbelow(half) if half else 0
    return 0


def mark_process(process: int, mark: int) -> None:
    """Give *process*, and all that it will start, the mark. One that has ended already starts nothing."""
    if sys.platform == "linux" and mark:
        import resource  # noqa: PLC0415 - likewise

        with suppress(OSError):
            resource.prlimit(process, resource.RLIMIT_MSGQUEUE, (mark, mark))


def processes() -> set[int]:
    """Return the processes of this machine; none where their limits can't be read, as they can on Linux."""
    if sys.platform != "linux":
        return set()
    return {int(name) for name in os.listdir("/proc") if name.isdigit()}  # noqa: PTH208 - a third of the time


def sweep(mark: int, known: set[int], group: int) -> list[str]:
    """End what has the mark until nothing is left, but none of *known*. Return the names of those outside *group*."""
    names: dict[int, str] = {}
    deadline_s = time.monotonic() + SWEEP_LIMIT_S
    while mark and (left := [process for process in processes() - known if _is_marked(process, mark)]):
        for process in left:
            with suppress(OSError):  # it may have ended meanwhile
                if os.getpgid(process) != group:
                    names[process] = " ".join(Path(f"/proc/{process}/comm").read_text(errors="replace").split())
                os.kill(process, signal.SIGKILL)
        if time.monotonic() > deadline_s:
            break
        time.sleep(PAUSE_S)
    return sorted(names.values())


def _is_marked(process: int, mark: int) -> bool:
    """Tell whether *process* has the mark, and runs: one that has ended and was not waited for does not."""
    try:
        limits = Path(f"/proc/{process}/limits").read_text(encoding="ascii")
        if not re.search(rf"^Max msgqueue size +{mark} ", limits, re.MULTILINE):
            return False
        return Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except (OSError, IndexError):
        return False


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
    sweep(int(sys.argv[1]), set(), group=0)


if __name__ == "__main__":
    main()
