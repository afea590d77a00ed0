"""What would surprise a reader of home: the claims that are refuted most clearly. Pure."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from generate.claims.sentences import describe_verdict
from generate.pages.templates import fragment, root_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markupsafe import Markup

    from generate.claims.judge import PartVerdict
    from generate.claims.marks import ClaimVerdict
    from generate.claims.model import Part
    from generate.pages.context import SiteContext

SURPRISES = 5
MOST_OF_A_SOURCE = 2


def surprises(context: SiteContext, page: str) -> Markup:
    """Return the claims that are refuted most clearly on the build that pages begin with, with their numbers.

    Claims that fail in all their parts come first; then those whose first failing part lies furthest from what is
    expected. At most two are of one source, since what one source claims tends to stand or fall together.
    """
    cell = next((cell.key for cell in context.site.cells()), None)
    of_cell = [verdict for verdict in context.board.verdicts.values() if verdict.cell == cell]
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
    """Return the refuted claims, what is refuted most clearly first.

    Left out is what depends on us: our own questions, a bound or grid of ours, a rule's share of our map's points, and
    another set-up than that of the source's printed figures if the claim holds in that.
    """
    refuted = []
    for verdict in verdicts:
        parts = [each for each in verdict.counting_parts if not _depends_on_us(each.part.written)]
        if any(part.verdict == "holds" and part.part.written.printed for part in parts):
            parts = [part for part in parts if part.part.written.printed]
        if first := next((part for part in parts if part.verdict == "does not hold"), None):
            refuted.append(Refuted(verdict.verdict == "in part", first))
    return sorted(refuted, key=lambda each: (each.in_part, -distance(each.first), each.first.part.id))


def _depends_on_us(part: Part) -> bool:
    return part.ours or bool(part.depends_on or part.rule)


def _entry(refuted: Refuted) -> dict[str, object]:
    part = refuted.first.part
    name = part.written.name if refuted.in_part else ""
    return {"claim": part.claim, "part": name, "sentence": describe_verdict(refuted.first)}


def distance(verdict: PartVerdict) -> float:
    """Return by how many times an estimate misses what was expected, as a logarithm."""
    if verdict.evidence is None:
        return 0.0
    low, high = verdict.evidence.hypothesis.expected
    values = [each.value for each in verdict.evidence.compared if each.value > 0]
    gaps = [math.log(low / value) for value in values if low > 0 and value < low]
    gaps += [math.log(value / high) for value in values if 0 < high < value]
    return max(gaps, default=0.0)
