"""Writes the commands that a user is told to type. Our side."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path, PurePath

from runners.harness.catalogue.scenarios import ROOT

WINDOWS = os.name == "nt"
MSYS = "MSYSTEM"
"""The environment variable by which Git Bash is known on Windows."""


def module_command(*words: str | Path) -> str:
    """Return the command that runs the module and arguments *words*, for a shell in the folder of the repository.

    It begins with the very interpreter that runs now: not everywhere is there a `python`, and it may be another.
    """
    return quoted(short_path(Path(sys.executable)), "-m", *words)


def quoted(*words: str | PurePath) -> str:
    """Return *words* as one command, quoted as this system's shell has it."""
    texts = [str(word) for word in words]
    return subprocess.list2cmdline(texts) if WINDOWS and MSYS not in os.environ else shlex.join(texts)


def short_path(program: Path) -> Path:
    """Return how a *program* is called from the folder of the repository: below it by a short path.

    What it may be a link to does not matter: an environment's interpreter is known by where it is called.
    """
    place = program.parent.resolve() / program.name
    return place.relative_to(ROOT) if place.is_relative_to(ROOT) else program
