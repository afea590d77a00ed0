"""Decides what measurements say of the claims: for every part of a claim, on every machine and build. Pure.

A verdict is where an interval lies to what the claim expects, never where a median lies. Over all that one cell
decides, at most 5 % of the decisions are wrong. What may not decide (too few rounds, a round that failed) leans. What a
quick run decides stands outside that count: its rule has a share of wrong decisions of its own, which is validated.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generate.analysis.selection import in_order
from generate.claims.evidence import Evidence, NoEvidence, find_evidence
from generate.statistics.sign_tests import discoveries

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.analysis.selection import Cell
    from generate.claims.evidence import Files
    from generate.claims.hypotheses import ClaimPart
    from generate.claims.kinds import Position

Verdict = Literal["holds", "does not hold", "too close to call", "not measured", "not applicable"]
OverallVerdict = Literal[Verdict, "in part"]
"""A verdict, or what is said of a claim whose parts have different ones."""
_BY_POSITION: Mapping[Position, Verdict] = {
    "inside": "holds",
    "outside": "does not hold",
    "across": "too close to call",
}
_BY_CHANCE = "decided alone, but among all decisions of this cell too likely to be one of the 5 % that are wrong"
_BY_FEW = "too close for a quick run"
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
    def is_quick(self) -> bool:
        """Whether a quick run decided it: a direction alone, until a full run does."""
        return self.verdict in {"holds", "does not hold"} and self.evidence is not None and self.evidence.is_quick

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
    judged = []
    for cell, files in _by_cell(records).items():
        evidence = {part: find_evidence(part, files) for part in parts}
        allowed = _allowed(evidence)
        judged += [decide(part, cell, evidence[part], allowed) for part in parts]
    return judged


def _by_cell(records: Iterable[GatedRecord]) -> dict[Cell, Files]:
    by_cell: dict[Cell, dict[str, list[GatedRecord]]] = defaultdict(lambda: defaultdict(list))
    for result in in_order(records):
        for scenario in dict.fromkeys(series.scenario for series in result.record.series):
            by_cell[result.cell][scenario].append(result.gated)
    return {**by_cell}


def _allowed(evidence: Mapping[ClaimPart, Evidence | NoEvidence]) -> set[ClaimPart]:
    """Return the parts whose sign tests may decide, over all that the cell decides."""
    probabilities = {
        part: of_part.test.either
        for part, of_part in evidence.items()
        if isinstance(of_part, Evidence) and of_part.test is not None and not of_part.doubt and not of_part.is_quick
    }
    discovered = discoveries([*probabilities.values()])
    return {part for part, is_discovery in zip(probabilities, discovered, strict=True) if is_discovery}


def decide(part: ClaimPart, cell: Cell, evidence: Evidence | NoEvidence, allowed: Collection[ClaimPart]) -> PartVerdict:
    """Return the verdict on a part; *allowed* are those whose sign tests may decide."""
    if isinstance(evidence, NoEvidence):
        return PartVerdict(part, cell, evidence.verdict, evidence.reason, None, None)
    verdict = _BY_POSITION[evidence.position]
    if reason := evidence.doubt or _why_a_quick_run_does_not(verdict, evidence):
        return PartVerdict(part, cell, "not measured", reason, verdict, evidence)
    if verdict == "too close to call":
        return PartVerdict(part, cell, verdict, "", None, evidence)
    if evidence.test is not None and part not in allowed and not evidence.is_quick:
        return PartVerdict(part, cell, "too close to call", _BY_CHANCE, verdict, evidence)
    if evidence.is_noise:
        return PartVerdict(part, cell, "too close to call", _IS_NOISE, verdict, evidence)
    return PartVerdict(part, cell, verdict, "", None, evidence)


def _why_a_quick_run_does_not(verdict: Verdict, evidence: Evidence) -> str:
    """Return why few rounds leave open what more of them may decide; empty where they decide, or are not few."""
    is_open = evidence.is_quick and (verdict == "too close to call" or evidence.is_noise)
    return _BY_FEW if is_open else ""


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
