"""The tables of results: their rows, their scale, and what is said of ratios. Pure; templates/case.html shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from generate.charts.chart import in_order
from generate.charts.scale import IDEAL_SHOWN_TO, Scale
from generate.statistics.intervals import FEWEST_PAIRS, ranks
from generate.statistics.noise import NOT_SEEN, Finding, band_of_median, finding_of, noise_band
from generate.statistics.quick import is_few
from generate.text.numbers import (
    CLOSE_IN_RUN,
    NO_BREAK,
    counted,
    format_bound,
    format_interval,
    format_median,
    format_range,
    format_ratio_interval,
    format_value,
    ordinal,
)
from generate.text.units import kind_of_metric

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary
    from generate.statistics.intervals import Comparison
    from runners.harness.catalogue.scenarios import Scenario


OF_ONE_SIDED: Mapping[str, str] = {Finding.NONE: CLOSE_IN_RUN, Finding.INSIDE: f"{Finding.INSIDE} of this run"}
"""What a table has in the place of some notes where all of several runs lie on one side of 1."""


class RatioCell(NamedTuple):
    """A ratio as a table shows it."""

    text: str = ""
    interval: str = ""
    note: str = ""
    """Why it is not plainly a difference; empty where it is, and where there is no ratio."""
    is_quiet: bool = False
    """Whether it is drawn grey: no difference beyond the noise was seen."""
    runs: str = ""
    """What several runs of the build measured; empty where there is one."""
    has_moved: bool = False
    """Whether the interval of another one does not overlap this one's, and that shows."""

    @classmethod
    def of(cls, compared: Comparison, noise: Comparison | None) -> Self:
        """Write a ratio; *noise* is the baseline against itself."""
        if compared.low == compared.high == 1:  # the same in every round: the baseline itself, or an equal count
            return cls("1")
        finding = finding_of(compared, noise)
        beyond = "quick run: which way, not how far" if compared.quick else ""
        note = {Finding.BEYOND: beyond, Finding.UNDECIDED: undecided_words(compared.pairs)}.get(finding, finding)
        low, high = compared.low, compared.high
        text, bounds = format_median(compared.ratio, low, high), format_ratio_interval(low, high)
        return cls(text, "" if bounds == text else bounds, note, finding in NOT_SEEN)


def undecided_words(pairs: int) -> str:
    """Say why a comparison of so many *pairs* decides nothing."""
    few = f"{pairs} of at least {FEWEST_PAIRS} rounds"
    return f"not decided ({few if pairs < FEWEST_PAIRS else 'a quick run, a failed round or a busy machine'})"


class Head(NamedTuple):
    """The head of a column, as templates/_table.html takes it."""

    label: str
    """What a cell of the column is called where the table folds; empty where a cell needs no name."""
    kind: str = ""
    """The class of its cells: n for numbers, plot for bars."""
    html: Markup | str = ""
    """What the head shows where that is not its label alone."""
    attributes: Mapping[str, str] = {}
    """Further attributes of the head: data-high where the higher value is sorted first."""


class Table(NamedTuple):
    """One metric of one case on one cell."""

    rows: list[Summary]
    """At least one, in the order in which they are shown."""
    scale: Scale
    """Of the bars."""
    baseline: str
    """What the ratios are against; empty where there is nothing to compare with."""
    has_turned_ratios: bool
    """Whether sentences say the ratios the other way round, as speeds."""
    noise: str
    """The noise floor: what a difference must leave; empty without a control."""
    noise_measured: str
    """How far two measurements of the baseline lay apart, from which that is made; empty without a control."""
    noise_median: str
    """The median of that, which decides what is grey where rounds are few; else empty."""
    noise_of_threads: str
    """The noise floor of the rows that a second control bounds, where that is wider; else empty."""
    coverage: str
    """What the intervals are."""
    has_ideal: bool
    samples: int | None
    """How many values each row has; None where they differ."""
    notes: Mapping[str, str]
    """What the scenario says at a row, by runner."""

    @property
    def places(self) -> dict[float, int]:
        """The place of each median among them, the least first: a browser sorts by it, and it is shorter than they."""
        medians = {row.median for row in self.rows if row.median is not None}
        return {median: place for place, median in enumerate(sorted(medians))}


class CaseTables(NamedTuple):
    """What one case measured on one cell."""

    tables: Sequence[Table]
    """That of the scenario's first metric, then those that are folded."""
    constants: Sequence[tuple[str, str]]
    """Metrics that have one value throughout, which needs no table, with it."""


def tables(site: CurrentResults, cell: CellResult, scenario: str, case: str) -> CaseTables:
    """Return a table for each metric of *case* that has a direction and any value, the scenario's first always."""
    of_scenario = site.scenarios[scenario]
    of_case, runner = of_scenario.baseline_of(of_scenario.block_of(case))
    words = of_scenario.runners[runner].words
    # a control without values of a metric is no row: that it has none is said below the table
    empty = ("control", "ok", None)
    of_cell = [row for row in site.rows_of(cell, scenario, case) if (row.role, row.status, row.median) != empty]
    shown: list[Table] = []
    constants = []
    for metric in of_scenario.metrics:
        rows = [row for row in of_cell if row.metric == metric.name]
        measured = [row for row in rows if row.median is not None]
        if not rows or (metric is not of_scenario.metrics[0] and (not measured or metric.better == "neither")):
            continue
        if shown and (constant := _constant(measured)):
            constants.append((metric.title, constant))
            continue
        noise, of_threads = _noises(rows)
        is_few_rounds = noise is not None and is_few(noise.pairs)
        against = words if case == of_case else f"{words} in “{of_scenario.case_words(of_case)}”"
        counts = {row.rounds for row in measured}
        table = Table(
            rows=_ordered(rows),
            scale=_scale(measured),
            baseline=against if any(row.ratio is not None for row in rows) else "",
            has_turned_ratios=bool(kind_of_metric(metric).turned),
            noise=_floor(noise),
            noise_measured=format_ratio_interval(noise.low, noise.high) if noise else "",
            noise_median=format_bound(noise.ratio) if noise and is_few_rounds else "",
            noise_of_threads=_floor(of_threads),
            coverage="; ".join(map(_coverage, sorted(counts))),
            has_ideal=any(row.efficiency is not None for row in rows),
            samples=min(counts) if len(counts) == 1 else None,
            notes={row.runner: note for row in rows if (note := note_of(of_scenario, row))},
        )
        shown.append(table)
    return CaseTables(shown, constants)


def _noises(rows: Sequence[Summary]) -> tuple[Comparison | None, Comparison | None]:
    """Return the noise floor of *rows*, and the wider one of those that a second control bounds too, where it is."""
    noises = [row.noise for row in rows if row.noise]
    if not noises:
        return None, None
    # as many pairs as the row that has most: one that failed in some rounds says nothing of the others
    first = min(noises, key=lambda noise: (_reach(noise), -noise.pairs))
    last = max(noises, key=lambda noise: (_reach(noise), noise.pairs))
    return first, last if _reach(last) > _reach(first) else None


def _floor(noise: Comparison | None) -> str:
    """Write a noise floor, as `finding_of` has it: of few rounds the control's median makes it."""
    if noise is None:
        return ""
    return format_ratio_interval(*(band_of_median if is_few(noise.pairs) else noise_band)(noise))


def _reach(noise: Comparison) -> float:
    return noise_band(noise)[1]


def _constant(measured: Sequence[Summary]) -> str:
    """Return the one value that all rows have in all rounds, as it is written; empty where they have several."""
    values = {value for row in measured for value in (row.minimum, row.median, row.maximum)}
    return format_value(measured[0].median, measured[0].unit) if len(values) == 1 else ""


def note_of(scenario: Scenario, row: Summary) -> str:
    """Return what the scenario says at a row of its runner: in that case, or in all; empty where it says nothing."""
    return scenario.notes.get(f"{row.runner}/{row.case}") or scenario.notes.get(row.runner, "")


def runs_words(row: Summary) -> str:
    """Say what several runs of a build measured: "2 runs: 1.29 to 1.95 s"; nothing of a row whose run is alone."""
    if row.runs_low is None or row.runs_high is None:
        return ""
    return f"{counted(row.runs, 'run')}: {format_interval(row.runs_low, row.runs_high, row.unit)}"


def shows_move(row: Summary) -> bool:
    """Say whether a row moved between runs, and so far that it shows in the digits that are written."""
    return row.runs_moved and bool(format_range(row.runs_low, row.runs_high, row.unit))


def _scale(measured: Sequence[Summary]) -> Scale:
    """Choose the scale that shows the medians, intervals and ideals of *measured*."""
    ends = [row.high for row in measured if row.high is not None]
    ends += [row.ideal for row in measured if row.ideal is not None and row.ideal <= IDEAL_SHOWN_TO * max(ends)]
    ends += [row.low for row in measured if row.low is not None]
    return Scale.of([row.median for row in measured if row.median is not None], ends)


def _ordered(rows: Sequence[Summary]) -> list[Summary]:
    """Put the best first, as charts do; the control stands below the baseline, whose second name it is."""
    subjects = in_order(row for row in rows if row.role != "control")
    places = {row.runner: place for place, row in enumerate(subjects)}
    return sorted(rows, key=lambda row: (places.get(row.runner, len(places)), row.role == "control"))


def ratio_cell(row: Summary) -> RatioCell:
    """Write the ratio of *row* to its baseline."""
    compared = row.against_baseline
    if compared is None:
        return RatioCell()
    cell = RatioCell.of(compared, row.noise)
    if row.runs_ratio_low is not None:
        bounds = format_ratio_interval(row.runs_ratio_low, row.runs_ratio_high)
        is_shown = row.runs_ratio_high is not None and format_bound(row.runs_ratio_low) != format_bound(
            row.runs_ratio_high
        )
        has_moved = row.runs_ratio_moved and is_shown
        cell = cell._replace(runs=f"{counted(row.runs, 'run')}: {bounds}", has_moved=has_moved)
        if row.ratios_of_runs and row.ratios_of_runs.side:
            cell = cell._replace(note=OF_ONE_SIDED.get(cell.note, cell.note))
    return cell._replace(note="the noise", is_quiet=True) if row.role == "control" else cell


def _coverage(count: int) -> str:
    bounds = ranks(count)
    kind = f"from the {ordinal(bounds.low)} to the {ordinal(bounds.high)} of {count} values"
    return f"{kind}, which holds the true median with probability {100 * bounds.coverage:.1f}{NO_BREAK}%"
