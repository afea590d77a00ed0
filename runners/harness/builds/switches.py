"""Finds switches of a build that may change nothing, since Python ignores those it does not know."""

import re
from pathlib import Path

from runners.harness import programs
from runners.harness.record.model import Build

HELP_LIMIT_S = 60
NOT_IN_HELP = ("PYTHONOPTIMIZE", "PYTHON_JIT")
"""Every version has the first without listing it; a build reports the second."""


def doubts(python: Path, build: Build) -> list[str]:
    """Return a sentence for each switch of *build* that may have no effect: we would measure the plain build twice."""
    doubtful = []
    if "PYTHON_JIT=1" in build.variables and not build.jit:
        doubtful.append("PYTHON_JIT=1 may change nothing: this Python does not report a just-in-time compiler")
    variables = [name for name in (each.partition("=")[0] for each in build.variables) if name not in NOT_IN_HELP]
    options = [f"-X {option.partition('=')[0]}" for option in build.options]
    if build.implementation == "CPython" and (variables or options):
        # Python 3.10 only has -h.
        answers = (programs.run(python, option, limit_s=HELP_LIMIT_S) for option in ("-h", "--help-all"))
        text = "".join(answer.stdout for answer in answers)
        unknown = [name for name in (*variables, *options) if not re.search(rf"{re.escape(name)}\b", text)]
        doubtful += [f"{name} may change nothing: this Python's help does not list it" for name in unknown if text]
    return doubtful
