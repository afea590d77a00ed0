"""Keeps text out of the search where its headings are enough to find it: whoever searches waits for the whole index.

A page asks for it in its front matter: `searched: headings`.
"""

from __future__ import annotations

import re
from itertools import groupby

_ASKED = re.compile(r"---\n(?:.+\n)*?searched: headings\n")
_FENCE = "```"
_HEADING = re.compile(r"#{1,6} ")
_FRAGMENT = re.compile(r"<(?!section markdown)[^>]* data-search-exclude[ >]")


def searched(page: str) -> str:
    """Return *page*, Markdown, with what the search shall not hold marked."""
    if not _ASKED.match(page):
        return page
    front, text = page.split("\n---\n", 1)
    blocks = ((kind, "\n".join(lines)) for kind, lines in groupby(text.split("\n"), _Kind()))
    return f"{front}\n---\n" + "\n".join(_unsearched(block) if kind == "text" else block for kind, block in blocks)


class _Kind:
    """Tells headings, our fragments and text, line by line.

    A fragment says itself that it is not searched, and has no blank line.
    """

    def __init__(self) -> None:
        self._in_fence = False
        self._in_fragment = False

    def __call__(self, line: str) -> str:
        if line.startswith(_FENCE):
            self._in_fence = not self._in_fence
        if self._in_fence:
            return "text"  # a line of code that begins with # is no heading
        self._in_fragment = bool(line) and (self._in_fragment or bool(_FRAGMENT.match(line)))
        return "heading" if _HEADING.match(line) else "fragment" if self._in_fragment else "text"


def _unsearched(block: str) -> str:
    return f"\n<section markdown data-search-exclude>\n\n{block.strip()}\n\n</section>\n" if block.strip() else block
