"""Medians as bars (dots on a log axis where they span much), intervals as whiskers, each sample as a dot."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from generate.charts.chart import factor_of, short, value_axis, whisker
from generate.text.numbers import counted, format_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.analysis.summary import Summary
    from generate.charts.chart import Chart, Subject, Trace

PLACE = 1
JITTER = 0.36
"""How far from its row's middle a sample may lie, in rows."""


def draw(subject: Subject) -> Chart | None:
    """Draw the runners that have a value; None where none has."""
    if not (rows := subject.rows()):
        return None
    factor, unit = factor_of(subject.metric.unit)
    axis = value_axis(unit, rows)
    places = {
        "tickvals": list(range(len(rows))),
        "ticktext": [row.runner for row in rows],
        "autorange": "reversed",
        "zeroline": False,
    }
    drawn = []
    for place, row in enumerate(rows):
        drawn.append({**_median(row, factor, log="type" in axis), "y": [place], "error_x": whisker([row], factor)})
        drawn.append({**_named(row, open=True), **_dots(subject, row, place, factor)})
    ideals = {row.ideal for row in rows if row.ideal is not None}
    limits = [_limit(short(ideal * factor)) for ideal in ideals] if len(ideals) == 1 else []
    figure = {"data": drawn, "layout": {"bargap": 0.35, "xaxis": axis, "yaxis": places, "shapes": limits}}
    title = f"{subject.metric.title}, {subject.case}"
    return replace(subject.chart(title, _summary(rows), figure), rows=len(rows))


def _limit(at: float) -> dict[str, Any]:
    """Return the line that no runner can go beyond."""
    place = {"xref": "x", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": 1}
    return {"type": "line", **place, "line": {"width": 1.5, "dash": "dot"}}


def _named(row: Summary, **more: bool) -> Trace:
    """Return whose a trace is; `quiet` greys what is no difference from the baseline."""
    is_quiet = row.ratio is not None and row.ratio != 1 and not row.differs
    return {"name": row.runner, "meta": {"family": row.family, "quiet": is_quiet, **more}}


def _median(row: Summary, factor: float, *, log: bool) -> Trace:
    shape = {"type": "scatter", "mode": "markers"} if log else {"type": "bar", "orientation": "h", "width": 0.56}
    return {**_named(row), **shape, "x": [short((row.median or 0) * factor)]}


def _dots(subject: Subject, row: Summary, place: int, factor: float) -> Trace:
    """Spread the samples by round over the row's height, in the order in which they were measured."""
    by_round = subject.cell.gated.by_round(subject.series(row.runner), subject.metric)
    last = max(by_round, default=1)
    return {
        "type": "scatter",
        "mode": "markers",
        "marker": {"size": 5, "opacity": 0.8},
        "x": [short(amount * factor) for amount in by_round.values()],
        "y": [short(place + JITTER * (2 * (number - 0.5) / last - 1) / 2) for number in by_round],
        "text": [f"round {number}" for number in by_round],
        "hovertemplate": "%{x} · %{text}<extra>%{fullData.name}</extra>",
    }


def _summary(rows: Sequence[Summary]) -> str:
    medians = sorted(row.median for row in rows if row.median is not None)
    ends_of_all = [format_value(median, rows[0].unit) for median in (medians[0], medians[-1])]
    if len(rows) == 1:
        return f"1 runner: median {ends_of_all[0]}, with its interval and every sample."
    spread = f"medians from {ends_of_all[0]} to {ends_of_all[1]}"
    return f"{counted(len(rows), 'runner')}: {spread}, with their intervals and every sample."
