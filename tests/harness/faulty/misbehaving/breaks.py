"""Goes wrong in the way that is asked for."""

import importlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


class Words(int):
    """A number that adds up to so many words."""

    def __radd__(self, _other: Any) -> Any:  # noqa: ANN401 - whatever sum() has
        return "words" * int(self)


def close_everything() -> None:
    """Close every file that is open, the harness's among them, and go on."""
    os.closerange(3, 100)
    time.sleep(60)


def complain_and_die() -> None:
    sys.stderr.write("rubbish " * 100_000 + "\nno room in /home/somebody/secret/place.db\n")
    sys.stderr.flush()
    os._exit(3)


def leave_processes() -> None:
    """Leave a process and that one's child behind, and say which."""
    shell = ["sh", "-c", "trap '' TERM INT; sleep 60 & echo $!; wait"]
    left = subprocess.Popen(shell, stdout=subprocess.PIPE, text=True)  # noqa: S603 - a constant
    assert left.stdout is not None
    msg = f"{left.pid} {left.stdout.readline().strip()}"
    raise RuntimeError(msg)


def leave_session(**options: Any) -> None:  # noqa: ANN401 - what Popen takes
    """Leave a process behind in a session of its own, and its number in a file."""
    left = subprocess.Popen(["sleep", "60"], start_new_session=True, **options)  # noqa: S607 - any will do
    Path.home().joinpath(f"{left.pid}.left").touch()


def leave_temporary_file() -> None:
    Path(tempfile.gettempdir(), "left").touch()
    msg = "it is there"
    raise RuntimeError(msg)


def leave_session_and_hang() -> None:
    leave_session()
    time.sleep(60)


def leave_daemon() -> None:
    """Leave one behind as a daemon: its parent, that began the session, has ended."""
    if (child := os.fork()) == 0:
        os.setsid()
        leave_session()
        os._exit(0)
    os.waitpid(child, 0)


def complain_without_end() -> None:
    """Fill stderr, and die with a last word."""
    for _ in range(200):
        os.write(2, bytes(1_000_000))
    os.write(2, b"\nthat was all\n")
    os._exit(3)


def print_rubbish() -> None:
    """Print what looks like a result."""
    sys.stdout.write('{"status": "failed"}\n' * 10_000)
    sys.stderr.write('{"status": "failed"}\n' * 10_000)


DONE = {
    "aborts": os.abort,  # as an extension module would
    "closes everything": close_everything,
    "complains and dies": complain_and_die,
    "complains without end": complain_without_end,
    "exits": lambda: sys.exit(7),
    "leaves a daemon": leave_daemon,
    "leaves a session": leave_session,
    "leaves a session with nothing in its environment": lambda: leave_session(env={}),
    "leaves a session, then hangs": leave_session_and_hang,
    "leaves a temporary file": leave_temporary_file,
    "leaves processes": leave_processes,
    "misses a module": lambda: importlib.import_module("no_such_module"),
    "prints rubbish": print_rubbish,
}
RAISED = {
    "raises": OSError("no such file: /home/somebody/secret/place.db"),
    "raises what no file can hold": ValueError("half a letter: \ud800"),
    "tells its environment": RuntimeError(" ".join(sorted(os.environ))),
}
ANSWERED = {
    "answers wrongly": 0,
    "answers nonsense": float("nan"),
    "answers words": Words(1),
    "answers beyond 64 bits": 2**63,
    "answers beyond all digits": 10**5000,
    "answers next to nothing": 1e-301,
    "answers without end": Words(2**23),
}


def run(job: Job) -> list[Answer]:
    if job.way in RAISED:
        raise RAISED[job.way]
    if job.way in DONE:
        DONE[job.way]()
    answers = [job.work(number) for number in job.numbers]
    return [answer._replace(doubled=ANSWERED.get(job.way, answer.doubled)) for answer in answers]
