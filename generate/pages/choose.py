"""The page Choose: which maps there are, its form with what that reads in the browser, and its tables. Pure."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from generate.analysis.map_rules import RULES, score
from generate.analysis.one_model import one_model_each
from generate.analysis.work_map import SCENARIO, Point, family_at, nothing_is_decided, placed, work_map
from generate.charts.work_map import duration
from generate.pages import choices
from generate.pages.choose_answer import OPENS_WITH, MapData, Measured, Unmeasured, opening, work_words
from generate.pages.templates import fragment, root_of
from generate.text.names import plain
from generate.text.numbers import NOT_MEASURED, format_bound, rounded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generate.analysis.selection import CellResult
    from generate.analysis.work_map import Placed, Standing, WorkMap
    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric

MAPS = "assets/maps"
"""Where what the form reads lies below docs/: a file a map."""
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
KINDS = {
    "timers": "loops in Python, waits for a timer",
    "sockets": "loops in Python, waits for a local server",
    "hashing": "computes in C without the GIL (hashing), waits for a timer",
}


class Front(NamedTuple):
    """The families that are at the front of a piece of work."""

    families: list[str]
    is_undecided: bool
    """Whether all that were measured are there, since nothing is decided between them."""
    is_all: bool = False
    """Whether all are there, since none takes longer than another."""

    @property
    def words(self) -> str:
        """The families in words, or why none is named."""
        return "not decided" if self.is_undecided else ", ".join(self.families) or NOT_MEASURED

    def agrees(self, other: Front) -> str:
        """Say whether a family is at both fronts; nothing where one of them is not known."""
        if any(each.is_undecided or not each.families for each in (self, other)):
            return ""
        if other.is_all:
            return "any would do"  # no advice could have been wrong
        return "yes" if {*self.families} & {*other.families} else "no"


@functools.lru_cache(maxsize=1)  # many functions of pages ask for the same
def measured_maps(context: SiteContext) -> list[tuple[CellResult, WorkMap]]:
    """Return the map of each cell that has one, the current cell first.

    In the current cell's place stands what was measured of it beside the same release without the GIL, though a newer
    one is current: what the GIL changes is read from one run, and all that is said of a build from one map.
    """
    cells = context.site.current.get(SCENARIO, [])
    plain_cells = [cell for cell in cells if not cell.record.build.variant]
    if plain_cells:
        plain_cells[0], _ = context.site.paired(plain_cells[0], SCENARIO)
    made = [(cell, work_map(cell.gated)) for cell in plain_cells]
    return [(cell, each) for cell, each in made if each.points]


def beside_each_other(context: SiteContext, *, gil: bool) -> tuple[CellResult, WorkMap] | None:
    """Return the first map, or that of the same machine and release without the GIL; None where there is none."""
    found = measured_maps(context)
    if gil or not found or found[0][0].record.build.free_threaded:
        return next(iter(found), None)
    without = context.site.without_gil(found[0][0], SCENARIO)
    return next(((cell, each) for cell, each in found if without and cell.file is without.file), None)


def shown_maps(context: SiteContext) -> list[tuple[CellResult, WorkMap]]:
    """Return the maps that the page shows, with and without the GIL; each other one has a page of its own.

    One alone where it is itself of a build without the GIL.
    """
    pair = (beside_each_other(context, gil=gil) for gil in (True, False))
    return [*{each[0].file.path: each for each in pair if each}.values()]


def form(context: SiteContext, page: str) -> Markup:
    """Return the form, with the file of each map by machine and build, the current one first."""
    found = measured_maps(context)
    kinds = {point.point.kind for _, each in found for point in each.points}
    known: dict[str, dict[str, str]] = {}
    for cell, _ in found:
        known.setdefault(cell.host.key, {})[plain(cell.build)] = cell.address
    return fragment(
        "choose_form.html",
        root=root_of(page),
        folder=MAPS,
        machines=[*dict.fromkeys(cell.host for cell, _ in found)],
        known=known,
        kinds={kind: words for kind, words in KINDS.items() if kind in kinds},
        answer=opening(_map_data(context, *found[0])) if found else None,
        opened=_opened(found[0][0]) if found else {},
        **_choices(found),
    )


def _opened(cell: CellResult) -> dict[str, str]:
    """Return what the selects of the form have as it opens."""
    kind, tasks, compute_us, wait_us = map(str, OPENS_WITH)
    work = {"kind": kind, "tasks": tasks, "compute": compute_us, "wait": wait_us}
    return {**work, "machine": cell.host.key, "build": plain(cell.build)}


def small_form(context: SiteContext, page: str) -> Markup:
    """Return a form that leads to the page, with what to choose; nothing where no map was measured."""
    found = measured_maps(context)
    return fragment("choose_small.html", root=root_of(page), **_choices(found)) if found else Markup("")


def _choices(found: Sequence[tuple[CellResult, WorkMap]]) -> dict[str, Any]:
    points = [point.point for _, each in found for point in each.points]
    return {
        "opens_with": OPENS_WITH,
        "tasks": sorted({point.tasks for point in points}),
        "computing": [(us, _choice(us)) for us in sorted({point.compute_us for point in points})],
        "waiting": [(us, _choice(us)) for us in sorted({point.wait_us for point in points})],
    }


def _choice(duration_us: int) -> str:
    return duration(duration_us) if duration_us else "not at all"


def everyday(context: SiteContext, page: str) -> Markup:
    """Return, for each everyday piece of work, whom the map has at the front, and whom its own measurement has."""
    found = measured_maps(context)
    scenario = context.site.scenarios[EVERYDAY]
    on_map, here = families(context, SCENARIO), families(context, EVERYDAY)
    rows = []
    for case, point in NEAREST.items():
        cell = context.site.first(EVERYDAY, case)
        drawn = next((each for other, each in found if cell and other.cell == cell.cell), None)
        at = drawn.at(point) if drawn else None
        advised = Front(at.front_families(on_map), at.is_undecided) if at else Front([], is_undecided=False)
        ranked = _ranked(cell, case, scenario.metrics[0]) if cell else []
        measured = _front(ranked, point, here)
        rows.append((scenario.case_words(case), _nearest_words(point), advised, measured, _behind(ranked, scenario)))
    first = context.site.first(EVERYDAY)
    of_map = next((cell for cell, _ in found if first and cell.cell == first.cell), None)
    return fragment("everyday.html", rows=rows, cell=of_map, root=root_of(page))


def _ranked(cell: CellResult, case: str, metric: Metric) -> list[Placed]:
    """Return the models that did an everyday piece of work in *cell*, the fastest first."""
    wanted = (EVERYDAY, case, "subject")
    return placed(cell.gated, [s for s in cell.record.series if (s.scenario, s.case, s.role) == wanted], metric)


def _front(ranked: Sequence[Placed], point: Point, families: Mapping[str, str]) -> Front:
    """Return who is at the front of a piece of work, whose nearest is *point*."""
    at_front = [*dict.fromkeys(family_at(point, each.series.runner, families) for each in ranked if each.at_front)]
    is_undecided = nothing_is_decided(ranked)
    is_all = len(ranked) > 1 and not is_undecided and all(each.at_front for each in ranked)
    return Front(at_front, is_undecided, is_all)


def _behind(ranked: Sequence[Placed], scenario: Scenario) -> str:
    """Say how many times as long as the fastest each model took that is not at the front."""
    behind = [(each.series.runner, each.behind) for each in ranked if each.behind and not each.at_front]
    said = (f"{scenario.runners[name].words} {format_bound(compared.ratio)} times" for name, compared in behind)
    return ", ".join(said)


def _nearest_words(point: Point) -> str:
    """Say which work of the map a piece of work is nearest to: of hashing, that it is that which computes."""
    words = work_words(point)
    return words.replace("compute", "hash (in C, without the GIL)") if point.kind == "hashing" else words


def rules(context: SiteContext, page: str) -> Markup:
    """Return how often each rule of thumb is right, on each map."""
    scored = [(cell, score(drawn, rule), drawn) for rule in RULES for cell, drawn in measured_maps(context)]
    rows = [(cell, each, drawn.why_undecided) for cell, each, drawn in scored if each and not drawn.why_nothing]
    doubts = [(cell, drawn.why_undecided) for cell, drawn in measured_maps(context) if drawn.why_undecided]
    return fragment("map_rules.html", rules=RULES, rows=rows, doubts=doubts, root=root_of(page))


def one_model(context: SiteContext, page: str) -> Markup:
    """Return what it costs to use one model for all work, by each map that the page shows."""
    views = [(cell, one_model_each(drawn), drawn) for cell, drawn in shown_maps(context)]
    runners = context.site.scenarios[SCENARIO].runners
    return fragment("one_model.html", views=views, runners=runners, root=root_of(page))


def families(context: SiteContext, scenario: str) -> dict[str, str]:
    """Return the family of each runner of *scenario*."""
    return {name: runner.family for name, runner in context.site.scenarios[scenario].runners.items()}


def fetched(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Go through what the form reads, path and JSON: of each map the points, with every model at each."""
    for cell, drawn in measured_maps(context):
        yield f"{MAPS}/{cell.address}.json", choices.as_json(_map_data(context, cell, drawn))


def _map_data(context: SiteContext, cell: CellResult, drawn: WorkMap) -> MapData:
    run, runners = cell.record.run, context.site.scenarios[SCENARIO].runners
    reasons = list(dict.fromkeys(one.reason for point in drawn.points for one in point.standings if one.reason))
    return {
        "models": {name: {"words": runner.words, "family": runner.family} for name, runner in runners.items()},
        "machine": f"{cell.machine} ({plain(cell.record.machine.cpu)})",
        "build": cell.build,
        "cores": cell.record.machine.usable_cores,
        "started": run.started[:10],
        "rounds": drawn.rounds,
        "why_nothing": drawn.why_nothing,
        "reasons": reasons,
        "points": {
            "/".join(map(str, point.point)): [_standing_data(one, reasons) for one in point.standings]
            for point in drawn.points
        },
    }


def _standing_data(standing: Standing, reasons: Sequence[str]) -> Measured | Unmeasured:
    if standing.elapsed_ns is None:
        bound_us = standing.bound_ns / 1e3 if standing.bound_ns else None
        return Unmeasured(standing.runner, None, bound_us, None if bound_us else reasons.index(standing.reason))
    behind = standing.behind
    ratios = [float(f"{ratio:.3g}") for ratio in (behind.ratio, behind.low, behind.high)] if behind else [1, 1, 1]
    cpu_us, memory_bytes, worst_us = standing.costs
    costs = (cpu_us, None if memory_bytes is None else memory_bytes / 1024, worst_us)
    return Measured(
        standing.runner,
        rounded(standing.elapsed_ns / 1e3),
        2 if standing.is_undecided else int(standing.at_front),
        *ratios,
        *(None if cost is None else rounded(cost) for cost in costs),
    )
