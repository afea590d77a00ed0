"""What was measured for one part of a claim: the estimates, and what they decide. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from generate.data.gate_rules import LOAD_SHARE
from generate.data.map_rules import score
from generate.data.record_view import series_status
from generate.data.selection import ResultKey
from generate.data.work_map import work_map
from generate.words.names import describe_status
from runners.harness.contract import Metric

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generate.claims.hypotheses import Hypothesis
    from generate.data.estimates import Decision, Estimate
    from generate.data.gate import CheckedRecord
    from generate.data.selection import Result
    from runners.harness.record.model import SeriesKey

WORST_FIRST: tuple[Decision, ...] = ("does not hold", "undecided", "holds")
"""Of several steps the first of these decides: all have to hold."""
_LOAD = Metric("load_cpu_ns", "", "ns", "neither")
_TIME = Metric("elapsed_ns", "", "ns", "lower")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was measured for one part of a claim."""

    hypothesis: Hypothesis
    result: Result
    compared: tuple[Estimate, ...]
    """What is judged: a ratio or a value; a ratio for each step if there are several cases."""
    candidate: Estimate | None
    """Its value, in the metric's unit; of several cases the last's."""
    baseline: Estimate | None

    @property
    def decision(self) -> Decision:
        """What follows from where the ranges lie."""
        decisions = {each.decide(self.hypothesis.expected) for each in self.compared}
        return "undecided" if self.doubt else next(each for each in WORST_FIRST if each in decisions)

    @property
    def doubt(self) -> str:
        """Why the estimates decide nothing, wherever their ranges lie; empty if they may."""
        doubtful = next((each for each in self.compared if not each.may_decide), None)
        if doubtful is None:
            return ""
        if self.result.why_undecided:
            return self.result.why_undecided
        if doubtful.is_partial:
            return "every run lacks a round, failed or rejected, and leaving it out would be choosing"
        return "one run; what has no scale is judged from two" if doubtful.has_range else "one round: no range"

    @property
    def runs(self) -> list[CheckedRecord]:
        """The runs that the judged estimates are of, newest first."""
        names = {run.run for each in self.compared for run in each.runs}
        return [run for run in self.result.runs if run.run in names]

    @property
    def newest(self) -> CheckedRecord:
        """The newest of them."""
        return (self.runs or [self.result.newest])[0]

    @property
    def load_share(self) -> float | None:
        """How much of a core the load generator used in a comparison of rates, if it came near its limit."""
        hypothesis = self.hypothesis
        if hypothesis.baseline is None or hypothesis.metric.better != "higher":
            return None
        loads = [[self.result.estimate(key, metric) for metric in (_LOAD, _TIME)] for key in hypothesis.series]
        shares = [load.value / time.value for load, time in loads if load and time]
        return max(shares) if shares and max(shares) > LOAD_SHARE else None


def measure(hypothesis: Hypothesis, result: Result, others: Mapping[ResultKey, Result]) -> Evidence | None:
    """Return what *result* has measured; None without a ratio. *others* are the scenario's results by cell."""
    metric, baseline = hypothesis.metric, hypothesis.baseline
    if hypothesis.rule is not None:
        scored = score(work_map(result), hypothesis.rule)
        return Evidence(hypothesis, result, (scored.share,), scored.share, None) if scored else None
    candidate = hypothesis.candidates[-1]
    compared: list[Estimate | None]
    if not hypothesis.is_of_ratios:
        compared = [result.estimate(candidate, metric)]
    elif baseline is None:
        compared = [result.ratio(later, earlier, metric) for earlier, later in pairwise(hypothesis.candidates)]
    elif hypothesis.is_against_gil:
        compared = [result.against_counterpart(candidate, metric, baseline.runner)]
    else:
        compared = [result.ratio(candidate, baseline, metric)]
    found = tuple(each for each in compared if each)
    if len(found) < len(compared):
        return None
    of_baseline = _twin(result, others) if hypothesis.is_against_gil else result
    value = of_baseline.estimate(baseline, metric) if of_baseline and baseline else None
    return Evidence(hypothesis, result, found, result.estimate(candidate, metric), value)


def _twin(result: Result, others: Mapping[ResultKey, Result]) -> Result | None:
    """Return the result of the same Python with the GIL."""
    counterpart = next((run.counterpart for run in result.runs if run.counterpart), None)
    return others.get(ResultKey.of(counterpart.file.header)) if counterpart else None


def why_missing(hypothesis: Hypothesis, result: Result) -> str:
    """Return why nothing can be judged: the first series of *hypothesis* without a value of use; empty if all have."""
    return next(filter(None, _reasons(hypothesis, result)), "")


def _reasons(hypothesis: Hypothesis, result: Result) -> Iterator[str]:
    twins = [run.counterpart for run in result.runs if run.counterpart]
    if hypothesis.is_against_gil and not twins:
        yield "no run here measured the same Python with the GIL next to it"
    for key in hypothesis.candidates if hypothesis.is_against_gil else hypothesis.series:
        yield _why_unusable(hypothesis, key, result.runs_with(key))
    if hypothesis.is_against_gil and hypothesis.baseline:
        reason = _why_unusable(hypothesis, hypothesis.baseline, twins)
        yield f"with the GIL, {reason}" if reason else ""


def _why_unusable(hypothesis: Hypothesis, key: SeriesKey, runs: list[CheckedRecord]) -> str:
    """Return why a series has no value of use in any of *runs*, newest first; empty if it has."""
    scenario, name = hypothesis.scenario, f"{key.runner} in “{key.case}”"
    having = [run for run in runs if key in run.view.series]
    if not having:
        return f"no run has {name}"
    usable = [run for run in having if run.by_round(run.view.series[key], hypothesis.metric)]
    newest = (usable or having)[0]
    series, record = newest.view.series[key], newest.file.record
    if not usable and key in newest.rejected:
        return f"{name}: {newest.rejected[key]}"
    if not usable and series.status not in {"ok", "partial"}:
        return f"{name}: {describe_status(series_status(series))}: {series.reason}"
    if scenario.runners[key.runner].source_sha256 != series.source_sha256:
        return f"{key.runner} has changed since it was measured; measure again"
    if scenario.scenario_sha256 != record.scenario_sha256[scenario.name]:
        return f"the scenario {scenario.name} has changed since it was measured; measure again"
    return "" if usable or hypothesis.rule else f"{name} has no {hypothesis.metric.name}"
