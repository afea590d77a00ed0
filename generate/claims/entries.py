"""The verdicts as verdicts.json has them: an entry for each part of a claim on each machine and build. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypedDict

from generate.claims.sentences import contradiction, sentence

if TYPE_CHECKING:
    from generate.claims.hypotheses import Hypothesis
    from generate.claims.verdicts import PartVerdict, RunVerdict
    from generate.statistics.intervals import Interval


class IntervalEntry(TypedDict):
    """A median and its interval."""

    median: float
    """Of ratios, or of values in the metric's unit."""
    low: float
    """Lower end of its interval."""
    high: float
    """Upper end of its interval."""
    coverage: float
    """Probability that the interval holds the true median, 0 to 1."""
    count: int
    """How many rounds it is of."""


class RunEntry(TypedDict):
    """What one full run, judged alone, decides."""

    run: str
    """Name of the run."""
    file: str
    """Its result file, below data/raw/."""
    verdict: str
    """As that of the entry."""
    intervals: list[IntervalEntry]
    """As those of the entry."""


class Judged(TypedDict, total=False):
    """What is judged; left out where a part is never measured: the reason says why."""

    scenario: str
    """Of all series that it takes."""
    metric: str
    """Name of the metric, as in the tables."""
    unit: str
    """Of its values."""
    candidates: list[list[str]]
    """Case and runner of what is judged; where there are several, each is held against the one before."""
    against: list[str] | None
    """Case and runner of what ratios are against; null where there is none."""
    against_build: str
    """own, or gil_twin: the same Python with the GIL, measured in the same run."""
    judged: str
    """ratios or values."""
    bounds: list[float | None]
    """Where they should lie, the lower end and the upper; null where there is no such end."""


class VerdictEntry(Judged):
    """A part of a claim on a machine and build."""

    claim: str
    """The claim's name, as on the board."""
    part: str
    """The part's; the same where the claim has one alone."""
    name: str
    """What tells the part from the others in words; empty where there is no other."""
    says: str
    """What the claim says, in our words."""
    machine: str
    """Label of the machine."""
    local: bool
    """Whether it is somebody's own and not published."""
    build: str
    """The interpreter."""
    verdict: str
    """holds, does not hold, too close to call, not measured or not applicable."""
    reason: str | None
    """Why nothing could be decided, or why the interval alone did not."""
    leans: str | None
    """Which way it leans, where it was measured and may not decide."""
    quick: bool
    """Whether few rounds decided it: a direction alone."""
    expected: str | None
    """What the claim expects, in words."""
    sentence: str
    """What was found, as pages say it."""
    contradiction: str | None
    """Where the source's own figures are not what it claims."""
    intervals: list[IntervalEntry]
    """What was held against the bounds; several where there are several steps."""
    candidate: IntervalEntry | None
    """The candidate's values, of several the last's; null where nothing was measured."""
    baseline: IntervalEntry | None
    """The values of what it is against; null where that is nothing, or was not measured."""
    noise: list[float] | None
    """Ends of the interval of the baseline's control to it. The noise floor that a difference must leave goes from
    1 / r to r, the larger of the upper end and 1 / the lower one. Null where there is no control or no measurement."""
    noise_ratio: float | None
    """Median of the same: of few rounds, what a ratio must be farther from 1 than. Null where that is."""
    sign_test: float | None
    """Probability of its sign test, by which the false decisions of a cell are bounded; null where there is none."""
    file: str | None
    """The result file that it was judged by, below data/raw/; null where nothing was measured."""
    runs: list[RunEntry]
    """What several full runs of the build decide, the current one first: of those that `runs_beside` of index.json
    names, at most five. Empty where no other does."""


def entry(verdict: PartVerdict) -> VerdictEntry:
    """Return the verdict on a part with what it was decided on."""
    part, evidence = verdict.part, verdict.evidence
    hypothesis = evidence.hypothesis if evidence else part.hypothesis
    return {
        "claim": part.claim.id,
        "part": part.id,
        "name": part.written.name,
        "says": part.claim.says,
        "machine": verdict.cell.machine,
        "local": verdict.cell.local,
        "build": verdict.cell.build,
        "verdict": verdict.verdict,
        "reason": verdict.reason or None,
        "leans": verdict.leans,
        "quick": verdict.is_quick,
        "expected": hypothesis.words if hypothesis else None,
        **_judged(hypothesis),
        "sentence": sentence(verdict),
        "contradiction": contradiction(part) or None,
        "intervals": [*map(_interval, evidence.compared)] if evidence else [],
        "candidate": _interval(evidence.candidate) if evidence else None,
        "baseline": _interval(evidence.baseline) if evidence and evidence.baseline else None,
        "noise": [evidence.noise.low, evidence.noise.high] if evidence and evidence.noise else None,
        "noise_ratio": evidence.noise.ratio if evidence and evidence.noise else None,
        "sign_test": evidence.test.either if evidence and evidence.test else None,
        "file": evidence.gated.file.path if evidence else None,
        "runs": [*map(_run, verdict.runs)],
    }


def _judged(hypothesis: Hypothesis | None) -> Judged:
    if hypothesis is None:
        return {}
    return {
        "scenario": hypothesis.scenario.name,
        "metric": hypothesis.metric.name,
        "unit": hypothesis.metric.unit,
        "candidates": [[key.case, key.runner] for key in hypothesis.candidates],
        "against": [hypothesis.baseline.case, hypothesis.baseline.runner] if hypothesis.baseline else None,
        "against_build": "gil_twin" if hypothesis.is_beside_twin else "own",
        "judged": "ratios" if hypothesis.is_of_ratios else "values",
        "bounds": [bound if math.isfinite(bound) else None for bound in hypothesis.expected],
    }


def _run(of: RunVerdict) -> RunEntry:
    return {"run": of.run, "file": of.file, "verdict": of.verdict, "intervals": [*map(_interval, of.compared)]}


def _interval(of: Interval) -> IntervalEntry:
    return {"median": of.median, "low": of.low, "high": of.high, "coverage": round(of.coverage, 6), "count": of.count}
