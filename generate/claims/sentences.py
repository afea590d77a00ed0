"""Puts verdicts into words: what was expected, what was measured. Pure."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from generate.claims.kinds import ratio_exactly
from generate.words.builds import describe_build
from generate.words.numbers import (
    describe,
    describe_range,
    describe_ratio,
    format_estimate,
    format_share,
    format_with_range,
)
from generate.words.units import kind_of_metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generate.claims.evidence import Evidence
    from generate.claims.hypotheses import ClaimPart, Hypothesis
    from generate.claims.verdicts import PartVerdict, Verdict
    from generate.data.estimates import Estimate
    from runners.harness.record.model import SeriesKey

SYMBOLS: Mapping[Verdict, str] = {
    "holds": "✓",
    "does not hold": "✗",
    "undecided": "≈",
    "not measured": "?",
    "does not apply": "\N{EN DASH}",
}


def describe_verdict(verdict: PartVerdict) -> str:
    """Put into words what was measured on which build, and why it decides nothing; or why nothing was measured."""
    build = describe_build(verdict.cell.build)
    if verdict.evidence is None:
        return f"On {build}, {verdict.verdict}: {verdict.reason}."
    nothing = f" It decides nothing: {verdict.reason}." if verdict.reason else ""
    return f"On {build}, {_measured(verdict, verdict.evidence)}.{nothing}"


def _measured(verdict: PartVerdict, evidence: Evidence) -> str:
    hypothesis = evidence.hypothesis
    if hypothesis.rule is not None:
        return f"right at {_share(evidence.compared[0])} of the points at which it names a model"
    unit, title = hypothesis.metric.unit, hypothesis.metric.title
    title = title[0].lower() + title[1:]
    if len(hypothesis.candidates) > 1:
        kind = kind_of_metric(hypothesis.metric)
        steps = ", ".join(describe_ratio(step.value, kind) for step in evidence.compared)
        return f"{title} of {_runner(hypothesis, hypothesis.candidates[0])}, each case over the one before: {steps}"
    names = _names(hypothesis)
    if evidence.baseline is None:
        return f"{title} ({names[0]}): {format_with_range(evidence.candidate, unit)}"
    value, other = (format_estimate(each, unit) for each in (evidence.candidate, evidence.baseline))
    against = f"{other} ({verdict.part.written.baseline_words or names[1]})"
    return f"{title}: {value} ({names[0]}) against {against}; {_compared(verdict, evidence)}"


def _share(share: Estimate) -> str:
    ends = format_share(share.low), format_share(share.high)
    return format_share(share.value) + (f" ({' to '.join(ends)})" if ends[0] != ends[1] else "")


def _compared(verdict: PartVerdict, evidence: Evidence) -> str:
    """Put into words how the candidate compares with the baseline."""
    kind, (ratio,) = kind_of_metric(evidence.hypothesis.metric), evidence.compared
    words = evidence.hypothesis.kind.words_where_it_holds()
    return f"{words} ({describe_range(ratio, kind)})" if words and verdict.verdict == "holds" else describe(ratio, kind)


def _names(hypothesis: Hypothesis) -> list[str]:
    """Name the candidate and the baseline; if their cases differ, with what is different in them."""
    series, runners = hypothesis.series, [_runner(hypothesis, key) for key in hypothesis.series]
    if hypothesis.is_against_gil:
        beside = "on the same Python with the GIL"
        return [runners[0], beside if runners[0] == runners[-1] else f"{runners[-1]} {beside}"]
    if len({key.case for key in series}) == 1:
        return runners
    cases = [hypothesis.scenario.case_words(key.case).split(", ") for key in series]
    shared = sum(1 for _ in takewhile(lambda words: len({*words}) == 1, zip(*cases, strict=False)))
    return [f"{runner}; {', '.join(words[shared:])}" for runner, words in zip(runners, cases, strict=True)]


def _runner(hypothesis: Hypothesis, key: SeriesKey) -> str:
    return hypothesis.scenario.runners[key.runner].words


def describe_printed(part: ClaimPart) -> str:
    """Put into words what the source printed: "1.1 s against 4.2 s, 3.82 times as fast"; empty if nothing."""
    printed, hypothesis = part.written.printed, part.hypothesis
    if printed is None:
        return ""
    if not printed.baseline or hypothesis is None or not hypothesis.printed or not hypothesis.is_of_ratios:
        return printed.candidate
    ratio = ratio_exactly(hypothesis.printed, kind_of_metric(hypothesis.metric))
    return f"{printed.candidate} against {printed.baseline}, {ratio}"


def describe_contradiction(part: ClaimPart) -> str:
    """Put into words how the source's own figures contradict its claim; empty if they do not, or there are none."""
    hypothesis = part.hypothesis
    if hypothesis is None or not hypothesis.is_contradicted:
        return ""
    return (
        f"The source's own figures say otherwise: {describe_printed(part)}. Its claim is judged as: {hypothesis.words}."
    )
