"""Lines for a terminal or a job's log, whatever they quote."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from runners.harness.errors import UserError, fail

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 1000


def log_line(text: object) -> str:
    """Return text as one line in which GitHub finds no workflow command, neither `::name` nor the older `##[name]`."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in str(text)).split())
    return re.sub(r":(?=:)|##(?=\[)", r"\g<0> ", line)[:LONGEST]


@contextmanager
def ending_on_errors() -> Iterator[None]:
    """End with status 2, and what to put right, where a user can: as all commands do, and safe in a job's log."""
    try:
        yield
    except UserError as error:
        fail(log_line(error))
