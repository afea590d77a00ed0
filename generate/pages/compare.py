"""Each result next to its reference build, its counterpart and the previous release. Any other pair is a command."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from generate.charts.scale import Scale
from generate.comparison import compare, counts, largest_first, reasons
from generate.data.files import build_identity
from generate.data.selection import build_order
from generate.pages.tables import split_range
from generate.pages.templates import fragment, path_to_root
from generate.words.names import is_prerelease
from generate.words.numbers import abbreviate_rate, format_estimate, format_ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from markupsafe import Markup

    from generate.comparison import Row
    from generate.data.results import Results
    from generate.data.selection import Result, ResultKey
    from runners.harness.record.model import Build

    Find = Callable[[Result, Sequence[Result]], Result | str]

EDGE = 1.001
"""The scale ends so many times beyond the farthest range, and has a length without any."""
MOST_SHOWN = 20
"""Differences above the fold: more would be too long for a phone."""


class Comparison(NamedTuple):
    """A result compared with another in one of the ways of `WAYS`."""

    way: str
    result: Result
    other: Result
    rows: Sequence[Row]

    @property
    def anchor(self) -> str:
        """Its place on the result's page."""
        return f"compared-{self.way}"

    @property
    def counts(self) -> list[str]:
        """How many rows have each outcome, in words."""
        return counts(self.rows)


def _reference(result: Result, others: Sequence[Result]) -> Result | str:
    wanted = build_identity(result.record.reference_build)
    if build_identity(result.record.build) == wanted:
        return "is the reference build"
    same = (each for each in others if build_identity(each.record.build) == wanted)
    return next(same, "no result of it")


def _counterpart(result: Result, others: Sequence[Result]) -> Result | str:
    """Find the same Python with the GIL; for a variant, the same Python as released."""
    build = result.record.build
    if not build.free_threaded and not build.variant:
        return "has the GIL itself"
    wanted = build.implementation, build.version, build.free_threaded and bool(build.variant), ()
    return next((each for each in others if _python(each.record.build) == wanted), "no result of it")


def _python(build: Build) -> tuple[object, ...]:
    return build.implementation, build.version, build.free_threaded, build.variant


def _previous(result: Result, others: Sequence[Result]) -> Result | str:
    implementation, version, *kind = build_order(result.build)
    older = [
        (each_version, each)
        for each in others
        for each_implementation, each_version, *each_kind in [build_order(each.build)]
        if (each_implementation, each_kind) == (implementation, kind) and each_version < version
        if not is_prerelease(each.build)
    ]
    newest = max(older, key=lambda each: each[0], default=None)
    return newest[1] if newest else "no earlier one of its kind"


def _published(result: Result, others: Sequence[Result]) -> Result | str:
    if not result.key.local:
        return "is published itself"
    wanted = build_identity(result.record.build)
    return next((each for each in others if build_identity(each.record.build) == wanted), "no result of it")


WAYS: Mapping[str, tuple[str, Find]] = {
    "reference": ("the reference build", _reference),
    "counterpart": ("its counterpart (with the GIL; as released)", _counterpart),
    "previous": ("the previous release", _previous),
    "published": ("the published result", _published),
}
"""By name in addresses: in words, and how the other result is found."""


def compare_all(site: Results) -> dict[ResultKey, dict[str, Comparison | str]]:
    """Compare every result in each way, or give the reason why not. One's own results come first."""
    hosts = {host: place for place, host in enumerate(dict.fromkeys(each.machine_key for each in site.cells))}
    results = sorted(site.cells, key=lambda each: (not each.key.local, hosts[each.machine_key], each.order))
    has_own = any(each.key.local for each in results)
    ways = {way: find for way, (_, find) in WAYS.items() if has_own or way != "published"}
    return {
        result.key: {
            way: _compared(site, way, result, find(result, _candidates(results, way, result)))
            for way, find in ways.items()
        }
        for result in results
    }


def _candidates(results: Sequence[Result], way: str, result: Result) -> list[Result]:
    if way == "published":
        return [each for each in results if not each.key.local]
    return [each for each in results if each.machine_key == result.machine_key]


def _compared(site: Results, way: str, result: Result, other: Result | str) -> Comparison | str:
    if isinstance(other, str):
        return other
    first, second = (
        {name: each for name, results in site.current.items() for each in results if each.key == side.key}
        for side in (other, result)
    )
    return Comparison(way, result, other, compare(first, second))


def overview(site: Results, comparisons: Mapping[ResultKey, Mapping[str, Comparison | str]], page: str) -> Markup:
    """Return a table of all results: how many rows differ in each comparison, with a link to them."""
    results = {result.key: result for result in site.cells}
    rows = [(results[key], [*by_way.values()]) for key, by_way in comparisons.items()]
    ways = [WAYS[way][0] for way in next(iter(comparisons.values()), {})]
    return fragment("compare.html", rows=rows, ways=ways, root=path_to_root(page))


class Difference(NamedTuple):
    """A row that differs, with its bar in per cent of a log scale that has 1 in the middle."""

    row: Row
    change: str
    range: str
    ratio: float
    """How many times as good the second is: for sorting. Without a better direction, how many times as much."""
    places: tuple[float, float, float]
    """Of the ratio and the ends of its range."""
    direction: str
    """better, worse or empty."""
    values: Sequence[tuple[float | str, str]]
    """The first's and the second's, as a number and in words."""


def comparison_html(comparison: Comparison) -> Markup:
    """Return one comparison: its differences, the largest first, and why other rows are not compared."""
    differing = largest_first(comparison.rows)
    ends = [end for row in differing if row.ratio for end in (row.ratio.low, row.ratio.high) if 0 < end < math.inf]
    farthest = max((max(end, 1 / end) for end in ends), default=1.0) * EDGE
    scale = Scale(1 / farthest, farthest, log=True)
    shown = [_difference(row, scale) for row in differing]
    return fragment(
        "comparison.html",
        comparison=comparison,
        words=WAYS[comparison.way][0],
        reasons=reasons(comparison.rows),
        are_paired=all(row.is_paired for row in comparison.rows if row.ratio),
        ends=[format_ratio(scale.low), format_ratio(scale.high)],
        differences=shown[:MOST_SHOWN],
        further=shown[MOST_SHOWN:],
    )


def _difference(row: Row, scale: Scale) -> Difference:
    assert row.ratio  # noqa: S101 - it differs
    ratio = row.ratio.inverse if row.metric.better == "lower" else row.ratio
    places = scale.percent(ratio.value), scale.percent(ratio.low), scale.percent(ratio.high)
    direction = "" if row.metric.better == "neither" else "better" if ratio.value > 1 else "worse"
    unit = row.metric.unit
    values = [(value.value if value else "", abbreviate_rate(format_estimate(value, unit))) for value in row.values]
    return Difference(row, *split_range(row.words), ratio.value, places, direction, values)
