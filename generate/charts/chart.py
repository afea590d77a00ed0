"""What a chart is, what it is of, and the parts that charts share.

A chart is drawn twice, from the same values: as the picture that a page comes with, and as a Plotly figure that takes
its place when a reader comes near. A trace names its family and colour in its `meta`; assets/charts.js knows the looks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from markupsafe import Markup

from generate.charts.lines import Line, Point
from generate.charts.scale import Scale
from generate.text.names import label, slug
from generate.text.numbers import format_interval, format_value
from generate.text.units import axis_scale
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary
    from generate.charts.lines import Figure
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Series


class Plot(Protocol):
    """What is drawn: bars or lines."""

    @property
    def axis(self) -> str:
        """What its values are, in words with the unit."""

    @property
    def ratio(self) -> str:
        """Likewise where they are shown as ratios to the best; empty where they can't be."""

    @property
    def legend(self) -> Sequence[tuple[Markup, Line]]:
        """Each line with what its looks are; none where names stand in the drawing."""

    @property
    def rows(self) -> int:
        """How many rows high it is; 0 where its width decides."""

    def figure(self) -> Figure:
        """Return it as Plotly takes it."""

    def picture(self) -> Markup:
        """Draw it as SVG."""


@dataclass(frozen=True)
class Chart:
    """One chart of a page."""

    kind: str
    """A module of generate/charts/kinds/."""
    path: str
    """Of its JSON file below docs/."""
    title: str
    """What it shows: a finding, in a sentence that its data chose."""
    summary: str
    """What is drawn, in words."""
    plot: Plot
    picture: Markup
    """What a page comes with; empty of builds that are not the current one, whose tables have bars."""
    figure: Figure
    cells: tuple[CellResult, ...]
    """The cells that it shows: one, or the builds of a machine."""
    of_case: str = ""
    """The case that it is of, in words."""
    cases: tuple[str, ...] = ()
    """The cases that it shows, where it is of more than one."""


class Measure(NamedTuple):
    """How the values of a metric stand on an axis."""

    factor: float
    """By what they are multiplied."""
    title: str
    """What the axis is of, with the unit: "Time for all pages (ms)"."""
    direction: str
    """Which of them are better: "; lower is better"; empty where neither is."""

    @classmethod
    def of(cls, metric: Metric, amounts: Iterable[float]) -> Measure:
        """Choose the unit that suits *amounts*."""
        scale = axis_scale(metric.unit, amounts)
        is_said = not scale.sign or re.search(rf"\b{re.escape(scale.sign)}\b", metric.title)
        unit = "" if is_said else f" ({scale.sign})"
        better = "" if metric.better == "neither" else f"; {metric.better} is better"
        return cls(1 / scale.size, f"{metric.title}{unit}", better)

    def point(self, x: float, row: Summary, label: str = "") -> Point:
        """Return the median of *row*, with its interval, at *x*."""
        low, high = (None if end is None else end * self.factor for end in (row.low, row.high))
        return Point(x, (row.median or 0.0) * self.factor, low, high, label)

    def scale(self, points: Iterable[Point]) -> Scale:
        """Choose the scale that shows all of *points*."""
        shown = [*points]
        found = [end for point in shown for end in (point.low, point.high) if end is not None]
        return Scale.of([point.y for point in shown], found)


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
        """Return the runners that have a value, the best first."""
        found = self.site.rows_of(cell or self.cell, self.scenario.name, self.case)
        wanted = (self.metric.name, "subject")
        return in_order(row for row in found if (row.metric, row.role) == wanted and row.median is not None)

    def words(self, runner: str) -> str:
        """Name a runner for people."""
        known = self.scenario.runners.get(runner)
        return known.words if known else label(runner)

    def place(self, runner: str) -> int:
        """Return how many of a runner's family come before it in its scenario; 0 of one that is no longer there."""
        known = self.scenario.runners
        alike = [name for name, each in known.items() if runner in known and each.family == known[runner].family]
        return alike.index(runner) if alike else 0

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

    def line(self, row: Summary, points: Sequence[Point], words: str, *, of: str = "") -> Line:
        """Return the line of one runner; *of* says which, where it has several."""
        name = f"{self.words(row.runner)} ({of})" if of else self.words(row.runner)
        return Line(name, row.family or "unknown", points, words, self.place(row.runner))

    def chart(self, title: str, summary: str, plot: Plot) -> Chart:
        """Make the chart of this cell. Its path names a build that is not the current one."""
        index = list(self.scenario.cases).index(self.case)
        build = "" if self.is_first else f"-{slug(self.cell.build)}"
        path = f"assets/charts/{self.scenario.name}-{index + 1}-{self.kind}{build}.json"
        figure = plot.figure()
        figure["layout"]["title"] = {"text": title}
        picture = plot.picture() if self.is_first else Markup("")
        of_case = self.scenario.case_words(self.case)
        return Chart(self.kind, path, title, summary, plot, picture, figure, (self.cell,), of_case)


def in_order(rows: Iterable[Summary]) -> list[Summary]:
    """Return rows of one metric as tables and charts have them: the best first, what has no value last."""

    def place(row: Summary) -> tuple[bool, float, str]:
        if row.median is None:
            return True, 0.0, row.runner
        return False, -row.median if row.better == "higher" else row.median, row.runner

    return sorted(rows, key=place)


def ends(rows: Sequence[Summary]) -> str:
    """Say the first and the last median of a runner: "1.31 to 1.28 s"."""
    first, last = rows[0], rows[-1]
    if first is last:
        return format_value(first.median, first.unit)
    return format_interval(first.median, last.median, first.unit)


def log_scale(amounts: Iterable[float]) -> Scale:
    """Return the log scale from the least to the greatest of *amounts*, which are above 0."""
    found = [*amounts]
    least = min(found)
    return Scale(least, max([*found, least * 1.01]), log=True)
