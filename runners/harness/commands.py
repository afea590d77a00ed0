"""Formats the commands that users are told to type."""

import os
import shlex
import subprocess
import sys
from pathlib import Path, PurePath

from runners.harness.catalogue.scenarios import ROOT

WINDOWS = os.name == "nt" and "MSYSTEM" not in os.environ  # Git Bash sets that, and quotes as other shells do


def module_command(*words: str | Path) -> str:
    """Return the command that runs a module with its arguments, from the repository's root.

    It starts with the current interpreter: `python` may be missing, or a different one.
    """
    return quote_command(short_path(Path(sys.executable)), "-m", *words)


def quote_command(*words: str | PurePath) -> str:
    """Join *words* into one command, quoted for this system's shell."""
    texts = [str(word) for word in words]
    return subprocess.list2cmdline(texts) if WINDOWS else shlex.join(texts)


def short_path(program: Path) -> Path:
    """Return *program* relative to the repository's root if it is inside, without following a link to it.

    Python finds its environment by the path it is called with, so links must stay.
    """
    path = program.parent.resolve() / program.name
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else program
