"""Text of others, made safe to print: in a job's log, in Markdown, in HTML. Pure."""

from __future__ import annotations

import re

LONGEST_LINE = 300


def plain(text: str | None, most: int = LONGEST_LINE) -> str:
    """Return text as one line without what Markdown, HTML or a job's log would act on.

    Reasons quote what artifacts hold, and names may be theirs; `::` would begin a command in the log.
    """
    words = re.sub(r"[^\w .,:;'/()=%-]", " ", text or "")
    return " ".join(re.sub(r":(?=[:/])", ": ", words).split())[:most]
