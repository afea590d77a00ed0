"""What further full runs of a build decide, each judged alone; where two differ, nothing is decided. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from generate.analysis.between_runs import counts
from generate.claims.verdicts import PartVerdict, RunVerdict, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.analysis.selection import Cell
    from generate.claims.hypotheses import ClaimPart


def judge(
    parts: Sequence[ClaimPart], records: Iterable[GatedRecord], further: Iterable[GatedRecord]
) -> list[PartVerdict]:
    """Judge every part on every cell by *records*, the current files, and beside each by the *further* runs alone."""
    judged = verdicts(parts, records)
    others: dict[tuple[ClaimPart, Cell], list[PartVerdict]] = defaultdict(list)
    for gated in further:
        for verdict in verdicts(parts, [gated]):
            others[verdict.part, verdict.cell].append(verdict)
    return [_beside(verdict, others.get((verdict.part, verdict.cell), ())) for verdict in judged]


def _beside(verdict: PartVerdict, others: Sequence[PartVerdict]) -> PartVerdict:
    """Return a verdict as it is beside those of other runs; nothing changes one that is not decided."""
    own = _decided(verdict)
    if own is None:
        return verdict
    others = [other for other in others if _could_decide(other) and _run_of(other) != own.run]
    another = [run for run in map(_decided, others) if run]
    verdict = replace(verdict, undecided_runs=len(others) - len(another))
    if not another:
        return verdict
    runs = (own, *another)
    first = {run.verdict: run.run for run in reversed(runs)}
    if len(first) == 1:
        return replace(verdict, runs=runs)
    reason = f"two runs decide differently: {first['holds']} holds, {first['does not hold']} does not"
    return replace(verdict, verdict="too close to call", reason=reason, leans=verdict.verdict, runs=runs)


def _could_decide(verdict: PartVerdict) -> bool:
    """Say whether a verdict is of a run that counts, and rests on all that a decision asks for."""
    evidence = verdict.evidence
    if evidence is None or evidence.is_quick or verdict.verdict not in {"holds", "does not hold", "too close to call"}:
        return False
    return counts(evidence.gated.file.record)


def _run_of(verdict: PartVerdict) -> str:
    return verdict.evidence.gated.file.record.run.name if verdict.evidence else ""


def _decided(verdict: PartVerdict) -> RunVerdict | None:
    """Return what one run decided; None where it did not, or is none that counts."""
    evidence = verdict.evidence
    if evidence is None or verdict.verdict == "too close to call" or not _could_decide(verdict):
        return None
    return RunVerdict(_run_of(verdict), evidence.gated.file.path, verdict.verdict, evidence.compared)
