"""What would surprise a reader of home: the claims that the newest result refutes most clearly. Pure."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from generate.claims.sentences import sentence
from generate.pages.templates import fragment, root_of

if TYPE_CHECKING:
    from markupsafe import Markup

    from generate.claims.verdicts import PartVerdict
    from generate.pages.context import SiteContext

SURPRISES = 5
MOST_OF_A_SOURCE = 2


def surprises(context: SiteContext, page: str) -> Markup:
    """Return the claims that today's measurement refutes most clearly on the current build, with their numbers.

    Which they are follows from the data: what lies furthest from where its claim expects it comes first. At most two
    are of one source, since what one source claims tends to stand or fall together.
    """
    board = context.board
    cell = next(iter(context.site.cells()), None) if board.cells else None
    refuted = [
        (distance(part), part)
        for verdict in board.verdicts.values()
        for part in verdict.parts
        if cell and verdict.cell == cell.cell and part.verdict == "does not hold" and not part.part.written.ours
    ]
    refuted.sort(key=lambda each: (-each[0], each[1].part.id))
    chosen: list[PartVerdict] = []
    counts: Counter[str] = Counter()
    for _, part in refuted:
        source, claim = part.part.claim.source, part.part.claim.id
        if counts[source] < MOST_OF_A_SOURCE and not counts[claim] and len(chosen) < SURPRISES:
            counts.update((source, claim))
            chosen.append(part)
    entries = [{"claim": part.part.claim, "sentence": sentence(part)} for part in chosen]
    return fragment("surprises.html", entries=entries, root=root_of(page))


def distance(verdict: PartVerdict) -> float:
    """Return by how many times what was measured misses what was expected, as a logarithm."""
    evidence = verdict.evidence
    if evidence is None:
        return 0.0
    low, high = evidence.hypothesis.expected
    medians = [step.median for step in evidence.compared if step.median > 0]
    gaps = [math.log(low / median) for median in medians if low > 0 and median < low]
    gaps += [math.log(median / high) for median in medians if 0 < high < median]
    return max(gaps, default=0.0)
