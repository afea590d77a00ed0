"""Judges every part of a claim on every machine and build by the range of its estimate."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from generate.claims.hypotheses import ClaimPart, Hypothesis
from generate.claims.model import Part
from generate.data.checked import CheckedRecord
from generate.data.estimates import Decision, Estimate
from generate.data.files import ResultKey
from generate.data.map_rules import score
from generate.data.results import Results
from generate.data.selection import JIT, Result
from generate.data.work_map import work_map
from generate.words import patterns
from generate.words.names import describe_status
from runners.harness.record.build_names import is_older, numbers, release
from runners.harness.record.model import Build, SeriesKey

Verdict = Literal[Decision, "not measured", "does not apply"]
WORST_FIRST: tuple[Decision, ...] = ("does not hold", "undecided", "holds")
"""All steps have to hold, so the worst outcome of any step decides."""


@dataclass(frozen=True, slots=True)
class PartVerdict:
    part: ClaimPart
    result: ResultKey
    verdict: Verdict
    reason: str = ""
    """Why nothing was measured, or why the estimate decides nothing whatever its range; else empty."""
    evidence: "Evidence | None" = None


@dataclass(frozen=True, slots=True)
class Evidence:
    hypothesis: Hypothesis
    result: Result
    compared: tuple[Estimate, ...]
    """A ratio, a value, or a ratio for each step: what is judged."""
    candidate: Estimate | None
    """The last candidate's value, in the metric's unit."""
    baseline: Estimate | None
    baseline_build: Build | None = None
    """If not the result's own."""

    @property
    def decision(self) -> Decision:
        decisions = {each.decide(self.hypothesis.expected) for each in self.compared}
        return "undecided" if self.doubt else next(each for each in WORST_FIRST if each in decisions)

    @property
    def doubt(self) -> str:
        """Why the estimates decide nothing whatever their ranges; empty if they may."""
        doubtful = next((each for each in self.compared if not each.may_decide), None)
        if doubtful is None:
            return ""
        if self.result.why_undecided:
            return self.result.why_undecided
        if doubtful.is_partial:
            return patterns.INCOMPLETE_RUNS
        return patterns.ONE_EXACT_RUN if doubtful.has_range else patterns.NO_RANGE

    @property
    def newest(self) -> CheckedRecord:
        names = {run.run for each in self.compared for run in each.runs}
        return next((run for run in self.result.runs if run.run in names), self.result.newest)


def judge(parts: Sequence[ClaimPart], results: Results) -> Iterator[PartVerdict]:
    """Yield the verdict on every part on every plain build; variants are only compared with their own plain build."""
    for result in results.results:
        if not result.record.build.variant:
            for part in parts:
                yield _judge(part, result.key, result.record.build, results)


def _judge(part: ClaimPart, key: ResultKey, build: Build, results: Results) -> PartVerdict:
    if part.hypothesis is None:
        verdict: Verdict = "does not apply" if part.written.not_applicable else "not measured"
        return PartVerdict(part, key, verdict, part.reason)
    if reason := _unmet(part.written, build):
        return PartVerdict(part, key, "does not apply", reason)
    evidence = _find_evidence(part, part.hypothesis, key, results)
    if isinstance(evidence, str):
        return PartVerdict(part, key, "not measured", evidence)
    return PartVerdict(part, key, evidence.decision, evidence.doubt, evidence)


def _unmet(part: Part, build: Build) -> str:
    """Return why a claim does not apply to a build; empty if it does."""
    needs = part.needs
    if is_older(build.version, numbers(needs.python)):
        return f"needs Python {needs.python} or later"
    if needs.gil is not None and needs.gil is build.free_threaded:
        return f"the claim is about builds {'with' if needs.gil else 'without'} the GIL"
    if part.baseline_build == "previous" and release(build.version) != needs.python:
        return f"it compares Python {needs.python} with the release before"
    return ""


def _find_evidence(part: ClaimPart, hypothesis: Hypothesis, key: ResultKey, results: Results) -> Evidence | str:
    """Return what was measured, or why nothing was."""
    if part.written.needs.cores > key.machine_key.cores:
        return f"needs {part.written.needs.cores} cores; this machine has {key.machine_key.cores}"
    by_key = {result.key: result for result in results.current[hypothesis.scenario.name]}
    result = by_key.get(key)
    if hypothesis.baseline_build == "no_jit" and result:
        having_jit = (each for each in by_key.values() if each.differs_only_by(JIT))
        result = next((each for each in having_jit if each.plain_key == key), None)
    if result is None:
        with_jit = " with the just-in-time compiler on" if hypothesis.baseline_build == "no_jit" else ""
        return f"no run here measured {hypothesis.scenario.title}{with_jit}"
    other = _find_baseline_result(hypothesis, result, by_key)
    if reason := next(filter(None, _why_missing(hypothesis, result, other)), ""):
        return reason
    return _measure(hypothesis, result, other) or "a baseline of 0, or no round in common: there is no ratio"


def _find_baseline_result(hypothesis: Hypothesis, result: Result, by_key: Mapping[ResultKey, Result]) -> Result | None:
    """Return the result of the baseline, on another build or the same."""
    if not hypothesis.compares_builds:
        return result
    if hypothesis.baseline_build == "previous":
        return next((each for each in by_key.values() if _is_release_before(each, result)), None)
    counterpart = next((run.counterpart for run in result.runs if run.counterpart), None)
    return by_key.get(counterpart.file.key) if counterpart else None


def _is_release_before(older: Result, result: Result) -> bool:
    """True if *older* is of the release before, with the GIL, and was measured next to *result* as its reference."""
    (major, minor, *_), build = numbers(release(result.record.build.version)), older.record.build
    is_alike = older.machine_key == result.machine_key and not build.variant and not build.free_threaded
    return (
        is_alike
        and release(build.version) == f"{major}.{minor - 1}"
        and result.newest.is_reference
        and older.record.reference_build == result.record.build
    )


def _measure(hypothesis: Hypothesis, result: Result, other: Result | None) -> Evidence | None:
    """Return what *result* has measured; None without a ratio."""
    if hypothesis.rule is not None:
        scored = score(work_map(result), hypothesis.rule)
        return Evidence(hypothesis, result, (scored.share,), scored.share, None) if scored else None
    compared = _compare(hypothesis, result, other)
    estimates = tuple(each for each in compared if each)
    if len(estimates) < len(compared):
        return None
    measured = result
    build: Build | None = None
    if other and hypothesis.compares_builds:  # values of the runs that have both, so that they agree with the ratio
        build = other.record.build
        result, other = (_only(each, estimates) for each in (result, other))
    metric, baseline = hypothesis.metric, hypothesis.baseline
    value = other.estimate(baseline, metric) if other and baseline else None
    return Evidence(hypothesis, measured, estimates, result.estimate(hypothesis.candidates[-1], metric), value, build)


def _compare(hypothesis: Hypothesis, result: Result, other: Result | None) -> list[Estimate | None]:
    """Return the value or the ratios that are judged; None for a ratio that is missing."""
    metric, candidate, baseline = hypothesis.metric, hypothesis.candidates[-1], hypothesis.baseline
    if not hypothesis.compares_ratios:
        return [result.estimate(candidate, metric)]
    if baseline is None:
        return [result.ratio(later, earlier, metric) for earlier, later in pairwise(hypothesis.candidates)]
    if hypothesis.baseline_build == "previous":
        ratio = other.against_reference(candidate, metric) if other else None
        return [ratio.inverse if ratio and ratio.value else None]
    if hypothesis.compares_builds:
        return [result.against_counterpart(candidate, metric, baseline.runner)]
    return [result.ratio(candidate, baseline, metric)]


def _only(result: Result, estimates: Iterable[Estimate]) -> Result:
    """Return *result* with only the runs that *estimates* are from."""
    names = {run.run for each in estimates for run in each.runs}
    return replace(result, runs=tuple(run for run in result.runs if run.run in names))


def _why_missing(hypothesis: Hypothesis, result: Result, other: Result | None) -> Iterator[str]:
    """Yield for each series why its value can't be used; empty if it can."""
    other_words = patterns.BASELINE_BUILDS.get(hypothesis.baseline_build, "")
    counterparts = [run.counterpart for run in result.runs if run.counterpart]
    if hypothesis.baseline_build == "previous":
        counterparts = [*other.runs] if other else []
    if hypothesis.compares_builds and not counterparts:
        yield f"no run here measured it {other_words} as well"
    for key in hypothesis.candidates if hypothesis.compares_builds else hypothesis.series:
        yield _why_unusable(hypothesis, key, result.runs_with(key))
    if hypothesis.compares_builds and hypothesis.baseline:
        reason = _why_unusable(hypothesis, hypothesis.baseline, counterparts)
        yield f"{other_words}, {reason}" if reason else ""


def _why_unusable(hypothesis: Hypothesis, key: SeriesKey, runs: list[CheckedRecord]) -> str:
    """Return why a series has no usable value in any of *runs*, newest first; empty if it has."""
    scenario, runner = hypothesis.scenario, hypothesis.scenario.runners[key.runner]
    name = f"{runner.label} in “{scenario.case_label(key.case)}”"
    measuring = [run for run in runs if key in run.series]
    if not measuring:
        return f"no run measured {name}"
    usable = [run for run in measuring if run.series[key].by_round(hypothesis.metric)]
    newest = (usable or measuring)[0]
    series, record = newest.series[key], newest.file.record
    if not usable and series.rejected:
        return f"{name}: {series.rejected}"
    if not usable and series.status not in {"ok", "partial"}:
        return f"{name}: {describe_status(series.status)}: {series.reason}"
    if runner.source_sha256 != series.source_sha256:
        return f"{runner.label} has changed since it was measured; measure again"
    if scenario.scenario_sha256 != record.scenario_sha256[scenario.name]:
        return f"{scenario.title} has changed since it was measured; measure again"
    return "" if usable or hypothesis.rule else f"{name} has no {hypothesis.metric.name}"
