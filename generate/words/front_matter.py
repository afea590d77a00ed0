"""What a hand-written page says of itself in its first lines, between two lines of three dashes. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping

_LAST = 1000
_BLOCK = re.compile(r"---\n(.*?)^---$", re.DOTALL | re.MULTILINE)
_FACT = re.compile(r"^(\w+): +(.+(?:\n[ \t]+.+)*)$", re.MULTILINE)
"""A name and what it has, which goes on in lines that are indented."""


def front_matter(text: str) -> dict[str, str]:
    """Return what a page says of itself, by name, as it is written; nothing where it has no such lines."""
    block = _BLOCK.match(text)
    return dict(_FACT.findall(block[1])) if block else {}


class FrontMatterError(UserError):
    """A page's first lines are not what they must be."""


def place_of(path: str, facts: Mapping[str, str]) -> int:
    """Return the place of a page among those of its group; those that name none come last.

    Raises FrontMatterError, which names the page, where it is no whole number.
    """
    place = facts.get("place", str(_LAST))
    if not place.isdecimal():
        msg = f"{path}: place: {place!r} is no whole number"
        raise FrontMatterError(msg)
    return int(place)
