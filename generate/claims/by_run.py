"""What further full runs of a build decide, each judged alone. Pure.

Nothing is decided where two differ, nor where fewer than half of the runs decide: what the run shown decides alone, out
of five, the next would probably not.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from generate.analysis.between_runs import counts
from generate.claims.verdicts import PartVerdict, RunVerdict, verdicts
from generate.statistics.bounds import DECIDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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


def with_references(judged: Iterable[PartVerdict], beside: Mapping[str, GatedRecord]) -> list[PartVerdict]:
    """Return verdicts, each with what the reference build decides in the same run: *beside* has some by file's path."""
    every = [*judged]
    parts = [*dict.fromkeys(verdict.part for verdict in every)]
    of_reference = {
        (verdict.part, path): verdict.verdict for path, gated in beside.items() for verdict in verdicts(parts, [gated])
    }
    paths = [verdict.evidence.gated.file.path if verdict.evidence else "" for verdict in every]
    return [
        replace(verdict, beside=of_reference.get((verdict.part, path)))
        for verdict, path in zip(every, paths, strict=True)
    ]


def _beside(verdict: PartVerdict, others: Sequence[RunVerdict]) -> PartVerdict:
    """Return a verdict as it is beside those of other runs; nothing changes one that is not decided."""
    own = _of_run(verdict)
    if own is None or own.verdict not in DECIDED:
        return verdict
    others = [run for run in others if run.run != own.run and run.code == own.code]
    another = [run for run in others if run.verdict in DECIDED]
    runs, silent = (own, *another), len(others) - len(another)
    first = {run.verdict: run.run for run in reversed(runs)}
    if len(first) > 1:
        reason = f"two runs decide differently: {first['holds']} holds, {first['does not hold']} does not"
    elif silent > len(runs):
        verb = "decides" if len(runs) == 1 else "decide"
        reason = f"only {len(runs)} of {len(runs) + silent} runs {verb}: {own.verdict}"
    else:
        return replace(verdict, runs=runs if another else (), undecided_runs=silent)
    undecided = replace(verdict, verdict="too close to call", leans=verdict.verdict, reason=reason)
    return replace(undecided, runs=runs, undecided_runs=silent)


def _of_run(verdict: PartVerdict) -> RunVerdict | None:
    """Return what one run says, decided or too close to call; None where it may not decide, or is none that counts."""
    evidence = verdict.evidence
    if evidence is None or evidence.is_quick or verdict.verdict not in {*DECIDED, "too close to call"}:
        return None
    file = evidence.gated.file
    if not counts(file.record):
        return None
    return RunVerdict(file.record.run.name, file.path, verdict.verdict, evidence.compared, evidence.code)
