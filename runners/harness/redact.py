"""Turns what a process wrote to stderr into one line without anything private. Our side."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path, PureWindowsPath

PATHS = re.compile(r"(?<!\.venv)(?:[A-Za-z]:|~)?(?:[/\\][\w.@+-]+){2,}")
"""The remedies' own `.venv/bin/uv` stays as it is."""
READ_BYTES = 4096
"""Only this much of the end of what it wrote is looked at."""


def how_it_ended(process: subprocess.Popen[bytes], stderr_path: Path, error: BaseException | None) -> str:
    """Say in a line how a worker ended, with the last thing it complained of, paths and all."""
    try:
        status = process.wait(1)
    except subprocess.TimeoutExpired:
        if isinstance(error, ValueError):
            return f"it sent what is not a message: {error}"
        return "it closed its connection and went on"
    with stderr_path.open("rb") as stream:
        stream.seek(max(stderr_path.stat().st_size - READ_BYTES, 0))
        lines = stream.read().decode(errors="replace").strip().splitlines()
    how = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
    return f"the process ended ({how})" + (f": {lines[-1]}" if lines else "")


def without_paths(text: str) -> str:
    """Leave out what is private to the machine: absolute paths keep their last part. At most 300 characters."""
    home = str(Path.home())
    text = text.replace(home, "~") if len(home) > 1 else text  # it may hold a space, which ends a path below
    text = PATHS.sub(lambda path: PureWindowsPath(path.group()).name, text)
    return text[:300].encode(errors="replace").decode()
