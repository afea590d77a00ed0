"""Estimates as bars (marks on a log axis if they span much), ranges as whiskers, runs as dots, ties in a bracket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.charts.rows import Row, bar_figure, bars_scale
from generate.charts.scale import IDEAL_SHOWN_TO, values_title
from generate.charts.titles import name_in_list, rank
from generate.charts.titles import values_title as title_of_values
from generate.words.names import describe_status
from generate.words.numbers import count_noun, format_with_range

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generate.charts.chart import Chart, Subject
    from generate.data.estimates import Estimate
    from generate.data.table import Summary

PLACE = 1


def draw(subject: Subject) -> Chart | None:
    """Draw the runners that have a value; None if none has."""
    if not (rows := subject.rows()):
        return None
    front = [row.runner for row in rank(subject, rows).front] if subject.scenario.are_choices else []
    drawn = [_row(subject, row, row.value, is_tied=len(front) > 1 and row.runner in front) for row in rows if row.value]
    ideal = _ideal(rows)
    figure = bar_figure(drawn, subject.metric.unit, ideal=ideal)
    figure["layout"]["meta"] = {"values": values_title(subject.metric, is_log=bars_scale(drawn, ideal).log)}
    summary = _summary(subject, len(rows), has_tie=len(front) > 1, has_ideal=ideal is not None)
    return subject.chart(title_of_values(subject, rows), " ".join(summary), figure)


def _row(subject: Subject, row: Summary, estimate: Estimate, *, is_tied: bool) -> Row:
    runs = count_noun(len(estimate.runs), "run")
    hover = f"{format_with_range(estimate, row.unit)}, {runs}"
    return Row(subject.words(row.runner), subject.family(row.runner), [estimate], is_tied, hover)


def _ideal(rows: list[Summary]) -> float | None:
    """Return the limit that the runners have in common, if it is near."""
    farthest = max(row.number or 0.0 for row in rows)
    ideals = {row.ideal for row in rows if row.ideal is not None}
    return next((ideal for ideal in ideals if len(ideals) == 1 and ideal <= IDEAL_SHOWN_TO * farthest), None)


def _summary(subject: Subject, count: int, *, has_tie: bool, has_ideal: bool) -> Iterator[str]:
    yield f"{count_noun(count, 'implementation')}. The line across is the range of the long-run value, each dot a run."
    if has_tie:
        yield "The bracket joins what is as good as the best, within 10 %."
    if has_ideal:
        yield "The dotted line is the ideal."
    missing = [row for row in subject.every() if row.value is None]
    if missing:
        named = (f"{name_in_list(subject, row)} ({describe_status(row.status)})" for row in missing)
        yield f"No value: {'; '.join(named)}."
