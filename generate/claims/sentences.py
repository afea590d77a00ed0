"""Puts verdicts into words: what was expected, what was measured, what is decided. Pure."""

from __future__ import annotations

import functools
import math
from itertools import takewhile
from typing import TYPE_CHECKING, Literal

from generate.statistics.intervals import Comparison, smallest_detectable
from generate.text.names import plain
from generate.text.numbers import (
    format_interval,
    format_ratio,
    format_ratio_interval,
    format_share,
    format_value,
    say,
)
from generate.text.units import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from generate.claims.bounds import Bounds
    from generate.claims.hypotheses import ClaimPart, Hypothesis
    from generate.claims.read import Part
    from generate.claims.verdicts import Evidence, PartVerdict
    from generate.statistics.intervals import Interval

Whole = Literal["holds", "does not hold", "too close to call", "not measured", "not applicable", "in part"]
"""A verdict, or what is said of a claim whose parts have different ones."""

SYMBOLS: Mapping[Whole, str] = {
    "holds": "✓",
    "does not hold": "✗",
    "too close to call": "≈",
    "not measured": "?",
    "not applicable": "\N{EN DASH}",
    "in part": "◐",
}
SHORT: Mapping[Whole, str] = {
    "holds": "holds",
    "does not hold": "does not",
    "too close to call": "too close",
    "not measured": "not measured",
    "not applicable": "n/a",
    "in part": "in part",
}
_IMPLEMENTATIONS = {"cpython": "CPython", "pypy": "PyPy"}


def build_words(build: str) -> str:
    """Write a build's name: "CPython 3.14.0", "CPython 3.14.0 free-threaded"."""
    implementation, _, version = plain(build).partition("-")
    kind = " free-threaded" if version.endswith("t") else ""
    return f"{_IMPLEMENTATIONS.get(implementation, implementation)} {version.removesuffix('t')}{kind}"


def listed(names: Sequence[str]) -> str:
    """Write names as people do: "a, b and c"; what all begin with is written once."""
    first, *others = names
    shared = first.partition(" ")[0] + " "
    short = [name.removeprefix(shared) if all(each.startswith(shared) for each in names) else name for name in others]
    return " and ".join([", ".join([first, *short[:-1]]), *short[-1:]])


def whole(parts: Sequence[PartVerdict]) -> tuple[Whole, bool]:
    """Return what is said of a claim by the verdicts of its parts, and whether it only leans that way.

    Parts that are our own questions or do not apply say nothing; where the others differ, the claim holds in part.
    """
    theirs = [part for part in parts if not part.asked.part.ours] or parts
    applicable = [part for part in theirs if part.verdict != "not applicable"]
    if not applicable:
        return "not applicable", False
    found: set[Whole] = {part.leans if is_leaning(part) and part.leans else part.verdict for part in applicable}
    leans = any(is_leaning(part) for part in applicable)
    return (found.pop() if len(found) == 1 else "in part"), leans


def is_leaning(judged: PartVerdict) -> bool:
    """Tell whether something was measured that may not decide."""
    return judged.verdict == "not measured" and judged.leans is not None


def name_of(part: Part) -> str:
    """Name a part of a claim; empty where the claim has no other."""
    return f"{part.name} (our question)" if part.ours else part.name


@functools.cache
def expectation(asked: ClaimPart) -> str:
    """Say what a part of a claim expects: "a ratio below 1", "at most 100 ms"; empty where it is never measured."""
    question, expect = asked.question, asked.part.expect
    if question is None or expect is None:
        return ""
    if expect.never_falls is not None:
        return f"no step's ratio below {_exact(question.expected.low)}"
    if question.is_of_ratios:
        near = "" if expect.ratio_near_printed is None else f", which is within {expect.ratio_near_printed:g} times of"
        printed = f"{near} the printed {_exact(question.printed)}" if near else ""
        return f"a ratio {_bounds(question.expected, _exact, ('above', 'below'))}{printed}"
    unit = question.metric.unit
    return _bounds(question.expected, lambda value: format_value(value, unit), ("at least", "at most"))


def _exact(ratio: float | None) -> str:
    """Write a ratio that is not measured but set: rounded as a measured one it would be another bound."""
    return "" if ratio is None else f"{ratio:.3g}"


def _bounds(of: Bounds, words: Callable[[float], str], least_and_most: tuple[str, str]) -> str:
    if of.low == of.high:
        return f"exactly {words(of.low)}"
    if math.isinf(of.low):
        return f"{least_and_most[1]} {words(of.high)}"
    return (
        f"{least_and_most[0]} {words(of.low)}" if math.isinf(of.high) else f"from {words(of.low)} to {words(of.high)}"
    )


def sentence(judged: PartVerdict) -> str:
    """Say in one sentence what was measured, with the build; why not, where nothing was."""
    build, found, question = build_words(judged.column.build), judged.evidence, judged.asked.question
    if found is None or question is None:
        return f"On {build}: {judged.verdict}, {judged.reason}."
    return f"On {build}, {_measured(judged, question, found)}."


def _measured(judged: PartVerdict, question: Hypothesis, found: Evidence) -> str:
    title = question.metric.title[0].lower() + question.metric.title[1:]
    if len(question.candidates) > 1:
        steps = ", ".join(f"{format_ratio(step.median)} ({_ratio_bounds(step)})" for step in found.compared)
        return f"{title} of {question.candidates[0].runner}, from case to case, as ratios: {steps}"
    names = _names(question)
    value = format_value(found.candidate.median, question.metric.unit)
    if found.baseline is None:
        bounds = format_interval(found.candidate.low, found.candidate.high, question.metric.unit)
        always = " in every round" if found.signs is None else f" ({bounds})"
        return f"{title}: {value}{always} with {names[0]}"
    base = format_value(found.baseline.median, question.metric.unit)
    return f"{title}: {value} with {names[0]}, {base} with {names[1]}; {compared_words(judged)}"


def _ratio_bounds(of: Interval) -> str:
    return format_ratio_interval(of.low, of.high)


def compared_words(judged: PartVerdict) -> str:
    """Say how the candidate compares with the baseline, as far as it is decided."""
    found, question = judged.evidence, judged.asked.question
    if found is None or question is None or not question.is_of_ratios:
        return ""
    ratio, expect = found.compared[0], judged.asked.part.expect
    if expect is not None and expect.ratio_within is not None and judged.verdict == "holds":
        return f"no difference beyond {format_share(expect.ratio_within)} ({_ratio_bounds(ratio)})"
    compared = Comparison.of(ratio, decided=not found.doubt)
    metric = question.metric
    return say(compared, kind_of(metric.name, metric.unit, metric.better), found.noise)


def _names(question: Hypothesis) -> list[str]:
    """Name the candidate and the baseline; where their cases differ, with what is different in them."""
    places = [question.candidates[0], *question.places[len(question.candidates) :]]
    if len({place.case for place in places}) == 1:
        return [place.runner for place in places]
    cases = [place.case.split(", ") for place in places]
    shared = sum(1 for _ in takewhile(lambda words: len({*words}) == 1, zip(*cases, strict=False)))
    return [f"{place.runner} ({', '.join(words[shared:])})" for place, words in zip(places, cases, strict=True)]


def printed_words(asked: ClaimPart) -> str:
    """Say what the source printed: "129 ms against 391 ms, a ratio of 0.33"; empty where it printed nothing."""
    printed = asked.part.printed
    if printed is None:
        return ""
    if not printed.baseline or asked.question is None or not asked.question.is_of_ratios:
        return printed.candidate
    return f"{printed.candidate} against {printed.baseline}, a ratio of {_exact(asked.question.printed)}"


@functools.cache
def contradiction(asked: ClaimPart) -> str:
    """Say where the source's own figures are not what it claims; empty where they are, or there are none."""
    question, printed = asked.question, asked.part.printed
    if question is None or printed is None or question.printed is None or not question.is_contradicted:
        return ""
    if not question.is_of_ratios:
        return f"The source's own figure is {printed.candidate}, where its claim expects {expectation(asked)}."
    return (
        f"The source's own figures say otherwise: {printed_words(asked)}, where its claim expects {expectation(asked)}."
    )


def noise_words(found: Evidence) -> str:
    """Say how far two measurements of the block's baseline lay apart in this metric."""
    if found.noise is None:
        return "no control for this metric"
    return f"{format_ratio(found.noise.ratio)} ({format_ratio_interval(found.noise.low, found.noise.high)})"


def detectable_words(found: Evidence) -> str:
    """Say the smallest difference that this run could have seen."""
    smallest = smallest_detectable(found.noise) if found.noise is not None else None
    return "not known" if smallest is None else f"{100 * (smallest - 1):.1f}\N{NO-BREAK SPACE}%"
