"""What further full runs of a build decide, each judged alone; where two differ, nothing is decided. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from generate.analysis.between_runs import counts
from generate.claims.verdicts import PartVerdict, RunVerdict, verdicts
from generate.statistics.bounds import DECIDED

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
    others: dict[tuple[ClaimPart, Cell], list[RunVerdict]] = defaultdict(list)
    for gated in further:
        for verdict in verdicts(parts, [gated]):
            if run := _of_run(verdict):
                others[verdict.part, verdict.cell].append(run)
    return [_beside(verdict, others.get((verdict.part, verdict.cell), ())) for verdict in judged]


def _beside(verdict: PartVerdict, others: Sequence[RunVerdict]) -> PartVerdict:
    """Return a verdict as it is beside those of other runs; nothing changes one that is not decided."""
    own = _of_run(verdict)
    if own is None or own.verdict not in DECIDED:
        return verdict
    others = [run for run in others if run.run != own.run and run.code == own.code]
    another = [run for run in others if run.verdict in DECIDED]
    verdict = replace(verdict, undecided_runs=len(others) - len(another))
    if not another:
        return verdict
    runs = (own, *another)
    first = {run.verdict: run.run for run in reversed(runs)}
    if len(first) == 1:
        return replace(verdict, runs=runs)
    reason = f"two runs decide differently: {first['holds']} holds, {first['does not hold']} does not"
    return replace(verdict, verdict="too close to call", reason=reason, leans=verdict.verdict, runs=runs)


def _of_run(verdict: PartVerdict) -> RunVerdict | None:
    """Return what one run says, decided or too close to call; None where it may not decide, or is none that counts."""
    evidence = verdict.evidence
    if evidence is None or evidence.is_quick or verdict.verdict not in {*DECIDED, "too close to call"}:
        return None
    file = evidence.gated.file
    if not counts(file.record):
        return None
    return RunVerdict(file.record.run.name, file.path, verdict.verdict, evidence.compared, evidence.code)
