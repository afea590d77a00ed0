"""Each result next to its reference build, its counterpart and the previous release. Any other pair is a command."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from generate.comparison import compare, counts, largest_first, reasons
from generate.data.files import build_identity
from generate.data.selection import build_order
from generate.pages.tables import split_range
from generate.pages.templates import fragment, root_of
from generate.words.names import is_prerelease
from generate.words.numbers import abbreviate_rate, format_estimate, format_ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from markupsafe import Markup

    from generate.comparison import Row
    from generate.data.estimates import Estimate
    from generate.data.results import Results
    from generate.data.selection import Result, ResultKey
    from runners.harness.record.model import Build

    Find = Callable[[Result, Sequence[Result]], Result | str]

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
    hosts = {host: place for place, host in enumerate(dict.fromkeys(each.machine_key for each in site.cells()))}
    results = sorted(site.cells(), key=lambda each: (not each.key.local, hosts[each.machine_key], each.order))
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
    results = {result.key: result for result in site.cells()}
    rows = [(results[key], [*by_way.values()]) for key, by_way in comparisons.items()]
    ways = [WAYS[way][0] for way in next(iter(comparisons.values()), {})]
    return fragment("compare.html", rows=rows, ways=ways, root=root_of(page))


class Bar(NamedTuple):
    """A ratio on a log scale with 1 in the middle, in per cent from the left."""

    start: str
    end: str
    low: str
    high: str
    kind: str
    """better, worse or empty."""


class Difference(NamedTuple):
    """A row that differs."""

    row: Row
    bar: Bar
    change: str
    range: str
    better: float
    """How many times as good, or as much, the second is: for sorting."""
    values: Sequence[tuple[float | str, str]]
    """The first's and the second's, as a number and in words."""


def comparison_html(comparison: Comparison) -> Markup:
    """Return one comparison: its differences, the largest first, and why other rows are not compared."""
    differing = largest_first(comparison.rows)
    farthest = max((abs(math.log(end)) for row in differing for end in _ends(row)), default=0.0) or 1.0
    shown = [_difference(row, farthest) for row in differing]
    return fragment(
        "comparison.html",
        comparison=comparison,
        words=WAYS[comparison.way][0],
        reasons=reasons(comparison.rows),
        are_paired=all(row.is_paired for row in comparison.rows if row.ratio),
        scale=[format_ratio(math.exp(end)) for end in (-farthest, farthest)],
        differences=shown[:MOST_SHOWN],
        further=shown[MOST_SHOWN:],
    )


def _ends(row: Row) -> list[float]:
    """Return the ratio and the ends of its range that have a place on a log scale."""
    ratio = row.ratio
    return [end for end in (ratio.low, ratio.value, ratio.high) if 0 < end < math.inf] if ratio else []


def _difference(row: Row, farthest: float) -> Difference:
    assert row.ratio  # noqa: S101 - it differs
    better = row.ratio.inverse if row.metric.better == "lower" else row.ratio
    unit = row.metric.unit
    values = [(value.value if value else "", abbreviate_rate(format_estimate(value, unit))) for value in row.values]
    return Difference(row, _bar(better, row, farthest), *split_range(row.words), better.value, values)


def _bar(ratio: Estimate, row: Row, farthest: float) -> Bar:
    at, low, high = (_place(end, farthest) for end in (ratio.value, ratio.low, ratio.high))
    kind = "" if row.metric.better == "neither" else "better" if ratio.value > 1 else "worse"
    return Bar(f"{min(50, at):.1f}", f"{max(50, at):.1f}", f"{low:.1f}", f"{high:.1f}", kind)


def _place(ratio: float, farthest: float) -> float:
    """Place a ratio; 0 and infinity are at the ends."""
    share = math.log(ratio) / farthest if 0 < ratio < math.inf else math.copysign(1, ratio - 1)
    return 50 + 50 * min(1, max(-1, share))
