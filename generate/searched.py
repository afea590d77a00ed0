"""Keeps text out of the search where its headings are enough to find it: whoever searches waits for the whole index.

A page asks for it in its front matter: `searched: headings`.
"""

from __future__ import annotations

import re
from itertools import groupby

_ASKED = re.compile(r"---\n(?:.+\n)*?searched: headings\n")
_FENCE = "```"
_HEADING = re.compile(r"#{1,6} ")


def searched(page: str) -> str:
    """Return *page*, Markdown, with what the search shall not hold marked."""
    if not _ASKED.match(page):
        return page
    front, text = page.split("\n---\n", 1)
    blocks = ["\n".join(lines) for _kept, lines in groupby(text.split("\n"), _HeadingOrText())]
    return f"{front}\n---\n" + "\n".join(block if _is_searched(block) else _unsearched(block) for block in blocks)


class _HeadingOrText:
    """Tells headings from text: a line of code that begins with # is none."""

    def __init__(self) -> None:
        self._in_fence = False

    def __call__(self, line: str) -> bool:
        if line.startswith(_FENCE):
            self._in_fence = not self._in_fence
        return bool(_HEADING.match(line)) and not self._in_fence


def _is_searched(block: str) -> bool:
    return not block.strip() or bool(_HEADING.match(block))


def _unsearched(block: str) -> str:
    return f"\n<section markdown data-search-exclude>\n\n{block.strip()}\n\n</section>\n"
