"""Lets every letter be printed, whatever the terminal or the file that output goes to is encoded in. Our side."""

from __future__ import annotations

import codecs
import io
import sys

PLAIN = {"\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ", "\N{MICRO SIGN}": "u", "\u2026": "..."}
"""What stands for a letter that an encoding lacks; a question mark for any other."""


def in_plain_letters(error: UnicodeError) -> tuple[str, int]:
    """Return what is written in place of the letters that can't be, and where to go on, as `codecs` asks for it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


def print_every_letter() -> None:
    """Let stdout take what its encoding lacks: Windows gives a file, or a pipe, that of its language."""
    codecs.register_error(in_plain_letters.__name__, in_plain_letters)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors=in_plain_letters.__name__)
