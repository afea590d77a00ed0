"""Estimates as bars (marks on a log axis if they span much), ranges as whiskers, runs as dots, ties in a bracket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.charts.bars import BarPlot, Row, bars_of
from generate.charts.findings import name_of, of_values, ranked
from generate.charts.measure import Measure
from generate.charts.scale import IDEAL_SHOWN_TO
from generate.words.names import describe_status
from generate.words.numbers import count_noun

if TYPE_CHECKING:
    from collections.abc import Collection

    from generate.charts.chart import Chart, Subject

PLACE = 1


def draw(subject: Subject) -> Chart | None:
    """Draw the runners that have a value; None if none has."""
    if not (rows := subject.rows()):
        return None
    front = {row.runner for row in ranked(subject, rows).front} if subject.scenario.are_choices else set()
    bars = [
        Row(subject.words(row.runner), row.family or "unknown", bars_of(row), len(front) > 1 and row.runner in front)
        for row in rows
    ]
    farthest = max(bar.estimate.value for row in bars for bar in row.bars)
    ideals = {row.ideal for row in rows if row.ideal is not None}
    near = [ideal for ideal in ideals if len(ideals) == 1 and ideal <= IDEAL_SHOWN_TO * farthest]
    measure = Measure.of(subject.metric, (row.number or 0.0 for row in rows))
    plot = BarPlot(bars, subject.metric.unit, measure, near[0] if near else None)
    missing = [
        f"{name_of(subject, row)} ({describe_status(row.status)})" for row in subject.every() if row.value is None
    ]
    return subject.chart(of_values(subject, rows), _summary(bars, missing, has_ideal=bool(near)), plot)


def _summary(rows: Collection[Row], missing: Collection[str], *, has_ideal: bool) -> str:
    """Say what is drawn, in words."""
    number = count_noun(len(rows), "implementation")
    caption = [f"{number}. The line across is the range of the long-run value, each dot a run."]
    if any(row.is_tied for row in rows):
        caption.append("The bracket joins what is as good as the best, within 10 %.")
    if has_ideal:
        caption.append("The dotted line is the ideal.")
    if missing:
        caption.append(f"No value: {'; '.join(missing)}.")
    return " ".join(caption)
