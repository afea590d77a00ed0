"""Lines for a terminal or a job's log, whatever they quote. Pure."""

from __future__ import annotations

import re

LONGEST = 1000


def log_line(text: object) -> str:
    """Return text as one line in which GitHub finds no workflow command, neither `::name` nor the older `##[name]`."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in str(text)).split())
    return re.sub(r":(?=:)|##(?=\[)", r"\g<0> ", line)[:LONGEST]
