"""What would surprise a reader of home: the claims that the newest result refutes most clearly. Pure."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from generate.claims.sentences import sentence
from generate.pages.templates import fragment, root_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markupsafe import Markup

    from generate.claims.marks import ClaimVerdict
    from generate.claims.model import Part
    from generate.claims.verdicts import PartVerdict
    from generate.pages.context import SiteContext

SURPRISES = 5
MOST_OF_A_SOURCE = 2


def surprises(context: SiteContext, page: str) -> Markup:
    """Return the claims that today's measurement refutes most clearly on the current build, with their numbers.

    Which they are follows from the data: claims that fail in all their parts come before those that fail in some, and
    of either kind those whose first failing part lies furthest from where it is expected. At most two are of one
    source, since what one source claims tends to stand or fall together.
    """
    board = context.board
    cell = next(iter(context.site.cells()), None) if board.cells else None
    of_cell = [verdict for verdict in board.verdicts.values() if cell and verdict.cell == cell.cell]
    chosen: list[Refuted] = []
    counts: Counter[str] = Counter()
    for each in ranked(of_cell):
        source = each.first.part.claim.source
        if counts[source] < MOST_OF_A_SOURCE and len(chosen) < SURPRISES:
            counts.update((source,))
            chosen.append(each)
    is_measured = any(part.evidence for verdict in of_cell for part in verdict.parts)
    entries = [_entry(each) for each in chosen]
    return fragment("surprises.html", entries=entries, is_measured=is_measured, root=root_of(page))


class Refuted(NamedTuple):
    """A claim that does not hold, or does not in part."""

    in_part: bool
    first: PartVerdict
    """The first of its parts, as the source has them, that does not hold."""


def ranked(verdicts: Iterable[ClaimVerdict]) -> list[Refuted]:
    """Return the claims that are refuted, what is refuted most clearly first.

    Questions of ours refute nobody, and neither does what turns on something that was measured at one value alone, a
    rule's share of the points of our map, nor another set-up than that of which the source printed figures, where the
    claim holds in that.
    """
    refuted = []
    for verdict in verdicts:
        parts = [each for each in verdict.counted if not _depends_on_us(each.part.written)]
        if any(part.verdict == "holds" and part.part.written.printed for part in parts):
            parts = [part for part in parts if part.part.written.printed]
        if first := next((part for part in parts if part.verdict == "does not hold"), None):
            refuted.append(Refuted(verdict.verdict == "in part", first))
    return sorted(refuted, key=lambda each: (each.in_part, -distance(each.first), each.first.part.id))


def _depends_on_us(part: Part) -> bool:
    """Say whether a part is decided by what we chose to ask or to measure: which points the map has, say."""
    return part.ours or bool(part.depends_on or part.rule)


def _entry(refuted: Refuted) -> dict[str, object]:
    part = refuted.first.part
    name = part.written.name if refuted.in_part else ""
    return {"claim": part.claim, "part": name, "sentence": sentence(refuted.first)}


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
