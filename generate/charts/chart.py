"""What a chart is, what it is of, and the parts that charts share.

A chart is drawn twice, from the same values: as the picture that a page comes with, and as a Plotly figure that takes
its place when a reader comes near. A trace names its family and colour in its `meta`; assets/charts.js knows the looks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from generate.charts.lines import Line
from generate.charts.scale import Scale
from generate.data.selection import slug
from generate.words.names import label_runner
from generate.words.numbers import NO_BREAK, format_estimate
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generate.charts.bars import BarPlot
    from generate.charts.lines import Figure, LinePlot, Point
    from generate.data.gate import CheckedRecord
    from generate.data.results import Results
    from generate.data.selection import Result
    from generate.data.table import Summary
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric

    Plot = BarPlot | LinePlot


@dataclass(frozen=True)
class Chart:
    """One chart of a page."""

    kind: str
    """A module of generate/charts/kinds/."""
    path: str
    """Of its JSON file below docs/."""
    title: str
    """The finding, in a sentence that its data chose."""
    summary: str
    """What is drawn, in words."""
    plot: Plot
    picture: Markup
    """What a page comes with; empty for builds other than the current one, whose tables have bars."""
    figure: Figure
    cells: tuple[Result, ...]
    """The results that it shows: one, or the builds of a machine."""
    runs: tuple[CheckedRecord, ...]
    """What it is made from."""
    of_case: str = ""
    """Its case, in words."""
    cases: tuple[str, ...] = ()
    """Its cases, if it has more than one."""

    @property
    def days(self) -> Sequence[str]:
        """When its runs began, the earliest first."""
        return sorted(run.file.record.run.started for run in self.runs)

    @property
    def run_count(self) -> int:
        """How many runs these are: a run has a record for each build."""
        return len({run.run for run in self.runs})


@dataclass(frozen=True)
class Subject:
    """What a chart of one kind is made from: a case of one result, or of the builds of its machine."""

    site: Results
    cell: Result
    scenario: Scenario
    case: str
    kind: str

    @property
    def metric(self) -> Metric:
        """The scenario's first metric."""
        return self.scenario.metrics[0]

    def rows(self, cell: Result | None = None) -> list[Summary]:
        """Return the runners that have a value, the best first."""
        return [row for row in self.every(cell) if row.value is not None]

    def every(self, cell: Result | None = None) -> list[Summary]:
        """Return all runners, the best first, those without a value last."""
        found = self.site.case_rows(cell or self.cell, self.scenario.name, self.case)
        return in_order(row for row in found if (row.metric, row.role) == (self.metric.name, "subject"))

    def words(self, runner: str) -> str:
        """Name a runner for people."""
        known = self.scenario.runners.get(runner)
        return known.words if known else label_runner(runner)

    def place(self, runner: str) -> int:
        """Return how many of a runner's family come before it in its scenario; 0 if it is no longer there."""
        known = self.scenario.runners
        alike = [name for name, each in known.items() if runner in known and each.family == known[runner].family]
        return alike.index(runner) if alike else 0

    def key(self, runner: str) -> SeriesKey:
        """Return the key of a runner's series in this case."""
        return SeriesKey(self.scenario.name, self.case, runner, "subject")

    def lists(self, column: str) -> Iterator[tuple[Summary, list[list[Any]]]]:
        """Yield the raw lists of *column* by runner, from samples of the newest full run that are ok and have one."""
        for row in self.rows():
            series = self.cell.newest.view.series.get(self.key(row.runner))
            cells = [sample.values.get(column) for sample in series.samples.ok_rows()] if series else []
            if found := [cell for cell in cells if isinstance(cell, list)]:
                yield row, found

    @property
    def run_words(self) -> str:
        """Name the newest full run."""
        return f"the run of {self.cell.record.run.started[:10]}"

    @property
    def is_first(self) -> bool:
        """True if pages begin with this result for this case."""
        return self.cell == self.site.first(self.scenario.name, self.case)

    def line(self, row: Summary, points: Sequence[Point], words: str, *, of: str = "") -> Line:
        """Return the line of one runner; *of* tells several of it apart."""
        name = f"{self.words(row.runner)} ({of})" if of else self.words(row.runner)
        return Line(name, row.family or "unknown", points, words, self.place(row.runner))

    def chart(self, title: str, summary: str, plot: Plot, runs: Sequence[CheckedRecord] = ()) -> Chart:
        """Make the chart of this result, from *runs* or all of its runs. Its path names any build but the first."""
        index = list(self.scenario.cases).index(self.case)
        build = "" if self.is_first else f"-{slug(self.cell.build)}"
        path = f"assets/charts/{self.scenario.name}-{index + 1}-{self.kind}{build}.json"
        figure = plot.figure()
        figure["layout"]["title"] = {"text": title}
        picture = plot.picture() if self.is_first else Markup("")
        of_case, made_from = self.scenario.case_words(self.case), tuple(runs or self.cell.runs)
        return Chart(self.kind, path, title, summary, plot, picture, figure, (self.cell,), made_from, of_case)


def in_order(rows: Iterable[Summary]) -> list[Summary]:
    """Sort rows of one metric as tables and charts have them: the best first, those without a value last."""

    def place(row: Summary) -> tuple[bool, float, str]:
        if row.value is None:
            return True, 0.0, row.runner
        return False, -row.value.value if row.better == "higher" else row.value.value, row.runner

    return sorted(rows, key=place)


def ends(rows: Sequence[Summary]) -> str:
    """Write the first and the last value of a runner: "1.3 to 1.2 s"."""
    first, last = (format_estimate(row.value, row.unit) for row in (rows[0], rows[-1]))
    number, _, unit = first.partition(NO_BREAK)
    return first if first == last else f"{number if unit == last.partition(NO_BREAK)[2] else first} to {last}"


def log_scale(amounts: Iterable[float]) -> Scale:
    """Return the log scale from the least to the greatest of *amounts*, which are above 0."""
    found = [*amounts]
    least = min(found)
    return Scale(least, max([*found, least * 1.01]), log=True)
