"""Judges every part of a claim on every machine and build: by where the range of an estimate lies. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generate.claims.evidence import Evidence, measure, why_missing
from generate.data.estimates import Decision
from runners.harness.record.build_names import is_older, numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generate.claims.hypotheses import ClaimPart, Hypothesis
    from generate.claims.model import Needs
    from generate.data.results import Results
    from generate.data.selection import ResultKey
    from runners.harness.record.model import Build

Verdict = Literal[Decision, "not measured", "does not apply"]


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """One part of a claim on one machine and build."""

    part: ClaimPart
    cell: ResultKey
    verdict: Verdict
    reason: str = ""
    """Why nothing was measured, or why the estimate decides nothing whatever its range; else empty."""
    evidence: Evidence | None = None


def judge(parts: Sequence[ClaimPart], results: Results) -> Iterator[PartVerdict]:
    """Yield the verdict on every part on every plain build; variants are only compared with their own plain build."""
    for result in results.cells():
        if not result.record.build.variant:
            for part in parts:
                yield _verdict(part, result.key, result.record.build, results)


def _verdict(part: ClaimPart, cell: ResultKey, build: Build, results: Results) -> PartVerdict:
    hypothesis = part.hypothesis
    if hypothesis is None:
        verdict: Verdict = "does not apply" if part.written.not_applicable else "not measured"
        return PartVerdict(part, cell, verdict, part.reason)
    if len(numbers(build.version)) < 2:  # noqa: PLR2004 - major and minor
        return PartVerdict(part, cell, "not measured", f"“{build.version}” is no version of a Python")
    if reason := _unmet(part.written.needs, build):
        return PartVerdict(part, cell, "does not apply", reason)
    evidence = _evidence(part, hypothesis, cell, results)
    if isinstance(evidence, str):
        return PartVerdict(part, cell, "not measured", evidence)
    return PartVerdict(part, cell, evidence.decision, evidence.doubt, evidence)


def _evidence(part: ClaimPart, hypothesis: Hypothesis, cell: ResultKey, results: Results) -> Evidence | str:
    """Return what was measured, or why nothing was."""
    if part.written.needs.cores > cell.machine_key.cores:
        return f"needs {part.written.needs.cores} cores; this machine has {cell.machine_key.cores}"
    by_cell = {result.key: result for result in results.current[hypothesis.scenario.name]}
    result = by_cell.get(cell)
    if result is None:
        return f"no run here has the scenario {hypothesis.scenario.name}"
    if part.quick and not any(map(result.runs_with, hypothesis.series)):
        hypothesis = part.quick
    if reason := why_missing(hypothesis, result):
        return reason
    return measure(hypothesis, result, by_cell) or "a baseline of 0, or no round in common: there is no ratio"


def _unmet(needs: Needs, build: Build) -> str:
    """Return why a claim is not about such a build; empty if it is."""
    if is_older(build.version, numbers(needs.python)):
        return f"needs Python {needs.python} or later"
    if needs.gil is not None and needs.gil is build.free_threaded:
        return f"the claim is about builds {'with' if needs.gil else 'without'} the GIL"
    return ""
