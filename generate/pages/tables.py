"""The tables: what each cell of them says and where its bar lies. Pure; the templates turn it into HTML."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generate.statistics.intervals import FEWEST_PAIRS, ranks
from generate.text.numbers import (
    NO_BREAK,
    format_interval,
    format_ratio,
    format_ratio_interval,
    format_share,
    format_value,
)
from runners.harness.catalogue.scenarios import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary

LOG_FROM_SPAN = 30
"""Where medians lie further apart than this, bars from zero would hide the small ones: dots on a log scale instead."""
IDEAL_SHOWN_TO = 1.5
"""An ideal further off than so many times the longest bar is left out of the drawing: it would squeeze the bars."""


@dataclass(frozen=True)
class Scale:
    """Maps values to percent of a bar's track."""

    low: float
    high: float
    log: bool

    @classmethod
    def of(cls, medians: Sequence[float], ends: Sequence[float]) -> Scale:
        """Choose the scale that shows *medians*, and *ends* of intervals, in full."""
        low, high = min(medians, default=0.0), max([*medians, *ends], default=1.0) or 1.0
        if low > 0 and max(medians) / low > LOG_FROM_SPAN:
            return cls(10 ** math.floor(math.log10(min([low, *(end for end in ends if end > 0)]))), high, log=True)
        return cls(0.0, high, log=False)

    def percent(self, amount: float) -> float:
        """Return where *amount* lies, 0 to 100."""
        if self.log:
            share = math.log(max(amount, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = amount / self.high
        return round(100 * min(max(share, 0.0), 1.0), 2)


@dataclass(frozen=True)
class Track:
    """Where a row's bar, whisker and ideal lie, in percent."""

    at: float
    low: float
    high: float
    ideal: float | None


@dataclass(frozen=True)
class TableRow:
    """One runner in one case."""

    name: str
    title: str
    family: str
    role: str
    status: str
    reason: str
    track: Track | None
    """None: nothing was measured, and `status` and `reason` say why."""
    median: str
    sort: str
    """The median as a plain number, in the metric's unit; empty where there is none."""
    interval: str
    ratio: str
    ratio_interval: str
    ratio_note: str
    """Why the ratio tells no difference; empty where it does, and where there is none."""
    efficiency: str
    rounds: int


@dataclass(frozen=True)
class Table:
    """One metric of one case on one cell."""

    metric: str
    title: str
    case: str
    better: str
    baseline: str
    """What the ratios are against; empty where there is nothing to compare with."""
    noise: str
    """How far two measurements of the baseline lay apart; empty without a control."""
    coverage: str
    """What the intervals are."""
    log: bool
    low: str
    high: str
    """The ends of the bars' scale."""
    has_ideal: bool
    rows: list[TableRow]


def tables(site: CurrentResults, cell: CellResult, scenario: str, case: str) -> list[Table]:
    """Return a table for each metric of *case* that has a direction and any value, the scenario's first always."""
    rows = site.rows_of(cell, scenario, case)
    found = []
    for index, metric in enumerate(site.scenarios[scenario].metrics):
        of_metric = [row for row in rows if row.metric == metric.name]
        has_values = any(row.median is not None for row in of_metric)
        if of_metric and (index == 0 or (has_values and metric.better != "neither")):
            found.append(_table(site, of_metric))
    return found


def _table(site: CurrentResults, rows: Sequence[Summary]) -> Table:
    first = rows[0]
    rows = [row for row in rows if not (row.role == "control" and row.status == "ok" and row.median is None)]
    scenario = site.scenarios[first.scenario]
    case, runner = scenario.baseline_of(scenario.block_of(first.case))
    measured = [row for row in rows if row.median is not None]
    ends = [row.high for row in measured if row.high is not None]
    ends += [row.ideal for row in measured if row.ideal is not None and row.ideal <= IDEAL_SHOWN_TO * max(ends)]
    scale = Scale.of([row.median for row in measured if row.median is not None], ends)
    noise = next((row for row in rows if row.noise_low is not None), None)
    compared = any(row.ratio is not None for row in rows)
    return Table(
        metric=first.metric,
        title=first.title,
        case=first.case,
        better=first.better,
        baseline=(runner if case == first.case else f"{runner} in “{case}”") if compared else "",
        noise=ratio_bounds(noise.noise_low, noise.noise_high) if noise else "",
        coverage=coverage_words(measured),
        log=scale.log,
        low=_short(format_value(scale.low, first.unit)) if scale.log else "0",
        high=_short(format_value(scale.high, first.unit)),
        has_ideal=any(row.efficiency is not None for row in rows),
        rows=[_row(site, row, scale) for row in sorted(rows, key=lambda row: _neutral_order(row, runner))],
    )


def _neutral_order(row: Summary, baseline: str) -> tuple[bool, bool, int, str]:
    """Put the baseline first, then its control, then family by family: an order by value would be a ranking."""
    family = FAMILIES.index(row.family) if row.family in FAMILIES else len(FAMILIES)
    return row.runner != baseline, row.role == "control", family, row.runner


def _row(site: CurrentResults, row: Summary, scale: Scale) -> TableRow:
    known = site.scenarios[row.scenario].runners.get(row.runner)
    is_baseline = row.ratio == row.ratio_low == row.ratio_high == 1 and row.role == "subject"
    return TableRow(
        name=row.runner,
        title="the baseline under a second name" if row.role == "control" else known.title if known else row.note or "",
        family=row.family or "",
        role=row.role,
        status=row.status,
        reason=row.reason or "",
        track=_track(row, scale),
        median=_short(format_value(row.median, row.unit)),
        sort="" if row.median is None else f"{row.median:.6g}",
        interval=_short(format_interval(row.low, row.high, row.unit)) if row.low is not None else "",
        ratio="1" if is_baseline else "" if row.ratio is None else format_ratio(row.ratio),
        ratio_interval="" if is_baseline else ratio_bounds(row.ratio_low, row.ratio_high),
        ratio_note="" if is_baseline else ratio_note(row),
        efficiency="" if row.efficiency is None else format_share(row.efficiency),
        rounds=row.rounds,
    )


def _short(text: str) -> str:
    """Write a rate as tables have room for."""
    return text.replace(f"{NO_BREAK}per second", "/s")


def _track(row: Summary, scale: Scale) -> Track | None:
    if row.median is None or row.low is None or row.high is None:
        return None
    ideal = scale.percent(row.ideal) if row.ideal is not None and row.ideal <= scale.high else None
    return Track(scale.percent(row.median), scale.percent(row.low), scale.percent(row.high), ideal)


def ratio_bounds(low: float | None, high: float | None) -> str:
    """Write the bounds of a ratio; empty where there are none."""
    return "" if low is None or high is None else format_ratio_interval(low, high)


def ratio_note(row: Summary) -> str:
    """Say why a ratio tells no difference; empty where it does."""
    if row.ratio is None:
        return ""
    if row.role == "control":
        return "the noise floor"
    if not row.ratio_decided and row.ratio_pairs >= FEWEST_PAIRS:
        return "not decided (a quick run, or a round failed)"
    if not row.ratio_decided:
        return f"not decided ({row.ratio_pairs} of at least {FEWEST_PAIRS} rounds)"
    if row.tells:
        return ""
    return "no difference seen" if row.noise is None else "inside the noise"


def coverage_words(rows: Sequence[Summary]) -> str:
    """Say what the intervals of *rows* are."""
    counts = sorted({row.rounds for row in rows if row.rounds})
    return "; ".join(_coverage(count) for count in counts)


def _coverage(count: int) -> str:
    chosen = ranks(count)
    kind = f"from the {_ordinal(chosen.low)} to the {_ordinal(chosen.high)} of {count} values"
    return f"{kind}, which holds the true median with {100 * chosen.coverage:.1f}{NO_BREAK}%"


def _ordinal(number: int) -> str:
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
