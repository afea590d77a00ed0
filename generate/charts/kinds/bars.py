"""Estimates as bars (marks on a log axis if they span much), ranges as whiskers, runs as dots."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from generate.charts.chart import Chart, Subject
from generate.charts.rows import Row, bar_figure, format_amount
from generate.charts.scale import values_title
from generate.charts.traces import DOTTED
from generate.data.estimates import AS_FAST, holm
from generate.data.table import Summary, best_runners
from generate.words import patterns
from generate.words.names import describe_status, list_names
from generate.words.numbers import abbreviate_rate, count_noun, describe, format_bounds
from generate.words.units import KINDS, find_kind, is_speed

MOST_NAMED, MOST_VALUES = 3, 6
"""More names are counted, and of more values only the ends are named."""
BEST = {KINDS[name]: best for name, best in patterns.TITLE_BEST.items()}


class Ranking(NamedTuple):
    """How rows, the best first, compare with the best by their own pairs."""

    front: list[Summary]
    """The best, and those as fast over their full range."""
    undecided: list[Summary]
    behind: list[Summary]
    """Those that differ from the best by Holm's rule, as several are compared."""


def draw(subject: Subject) -> Chart | None:
    """Draw the runners that have a value; None without any."""
    if not (rows := subject.rows()):
        return None
    best = best_runners(subject.result, subject.scenario, subject.metric, rows)
    tied = best if len(best) > 1 else set()
    drawn = [
        Row(subject.label(row.runner), row.family or "unknown", [row.value], row.runner in tied)
        for row in rows
        if row.value
    ]
    ideal = _ideal(rows)
    figure = bar_figure(drawn, subject.metric.unit, limits=[] if ideal is None else [ideal])
    is_log = figure["layout"]["xaxis"].get("type") == "log"
    figure["layout"]["meta"] = {"values": values_title(subject.metric, is_log=is_log)}
    has_ideal = any(trace.get("line", {}).get("dash") == DOTTED for trace in figure["data"])
    title, subtitle = titles(subject, rows)
    summary = _summary(subject, len(rows), has_ideal=has_ideal, has_ties=bool(tied))
    return replace(subject.chart(title, summary, figure), subtitle=subtitle)


def _ideal(rows: list[Summary]) -> float | None:
    """Return the limit that the runners share."""
    ideals = {row.ideal for row in rows if row.ideal is not None}
    return ideals.pop() if len(ideals) == 1 else None


def _summary(subject: Subject, count: int, *, has_ideal: bool, has_ties: bool) -> Iterator[str]:
    yield patterns.BARS_CAPTION.format(implementations=count_noun(count, "implementation"))
    if has_ideal:
        yield patterns.BARS_CAPTION_IDEAL
    if has_ties:
        yield patterns.BARS_CAPTION_TIED
    missing = [f"{subject.name(row)} ({describe_status(row.status)})" for row in subject.every() if row.value is None]
    if missing:
        yield patterns.BARS_CAPTION_MISSING.format(names="; ".join(missing))


def rank(subject: Subject, rows: Sequence[Summary]) -> Ranking:
    """Compare each of *rows*, the best first, with the best."""
    ratios = [subject.ratio(row, rows[0]) for row in rows[1:]]
    differ = holm([ratio.p_value() if ratio else 1.0 for ratio in ratios])
    ranking = Ranking([rows[0]], [], [])
    for row, ratio, is_behind in zip(rows[1:], ratios, differ, strict=True):
        is_tied = ratio is not None and ratio.is_within(AS_FAST)
        (ranking.front if is_tied else ranking.behind if is_behind else ranking.undecided).append(row)
    return ranking


def titles(subject: Subject, rows: Sequence[Summary]) -> tuple[str, str]:
    """Return the leaders in one case, and by how much they lead; *rows* have values, the best first.

    Runners that do different work are neither called the best nor compared with the best.
    """
    choices = [row for row in rows if row.runner not in subject.scenario.apart] or rows
    if len(rows) == 1 or not subject.scenario.are_choices:
        values = [patterns.TITLE_VALUE_WITH.format(value=_span([row]), name=subject.name(row)) for row in rows]
        listed = list_names(values) if len(values) <= MOST_VALUES else patterns.RANGE.format(values[0], values[-1])
        return patterns.TITLE_EVERY_VALUE.format(metric=subject.metric.title, values=listed), ""
    best, count = _praise(subject), _names(subject, choices)
    if leading := rows[: rows.index(choices[0])]:
        best, count = (
            patterns.TITLE_APART_FROM.format(subject=each, names=_names(subject, leading)) for each in (best, count)
        )
    ranking = rank(subject, choices)
    if not ranking.behind:
        pattern = patterns.TITLE_ALL_UNDECIDED if ranking.undecided else patterns.TITLE_ALL_ALIKE
        return pattern.format(implementations=count), _span(choices)
    title = patterns.TITLE_AHEAD.format(best=best, names=_names(subject, ranking.front))
    if ranking.undecided:
        title = patterns.TITLE_UNDECIDED_AGAINST.format(title=title, others=_names(subject, ranking.undecided))
    distance = _distance(subject, choices[0], ranking.behind)
    return title, patterns.AHEAD_BY.format(values=_span(ranking.front), distance=distance)


def _praise(subject: Subject) -> str:
    metric = subject.metric
    other = patterns.TITLE_HIGHEST if metric.better == "higher" else patterns.TITLE_LOWEST
    return BEST.get(find_kind(metric)) or other.format(metric=metric.title[0].lower() + metric.title[1:])


def _distance(subject: Subject, best: Summary, behind: Sequence[Summary]) -> str:
    """Compare the best with the block's baseline, or else the last: by a ratio for speeds."""
    baseline = subject.scenario.find_baseline(subject.scenario.find_block(subject.case))
    rival = next((row for row in behind if (row.case, row.runner) == baseline), behind[-1])
    name, ratio = subject.name(rival), subject.ratio(best, rival)
    if is_speed(subject.metric) and ratio:
        return patterns.DISTANCE_AS_RATIO.format(ratio=describe(ratio, find_kind(subject.metric)), name=name)
    return patterns.DISTANCE_AS_VALUE.format(value=_span([rival]), name=name)


def _span(rows: Sequence[Summary]) -> str:
    """Format the least and the greatest value of *rows*, the best first: "780 to 810 ms"."""
    first, last = rows[0], rows[-1]
    if len(rows) == 1:
        return format_amount(first.value, first.unit) if first.value else ""
    low, high = sorted((first.number or 0.0, last.number or 0.0))
    return abbreviate_rate(format_bounds(low, high, first.unit, 2))


def _names(subject: Subject, rows: Sequence[Summary]) -> str:
    """List a few names; count more."""
    if len(rows) <= MOST_NAMED:
        return list_names([subject.name(row) for row in rows])
    return count_noun(len(rows), "implementation")
