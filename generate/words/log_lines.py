"""Lines for a terminal or a job's log, whatever they quote."""

import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError, fail

MAX_LETTERS = 1000


def log_line(text: object) -> str:
    """Return text as one line in which GitHub finds no workflow command, neither `::name` nor the older `##[name]`."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in str(text)).split())
    return re.sub(r":(?=:)|##(?=\[)", r"\g<0> ", line)[:MAX_LETTERS]


@contextmanager
def ending_on_errors() -> Iterator[None]:
    """Exit with status 2 and the remedy on a UserError, safe in a job's log."""
    try:
        yield
    except UserError as error:
        fail(log_line(error))


def describe_mistake(error: Exception) -> str:
    """Describe an exception with the last line of our own code: "KeyError: 'S1' (generate/claims/read.py:40)"."""
    words = ": ".join(filter(None, [type(error).__name__, str(error)]))
    frames = ((Path(frame.f_code.co_filename), line) for frame, line in traceback.walk_tb(error.__traceback__))
    own = [f"{path.relative_to(ROOT).as_posix()}:{line}" for path, line in frames if path.is_relative_to(ROOT)]
    own = [place for place in own if place.startswith(("actions/", "generate/", "runners/"))]
    return f"{words} ({own[-1]})" if own else words
