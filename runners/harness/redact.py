"""Turns what a process wrote to stderr into one line without anything private. Our side."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from pathlib import Path, PureWindowsPath
from typing import IO

PATHS = re.compile(r"(?<!\.venv)(?:[A-Za-z]:|~)?(?:[/\\][\w.@+-]+){2,}")
"""The remedies' own `.venv/bin/uv` stays as it is, and so does `.venv\\Scripts\\uv.exe`."""
LONGEST = 300
BEGINNING = 120
KEPT_BYTES = 4096
"""Only this much of the end of what a process wrote is looked at."""
CHUNK_BYTES = 65536
END_LIMIT_S = 1.0


class StderrTail:
    """The end of what a process writes to stderr. The rest is dropped as it comes, so that the process never waits."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Begin to read *stream*, which is closed at its end."""
        self._stream = stream
        self._kept = b""
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        with self._stream:
            while read := os.read(self._stream.fileno(), CHUNK_BYTES):
                self._kept = (self._kept + read)[-KEPT_BYTES:]

    def last(self) -> str:
        """Return the last line, empty where there is none. The process has ended; what it started may still write."""
        self._reading.join(END_LIMIT_S)
        lines = self._kept.decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""


def describe_exit(process: subprocess.Popen[bytes], complaints: StderrTail) -> str:
    """Say in a line how a worker ended, with the last thing it complained of, paths and all."""
    try:
        status = process.wait(END_LIMIT_S)
    except subprocess.TimeoutExpired:
        return "it closed its connection and went on"
    how = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
    last = complaints.last()
    return f"the process ended ({how})" + (f": {last}" if last else "")


def redact_paths(text: str) -> str:
    """Leave out what is private to the machine: absolute paths keep their last part.

    Of what is over 300 characters the beginning and the end are kept: a compiler says last why it gave up.
    """
    home = str(Path.home())
    text = text.replace(home, "~") if len(home) > 1 else text  # it may hold a space, which ends a path below
    text = PATHS.sub(lambda path: PureWindowsPath(path.group()).name, text)
    if len(text) > LONGEST:
        text = f"{text[:BEGINNING]} … {text[BEGINNING + 3 - LONGEST :]}"
    return text.encode(errors="replace").decode()
