"""Compares two cells as the page does in the browser: the same rules, in the words of assets/comparison.js.

Paired by round inside a run, through the common reference build across runs. What lies inside the noise of the two is
no difference. It reads what the page reads (`browser_values.cell_values`). Pure.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

from generate.analysis import calibration
from generate.analysis.packages import other_versions
from generate.analysis.same_build import is_same
from generate.statistics.intervals import FEWEST_PAIRS, median_interval, paired_ratios
from generate.text.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generate.downloads.browser_values import RunValues, SeriesValues

Kind = Literal["differs", "alike", "undecided", "apart"]


class Measured(NamedTuple):
    """A series of a cell, and the run that measured it."""

    run: RunValues
    series: SeriesValues


class Change(NamedTuple):
    """A median ratio and its bounds."""

    median: float
    low: float
    high: float
    rounds: int
    """How many rounds it is of."""

    @property
    def size(self) -> float:
        """How far it is from none, whichever way."""
        return abs(math.log(self.median)) if self.median > 0 else math.inf

    def turned(self) -> Change:
        """Return its reciprocal."""
        median, high, low = (1 / each if each else math.inf for each in self[:3])
        return Change(median, low, high, self.rounds)


class Result(NamedTuple):
    """What a comparison came to: the second divided by the first, or why there is none."""

    why: str = ""
    found: Change | None = None
    decides: bool = False
    reach: float | None = None
    """How far noise reaches, as a ratio from 1 up; None where that is not known."""


class Side(NamedTuple):
    """What is shown of one of the two, by round."""

    values: Mapping[str, float]
    reference: Mapping[str, float]
    """The reference build's, where they explain a change; else empty."""


class Row(NamedTuple):
    """A series of two cells, compared."""

    series: SeriesValues
    """Of either."""
    kind: Kind
    said: str
    doubt: str
    """About a difference."""
    change: Change | None
    """The second's speed by the first's; of what is no speed, its amount."""
    sides: tuple[Side, Side]
    """What is shown of the first and of the second."""
    way: str
    """How it is compared, where two runs measured it; else empty."""
    packages: str
    """Those of which the two have different versions, as a change is of these too: "tornado 6.5.10 and 6.6.1"."""

    @property
    def size(self) -> float:
        """How far its change is from none, whichever way."""
        return self.change.size if self.change else 0.0


def rows_of(ones: Iterable[RunValues], others: Iterable[RunValues]) -> list[Row]:
    """Compare all series of two cells: what is beyond doubt first, the largest change before others."""
    a, b = _by_name(ones), _by_name(others)
    rows = [_row(a.get(name), b.get(name)) for name in {**a, **b}]
    return sorted(filter(None, rows), key=lambda row: (bool(row.doubt), -row.size))


def _by_name(runs: Iterable[RunValues]) -> dict[tuple[str, ...], Measured]:
    return {tuple(series["name"]): Measured(run, series) for run in runs for series in run["series"]}


def _row(one: Measured | None, other: Measured | None) -> Row | None:
    either = one or other
    if either is None:
        return None
    result = _compared(one, other) if one and other else Result("only one of the two has it")
    change, series = result.found, either.series
    if change and series["is_speed"] and series["better"] == "lower":
        change = change.turned()
    packages = _differing(one, other) if one and other else ""
    if not (one and other and change) or one.run["run"] == other.run["run"]:
        return Row(series, *_judged(result), change, (_own(one), _own(other)), "", packages)
    return Row(series, *_judged(result), change, _sides(one, other), _way(one.run, other.run), packages)


def _needs(one: Measured, other: Measured) -> list[str]:
    """Return the packages that either needs, sorted."""
    return sorted({*one.series["needs"], *other.series["needs"]})


def _differing(one: Measured, other: Measured) -> str:
    """Name the packages of which both have a version, and not the same."""
    names = _needs(one, other)
    ours, theirs = (
        {name: version for name, version in each.run["installed"].items() if name in names} for each in (one, other)
    )
    return ", ".join(other_versions(ours, theirs))


def _own(measured: Measured | None) -> Side:
    return Side(measured.series["values"] if measured else {}, {})


def _sides(one: Measured, other: Measured) -> tuple[Side, Side]:
    """Return the values that a change between two runs is of.

    The reference build's are those that stood beside the other, in one run with it; where two runs are compared through
    it, what it took in each explains why the change is not the quotient of the two.
    """
    if one.run["is_reference"]:
        return Side(other.series["reference"], {}), _own(other)
    if other.run["is_reference"]:
        return _own(one), Side(one.series["reference"], {})
    first, second = (Side(each.series["values"], each.series["reference"]) for each in (one, other))
    return first, second


def _way(a: RunValues, b: RunValues) -> str:
    """Say how what two runs measured is compared."""
    if not a["is_reference"] and not b["is_reference"]:
        return (
            "Where two runs are compared, each value is divided by the reference build's in its own run, which stands"
            " below it."
        )
    reference, other = (each["build"] for each in ((a, b) if a["is_reference"] else (b, a)))
    return f"Where two runs are compared, each value of {reference} is of the run that measured {other} beside it."


def way(rows: Iterable[Row]) -> str:
    """Say how two cells are compared where no run measured both; empty where one did, or nothing can be compared."""
    return " ".join(dict.fromkeys(row.way for row in rows if row.way))


def _compared(first: Measured, second: Measured) -> Result:
    """Compare a series of two cells."""
    one, other = first.series, second.series
    is_one_run = first.run["run"] == second.run["run"]
    if why := _not_comparable(first, second, is_one_run=is_one_run):
        return Result(why)
    found = _paired(other["values"], one["values"]) if is_one_run else _through_reference(first, second)
    if not found:
        return Result(one["why"] or other["why"] or "no common round")
    decides = all(series["decides"] and (is_one_run or series["reference_decides"]) for series in (one, other))
    reach = _reach_of_both(one["noise"], other["noise"], is_one_run=is_one_run)
    return Result("", found, decides and found.rounds >= FEWEST_PAIRS, reach)


def _not_comparable(first: Measured, second: Measured, *, is_one_run: bool) -> str:
    """Say why two series can't be compared; empty where they can be."""
    (a, one), (b, other) = first, second
    if one["code"] != other["code"]:
        return "the code that was measured differs"
    if refitted := calibration.difference(one.get("calibration", {}), other.get("calibration", {})):
        return f"tasks computed different amounts in the two runs: {refitted}"
    if is_one_run:
        return ""
    if a["is_reference"] and b["is_reference"]:
        return "both are the reference build, of different runs: nothing was measured beside both"
    if not is_same(a["reference"], b["reference"]):
        return "no common reference build"
    return _changed_package(a["packages"], b["packages"], _needs(first, second))


def _changed_package(ours: Mapping[str, str], theirs: Mapping[str, str], needs: Iterable[str]) -> str:
    """Name a package that differs between the reference builds; what changed in both would cancel."""
    for name in needs:
        if ours.get(name) != theirs.get(name):
            first, second = ours.get(name, "absent"), theirs.get(name, "absent")
            return f"the reference builds have {name} {first} and {second}: what changed in both would cancel"
    return ""


def _reach_of_both(one: float | None, other: float | None, *, is_one_run: bool) -> float | None:
    """Return how far the noise of both reaches: through the reference one is upon the other."""
    if not one or not other:
        return None
    return max(one, other) if is_one_run else one * other


def _through_reference(one: Measured, other: Measured) -> Change | None:
    """Divide the second by the first, which are independent: bounds hold both."""
    first, second = (
        _paired(series["values"], series["values" if run["is_reference"] else "reference"])
        for run, series in (one, other)
    )
    if not first or not second or first.low <= 0:
        return None
    rounds = min(first.rounds, second.rounds)
    return Change(second.median / first.median, second.low / first.high, second.high / first.low, rounds)


def _paired(candidate: Mapping[str, float], baseline: Mapping[str, float]) -> Change | None:
    """Divide by round; None where no round has both."""
    by_round = ({int(number): value for number, value in values.items()} for values in (candidate, baseline))
    ratios = paired_ratios(*by_round)
    if not ratios:
        return None
    found = median_interval(ratios)
    return Change(found.median, found.low, found.high, found.count)


def _judged(result: Result) -> tuple[Kind, str, str]:
    """Return what a comparison came to, by the order of `noise.finding_of`: kind, words and doubt."""
    found, reach = result.found, result.reach
    if found is None:
        return "apart", result.why, ""
    if not result.decides:
        return "undecided", f"not decided ({counted(found.rounds, 'round')}, a quick run or a busy machine)", ""
    if reach and 1 / reach <= found.median <= reach:
        return "alike", "median inside the noise", ""
    doubt = "" if reach else "noise not known"
    if found.low <= 1 <= found.high:
        return "alike", _joined("no difference seen", doubt), doubt
    if reach and found.low <= reach and found.high >= 1 / reach:
        doubt = "reaches into the noise"
    return "differs", _joined("more" if found.median > 1 else "less", doubt), doubt


def _joined(*words: str) -> str:
    return ", ".join(filter(None, words))
