"""What a chart is, what it is of, and the parts that charts share. Plain dicts; nothing here draws.

A trace names its family; assets/charts.js gives it the family's colour and shape.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generate.site import Cell, Site
    from generate.summary import Summary
    from runners.harness.catalogue import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record import Series

Spec = dict[str, Any]
"""What a chart's JSON file holds."""

FACTORS = {
    "ns": (1e-6, "ms"),
    "us": (1e-3, "ms"),
    "bytes": (1e-6, "MB"),
    "per_s": (1.0, "per second"),
    "count": (1.0, ""),
}
"""From a metric's unit to the one that axes use."""


@dataclass(frozen=True)
class Chart:
    """One chart of a page."""

    path: str
    """Of its JSON file below docs/."""
    title: str
    summary: str
    """The same data in words, for those who do not see the chart."""
    rows: int
    """How many rows high it is."""
    spec: Spec
    cases: tuple[str, ...] = ()
    """The cases that it shows, where it is of more than one."""
    build: str = ""
    """The build that it shows, where it is of one."""

    @property
    def kind(self) -> str:
        """Which kind it is: bars, builds, sweep, latencies or depth."""
        return self.path.removesuffix(".json").rpartition("-")[2]


@dataclass(frozen=True)
class Subject:
    """What a chart is of: a case as one cell measured it, or as the builds of its machine did."""

    site: Site
    cell: Cell
    scenario: Scenario
    case: str

    @property
    def metric(self) -> Metric:
        """The scenario's first metric."""
        return self.scenario.metrics[0]

    def rows(self, cell: Cell | None = None) -> list[Summary]:
        """Return the runners that have a value, in order of name."""
        found = self.site.rows_of(cell or self.cell, self.scenario.name, self.case)
        chosen = [row for row in found if row.metric == self.metric.name and row.median is not None]
        return sorted((row for row in chosen if row.role == "subject"), key=lambda row: row.runner)

    def columns(self, column: str) -> Iterator[tuple[Summary, list[Any]]]:
        """Go through the raw entries of *column* by runner: those of samples that are ok and have one."""
        series = {each.runner: each for each in self.cell.record.series if self.is_mine(each)}
        for row in self.rows():
            samples = series[row.runner].samples
            cells = zip(samples.status, samples.values.get(column, []), strict=False)
            if found := [cell for status, cell in cells if status == "ok" and cell is not None]:
                yield row, found

    def is_mine(self, series: Series) -> bool:
        """Tell whether *series* is a runner of this case, measured on the cell's own build."""
        return (series.scenario, series.case, series.role) == (self.scenario.name, self.case, "subject")

    def path(self, kind: str) -> str:
        """Return where the JSON of a chart of this *kind* lies."""
        index = list(self.scenario.cases).index(self.case)
        return f"assets/charts/{self.scenario.name}-{index + 1}-{kind}.json"


def line(row: Summary) -> Spec:
    """Return what the trace of one runner begins with."""
    return {"type": "scatter", "mode": "lines+markers", "family": row.family, "name": row.runner}


def whisker(rows: Sequence[Summary], factor: float) -> Spec:
    """Return how far the intervals reach beyond the medians."""
    up = [short(((row.high or 0.0) - (row.median or 0.0)) * factor) for row in rows]
    down = [short(((row.median or 0.0) - (row.low or 0.0)) * factor) for row in rows]
    return {"symmetric": False, "array": up, "arrayminus": down}


def factor_of(unit: str) -> tuple[float, str]:
    """Return by what a metric's *unit* is multiplied on an axis, and the unit that the axis has."""
    return FACTORS.get(unit, (1.0, unit))


def short(amount: float) -> float:
    """Keep five significant digits: more can't be seen, and the files stay small."""
    if amount == 0 or not math.isfinite(amount):
        return 0.0
    return round(amount, 4 - math.floor(math.log10(abs(amount))))
