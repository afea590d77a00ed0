"""The styles and scripts of the site, as they are served: without comments, which are for readers of the source."""

from __future__ import annotations

import re
from pathlib import Path

ASSETS = Path(__file__).parents[1] / "assets"
_BLOCK = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)


def assets() -> dict[str, str]:
    """Return the text of each file of generate/assets/ by its name."""
    return {path.name: without_comments(path.read_text(encoding="utf-8")) for path in sorted(ASSETS.iterdir())}


def without_comments(text: str) -> str:
    """Leave out the comments that have lines of their own: a fifth of what a browser would fetch."""
    return _LINE.sub("", _BLOCK.sub("", text))
