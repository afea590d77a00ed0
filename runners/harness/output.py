"""Makes stdout accept every character, whatever its encoding."""

from __future__ import annotations

import codecs
import io
import sys

REPLACEMENTS = {"\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ", "\N{MICRO SIGN}": "u", "\u2026": "..."}
"""For characters that the encoding lacks; any other becomes a question mark."""


def _encode_plainly(error: UnicodeError) -> tuple[str, int]:
    """Return the replacement and where encoding continues, as codecs.register_error wants it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(REPLACEMENTS.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


def replace_unencodable() -> None:
    """Replace characters that stdout can't encode: on Windows a file or pipe has the language's encoding."""
    codecs.register_error("plainly", _encode_plainly)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="plainly")
