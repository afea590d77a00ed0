"""Pauses in long pages, at which a browser that reads one turns to its reader. Pure.

Beyond the first screen a browser reads on for a tenth of a second or longer, at a quarter of the speed of a desktop,
and runs what the theme starts in the same stretch; nothing that is pressed meanwhile is heard. At a script it stops,
runs it, and looks up. This one does nothing. Beside a copy without pauses the longest pages were blocked for about 0.7
of the time; `tests/bench_site.py` has the figures of the heaviest.
"""

from __future__ import annotations

import re

MOST_ELEMENTS = 500
"""So many are read in one go: about 15 ms at a quarter of the speed."""
OF_A_LINE_OF_CODE = 8
"""How many elements highlighting makes of one, about."""
PAUSE = "<script>0</script>"
_FENCED = r"^(?P<fence>```+|~~~+).*?^(?P=fence)"
_PART = r"^(?P<part>(?=<(?:details|section)\b|<div class=\"card\"|## ))"
"""Where a part of a page begins, at the start of a line: there a line may be added, in HTML as in Markdown."""
_ELEMENT = re.compile(rf"{_FENCED}|{_PART}|<[a-z]", re.MULTILINE | re.DOTALL)


def with_pauses(page: str) -> str:
    """Return a page in Markdown with a pause before a part of it wherever there was none for MOST_ELEMENTS elements."""
    pieces: list[str] = []
    elements, begin = 0, 0
    for found in _ELEMENT.finditer(page):
        if found["fence"]:
            elements += OF_A_LINE_OF_CODE * found[0].count("\n")
        elif found["part"] is None:
            elements += 1
        elif elements >= MOST_ELEMENTS:
            pieces += [page[begin : found.start()], PAUSE, "\n\n"]
            elements, begin = 0, found.start()
    return "".join([*pieces, page[begin:]])
