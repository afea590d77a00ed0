"""Turns a process's stderr into one line without private details."""

import os
import re
import subprocess
import threading
from pathlib import Path, PureWindowsPath
from typing import IO

PATHS = re.compile(r"(?<!\.venv)(?:[A-Za-z]:|~)?(?:[/\\][\w.@+-]+){2,}")
"""Keeps the `.venv/bin/uv` and `.venv\\Scripts\\uv.exe` of our own remedies."""
MAX_LENGTH = 300
KEPT_START = 120
TAIL_BYTES = 4096
CHUNK_BYTES = 65536
END_LIMIT_S = 1.0


class StderrTail:
    """Reads a process's stderr to its end, so that the process never blocks, and keeps the last 4 kB."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._tail = b""
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        with self._stream:
            while chunk := os.read(self._stream.fileno(), CHUNK_BYTES):
                self._tail = (self._tail + chunk)[-TAIL_BYTES:]

    def last_line(self) -> str:
        """Return the last line of a process that has ended, or an empty string."""
        self._reading.join(END_LIMIT_S)  # its children may still hold stderr open
        lines = self._tail.decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""


def describe_exit(process: subprocess.Popen[bytes], stderr: StderrTail) -> str:
    """Describe in one line how a worker ended, with the last line of its stderr, not yet redacted."""
    try:
        status = process.wait(END_LIMIT_S)
    except subprocess.TimeoutExpired:
        return "it closed its connection and kept running"
    how = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
    last_line = stderr.last_line()
    return f"the process ended ({how})" + (f": {last_line}" if last_line else "")


def redact_paths(text: str) -> str:
    """Reduce absolute paths to their last part, and a long text to its start and end.

    The end matters most: a compiler's last lines give the reason.
    """
    home = str(Path.home())
    text = text.replace(home, "~") if len(home) > 1 else text  # PATHS ends at a space, which a home may contain
    text = PATHS.sub(lambda path: PureWindowsPath(path.group()).name, text)
    if len(text) > MAX_LENGTH:
        text = f"{text[:KEPT_START]} … {text[KEPT_START + 3 - MAX_LENGTH :]}"
    return text.encode(errors="replace").decode()
