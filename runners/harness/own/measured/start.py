"""Begins a measured process: receives what to do, loads what does it, and sends its report.

It is run by `python -c`, so that processes of a pool find no main module to run again while the clock runs.
"""

import contextlib
import os
import sys
from importlib import import_module
from typing import Any

from ...channel import Channel  # noqa: TID252 - in the measured process these packages have another name


def main() -> None:
    """Do what the harness asks for, report it, and end the process."""
    channel = Channel.connect(*sys.argv[1:3])
    try:
        task = channel.receive()
    except EOFError:
        return
    sys.path[:] = [task["packages"], *filter(None, sys.path)]
    if task.get("model") == "greenlets":  # before anything has imported what it replaces
        with contextlib.suppress(ImportError):
            import_module("gevent.monkey").patch_all()
    channel.send(_report(task))
    channel.wait_until_closed()
    os._exit(0)  # don't wait for what the function left behind: it is killed with the process group


def _report(task: dict[str, Any]) -> dict[str, Any]:
    subject: Any = import_module(".subject", __package__)
    try:
        if task["stage"] == "import":
            subject.load(task)
            return {}
        stage: Any = import_module(f".{task['stage']}", __package__)
        report: dict[str, Any] = getattr(stage, task["stage"])(task)
    except subject.RefusalError as error:
        again = {"status": "failed", "reason": "it can't be imported again", "values": {}}
        return again if task["stage"] == "sample" else {"refused": " ".join(str(error).split())}
    return report
