"""What a chart is, what it is of, and the parts that charts share. Plotly figures as plain dicts; nothing here draws.

A trace names its family in its `meta`; assets/charts.js makes a template that gives it the family's colour and shape.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from generate.charts.scale import Scale
from generate.text.names import slug
from generate.text.numbers import format_interval, format_value
from generate.text.units import unit_of
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Series

Figure = dict[str, Any]
"""What a chart's JSON file holds: `data` and `layout`, as plotly.graph_objects.Figure takes them."""
Trace = dict[str, Any]
"""One of a figure's `data`. Its `meta` has the `family`, and may have `quiet` (grey: no difference seen) and `open` (a
hollow mark)."""
Axis = dict[str, Any]
"""Of a figure's `layout`."""
Points = list[tuple[Any, "Summary"]]
"""A runner's medians, each with its place on the horizontal axis."""

LOG: Axis = {"type": "log", "dtick": 1, "minor": {"dtick": "D1"}}
"""Ticks at powers of ten alone are spelled: Plotly would write digits between them."""

FEW_MARKS = {"maxdisplayed": 8}
"""So many points of a long line have the mark of its family."""


@dataclass(frozen=True)
class Chart:
    """One chart of a page."""

    kind: str
    """A module of generate/charts/kinds/."""
    path: str
    """Of its JSON file below docs/."""
    title: str
    summary: str
    """The same data in words, for those who do not see the chart."""
    figure: Figure
    cells: tuple[CellResult, ...]
    """The cells that it shows: one, or the builds of a machine."""
    cases: tuple[str, ...] = ()
    """The cases that it shows, where it is of more than one."""
    rows: int = 14
    """How many rows high it is: one of lines is 14."""


@dataclass(frozen=True)
class Subject:
    """What a chart of one kind is of: a case as one cell measured it, or as the builds of its machine did."""

    site: CurrentResults
    cell: CellResult
    scenario: Scenario
    case: str
    kind: str

    @property
    def metric(self) -> Metric:
        """The scenario's first metric."""
        return self.scenario.metrics[0]

    def rows(self, cell: CellResult | None = None) -> list[Summary]:
        """Return the runners that have a value, in order of name."""
        found = self.site.rows_of(cell or self.cell, self.scenario.name, self.case)
        wanted = (self.metric.name, "subject")
        chosen = [row for row in found if (row.metric, row.role) == wanted and row.median is not None]
        return sorted(chosen, key=lambda row: row.runner)

    def series(self, runner: str) -> Series:
        """Return what the cell measured of a runner of this case, on its own build."""
        return self.cell.gated.view.series[SeriesKey(self.scenario.name, self.case, runner, "subject")]

    def lists(self, column: str) -> Iterator[tuple[Summary, list[list[Any]]]]:
        """Go through the raw lists of *column* by runner: of samples that are ok and have one."""
        for row in self.rows():
            cells = [sample.values.get(column) for sample in self.series(row.runner).samples.ok_rows()]
            if found := [cell for cell in cells if isinstance(cell, list)]:
                yield row, found

    @property
    def is_first(self) -> bool:
        """Whether the cell is the current one of the case."""
        return self.cell == self.site.first(self.scenario.name, self.case)

    def chart(self, title: str, summary: str, figure: Figure) -> Chart:
        """Make the chart of this cell. Its path names a build that is not the current one."""
        index = list(self.scenario.cases).index(self.case)
        build = "" if self.is_first else f"-{slug(self.cell.build)}"
        path = f"assets/charts/{self.scenario.name}-{index + 1}-{self.kind}{build}.json"
        return Chart(self.kind, path, title, summary, figure, (self.cell,))


def points_of(steps: Iterable[tuple[float | str, Sequence[Summary]]]) -> list[Points]:
    """Return the points of each runner: *steps* are places on the horizontal axis with the summaries of each."""
    found: dict[str, Points] = defaultdict(list)
    for place, rows in steps:
        for row in rows:
            found[row.runner].append((place, row))
    return [*found.values()]


def line(row: Summary, **more: object) -> Trace:
    """Return what the trace of one runner begins with."""
    return {"type": "scatter", "mode": "lines+markers", "name": row.runner, "meta": {"family": row.family}, **more}


def medians(points: Points, factor: float) -> Trace:
    """Return the line of a runner's medians."""
    ys = [short((row.median or 0.0) * factor) for _, row in points]
    return line(points[0][1], x=[place for place, _ in points], y=ys)


def lines(traces: Sequence[Trace], x: Axis, y: Axis) -> Figure:
    """Return a figure of a line for each runner, named in its legend."""
    return {"data": traces, "layout": {"showlegend": True, "xaxis": x, "yaxis": y}}


def titled(text: str, **more: object) -> Axis:
    """Return an axis with a title."""
    return {"title": {"text": text}, **more}


def whisker(rows: Sequence[Summary], factor: float) -> Trace:
    """Return how far the intervals reach beyond the medians."""
    up = [short(((row.high or 0.0) - (row.median or 0.0)) * factor) for row in rows]
    down = [short(((row.median or 0.0) - (row.low or 0.0)) * factor) for row in rows]
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down}


def value_axis(unit: str, rows: Iterable[Summary]) -> Axis:
    """Return the axis of the medians of *rows*: from zero, or on a log scale where they span much."""
    log = Scale.of([row.median or 0.0 for row in rows], []).log
    return titled(unit, **(LOG if log else {"rangemode": "tozero"}))


def ends(runners: Sequence[Points]) -> str:
    """Say each runner's first and last median: "thread_pool 1.31 to 1.28 s; ..."."""
    return "; ".join(_ends(points[0][1], points[-1][1]) for points in runners)


def _ends(first: Summary, last: Summary) -> str:
    if first is last:
        return f"{first.runner} {format_value(first.median, first.unit)}"
    return f"{first.runner} {format_interval(first.median, last.median, first.unit)}"


def factor_of(unit: str) -> tuple[float, str]:
    """Return by what a metric's *unit* is multiplied on an axis, and the unit that the axis has."""
    axis = unit_of(unit).axis
    return 1 / axis.size, axis.sign


def short(amount: float) -> float:
    """Keep five significant digits: more can't be seen, and the files stay small."""
    if amount == 0 or not math.isfinite(amount):
        return 0.0
    return round(amount, 4 - math.floor(math.log10(abs(amount))))
