"""Goes wrong in the way that is asked for."""

import importlib
import os
import subprocess
import sys
import time
from typing import Any

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


class Words(int):
    """A number that adds up to words."""

    def __radd__(self, _other: Any) -> Any:  # noqa: ANN401 - whatever sum() has
        return "words"


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


def print_rubbish() -> None:
    """Print what looks like a result."""
    sys.stdout.write('{"status": "failed"}\n' * 10_000)
    sys.stderr.write('{"status": "failed"}\n' * 10_000)


DONE = {
    "aborts": os.abort,  # as an extension module would
    "closes everything": close_everything,
    "complains and dies": complain_and_die,
    "exits": lambda: sys.exit(7),
    "leaves processes": leave_processes,
    "misses a module": lambda: importlib.import_module("no_such_module"),
    "prints rubbish": print_rubbish,
}
RAISED = {
    "raises": OSError("no such file: /home/somebody/secret/place.db"),
    "raises what no file can hold": ValueError("half a letter: \ud800"),
    "tells its environment": RuntimeError(" ".join(sorted(os.environ))),
}
ANSWERED = {"answers wrongly": 0, "answers nonsense": float("nan"), "answers words": Words()}


def run(job: Job) -> list[Answer]:
    if job.way in RAISED:
        raise RAISED[job.way]
    if job.way in DONE:
        DONE[job.way]()
    answers = [job.work(number) for number in job.numbers]
    return [answer._replace(doubled=ANSWERED.get(job.way, answer.doubled)) for answer in answers]
