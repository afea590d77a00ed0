"""Runs other programs to their end. Our side."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def run(
    *command: str | Path,
    limit_s: float | None = None,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run *command*, whose words are ours, and keep what it prints; what is no UTF-8 in it is replaced.

    It has this process's environment variables unless it is given an *environment* of its own, and its working folder
    unless it is given another. Raises OSError where it can't be started, and subprocess.TimeoutExpired; what it has
    started itself, such as a compiler, is then ended with it, where the system has groups of processes.
    """
    with subprocess.Popen(  # noqa: S603 - our own words
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        env=environment,
        cwd=folder,
        start_new_session=True,
    ) as process:
        try:
            printed, complaints = process.communicate(timeout=limit_s)
        except BaseException:  # an interrupt too
            _end(process)
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, printed, complaints)


def _end(process: subprocess.Popen[str]) -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
