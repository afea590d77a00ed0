"""The verdicts as verdicts.json has them: an entry for each part of a claim on each machine and build. Pure."""

from statistics import fmean
from typing import TypedDict

from generate.claims.hypotheses import Hypothesis
from generate.claims.judge import PartVerdict
from generate.claims.sentences import describe_contradiction, describe_verdict
from generate.data.estimates import Estimate
from generate.data.files import ResultKey

VERSION = 2
DIGITS = 7
"""Significant digits: more than needed to recompute a verdict."""


class RunEntry(TypedDict):
    """What one run measured."""

    run: str
    """Id of the run."""
    file: str | None
    """Its result file, below data/raw/."""
    value: float
    """Median over its rounds: a ratio, or a value in the metric's unit."""
    rounds: int
    """Number of rounds in that median."""
    variance: float | None
    """Its own variance, on the scale of the estimate: s2 of the rule. Null if the estimate is exact."""


class EstimateEntry(TypedDict):
    """An estimate over all runs, with the numbers behind it."""

    estimate: float
    """A ratio, or a value in the metric's unit."""
    low: float
    """Lower end of the 95 % range of the long-run value; this range is judged."""
    high: float | None
    """Upper end; null if a single round leaves it unknown."""
    another_low: float
    """Lower end of the 95 % range of one further run."""
    another_high: float | None
    """Upper end."""
    scale: str
    """log, logit for a share, or exact for counts and values of 0 or less: their range is that of all rounds."""
    between_runs: float
    """How much runs differ beyond their rounds, as a variance on that scale: tau2 of the rule."""
    degrees: float | None
    """Degrees of freedom of the range; null if it is exact."""
    decides: bool
    """False if it can't decide, whatever its range; the verdict has the reason."""
    runs: list[RunEntry]
    """Newest first."""


class Judged(TypedDict, total=False):
    """What is judged. Left out if a part is never measured; the verdict has the reason."""

    scenario: str
    """Scenario of every series."""
    metric: str
    """Name of the metric, as in the tables."""
    unit: str
    """Unit of the metric."""
    candidates: list[list[str]]
    """Case and runner of each series that is judged. If there are several, each is compared with the one before."""
    against: list[str] | None
    """Case and runner of the baseline; null if there is none."""
    against_build: str
    """own, or another that was measured in the same runs: gil_twin, the same Python with the GIL; no_jit, the same
    Python with its just-in-time compiler off, while the candidate's is on; or previous, the release before."""
    judged: str
    """ratios, values or points of the map."""
    bounds: list[float | None]
    """Lower and upper bound; null if there is none. The claim holds if the range of every estimate lies inside
    completely, and does not hold if the range of any lies outside completely."""


class Place(TypedDict):
    """A machine and build."""

    machine: str
    """Label of the machine."""
    processor: str
    """Its processor. A machine with a different processor counts as a separate machine."""
    cores: int
    """Usable cores."""
    local: bool
    """True if it is somebody's own machine, and its results are not published."""
    build: str
    """The interpreter."""


def make_place(key: ResultKey) -> Place:
    machine = key.machine_key
    return {
        "machine": machine.machine,
        "processor": machine.processor,
        "cores": machine.cores,
        "local": machine.local,
        "build": key.build,
    }


class VerdictEntry(Place, Judged):
    """A part of a claim on a machine and build."""

    claim: str
    """Name of the claim, as on the board."""
    part: str
    """Name of the part; the claim's if it has only one."""
    name: str
    """The part in a few words; empty if it is the only one."""
    says: str
    """The claim in our words."""
    ours: bool
    """True if the part is our question and does not count for the claim."""
    depends_on: str | None
    """The bound or grid of ours, or the processor, that the outcome depends on."""
    verdict: str
    """holds, does not hold, undecided, not measured or does not apply."""
    reason: str | None
    """Why nothing was measured, or why the estimate decides nothing."""
    expected: str | None
    """What the claim expects, in words."""
    sentence: str
    """What was measured, in a sentence."""
    contradiction: str | None
    """How the source's own figures contradict its claim."""
    estimates: list[EstimateEntry]
    """The estimates that are judged: one, or one for each step."""
    candidate: list[float | None] | None
    """Estimate, low and high of the last candidate's value. Null if nothing was measured."""
    baseline: list[float | None] | None
    """The same for the baseline. Null if there is none, or it was not measured."""


def make_entry(verdict: PartVerdict) -> VerdictEntry:
    part, evidence = verdict.part, verdict.evidence
    hypothesis = evidence.hypothesis if evidence else part.hypothesis
    files = {run.run: run.file.path for run in evidence.result.runs} if evidence else {}
    return {
        "claim": part.claim.id,
        "part": part.id,
        "name": part.written.name,
        "says": part.claim.says,
        "ours": part.written.ours,
        "depends_on": part.written.depends_on or None,
        **make_place(verdict.result),
        "verdict": verdict.verdict,
        "reason": verdict.reason or None,
        "expected": hypothesis.expectation if hypothesis else None,
        **_judged(hypothesis),
        "sentence": describe_verdict(verdict),
        "contradiction": describe_contradiction(part) or None,
        "estimates": [_estimate(each, files, doubt=evidence.doubt) for each in evidence.compared] if evidence else [],
        "candidate": _value(evidence.candidate) if evidence else None,
        "baseline": _value(evidence.baseline) if evidence else None,
    }


def _judged(hypothesis: Hypothesis | None) -> Judged:
    if hypothesis is None:
        return {}
    judged = "points of the map" if hypothesis.rule else "values"
    return {
        "scenario": hypothesis.scenario.name,
        "metric": hypothesis.metric.name,
        "unit": hypothesis.metric.unit,
        "candidates": [[key.case, key.runner] for key in hypothesis.candidates],
        "against": [hypothesis.baseline.case, hypothesis.baseline.runner] if hypothesis.baseline else None,
        "against_build": hypothesis.baseline_build,
        "judged": "ratios" if hypothesis.compares_ratios else judged,
        "bounds": [*hypothesis.expected],
    }


def _value(estimate: Estimate | None) -> list[float | None] | None:
    return [_number(estimate.value), _number(estimate.low), _number(estimate.high)] if estimate else None


def _estimate(estimate: Estimate, files: dict[str, str], *, doubt: str) -> EstimateEntry:
    within = [run.variance for run in estimate.runs if run.variance is not None]
    tau2 = estimate.between - fmean(within) if within and estimate.between else 0.0
    return {
        "estimate": _number(estimate.value),
        "low": _number(estimate.low),
        "high": _number(estimate.high),
        "another_low": _number(estimate.another_low),
        "another_high": _number(estimate.another_high),
        "scale": estimate.scale,
        "between_runs": _number(max(tau2, 0.0)),
        "degrees": _number(estimate.degrees),
        "decides": not doubt,
        "runs": [
            {
                "run": run.run,
                "file": files.get(run.run),
                "value": _number(run.value),
                "rounds": run.rounds,
                "variance": None if run.variance is None else _number(run.variance),
            }
            for run in estimate.runs
        ],
    }


def _number(number: float) -> float:
    """Round a number. In JSON an infinite number is null."""
    return float(f"{number:.{DIGITS}g}")
