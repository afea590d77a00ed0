"""Runs other programs to completion."""

import os
import signal
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path


def environment_with(variables: Iterable[str]) -> dict[str, str]:
    """Return this process's variables, with *variables*, given as NAME=value, in place of Python's own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return kept | dict(variable.split("=", 1) for variable in variables)


def run(
    *command: str | Path,
    limit_s: float | None = None,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run *command* and return its output as UTF-8, with invalid bytes replaced.

    If it can't be started or takes longer than *limit_s*, it has failed, with the reason as its stderr.
    """
    try:
        with subprocess.Popen(  # noqa: S603 - callers pass fixed commands
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env=environment,
            cwd=folder,
            start_new_session=True,
        ) as process:
            stdout, stderr = _communicate(process, limit_s)
        return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)
    except subprocess.TimeoutExpired:
        reason = f"it took over {limit_s:g} s"
    except OSError as error:
        reason = f"it can't be started: {error.strerror}"
    return subprocess.CompletedProcess(command, -1, "", reason)


def _communicate(process: subprocess.Popen[str], limit_s: float | None) -> tuple[str, str]:
    """Wait for a program. A time-out or an interrupt also kills what it started, on systems with process groups."""
    try:
        return process.communicate(timeout=limit_s)
    except BaseException:  # including an interrupt
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        raise
