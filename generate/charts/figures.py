"""The charts of one case: bars with every sample, and each runner over the builds. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from generate.charts import traces
from generate.charts.chart import Chart, Subject, ends, factor_of, line, lines, short, value_axis, whisker
from generate.text.names import plain
from generate.text.numbers import counted, format_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generate.analysis.collection import CurrentResults
    from generate.analysis.summary import Summary
    from generate.charts.chart import Trace

JITTER = 0.36
"""How far from its row's middle a sample may lie, in rows."""


def draw(site: CurrentResults, names: Iterable[str]) -> dict[tuple[str, str], list[Chart]]:
    """Draw the charts of every case of the scenarios *names*, by scenario and case."""
    scenarios = site.scenarios
    return {(name, case): charts(site, name, case) for name in names for case in scenarios[name].cases}


def charts(site: CurrentResults, scenario: str, case: str) -> list[Chart]:
    """Return the charts of one case: of each build of the current machine, its first one first, then of all."""
    if (first := site.first(scenario, case)) is None:
        return []
    beside = [cell for cell in site.beside_each_other(scenario, case) if cell != first]
    subjects = [Subject(site, cell, site.scenarios[scenario], case) for cell in (first, *beside)]
    found = [chart for subject in subjects if subject.rows() for chart in _of_one_build(subject)]
    of_all = builds(subjects[0])
    return [*found, of_all] if of_all else found


def _of_one_build(subject: Subject) -> Iterator[Chart]:
    for drawn in (bars, traces.sweep, traces.ecdf, traces.depth):
        if chart := drawn(subject):
            yield chart


def bars(subject: Subject) -> Chart:
    """Draw medians as bars (dots on a log axis where they span much), intervals as whiskers, each sample as a dot."""
    rows = subject.rows()
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
    return replace(subject.chart("bars", title, _summary(rows), figure), rows=len(rows))


def _limit(at: float) -> dict[str, Any]:
    """Return the line that no runner can go beyond."""
    place = {"xref": "x", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": 1}
    return {"type": "line", **place, "line": {"width": 1.5, "dash": "dot"}}


def _named(row: Summary, **more: bool) -> Trace:
    """Return whose a trace is; `quiet` greys what tells no difference from the baseline."""
    is_quiet = row.ratio is not None and row.ratio != 1 and not row.differs
    return {"name": row.runner, "meta": {"family": row.family, "quiet": is_quiet, **more}}


def _median(row: Summary, factor: float, *, log: bool) -> Trace:
    shape = {"type": "scatter", "mode": "markers"} if log else {"type": "bar", "orientation": "h", "width": 0.56}
    return {**_named(row), **shape, "x": [short((row.median or 0) * factor)]}


def _dots(subject: Subject, row: Summary, place: int, factor: float) -> Trace:
    """Spread the samples by round over the row's height, in the order in which they were measured."""
    gated = subject.cell.gated
    series = next(each for each in subject.cell.record.series if subject.is_mine(each) and each.runner == row.runner)
    by_round = gated.by_round(series, subject.metric)
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


def builds(subject: Subject) -> Chart | None:
    """Draw each runner over the builds of the current machine; None where there is one build alone."""
    cells = subject.site.beside_each_other(subject.scenario.name, subject.case)
    found: dict[str, list[tuple[str, Summary]]] = defaultdict(list)
    for cell in cells:
        for row in subject.rows(cell):
            found[row.runner].append((plain(cell.build), row))
    if len(cells) == 1 or all(len(rows) == 1 for rows in found.values()):
        return None
    factor, unit = factor_of(subject.metric.unit)
    names = [plain(cell.build) for cell in cells]
    figure = lines(
        [_over_builds(rows, factor) for rows in found.values()],
        {"type": "category", "categoryarray": names, "categoryorder": "array"},
        value_axis(unit, (row for rows in found.values() for _, row in rows)),
    )
    told = "; ".join(ends([row for _, row in rows]) for rows in found.values())
    summary = f"Medians with their intervals, from {names[0]} to {names[-1]}: {told}."
    chart = subject.chart("builds", f"{subject.metric.title}, {subject.case}, by build", summary, figure)
    return replace(chart, cells=tuple(cells))


def _over_builds(rows: Sequence[tuple[str, Summary]], factor: float) -> Trace:
    return {
        **line(rows[0][1]),
        "x": [build for build, _ in rows],
        "y": [short((row.median or 0.0) * factor) for _, row in rows],
        "error_y": whisker([row for _, row in rows], factor),
    }


def _summary(rows: Sequence[Summary]) -> str:
    medians = sorted(row.median for row in rows if row.median is not None)
    ends_of_all = [format_value(median, rows[0].unit) for median in (medians[0], medians[-1])]
    if len(rows) == 1:
        return f"1 runner: median {ends_of_all[0]}, with its interval and every sample."
    spread = f"medians from {ends_of_all[0]} to {ends_of_all[1]}"
    return f"{counted(len(rows), 'runner')}: {spread}, with their intervals and every sample."
