"""Everyday pieces of work on the page Choose: what the map advises, and what their own measurement found. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generate.data.work_map import SCENARIO, Point, ranked
from generate.pages.choose import measured_maps
from generate.pages.choose_answer import list_models, work_words
from generate.pages.templates import fragment, root_of
from generate.words.names import list_names
from generate.words.numbers import NOT_MEASURED, format_ratio, format_value
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from generate.data.results import Results
    from generate.data.selection import Result
    from generate.data.work_map import MapPoint, Standing
    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Runner

EVERYDAY = "everyday"
NEAREST = {
    "1,000 API calls of 100 ms": Point("timers", 1_000, 0, 100_000),
    "compress 200 files": Point("hashing", 100, 1_000, 0),
    "20 requests of 20 ms and 10 ms of JSON": Point("timers", 10, 10_000, 10_000),
    "read 500 small files": Point("timers", 1_000, 0, 0),
    "40 images, 5 ms of Python each": Point("timers", 100, 10_000, 0),
    "50 queries of 20 ms, 20 ms of computing": Point("timers", 100, 100, 10_000),
}
"""By everyday piece of work, the nearest point of the map; written before a result of either was looked at."""
AS_TRIED: Mapping[str, str] = {"threads": "thread_per_task"}
"""By model of the map, its name in everyday work."""
FAR = 2
"""If a piece of work computes this many times as much or as little as its nearest point, the table shows both."""


class Row(NamedTuple):
    """One piece of work."""

    work: str
    nearest: str
    computing: str
    """How much its nearest point computes, if that is not near at all."""
    advised: str
    best: str
    slower: str
    agrees: str


def everyday_table(context: SiteContext, page: str) -> Markup:
    """Return, for each everyday piece of work, what the map advises and what its own measurement found."""
    rows = [_row(context, case, point) for case, point in NEAREST.items()] if EVERYDAY in context.site.current else []
    first = context.site.first(EVERYDAY) if rows else None
    maps = (cell for cell, _ in measured_maps(context))
    return fragment(
        "everyday.html",
        rows=rows,
        cell=next((cell for cell in maps if first and cell.key == first.key), None),
        root=root_of(page),
    )


def _row(context: SiteContext, case: str, point: Point) -> Row:
    site, scenario = context.site, context.site.scenarios[EVERYDAY]
    cell = site.first(EVERYDAY, case)
    drawn = next((each for other, each in measured_maps(context) if cell and other.key == cell.key), None)
    at = drawn.at(point) if drawn else None
    keys = [SeriesKey(EVERYDAY, case, runner, "subject") for runner in scenario.runners]
    found = ranked(cell, keys, scenario.metrics[0]) if cell else []
    runners = scenario.runners
    best, perhaps = (
        list_names([runners[each.runner].words for each in found if each.state in states])
        for states in (("fastest", "as fast"), ("undecided",))
    )
    slower = [
        f"{runners[each.runner].words} {format_ratio(each.behind.value)}"
        for each in found
        if each.behind and each.state == "behind"
    ]
    return Row(
        scenario.case_words(case),
        _nearest_words(point),
        _computing(site, cell, case, point),
        _advised(at, site.scenarios[SCENARIO].runners),
        f"{best}; perhaps {perhaps}" if perhaps else best or NOT_MEASURED,
        ", ".join(slower),
        _agrees(at, found),
    )


def _advised(at: MapPoint | None, runners: Mapping[str, Runner]) -> str:
    if at is None:
        return NOT_MEASURED
    return "undecided" if at.is_undecided else list_models(at.best, runners)


def _agrees(at: MapPoint | None, found: Sequence[Standing]) -> str:
    """Count the models that the map advises and that are best in the work itself; empty if either decides nothing."""
    if at is None or at.is_undecided or not found:
        return ""
    if len(found) > 1 and all(each.is_best for each in found):
        return "any would do"
    tried = [each for each in found if each.runner in {AS_TRIED.get(name, name) for name in at.best}]
    if not tried:
        return "not tried"
    if all(each.state == "undecided" for each in tried):
        return "undecided"
    right = sum(each.is_best for each in tried)
    return f"{'yes' if right == len(tried) else 'in part' if right else 'no'} ({right} of {len(tried)})"


def _computing(site: Results, cell: Result | None, case: str, point: Point) -> str:
    scenario = site.scenarios[EVERYDAY]
    alone = scenario.baseline_of(scenario.block_of(case))[1]
    row = site.value(cell, EVERYDAY, case, alone, scenario.metrics[0].name) if cell else None
    computing_ns = point.tasks * point.compute_us * 1e3
    if scenario.cases[case].parameters["wait_s"] or point.wait_us or not computing_ns or row is None or not row.number:
        return ""
    if 1 / FAR < computing_ns / row.number < FAR:
        return ""
    amounts = (format_value(ns, "ns", 2) for ns in (computing_ns, row.number))
    return "{} of computing in all; this work takes {} in a plain loop".format(*amounts)


def _nearest_words(point: Point) -> str:
    words = work_words(point)
    return words.replace("compute", "hash (in C, without the GIL)") if point.kind == "hashing" else words
