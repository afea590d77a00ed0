"""What a collected run's page tells, as Markdown: bounded, and with nothing in it that acts. Our side."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generate.analysis.summaries import look
from generate.claims import read
from generate.claims.board import Board
from generate.claims.terminal import markdown
from generate.results.load import load
from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from actions.collect import Collected

MOST_BYTES = 1_000_000
"""GitHub drops a step's summary above 1 MiB as a whole."""
MOST_LINES = 50
"""Of a list of what was refused."""
LONGEST_LINE = 300


def plain(text: str | None, most: int = LONGEST_LINE) -> str:
    """Return text as one line without what Markdown, HTML or a job's log would act on.

    Reasons quote what artifacts hold, and names may be theirs; `::` would begin a command in the log.
    """
    words = re.sub(r"[^\w .,:;'/()=%-]", " ", text or "")
    return " ".join(re.sub(r":(?=[:/])", ": ", words).split())[:most]


def cells(found: Collected) -> str:
    """Return what became of the cells."""
    rows = [f"| {one.machine} | {one.python} | {one.status} | {plain(one.reason)} |" for one in found.outcomes.cells]
    lines = ["## Cells", "", "| machine | Python | | reason |", "|---|---|---|---|", *rows, ""]
    return "\n".join(
        [*lines, *_listed("Refused", found.refused), *_listed("Refused by the sanity gate", found.impossible)]
    )


def _listed(title: str, reasons: Sequence[str]) -> list[str]:
    if not reasons:
        return []
    more = [f"- and {len(reasons) - MOST_LINES} more"] if len(reasons) > MOST_LINES else []
    return [f"## {title}", "", *(f"- {plain(reason)}" for reason in reasons[:MOST_LINES]), *more, ""]


def verdicts(results: Path) -> str:
    """Return the board of verdicts of the results in a folder, or why there is none."""
    try:
        scenarios = catalogue.find()
        loaded = load(results)
        return markdown(Board.of(read.read(catalogue.ROOT / "docs"), scenarios, look(loaded.files, scenarios)))
    except Exception as error:  # noqa: BLE001 - likewise
        return f"no board: {plain(f'{type(error).__name__}: {error}')}\n"


def bounded(text: str, most: int = MOST_BYTES) -> str:
    """Cut text after the last line that fits, and say so."""
    data = text.encode(errors="replace")
    if len(data) <= most:
        return text
    end = f"\n\nCut off here: the whole has {len(data):,} bytes, and a summary has room for {most:,}.\n"
    kept = data[: most - len(end.encode())].decode(errors="ignore")
    return kept.rpartition("\n")[0] + end
