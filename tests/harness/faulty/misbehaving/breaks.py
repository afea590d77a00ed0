"""Goes wrong in a requested way."""

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
    """A number whose sum is a text of that many words."""

    def __radd__(self, _other: Any) -> Any:  # noqa: ANN401 - any start of sum()
        return "words" * int(self)


def close_everything() -> None:
    os.closerange(3, 100)  # the harness's connection among them
    time.sleep(60)


def complain_and_die() -> None:
    sys.stderr.write("rubbish " * 100_000 + "\nno room in /home/somebody/secret/place.db\n")
    sys.stderr.flush()
    os._exit(3)


def complain_without_end() -> None:
    for _ in range(200):
        os.write(2, bytes(1_000_000))
    os.write(2, b"\nthat was all\n")
    os._exit(3)


def leave_processes() -> None:
    """Leave a process and its child, and raise their numbers."""
    shell = ["sh", "-c", "trap '' TERM INT; sleep 60 & echo $!; wait"]
    left = subprocess.Popen(shell, stdout=subprocess.PIPE, text=True)  # noqa: S603 - a constant
    assert left.stdout is not None
    msg = f"{left.pid} {left.stdout.readline().strip()}"
    raise RuntimeError(msg)


def leave_session(**options: Any) -> None:  # noqa: ANN401 - options of Popen
    """Leave a process in its own session, and its number as a file's name."""
    left = subprocess.Popen(["sleep", "60"], start_new_session=True, **options)  # noqa: S607 - any will do
    Path.home().joinpath(f"{left.pid}.left").touch()


def leave_daemon() -> None:
    if (child := os.fork()) == 0:
        os.setsid()
        leave_session()
        os._exit(0)
    os.waitpid(child, 0)


def leave_session_then_hang() -> None:
    leave_session()
    time.sleep(60)


def leave_temporary_file() -> None:
    Path(tempfile.gettempdir(), "left").touch()
    msg = "it is there"
    raise RuntimeError(msg)


def print_rubbish() -> None:
    """Print what looks like a result."""
    sys.stdout.write('{"status": "failed"}\n' * 10_000)
    sys.stderr.write('{"status": "failed"}\n' * 10_000)


ACTIONS = {
    "aborts": os.abort,  # as an extension module would
    "closes everything": close_everything,
    "complains and dies": complain_and_die,
    "complains without end": complain_without_end,
    "exits": lambda: sys.exit(7),
    "leaves a daemon": leave_daemon,
    "leaves a session": leave_session,
    "leaves a session with nothing in its environment": lambda: leave_session(env={}),
    "leaves a session, then hangs": leave_session_then_hang,
    "leaves a temporary file": leave_temporary_file,
    "leaves processes": leave_processes,
    "misses a module": lambda: importlib.import_module("no_such_module"),
    "prints rubbish": print_rubbish,
}
ERRORS = {
    "raises": OSError("no such file: /home/somebody/secret/place.db"),
    "raises what no file can hold": ValueError("half a letter: \ud800"),
    "tells its environment": RuntimeError(" ".join(sorted(os.environ))),
}
ANSWERS = {
    "answers wrongly": 0,
    "answers nonsense": float("nan"),
    "answers beyond all digits": 10**5000,
    "answers without end": Words(2**23),
}


def run(job: Job) -> list[Answer]:
    if job.way in ERRORS:
        raise ERRORS[job.way]
    if job.way in ACTIONS:
        ACTIONS[job.way]()
    answers = [job.work(number) for number in job.numbers]
    return [answer._replace(doubled=ANSWERS.get(job.way, answer.doubled)) for answer in answers]
