"""Medians as bars (dots on a log axis where they span much), intervals as whiskers, each sample as a dot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.charts.bars import Bar, BarPlot, Row, written
from generate.charts.chart import Measure
from generate.charts.findings import of_medians
from generate.charts.scale import IDEAL_SHOWN_TO, Scale
from generate.text.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.analysis.summary import Summary
    from generate.charts.chart import Chart, Subject

PLACE = 1


def draw(subject: Subject) -> Chart | None:
    """Draw the runners that have a value; None where none has."""
    if not (rows := subject.rows()):
        return None
    medians = [row.median or 0.0 for row in rows]
    farthest = max(row.high or 0.0 for row in rows)
    ideals = {row.ideal for row in rows if row.ideal is not None}
    near = [ideal for ideal in ideals if len(ideals) == 1 and ideal <= IDEAL_SHOWN_TO * farthest]
    plot = BarPlot(
        bars=[_row(subject, row) for row in rows],
        unit=subject.metric.unit,
        measure=Measure.of(subject.metric, medians),
        scale=Scale.of(medians, [farthest, *near, *(row.low or 0.0 for row in rows)]),
        is_higher_better=subject.metric.better == "higher",
        ideal=near[0] if near else None,
    )
    return subject.chart(of_medians(subject, rows), _summary(rows, has_ideal=bool(near)), plot)


def _row(subject: Subject, row: Summary) -> Row:
    by_round = subject.cell.gated.by_round(subject.series(row.runner), subject.metric)
    bar = Bar(row.median or 0.0, row.low or 0.0, row.high or 0.0)
    return Row(subject.words(row.runner), row.family or "unknown", [bar], row.is_noise, [*by_round.items()])


def _summary(rows: Sequence[Summary], *, has_ideal: bool) -> str:
    """Say what is drawn, in words."""
    named = [written(row.median, row.unit) for row in rows]
    spread = f"medians from {named[0]} to {named[-1]}" if len(rows) > 1 else f"median {named[0]}"
    ideal = " The dotted line is the ideal." if has_ideal else ""
    grey = " Grey: no difference from the baseline beyond the noise." if any(row.is_noise for row in rows) else ""
    intervals = "their intervals" if len(rows) > 1 else "its interval"
    return f"{counted(len(rows), 'implementation')}: {spread}, with {intervals}.{grey}{ideal}"
