"""The sentence that a chart has for its title: what its data show, the answer first. Its words are `words.patterns`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from generate.charts.rows import written
from generate.data.estimates import AS_FAST, holm
from generate.data.table import other_packages
from generate.words import patterns
from generate.words.builds import NO_GIL, abbreviate_build
from generate.words.names import list_names
from generate.words.numbers import abbreviate_rate, count_noun, describe, format_bounds, format_value, format_with_range
from generate.words.units import DURATION, KINDS, RATE, kind_of_metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.charts.chart import Subject
    from generate.data.estimates import Estimate
    from generate.data.selection import Result
    from generate.data.table import Summary
    from runners.harness.record.model import Build

MOST_NAMED = 3
"""This many names are written out; of more, how many there are."""
BEST = {KINDS[name]: best for name, best in patterns.TITLE_BEST.items()}


class Ranking(NamedTuple):
    """How rows, the best first, compare with the best by their own pairs."""

    front: list[Summary]
    """The best, and those as fast over their full range."""
    undecided: list[Summary]
    behind: list[Summary]
    """Those that differ from the best by Holm's rule, since several are compared."""


def rank(subject: Subject, rows: Sequence[Summary]) -> Ranking:
    """Compare each of *rows*, the best first, with the best."""
    ratios = [_ratio(subject, row, rows[0]) for row in rows[1:]]
    differ = holm([ratio.p_value() if ratio else 1.0 for ratio in ratios])
    ranking = Ranking([rows[0]], [], [])
    for row, ratio, is_behind in zip(rows[1:], ratios, differ, strict=True):
        is_tied = ratio is not None and ratio.is_within(AS_FAST)
        (ranking.front if is_tied else ranking.behind if is_behind else ranking.undecided).append(row)
    return ranking


def values_title(subject: Subject, rows: Sequence[Summary]) -> str:
    """Name who is ahead in one case, and how far; *rows* are those with a value, the best first.

    Runners that do something else than the others are neither called the best, nor is the best held against them.
    """
    metric = subject.metric.title
    choices = [row for row in rows if row.runner not in subject.scenario.apart] or rows
    best = choices[0]
    if len(rows) == 1:
        value = abbreviate_rate(format_with_range(best.value, best.unit))
        return patterns.TITLE_ONE_VALUE.format(metric=metric, name=name_in_list(subject, best), value=value)
    if not subject.scenario.are_choices:
        values = [patterns.TITLE_VALUE_WITH.format(value=_value(row), name=name_in_list(subject, row)) for row in rows]
        return patterns.TITLE_EVERY_VALUE.format(metric=metric, values=list_names(values))
    ranking, leading = rank(subject, choices), rows[: rows.index(best)]
    praise, count = _praise(subject), count_noun(len(choices), "implementation")
    if leading:
        apart = _names(subject, leading)
        praise, count = (patterns.TITLE_APART_FROM.format(subject=each, names=apart) for each in (praise, count))
    if not ranking.behind:
        pattern = patterns.TITLE_ALL_UNDECIDED if ranking.undecided else patterns.TITLE_ALL_ALIKE
        return pattern.format(implementations=count, values=_span(choices))
    pattern = patterns.TITLE_AHEAD_UNDECIDED if ranking.undecided else patterns.TITLE_AHEAD
    return pattern.format(
        best=praise,
        names=_names(subject, ranking.front, len(choices)),
        others=_names(subject, ranking.undecided),
        value=_value(best) if ranking.undecided else _span(ranking.front),
        distance=_distance(subject, best, ranking.behind),
    )


def _praise(subject: Subject) -> str:
    metric = subject.metric
    other = patterns.TITLE_HIGHEST if metric.better == "higher" else patterns.TITLE_LOWEST
    return BEST.get(kind_of_metric(metric)) or other.format(metric=metric.title[0].lower() + metric.title[1:])


def _distance(subject: Subject, best: Summary, behind: Sequence[Summary]) -> str:
    """Compare the best with the block's baseline, or else the last: by a ratio if people do so for the metric."""
    baseline = subject.scenario.baseline_of(subject.scenario.block_of(subject.case))
    rival = next((row for row in behind if (row.case, row.runner) == baseline), behind[-1])
    kind, name, ratio = kind_of_metric(subject.metric), name_in_list(subject, rival), _ratio(subject, best, rival)
    if kind in {DURATION, RATE} and ratio:
        return patterns.DISTANCE_AS_RATIO.format(ratio=describe(ratio, kind), name=name)
    return patterns.DISTANCE_AS_VALUE.format(value=_value(rival), name=name)


def sweep_title(subject: Subject, parameter: str, by_runner: Sequence[Mapping[float, Summary]]) -> str:
    """Name the runner that changed most from the first case to the last."""
    along = max(by_runner, key=_change)
    first, last = along[min(along)], along[max(along)]
    ratio = _ratio(subject, last, first)
    if ratio is None and first.value and last.value and {first.value.scale, last.value.scale} == {"log"}:
        ratio = last.value.over(first.value)
    is_same, differs = ratio is not None and ratio.is_within(AS_FAST), ratio is not None and ratio.differs
    return (patterns.SWEEP_STAYED if is_same else patterns.SWEEP_WENT if differs else patterns.SWEEP_UNDECIDED).format(
        least=f"{min(along):,.10g}",
        most=f"{max(along):,.10g}",
        parameter=parameter.partition(" (")[0],
        name=name_in_list(subject, last),
        first=_value(first),
        last=_value(last),
    )


def _change(along: Mapping[float, Summary]) -> float:
    first, last = (along[end(along)].number or 0.0 for end in (min, max))
    return abs(math.log(last / first)) if first > 0 and last > 0 else math.inf


def latencies_title(within_us: Mapping[str, float]) -> str:
    """Tell within which time 99 of 100 requests were answered, by name, the shortest first."""
    (name, best), *_, (last, worst) = [*within_us.items()] * (1 if len(within_us) > 1 else 2)
    pattern = patterns.LATENCIES_SHORTEST_AND_LONGEST if len(within_us) > 1 else patterns.LATENCIES_SINGLE
    best_words, worst_words = (format_value(latency, "us") for latency in (best, worst))
    return pattern.format(name=without_comma(name), best=best_words, last=without_comma(last), worst=worst_words)


def depths_title(deepest: Mapping[str, int]) -> str:
    """Tell how many items were seen at most in each queue, the fullest first; *deepest* has each by name."""
    depths = sorted({*deepest.values()}, reverse=True)
    if len(depths) == 1:
        return patterns.QUEUES_EQUAL.format(items=count_noun(depths[0], "item"))
    queues = {depth: _briefly([without_comma(name) for name in deepest if deepest[name] == depth]) for depth in depths}
    fullest = patterns.QUEUES_FULLEST.format(items=count_noun(depths[0], "item"), names=queues[depths[0]])
    others = (
        (patterns.QUEUES_LESS_FULL if depth else patterns.QUEUES_EMPTY).format(items=f"{depth:,}", names=queues[depth])
        for depth in depths[1:]
    )
    return ", ".join([fullest, *others])


def builds_title(subject: Subject, results: Sequence[Result]) -> tuple[str, str]:
    """Tell on which build a runner differs most from the reference build; return that runner too, if there is one.

    Many are compared, so Holm's rule decides which differ. Preferred are pairs that differ in one thing only: a build
    without the GIL has the reference's version, and processes start as there, with the same packages.
    """
    rows = [(result, row) for result in results if not result.newest.is_reference for row in subject.rows(result)]
    compared = [(row.reference_ratio, result, row) for result, row in rows if row.reference_ratio]
    differ = holm([ratio.p_value() for ratio, _, _ in compared])
    differing = [
        (_is_one_source(result), not differences(subject, results, result, [row]), abs(math.log(ratio.value)), number)
        for number, (ratio, result, row) in enumerate(compared)
        if differ[number] and ratio.value > 0 and not ratio.is_within(AS_FAST)
    ]
    if not differing:
        are_alike = bool(compared) and all(ratio.is_within(AS_FAST) for ratio, _, _ in compared)
        return patterns.TITLE_BUILDS_ALIKE if are_alike else patterns.TITLE_BUILDS_UNDECIDED, ""
    _, is_alike, _, number = max(differing)
    ratio, result, row = compared[number]
    title = _build_title(subject, result, row, ratio)
    return title if is_alike else patterns.TITLE_MORE_DIFFERS.format(title=title), row.runner


def differences(subject: Subject, results: Sequence[Result], result: Result, rows: Sequence[Summary]) -> list[str]:
    """Return what differs between a build and the reference build in how *rows* were measured, but for the version."""
    reference = next((each for each in results if each.newest.is_reference), result)
    own, others = (_start_methods(subject, each) for each in (result, reference))
    pairs = {(own[row.runner], others[row.runner]) for row in rows if row.runner in own and row.runner in others}
    found = [
        patterns.OTHER_START_METHOD.format(method=method, other=other)
        for method, other in sorted(pairs)
        if method != other
    ]
    return [*found, *filter(None, [other_packages(result, rows)])]


def _start_methods(subject: Subject, result: Result) -> dict[str, str]:
    """Return how each runner that starts processes was seen to start them on a build."""
    case = subject.scenario.name, subject.case, "subject"
    series = (each for each in result.record.series if (each.scenario, each.case, each.role) == case)
    return {each.runner: each.observed.start_method for each in series if each.observed and each.observed.start_method}


def _is_one_source(result: Result) -> bool:
    return not _has_no_gil(result) or result.record.build.version == result.record.reference_build.version


def _build_title(subject: Subject, result: Result, row: Summary, ratio: Estimate) -> str:
    """Compare a runner on one build with itself on the reference: as a ratio if people do so, else by values."""
    kind = kind_of_metric(subject.metric)
    build, reference = _build(result.record.build), _build(result.record.reference_build)
    there = (
        patterns.REFERENCE_WITH_GIL
        if _has_no_gil(result) and build == reference
        else patterns.REFERENCE_ON_BUILD.format(build=reference)
    )
    if kind is DURATION or (kind is RATE and ratio.value > 1):
        change = patterns.CHANGE_AS_RATIO.format(ratio=describe(ratio, kind).removeprefix("takes "), there=there)
    else:
        other = result.estimate(subject.key(row.runner)._replace(role="reference"), subject.metric)
        words = written(other, row.unit) if other else ""
        change = patterns.CHANGE_AS_VALUE.format(value=_value(row), other=words, there=there)
    start = patterns.TITLE_WITHOUT_GIL if _has_no_gil(result) else patterns.TITLE_ON_BUILD
    return start.format(build=build, name=name_in_list(subject, row), change=change)


def _build(build: Build) -> str:
    """Name a build: "3.14", "3.14 (JIT)". Titles name a missing GIL elsewhere."""
    release, *kinds = abbreviate_build(build).splitlines()
    more = [kind for kind in kinds if kind != NO_GIL]
    return f"{release} ({', '.join(more)})" if more else release


def _has_no_gil(result: Result) -> bool:
    return result.record.build.free_threaded and not result.record.build.gil_at_start


def _ratio(subject: Subject, row: Summary, other: Summary) -> Estimate | None:
    """Return the ratio of two rows of a block, paired by round; None without one."""
    if subject.scenario.block_of(row.case) != subject.scenario.block_of(other.case):
        return None
    own, others = (SeriesKey(each.scenario, each.case, each.runner, "subject") for each in (row, other))
    return subject.cell.ratio(own, others, subject.metric)


def _value(row: Summary) -> str:
    return written(row.value, row.unit) if row.value else ""


def _span(rows: Sequence[Summary]) -> str:
    """Write the least and the greatest value of *rows*: "780 to 810 ms"."""
    if len(rows) == 1:
        return _value(rows[0])
    low, high = sorted((rows[0].number or 0.0, rows[-1].number or 0.0))
    return abbreviate_rate(format_bounds(low, high, rows[0].unit, 2))


def name_in_list(subject: Subject, row: Summary) -> str:
    """Name a row's runner so that it can be in a list."""
    return without_comma(subject.words(row.runner))


def _names(subject: Subject, rows: Sequence[Summary], total: int = 0) -> str:
    return _briefly([name_in_list(subject, row) for row in rows], total)


def _briefly(names: Sequence[str], total: int = 0) -> str:
    """Write names as people do, or how many there are, perhaps of how many in *total*."""
    if len(names) <= MOST_NAMED:
        return list_names(names)
    return (patterns.TITLE_COUNT_ALIKE if total else patterns.TITLE_COUNT_OTHERS).format(count=len(names), total=total)


def without_comma(name: str) -> str:
    """Write a name so that it can be in a list: "processes, one a power" becomes "processes (one a power)"."""
    first, comma, rest = name.partition(", ")
    return f"{first} ({rest})" if comma else first


def capital(text: str) -> str:
    """Begin a sentence, unless it begins with the name of a function or module."""
    return text if "." in text.partition(" ")[0] else text[0].upper() + text[1:]
