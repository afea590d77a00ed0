"""Runs other programs to their end. Our side."""

from __future__ import annotations

import subprocess
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
    unless it is given another. Raises OSError where it can't be started, and subprocess.TimeoutExpired.
    """
    return subprocess.run(  # noqa: S603 - our own words
        command,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=limit_s,
        env=environment,
        cwd=folder,
    )
