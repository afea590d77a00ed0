"""Decides what measurements say of the claims: for every part of a claim, on every machine and build. Pure.

A verdict is where an interval lies to what the claim expects, never where a median lies. Over all that one cell
decides, at most 5 % of the decisions are wrong. What may not decide (a quick run, too few rounds, a round that failed)
leans.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generate.analysis.selection import in_order
from generate.claims.evidence import Evidence, NoEvidence, find_evidence
from generate.claims.kinds import Decision
from generate.statistics.sign_tests import discoveries

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.analysis.selection import Cell
    from generate.claims.hypotheses import ClaimPart

Verdict = Literal[Decision, "not measured", "not applicable"]
OverallVerdict = Literal[Verdict, "in part"]
"""A verdict, or what is said of a claim whose parts have different ones."""
_BY_CHANCE = "decided alone, but among all decisions of this cell too likely to be one of the 5 % that are wrong"
_IS_NOISE = "decided alone, but the difference reaches into the noise: the baseline differs from itself by as much"


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """One part of a claim on one cell."""

    part: ClaimPart
    cell: Cell
    verdict: Verdict
    reason: str
    """Why nothing could be, or why the interval alone did not decide; else empty."""
    leans: Verdict | None
    """Which way it leans, where it was measured and may not decide."""
    evidence: Evidence | None

    @property
    def is_leaning(self) -> bool:
        """Whether something was measured that may not decide."""
        return self.verdict == "not measured" and self.leans is not None

    @property
    def shown(self) -> Verdict:
        """The verdict; where it only leans, the one that it leans to."""
        return self.leans if self.verdict == "not measured" and self.leans is not None else self.verdict


def verdicts(parts: Sequence[ClaimPart], records: Iterable[GatedRecord]) -> list[PartVerdict]:
    """Judge every part on every cell."""
    by_cell: dict[Cell, list[GatedRecord]] = defaultdict(list)
    for result in in_order(records):
        by_cell[result.cell].append(result.gated)
    judged = []
    for cell, files in by_cell.items():
        evidence = {part: find_evidence(part, files) for part in parts}
        allowed = _allowed(evidence)
        judged += [decide(part, cell, evidence[part], allowed) for part in parts]
    return judged


def _allowed(evidence: Mapping[ClaimPart, Evidence | NoEvidence]) -> set[ClaimPart]:
    """Return the parts whose sign tests may decide, over all that the cell decides."""
    probabilities = {
        part: of_part.test.either
        for part, of_part in evidence.items()
        if isinstance(of_part, Evidence) and of_part.test is not None and not of_part.doubt
    }
    discovered = discoveries([*probabilities.values()])
    return {part for part, is_discovery in zip(probabilities, discovered, strict=True) if is_discovery}


def decide(part: ClaimPart, cell: Cell, evidence: Evidence | NoEvidence, allowed: Collection[ClaimPart]) -> PartVerdict:
    """Return the verdict on a part; *allowed* are those whose sign tests may decide."""
    if isinstance(evidence, NoEvidence):
        return PartVerdict(part, cell, evidence.verdict, evidence.reason, None, None)
    verdict = evidence.decision
    if evidence.doubt:
        return PartVerdict(part, cell, "not measured", evidence.doubt, verdict, evidence)
    if verdict == "too close to call":
        return PartVerdict(part, cell, verdict, "", None, evidence)
    if evidence.test is not None and part not in allowed:
        return PartVerdict(part, cell, "too close to call", _BY_CHANCE, verdict, evidence)
    if evidence.is_noise:
        return PartVerdict(part, cell, "too close to call", _IS_NOISE, verdict, evidence)
    return PartVerdict(part, cell, verdict, "", None, evidence)


def overall(parts: Sequence[PartVerdict]) -> tuple[OverallVerdict, bool]:
    """Return what is said of a claim by the verdicts of its parts, and whether it only leans that way.

    Parts that are our own questions or do not apply say nothing; where the others differ, the claim holds in part.
    """
    theirs = [verdict for verdict in parts if not verdict.part.written.ours] or parts
    applicable = [verdict for verdict in theirs if verdict.verdict != "not applicable"]
    if not applicable:
        return "not applicable", False
    different: set[OverallVerdict] = {verdict.shown for verdict in applicable}
    leans = any(verdict.is_leaning for verdict in applicable)
    return (different.pop() if len(different) == 1 else "in part"), leans
