"""Which switches of a build may change nothing: a Python passes over those that it does not know. Our side."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

from runners.harness import programs

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Build

HELP = ("--help-all", "-h")
"""The second is that of Python 3.10."""
HELP_LIMIT_S = 60
NOT_IN_HELP = ("PYTHONOPTIMIZE", "PYTHON_JIT")
"""Every version knows the first, and does not always say so; whether there is a compiler, the build says itself."""


def doubts(python: Path, build: Build) -> list[str]:
    """Say which switches of *build* may have no effect, and why: what is measured would be the plain build twice."""
    found = []
    if "PYTHON_JIT=1" in build.variables and not build.jit:
        found.append("PYTHON_JIT=1 may change nothing: this Python does not say that it compiles just in time")
    variables = [name for name in (each.partition("=")[0] for each in build.variables) if name not in NOT_IN_HELP]
    options = [f"-X {option.partition('=')[0]}" for option in build.options]
    if build.implementation == "CPython" and (variables or options):
        text = _help(python)
        unknown = [name for name in (*variables, *options) if not re.search(rf"{re.escape(name)}\b", text)]
        found += [f"{name} may change nothing: the help of this Python has no such switch" for name in unknown if text]
    return found


def _help(python: Path) -> str:
    """Return what an interpreter says of its switches; empty where it does not answer."""
    for option in HELP:
        try:
            ran = programs.run(python, option, limit_s=HELP_LIMIT_S)
        except (OSError, subprocess.TimeoutExpired):
            return ""
        if ran.returncode == 0:
            return ran.stdout
    return ""
