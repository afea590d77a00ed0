"""Puts verdicts into words: what was expected, what was measured, what is decided. Pure."""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from generate.claims.kinds import exact
from generate.claims.verdicts import BY_CHANCE
from generate.text.builds import build_words
from generate.text.numbers import bounds_words, format_range, format_share, format_value, ratio_words, say
from generate.text.over_runs import beside_runs
from generate.text.units import kind_of_metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generate.claims.evidence import Evidence
    from generate.claims.hypotheses import ClaimPart, Hypothesis
    from generate.claims.verdicts import PartVerdict, Verdict
    from runners.harness.record.model import SeriesKey

SYMBOLS: Mapping[Verdict, str] = {
    "holds": "✓",
    "does not hold": "✗",
    "too close to call": "≈",
    "not measured": "?",
    "not applicable": "\N{EN DASH}",
}


def sentence(verdict: PartVerdict) -> str:
    """Say in one sentence what was measured, with the build; why not, where nothing was."""
    build = build_words(verdict.cell.build)
    if verdict.evidence is None:
        return f"On {build}: {verdict.verdict}, {verdict.reason}."
    return f"On {build}, {_measured(verdict, verdict.evidence)}."


def doubt(verdict: PartVerdict) -> str:
    """Say in a short sentence why what was measured decides nothing though its interval would; empty where it says so.

    It follows `sentence`, which says itself of most differences that they reach into the noise.
    """
    if verdict.evidence is None or verdict.verdict != "too close to call" or not verdict.reason:
        return ""
    if verdict.reason == BY_CHANCE:
        return "Among so many decisions on one build it may be chance."
    if "noise" in verdict.reason and "noise" in sentence(verdict):
        return ""
    short = verdict.reason.partition(":")[0]  # what follows names the runs
    return f"{short[0].upper()}{short[1:]}."


def _measured(verdict: PartVerdict, evidence: Evidence) -> str:
    hypothesis = evidence.hypothesis
    if hypothesis.rule is not None:
        share = evidence.candidate
        bounds = "" if share.low == share.high else f" ({format_share(share.low)} to {format_share(share.high)})"
        return f"right at {format_share(share.median)}{bounds} of the points at which it names a model"
    unit, title = hypothesis.metric.unit, hypothesis.metric.title
    title = title[0].lower() + title[1:]
    if len(hypothesis.candidates) > 1:
        steps = ", ".join(ratio_words(step.median, step.low, step.high) for step in evidence.compared)
        return f"{title} of {_runner(hypothesis, hypothesis.candidates[0])}, from case to case, as ratios: {steps}"
    names, candidate, baseline = _names(hypothesis), evidence.candidate, evidence.baseline
    value = format_value(candidate.median, unit)
    if baseline is not None:
        against = f"{format_value(baseline.median, unit)} ({verdict.part.written.baseline_words or names[1]})"
        return f"{title}: {value} ({names[0]}) against {against}; {_compared(verdict, evidence)}"
    bounds = format_range(candidate.low, candidate.high, unit)
    if evidence.test is None:
        return f"{title} ({names[0]}): {value} in every round"
    bounds = beside_runs(bounds, verdict.over_runs, partial(format_range, unit=unit), value)
    return f"{title} ({names[0]}): {value} ({bounds})" if bounds else f"{title} ({names[0]}): {value}"


def _compared(verdict: PartVerdict, evidence: Evidence) -> str:
    """Say how the candidate compares with the baseline, as far as it is decided."""
    kind = kind_of_metric(evidence.hypothesis.metric)
    words = evidence.hypothesis.kind.words_where_it_holds()
    compared = evidence.comparison(evidence.compared[0], decided=not evidence.doubt)
    if words and verdict.verdict == "holds":
        return f"{words} ({bounds_words(compared, kind, verdict.over_runs)})"
    return say(compared, kind, evidence.noise, verdict.over_runs)


def _names(hypothesis: Hypothesis) -> list[str]:
    """Name the candidate and the baseline; where their cases differ, with what is different in them."""
    series, runners = hypothesis.series, [_runner(hypothesis, key) for key in hypothesis.series]
    if hypothesis.is_beside_twin:
        beside = "on the same Python with the GIL"
        return [runners[0], beside if runners[0] == runners[-1] else f"{runners[-1]} {beside}"]
    if len({key.case for key in series}) == 1:
        return runners
    cases = [hypothesis.scenario.case_words(key.case).split(", ") for key in series]
    shared = sum(1 for _ in takewhile(lambda words: len({*words}) == 1, zip(*cases, strict=False)))
    return [f"{runner}; {', '.join(words[shared:])}" for runner, words in zip(runners, cases, strict=True)]


def _runner(hypothesis: Hypothesis, key: SeriesKey) -> str:
    return hypothesis.scenario.runners[key.runner].words


def printed_words(part: ClaimPart) -> str:
    """Say what the source printed: "129 ms against 391 ms, a ratio of 0.33"; empty where it printed nothing."""
    printed, hypothesis = part.written.printed, part.hypothesis
    if printed is None:
        return ""
    if not printed.baseline or hypothesis is None or not hypothesis.is_of_ratios:
        return printed.candidate
    return f"{printed.candidate} against {printed.baseline}, a ratio of {exact(hypothesis.printed)}"


def contradiction(part: ClaimPart) -> str:
    """Say where the source's own figures are not what it claims; empty where they are, or there are none."""
    hypothesis = part.hypothesis
    if hypothesis is None or not hypothesis.is_contradicted:
        return ""
    expects = f"where its claim, as it is judged here, expects {hypothesis.words}"
    if hypothesis.is_of_ratios:
        return f"The source's own figures say otherwise: {printed_words(part)}, {expects}."
    return f"The source's own figure is {printed_words(part)}, {expects}."
