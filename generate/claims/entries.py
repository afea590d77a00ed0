"""The verdicts as verdicts.json has them: an entry for each part of a claim on each machine and build. Pure."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, TypedDict

from generate.claims.sentences import describe_contradiction, describe_verdict

if TYPE_CHECKING:
    from generate.claims.hypotheses import Hypothesis
    from generate.claims.judge import PartVerdict
    from generate.data.estimates import Estimate

VERSION = 2
DIGITS = 7
"""Of every number: more than enough to recompute a verdict."""


class RunEntry(TypedDict):
    """What one run measured."""

    run: str
    """Id of the run."""
    file: str | None
    """Its result file, below data/raw/."""
    value: float
    """Median over its rounds: a ratio, or a value in the metric's unit."""
    rounds: int
    """How many rounds that is of."""
    variance: float | None
    """Its own variance, on the scale of the estimate: s2 of the rule. Null on no scale."""


class EstimateEntry(TypedDict):
    """An estimate over all runs, with all that it follows from."""

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
    """log, or logit for a share; exact for counts and values of 0 or less, whose range is the lowest and the highest
    of all rounds."""
    between_runs: float
    """How much runs differ beyond their rounds, as a variance on that scale: tau2 of the rule."""
    degrees: float | None
    """Degrees of freedom of the range; null if it is exact."""
    decides: bool
    """False if it decides nothing wherever its range lies: the reason is in the verdict."""
    runs: list[RunEntry]
    """Newest first."""


class Judged(TypedDict, total=False):
    """What is judged; left out if a part is never measured: the reason says why."""

    scenario: str
    """Of all series that it takes."""
    metric: str
    """Name of the metric, as in the tables."""
    unit: str
    """Of its values."""
    candidates: list[list[str]]
    """Case and runner of each series that is judged; if there are several, each is compared with the one before."""
    against: list[str] | None
    """Case and runner of the series that ratios are against; null if there is none."""
    against_build: str
    """own, or gil_twin: the same Python with the GIL, measured in the same runs."""
    judged: str
    """ratios, values or points of the map."""
    bounds: list[float | None]
    """Where they should lie, the lower end and the upper; null if there is no such end. It holds if the whole range of
    every estimate lies inside, and does not hold if that of any lies outside."""


class VerdictEntry(Judged):
    """A part of a claim on a machine and build."""

    claim: str
    """The claim's name, as on the board."""
    part: str
    """The part's; the same if the claim has only one."""
    name: str
    """What tells the part from the others in words; empty if there is no other."""
    says: str
    """What the claim says, in our words."""
    ours: bool
    """True if the part is our question and does not count for the claim."""
    depends_on: str | None
    """What of ours the outcome depends on: a bound, a grid, a processor."""
    machine: str
    """Label of the machine."""
    processor: str
    """Its processor: with another it is another machine."""
    cores: int
    """Usable cores."""
    local: bool
    """True if it is somebody's own and not published."""
    build: str
    """The interpreter."""
    verdict: str
    """holds, does not hold, undecided, not measured or does not apply."""
    reason: str | None
    """Why nothing was measured, or why the estimate decides nothing wherever its range lies."""
    expected: str | None
    """What the claim expects, in words."""
    sentence: str
    """What was measured, in a sentence."""
    contradiction: str | None
    """How the source's own figures contradict its claim."""
    estimates: list[EstimateEntry]
    """What is judged; several if there are several steps."""
    candidate: list[float | None] | None
    """The candidate's value, of several the last's: estimate, low and high. Null if nothing was measured."""
    baseline: list[float | None] | None
    """The same for the series it is against; null if there is none, or it was not measured."""


def make_entry(verdict: PartVerdict) -> VerdictEntry:
    """Return the verdict on a part with what it was decided on."""
    part, evidence, host = verdict.part, verdict.evidence, verdict.cell.machine_key
    hypothesis = evidence.hypothesis if evidence else part.hypothesis
    files = {run.run: run.file.path for run in evidence.result.runs} if evidence else {}
    return {
        "claim": part.claim.id,
        "part": part.id,
        "name": part.written.name,
        "says": part.claim.says,
        "ours": part.written.ours,
        "depends_on": part.written.depends_on or None,
        "machine": host.machine,
        "processor": host.processor,
        "cores": host.cores,
        "local": host.local,
        "build": verdict.cell.build,
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
    of_values = "points of the map" if hypothesis.rule else "values"
    return {
        "scenario": hypothesis.scenario.name,
        "metric": hypothesis.metric.name,
        "unit": hypothesis.metric.unit,
        "candidates": [[key.case, key.runner] for key in hypothesis.candidates],
        "against": [hypothesis.baseline.case, hypothesis.baseline.runner] if hypothesis.baseline else None,
        "against_build": "gil_twin" if hypothesis.is_against_gil else "own",
        "judged": "ratios" if hypothesis.is_of_ratios else of_values,
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
    """Round a number; JSON has an infinite one as null."""
    return float(f"{number:.{DIGITS}g}")
