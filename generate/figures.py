"""The charts of one case: bars with every sample, and each runner over the builds. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from generate import traces
from generate.chart import Chart, Subject, factor_of, line, short, whisker
from generate.site import plain
from generate.tables import Scale
from generate.wording import format_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generate.chart import Spec
    from generate.site import Cell, Site
    from generate.summary import Summary

JITTER = 0.36
"""How far from its row's middle a sample may lie, in rows."""


def draw(site: Site, names: Iterable[str]) -> dict[tuple[str, str], list[Chart]]:
    """Draw the charts of every case of the scenarios *names*, by scenario and case."""
    scenarios = site.scenarios
    return {(name, case): charts(site, name, case) for name in names for case in scenarios[name].cases}


def charts(site: Site, scenario: str, case: str) -> list[Chart]:
    """Return the charts of one case of the cell that leads its scenario; none where nothing was measured."""
    if (lead := site.lead(scenario, case)) is None:
        return []
    subject = Subject(site, lead, site.scenarios[scenario], case)
    if not subject.rows():
        return []
    made = [bars(subject), builds(subject), traces.sweep(subject), traces.ecdf(subject), traces.depth(subject)]
    drawn = [chart for chart in made if chart]
    return [chart if chart.kind == "builds" else replace(chart, build=lead.build) for chart in drawn]


def bars(subject: Subject) -> Chart:
    """Draw medians as bars (dots on a log axis where they span much), intervals as whiskers, each sample as a dot."""
    rows = subject.rows()
    factor, unit = factor_of(subject.metric.unit)
    log = Scale.of([row.median or 0.0 for row in rows], []).log
    drawn = []
    for place, row in enumerate(rows):
        common = {"family": row.family, "name": row.runner, "quiet": not row.is_beyond_noise and row.ratio != 1}
        median = {"type": "scatter", "mode": "markers"} if log else {"type": "bar", "orientation": "h", "width": 0.56}
        whiskers = whisker([row], factor)
        drawn.append({**common, **median, "x": [short((row.median or 0) * factor)], "y": [place], "error_x": whiskers})
        drawn.append({**common, **_dots(subject, row, place, factor)})
    ideals = {row.ideal for row in rows if row.ideal is not None}
    return Chart(
        path=subject.path("bars"),
        title=f"{subject.metric.title}, {subject.case}",
        summary=_summary(rows, subject.cell),
        rows=len(rows),
        spec={
            "kind": "bars",
            "traces": drawn,
            "xaxis": {
                "title": unit,
                **({"type": "log"} if log else {"rangemode": "tozero"}),
            },
            "yaxis": {
                "tickvals": list(range(len(rows))),
                "ticktext": [row.runner for row in rows],
                "autorange": "reversed",
                "zeroline": False,
            },
            "limits": [{"axis": "x", "at": short(ideal * factor)} for ideal in ideals] if len(ideals) == 1 else [],
        },
    )


def _dots(subject: Subject, row: Summary, place: int, factor: float) -> Spec:
    """Spread the samples by round over the row's height, in the order in which they were measured."""
    seen = subject.cell.seen
    series = next(each for each in subject.cell.record.series if subject.is_mine(each) and each.runner == row.runner)
    by_round = seen.by_round(series, subject.metric)
    last = max(by_round, default=1)
    return {
        "type": "scatter",
        "mode": "markers",
        "open": True,
        "marker": {"size": 5, "opacity": 0.8},
        "x": [short(amount * factor) for amount in by_round.values()],
        "y": [short(place + JITTER * (2 * (number - 0.5) / last - 1) / 2) for number in by_round],
        "text": [f"round {number}" for number in by_round],
        "hovertemplate": "%{x} · %{text}<extra>%{fullData.name}</extra>",
    }


def builds(subject: Subject) -> Chart | None:
    """Draw each runner over the builds of the leading machine; None where there is one build alone."""
    cells = subject.site.beside_each_other(subject.scenario.name, subject.case)
    found: dict[str, list[tuple[str, Summary]]] = defaultdict(list)
    for cell in cells:
        for row in subject.rows(cell):
            found[row.runner].append((cell.build, row))
    if len(cells) == 1 or all(len(rows) == 1 for rows in found.values()):
        return None
    factor, unit = factor_of(subject.metric.unit)
    log = Scale.of([row.median or 0.0 for rows in found.values() for _, row in rows], []).log
    x_axis = {"type": "category", "categoryarray": [plain(cell.build) for cell in cells], "categoryorder": "array"}
    return Chart(
        path=subject.path("builds"),
        title=f"{subject.metric.title}, {subject.case}, by build",
        summary=f"Runners: {len(found)}, on {len(cells)} builds of {plain(cells[0].machine)}: medians, intervals.",
        rows=14,
        spec={
            "kind": "builds",
            "legend": True,
            "traces": [
                {
                    **line(rows[0][1]),
                    "x": [plain(build) for build, _ in rows],
                    "y": [short((row.median or 0.0) * factor) for _, row in rows],
                    "error_y": whisker([row for _, row in rows], factor),
                }
                for rows in found.values()
            ],
            "xaxis": x_axis,
            "yaxis": {
                "title": unit,
                **({"type": "log"} if log else {"rangemode": "tozero"}),
            },
        },
    )


def _summary(rows: Sequence[Summary], cell: Cell) -> str:
    medians = sorted(row.median for row in rows if row.median is not None)
    ends = [format_value(median, rows[0].unit) for median in (medians[0], medians[-1])]
    spread = f"from {ends[0]} to {ends[1]}" if len(medians) > 1 else ends[0]
    where = f"{plain(cell.build)}, {plain(cell.machine)}"
    if len(rows) == 1:
        return f"1 runner on {where}: median {spread}, with its interval and every sample."
    return f"{len(rows)} runners on {where}: medians {spread}, with their intervals and every sample."
