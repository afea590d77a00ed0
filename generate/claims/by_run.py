"""What further full runs of a build decide, each judged alone, and what the reference build does in the same run. Pure.

Nothing is decided where two differ, nor where fewer than half of the runs decide: what the run shown decides alone, out
of five, the next would probably not.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from generate.analysis.between_runs import counts
from generate.claims.verdicts import PartVerdict, RunVerdict, verdicts
from generate.statistics.bounds import DECIDED
from generate.text.numbers import counted
from generate.text.over_runs import OverRuns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.analysis.selection import Cell
    from generate.claims.hypotheses import ClaimPart
    from generate.claims.verdicts import Verdict


class FurtherRun(NamedTuple):
    """The file of a full run that stands beside a current one."""

    gated: GatedRecord
    scenarios: Collection[str]
    """Those in which it stands beside it, as in tables: what it has of others is not asked."""


def judge(
    parts: Sequence[ClaimPart], records: Iterable[GatedRecord], further: Iterable[FurtherRun]
) -> list[PartVerdict]:
    """Judge every part on every cell by *records*, the current files, and beside each by the *further* runs alone."""
    judged = verdicts(parts, records)
    others: dict[tuple[ClaimPart, Cell], list[RunVerdict]] = defaultdict(list)
    for gated, scenarios in further:
        for verdict in verdicts(parts, [gated]):
            is_asked = verdict.evidence is not None and verdict.evidence.hypothesis.scenario.name in scenarios
            if is_asked and (run := _of_run(verdict)):
                others[verdict.part, verdict.cell].append(run)
    return [_beside(verdict, others.get((verdict.part, verdict.cell), ())) for verdict in judged]


def beside_references(judged: Iterable[PartVerdict], beside: Mapping[str, GatedRecord]) -> list[PartVerdict]:
    """Return verdicts, each with that of the reference build in the same run, of which *beside* has some by file."""
    every = [*judged]
    parts = [*dict.fromkeys(verdict.part for verdict in every)]
    of_files = {gated.file.path: {each.part: each for each in verdicts(parts, [gated])} for gated in beside.values()}

    def of_reference(verdict: PartVerdict) -> PartVerdict:
        gated = beside.get(verdict.evidence.gated.file.path) if verdict.evidence else None
        found = of_files[gated.file.path].get(verdict.part) if gated else None
        return replace(verdict, of_reference=found.verdict) if found else verdict

    return [*map(of_reference, every)]


def runs_that_decide(deciding: int, silent: int, verdict: Verdict) -> str:
    """Say how many runs decide alike, and how many there are: "1 of 3 runs decides: holds"."""
    return f"{deciding} of {counted(deciding + silent, 'run')} {'decides' if deciding == 1 else 'decide'}: {verdict}"


def _beside(verdict: PartVerdict, others: Sequence[RunVerdict]) -> PartVerdict:
    """Return a verdict as it is beside those of other runs, which change none that is not decided."""
    own = _of_run(verdict)
    if own is None:
        return verdict
    others = [run for run in others if run.run != own.run and run.code == own.code]
    verdict = replace(verdict, over_runs=_over_runs(own, others))
    if own.verdict not in DECIDED:
        return verdict
    another = [run for run in others if run.verdict in DECIDED]
    runs, silent = (own, *another), len(others) - len(another)
    first = {run.verdict: run.run for run in reversed(runs)}
    if len(first) > 1:
        reason = f"two runs decide differently: {first['holds']} holds, {first['does not hold']} does not"
    elif silent > len(runs):
        reason = f"only {runs_that_decide(len(runs), silent, own.verdict)}"
    else:
        reason = ""
    verdict = replace(verdict, runs=runs if another else (), undecided_runs=silent)
    return replace(verdict, verdict="too close to call", leans=own.verdict, reason=reason) if reason else verdict


def _over_runs(own: RunVerdict, others: Sequence[RunVerdict]) -> OverRuns | None:
    """Return where the one number that is judged lay in all runs, beside its interval in *own*."""
    if len(own.compared) > 1:
        return None
    (compared,) = own.compared
    medians = [step.median for run in (own, *others) for step in run.compared]
    return OverRuns.of(medians, compared.low, compared.high)


def _of_run(verdict: PartVerdict) -> RunVerdict | None:
    """Return what one run says, decided or too close to call; None where it may not decide, or is none that counts."""
    evidence = verdict.evidence
    if evidence is None or evidence.is_quick or verdict.verdict not in {*DECIDED, "too close to call"}:
        return None
    file = evidence.gated.file
    if not counts(file.record):
        return None
    return RunVerdict(file.record.run.name, file.path, verdict.verdict, evidence.compared, evidence.code)
