"""The Compare page: each result next to its reference build, its counterpart and the previous release. Pure.

Any other pair is a command. The page comes with the pairs that are asked for most; the others are fetched, a file a
result.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generate.comparison import compare, counts, largest_first, reasons
from generate.pages.choices import as_json
from generate.pages.compare_pairs import KINDS, Pair, asked_most, others_of
from generate.pages.templates import fragment, root_of
from generate.words.builds import describe_build
from generate.words.machines import format_own_note
from generate.words.names import format_address, strip_markup
from generate.words.numbers import abbreviate_rate, format_estimate, format_ratio, round_digits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generate.comparison import Row
    from generate.data.estimates import Estimate
    from generate.data.selection import Result
    from generate.pages.context import SiteContext

FOLDER = "assets/compare"
"""Below docs/, of what the page fetches."""
MOST_SHOWN = 20
"""Differences above the fold: with more the page is too long for a phone."""


class Shown(NamedTuple):
    """One row of a comparison's tables."""

    row: Row
    change: str
    range: str
    bar: Bar | None
    better: float
    """How many times as good the second is; of what is neither better nor worse, how many times as much."""
    values: Sequence[tuple[float | str, str]]
    """The first's and the second's: what it is sorted by, and in words."""


class Bar(NamedTuple):
    """A ratio on a log scale with 1 in the middle, in per cent from the left."""

    start: str
    end: str
    low: str
    high: str
    kind: str
    """better, worse or empty."""


def form(context: SiteContext, page: str) -> Markup:
    """Return the form that chooses a pair, and the pairs that the page comes with."""
    results = _results(context)
    shown = [(pair, _pair_html(context, pair)) for pair in asked_most(results)]
    own = any(result.key.local for result in results)
    facts = {
        "options": [(result, _words(result), _old_address(result), _old_others(result, results)) for result in results],
        "kinds": {kind: words for kind, (words, _) in KINDS.items() if own or kind != "published"},
        "shown": shown,
        "folder": FOLDER,
    }
    return fragment("compare.html", **facts, root=root_of(page))


def fetched(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Yield path and content of what the page fetches: each result's comparisons, by kind."""
    results = _results(context)
    for result in results:
        html = {
            kind: Markup('<p class="note">{}</p>').format(other)
            if isinstance(other, str)
            else _pair_html(context, Pair(result, kind, other))
            for kind, other in others_of(result, results).items()
        }
        yield f"{FOLDER}/{result.address}.json", as_json(html)


def _results(context: SiteContext) -> list[Result]:
    """Return the results, one's own first, then by machine and build."""
    hosts = {host: place for place, host in enumerate(dict.fromkeys(each.machine_key for each in context.site.cells()))}
    return sorted(context.site.cells(), key=lambda each: (not each.key.local, hosts[each.machine_key], each.order))


def _words(result: Result) -> str:
    """Name a result briefly enough for a select on a phone: CPython goes without saying."""
    build = describe_build(result.build).removeprefix("CPython ")
    return f"{build}, {strip_markup(result.machine_name)}{format_own_note(result.key.local)}"


def _old_address(result: Result) -> str:
    """Return what links called a result before machines had their processor in their address."""
    return format_address(result.machine, result.build, local=result.key.local)


def _old_others(result: Result, results: Sequence[Result]) -> dict[str, str]:
    others = others_of(result, results)
    return {kind: _old_address(other) for kind, other in others.items() if not isinstance(other, str)}


def _pair_html(context: SiteContext, pair: Pair) -> Markup:
    current = context.site.current
    first, second = (
        {name: each for name, results in current.items() for each in results if each.key == side.key}
        for side in (pair.other, pair.result)
    )
    rows = compare(first, second)
    differing = largest_first(rows)
    most = max((abs(math.log(end)) for row in differing for end in _ends(row)), default=0.0) or 1.0
    shown = [_shown(row, most) for row in differing]
    facts = {
        "names": [_name(pair.result), _name(pair.other)],
        "counts": counts(rows),
        "reasons": [(reason, _scenarios(rows, reason)) for reason, _ in reasons(rows)],
        "are_paired": all(row.is_paired for row in rows if row.ratio),
        "scale": [format_ratio(math.exp(end)) for end in (-most, most)],
        "differing": shown[:MOST_SHOWN],
        "further": shown[MOST_SHOWN:],
        "others": [_shown(row, most) for row in rows if row.outcome in {"same", "undecided"}],
        "apart": [row for row in rows if row.outcome == "not compared"],
    }
    return fragment("compare_pair.html", **facts)


def _scenarios(rows: Sequence[Row], reason: str) -> list[str]:
    """Count by scenario the rows that are not compared for a reason: "5 of power"."""
    found = Counter(row.key.scenario for row in rows if row.why_not == reason)
    return [f"{number} of {name}" for name, number in found.items()]


def _name(result: Result) -> str:
    days = sorted({run.file.record.run.started[:10] for run in result.runs})
    return f"{describe_build(result.build)}, {result.machine_name} ({' to '.join(dict.fromkeys((days[0], days[-1])))})"


def _ends(row: Row) -> list[float]:
    """Return the ratio and the ends of its range that have a place on a log scale."""
    ratio = row.ratio
    return [end for end in (ratio.low, ratio.value, ratio.high) if 0 < end < math.inf] if ratio else []


def _shown(row: Row, most: float) -> Shown:
    turned = row.ratio.inverse if row.ratio and row.metric.better == "lower" else row.ratio
    bar = _bar(turned, row, most) if turned and row.outcome == "differs" else None
    unit = row.metric.unit
    values = [
        (value.value if value else "", abbreviate_rate(format_estimate(value, unit)) if value else "")
        for value in row.values
    ]
    change, _, between = row.words.removesuffix(")").partition(" (")
    return Shown(row, change, between, bar, round_digits(turned.value, 4) if turned else 1.0, values)


def _bar(ratio: Estimate, row: Row, most: float) -> Bar:
    at, low, high = (_place(end, most) for end in (ratio.value, ratio.low, ratio.high))
    kind = "" if row.metric.better == "neither" else "better" if ratio.value > 1 else "worse"
    start, end, low_end, high_end = (f"{place:.1f}" for place in (min(50, at), max(50, at), low, high))
    return Bar(start, end, low_end, high_end, kind)


def _place(ratio: float, most: float) -> float:
    """Place a ratio; 0 and infinity are at the ends."""
    share = math.log(ratio) / most if 0 < ratio < math.inf else math.copysign(1, ratio - 1)
    return 50 + 50 * min(1, max(-1, share))
