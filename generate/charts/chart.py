"""A chart, and the case that it is made from."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from markupsafe import Markup

from generate.charts import svg
from generate.charts.lines import Line
from generate.charts.traces import Figure
from generate.data.checked import CheckedRecord
from generate.data.estimates import Estimate
from generate.data.results import Results
from generate.data.selection import Result
from generate.data.table import Summary
from generate.words.names import label_runner, quote_commas
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.contract import Metric
from runners.harness.record.model import SeriesKey


@dataclass(frozen=True)
class Chart:
    kind: str
    """One of generate/charts/kinds/."""
    path: str
    """Path of its JSON file below docs/."""
    title: str
    """The finding, in a sentence chosen by its data."""
    summary: str
    """The caption."""
    figure: Figure
    """The description that both svg.py and Plotly draw."""
    results: tuple[Result, ...]
    """The results that it shows: one, or the builds of a machine."""
    runs: tuple[CheckedRecord, ...]
    case: str
    subtitle: str = ""
    """The numbers of the finding, if its title has none."""
    spans_cases: bool = False
    """True if it covers several cases: `case` is then what their names share."""

    @cached_property
    def picture(self) -> Markup:
        return svg.picture(self.figure)

    @property
    def finding(self) -> str:
        """The title, and the numbers that it lacks."""
        return ". ".join(filter(None, [self.title, self.subtitle]))

    @property
    def values(self) -> str:
        """Describes its values, and which are better."""
        return str(self.figure["layout"]["meta"]["values"])

    @property
    def legend(self) -> list[tuple[Markup, str, str]]:
        """The look, name and values of each line."""
        return svg.legend(self.figure)

    @property
    def days(self) -> Sequence[str]:
        """When its runs began, the earliest first."""
        return sorted(run.file.record.run.started for run in self.runs)

    @property
    def run_count(self) -> int:
        """A run has a record for each build."""
        return len({run.run for run in self.runs})


@dataclass(frozen=True)
class Subject:
    """The subject of a chart: a case of one result, or of the builds of its machine."""

    site: Results
    result: Result
    scenario: Scenario
    case: str
    kind: str

    @property
    def metric(self) -> Metric:
        """The scenario's first metric."""
        return self.scenario.metrics[0]

    def rows(self, result: Result | None = None) -> list[Summary]:
        """Return the runners that have a value, the best first."""
        return [row for row in self.every(result) if row.value is not None]

    def every(self, result: Result | None = None) -> list[Summary]:
        """Return all runners, the best first, those without a value last."""
        rows = self.site.case_rows(result or self.result, self.scenario.name, self.case)
        return in_order(row for row in rows if (row.metric, row.role) == (self.metric.name, "subject"))

    def label(self, runner: str) -> str:
        """Return a runner's name, even if the catalogue no longer has it."""
        known = self.scenario.runners.get(runner)
        return known.label if known else label_runner(runner)

    def name(self, row: Summary) -> str:
        """Return the name of a row's runner for a list."""
        return quote_commas(self.label(row.runner))

    def ratio(self, row: Summary, other: Summary) -> Estimate | None:
        """Return the ratio of two rows of a block, paired by round; None without one."""
        return self.result.ratio(_key(row), _key(other), self.metric)

    def line(self, runner: str, x: Sequence[float], y: Sequence[float], legend: str, **more: Any) -> Line:  # noqa: ANN401 - passed on
        known = self.scenario.runners.get(runner)
        return Line(self.label(runner), known.family if known else "unknown", x, y, legend, **more)

    def chart(self, title: str, summary: Iterable[str], figure: Figure, runs: Sequence[CheckedRecord] = ()) -> Chart:
        """Make the chart of this result, from *runs* or all of its runs; *summary* has sentences."""
        index = list(self.scenario.cases).index(self.case)
        path = f"assets/charts/{self.scenario.name}-{index + 1}-{self.kind}.json"
        figure["layout"]["title"] = {"text": title}
        runs, case = tuple(runs or self.result.runs), self.scenario.case_label(self.case)
        return Chart(self.kind, path, title, " ".join(summary), figure, (self.result,), runs, case)


def in_order(rows: Iterable[Summary]) -> list[Summary]:
    """Sort rows of one metric for tables and charts: the best first, those without a value last."""

    def place(row: Summary) -> tuple[float, str]:
        if row.number is None:
            return math.inf, row.runner
        return -row.number if row.better == "higher" else row.number, row.runner

    return sorted(rows, key=place)


def _key(row: Summary) -> SeriesKey:
    return SeriesKey(row.scenario, row.case, row.runner, "subject")
