"""What a hand-written page says of itself in its first lines, between two lines of three dashes. Pure."""

from __future__ import annotations

import re

_BLOCK = re.compile(r"---\n(.*?)^---$", re.DOTALL | re.MULTILINE)
_FACT = re.compile(r"^(\w+): +(.+(?:\n[ \t]+.+)*)$", re.MULTILINE)
"""A name and what it has, which goes on in lines that are indented."""


def front_matter(text: str) -> dict[str, str]:
    """Return what a page says of itself, by name, as it is written; nothing where it has no such lines."""
    block = _BLOCK.match(text)
    return dict(_FACT.findall(block[1])) if block else {}
