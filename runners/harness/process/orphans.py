"""Kills what the harness has started if the harness dies. One small process per run.

It reads `+ID` and `-ID` lines (process groups that begin and end). At the end of its input it kills the groups that are
left and, on Linux, every process with the mark that is its argument.

The mark is a limit on message queues that only workers have. Whatever a worker starts inherits it, even in a session of
its own, after a double fork, or with an empty environment.
"""

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
"""Starts a process in its own group on Windows, as a session does elsewhere: Ctrl-C reaches only the harness, which
then ends the others."""

SWEEP_LIMIT_S = 5.0
PAUSE_S = 0.0005


def new_mark() -> int:
    """Draw a limit in bytes that no other process is likely to have; 0 if the system can't set one."""
    if sys.platform == "linux":
        import resource  # noqa: PLC0415 - not on Windows

        hard = resource.getrlimit(resource.RLIMIT_MSGQUEUE)[1]
        half = (2**31 if hard == resource.RLIM_INFINITY else hard) // 2
        return half + secrets.randbelow(half) if half else 0
    return 0


def mark_process(process: int, mark: int) -> None:
    """Mark *process* and everything it will start."""
    if sys.platform == "linux" and mark:
        import resource  # noqa: PLC0415 - not on Windows

        with suppress(OSError):  # it has ended already
            resource.prlimit(process, resource.RLIMIT_MSGQUEUE, (mark, mark))


def processes() -> set[int]:
    """Return this machine's processes; empty except on Linux, where their limits can be read."""
    if sys.platform != "linux":
        return set()
    return {int(name) for name in os.listdir("/proc") if name.isdigit()}  # noqa: PTH208 - three times as fast


def sweep(mark: int, known: set[int], group: int) -> list[str]:
    """Kill marked processes that are not in *known* until none is left. Return the names of those outside *group*."""
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
    """True if *process* has the mark and runs; a zombie doesn't."""
    try:
        limits = Path(f"/proc/{process}/limits").read_text(encoding="ascii")
        if not re.search(rf"^Max msgqueue size +{mark} ", limits, re.MULTILINE):
            return False
        return Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except (OSError, IndexError):
        return False


def kill_group(group: int) -> None:
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(group)], capture_output=True, check=False)  # noqa: S603, S607
        return
    with suppress(ProcessLookupError, PermissionError):  # macOS raises the second for a group of zombies
        os.killpg(group, signal.SIGKILL)


def main() -> None:
    """Watch until the input ends, then kill what is left."""
    alive: set[int] = set()
    for line in sys.stdin:
        (alive.add if line[0] == "+" else alive.discard)(int(line[1:]))
    for group in alive:
        kill_group(group)
    sweep(int(sys.argv[1]), set(), group=0)


if __name__ == "__main__":
    main()
