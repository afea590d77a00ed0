"""Runs other programs to completion."""

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
    """Run *command* and return its output as UTF-8, with invalid bytes replaced.

    Raises OSError if it can't be started, and TimeoutExpired after *limit_s*. That, or an interrupt, also kills what it
    started, such as a compiler, on systems with process groups.
    """
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
        try:
            stdout, stderr = process.communicate(timeout=limit_s)
        except BaseException:  # including an interrupt
            if hasattr(os, "killpg"):
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)
