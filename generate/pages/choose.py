"""The page Choose: which maps there are, its form with what that reads in the browser, and tables of them. Pure."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from markupsafe import Markup

from generate.analysis.map_rules import OWN, RULES, score, untested
from generate.analysis.one_model import one_model_each
from generate.analysis.work_map import AS_WITHOUT_COMPUTING, SCENARIO, work_map
from generate.charts.work_map import duration
from generate.pages import choices
from generate.pages.choose_answer import LINKS, OPENS_WITH, MapData, Measured, Model, Unmeasured, opening
from generate.pages.real_clients import clients_of
from generate.pages.templates import fragment, root_of
from generate.text.machine_names import indefinite
from generate.text.names import plain
from generate.text.numbers import rounded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generate.analysis.selection import CellResult
    from generate.analysis.work_map import Standing, WorkMap
    from generate.pages.context import SiteContext
    from runners.harness.catalogue.runner_file import Runner

MAPS = "assets/maps"
"""Where what the form reads lies below docs/: a file a map."""
KINDS = {
    "timers": "loops in Python, waits for a timer",
    "sockets": "loops in Python, waits for a local server",
    "hashing": "computes in C without the GIL (hashing), waits for a timer",
}


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
        machine_name=context.site.machine_name,
        known=known,
        kinds={kind: words for kind, words in KINDS.items() if kind in kinds},
        links={to: f"{'' if where.startswith('#') else root_of(page)}{where}" for to, where in LINKS.items()},
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


def rules(context: SiteContext, page: str) -> Markup:
    """Return how often each rule of thumb is right, on each map."""
    scored = [(cell, score(drawn, rule), drawn) for rule in RULES for cell, drawn in measured_maps(context)]
    rows = [(cell, each, drawn.why_undecided) for cell, each, drawn in scored if each and not drawn.why_nothing]
    doubts = [(cell, drawn.why_undecided) for cell, drawn in measured_maps(context) if drawn.why_undecided]
    gaps = (untested(drawn) for cell, drawn in measured_maps(context))
    gap = next(filter(None, gaps), None)
    return fragment("map_rules.html", rules=RULES, own=OWN, rows=rows, doubts=doubts, gap=gap, root=root_of(page))


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
        "models": {name: _model_data(name, runners) for name in runners},
        "machine": f"{indefinite(cell.machine_name)} ({plain(cell.record.machine.cpu)})",
        "build": cell.build,
        "cores": cell.record.machine.usable_cores,
        "started": run.started[:10],
        "rounds": drawn.rounds,
        "raw": quote(cell.file.path),
        "why_nothing": drawn.why_nothing,
        "clients": clients_of(context, cell),
        "reasons": reasons,
        "points": {
            "/".join(map(str, point.point)): [_standing_data(one, reasons) for one in point.standings]
            for point in drawn.points
        },
    }


def _model_data(name: str, runners: Mapping[str, Runner]) -> Model:
    of_model = Model(words=runners[name].words, family=runners[name].family)
    works_as = runners.get(AS_WITHOUT_COMPUTING.get(name, ""))
    return {**of_model, "works_as": works_as.words} if works_as else of_model


def _standing_data(standing: Standing, reasons: Sequence[str]) -> Measured | Unmeasured:
    if standing.elapsed_ns is None:
        bound_us = standing.bound_ns / 1e3 if standing.bound_ns else None
        return Unmeasured(standing.runner, None, bound_us, None if bound_us else reasons.index(standing.reason))
    behind = standing.behind
    ratios = [float(f"{ratio:.3g}") for ratio in (behind.ratio, behind.low, behind.high)] if behind else [1, 1, 1]
    cpu_us, memory_bytes, worst_us, *bounds = standing.costs
    kib, *kib_bounds = (None if amount is None else amount / 1024 for amount in (memory_bytes, *bounds))
    costs = (cpu_us, kib, worst_us, *kib_bounds)
    return Measured(
        standing.runner,
        rounded(standing.elapsed_ns / 1e3),
        2 if standing.is_undecided else int(standing.at_front),
        *ratios,
        *(None if cost is None else rounded(cost) for cost in costs),
    )
