"""The map of the fastest model for each kind of work: its pictures, tables, pages and functions.

Choose shows the first map, with and without the GIL. Each of the others has a page of its own.
"""

import functools
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from generate.charts.grids import map_picture
from generate.data.map_rules import OWN, RULES, judged_points, one_model_each, score, untested
from generate.data.selection import Result
from generate.data.work_map import MAIN_KIND, SCENARIO, MapPoint, Point, WorkMap, family_at, work_map
from generate.pages.pieces import Functions, SiteContext, measured_on
from generate.pages.templates import fragment, not_drawn, path_to_root
from generate.pages.templates import page as markdown
from generate.words import patterns
from generate.words.builds import describe_build, describe_optimisation
from generate.words.names import list_names, strip_markup
from generate.words.numbers import count_noun, describe, format_estimate, format_ratio
from generate.words.patterns import NOT_MEASURED
from generate.words.repeat import MAP_COMMAND
from generate.words.units import DURATION
from runners.harness.catalogue.scenarios import Runner, select

Runners = Mapping[str, Runner]


MOST_NAMED = 3
"""If more models are as fast as the best, the choice does not matter."""
SHORT_NAMES = {"asyncio_tasks": "asyncio", "asyncio_uvloop": "asyncio on uvloop"}
BOTH_LOOPS = "asyncio with or without uvloop"
BOTH_LOOPS_LISTED = "asyncio (with or without uvloop)"


@functools.lru_cache(maxsize=1)  # many functions of pages ask for the same
def measured_maps(context: SiteContext) -> list[WorkMap]:
    """Return the maps, in the order of pages."""
    plain_builds = [each for each in context.site.current.get(SCENARIO, []) if not each.record.build.variant]
    return [drawn for each in plain_builds if (drawn := work_map(each)).points]


def first_map(context: SiteContext, *, gil: bool = True) -> WorkMap | None:
    """Return the first map, or its counterpart without the GIL; None without one."""
    maps = measured_maps(context)
    if gil or not maps or maps[0].result.record.build.free_threaded:
        return next(iter(maps), None)
    without = context.site.without_gil(maps[0].result, SCENARIO)
    return next((drawn for drawn in maps if drawn.result is without), None)


def shown_maps(context: SiteContext) -> list[WorkMap]:
    """Return the maps on Choose: with and without the GIL."""
    pair = (first_map(context, gil=gil) for gil in (True, False))
    return list({drawn.result.key: drawn for drawn in pair if drawn}.values())


def _others(context: SiteContext) -> list[WorkMap]:
    shown = {drawn.result.key for drawn in shown_maps(context)}
    return [drawn for drawn in measured_maps(context) if drawn.result.key not in shown]


def model_names(names: Iterable[str], runners: Runners) -> list[str]:
    """Return the names of models for sentences. asyncio with and without uvloop is one name."""
    models = [*names]
    both = {"asyncio_tasks", "asyncio_uvloop"} <= {*models}
    words = list(dict.fromkeys(BOTH_LOOPS if both and n in SHORT_NAMES else short_name(n, runners) for n in models))
    return words if words == [BOTH_LOOPS] else [BOTH_LOOPS_LISTED if each == BOTH_LOOPS else each for each in words]


def short_name(name: str, runners: Runners) -> str:
    return SHORT_NAMES.get(name) or runners[name].label


def list_models(names: Iterable[str], runners: Runners) -> str:
    words = model_names(names, runners)
    return words[0].replace(" with", ", with", 1) if words == [BOTH_LOOPS] else list_names(words)


def pages(context: SiteContext) -> dict[str, str]:
    """Return a page for each map that Choose does not show."""
    made = {}
    for drawn in _others(context):
        path, result = drawn.result.map_page, drawn.result
        models, foot = one_model_each(drawn), measured_on([result], path_to_root(path))
        facts = {"view": _view(context, drawn), "models": models, "measured_on": foot, "root": path_to_root(path)}
        made[path] = markdown("map.md", **facts, runners=context.site.scenarios[SCENARIO].runners)
    return made


def find_page(context: SiteContext, result: Result) -> str:
    """Return the page with the map of *result*, a path below docs/; empty without one."""
    own = {drawn.result.key: drawn.result.map_page for drawn in _others(context)}
    on_choose = {drawn.result.key: "choose.md" for drawn in shown_maps(context)}
    return (own | on_choose).get(result.key, "")


def _view(context: SiteContext, drawn: WorkMap) -> dict[str, Any]:
    """Return the content of a map's pictures and tables: a grid for each kind and number of tasks."""
    runners = context.site.scenarios[SCENARIO].runners
    grids: dict[tuple[str, int], list[MapPoint]] = {}
    for at in drawn.points:
        grids.setdefault((at.point.kind, at.point.tasks), []).append(at)
    views = [
        {
            "kind": kind,
            "tasks": tasks,
            "picture": _picture(runners, points),
            "rows": [(at, list_models(at.best, runners), list_models(at.undecided, runners)) for at in points],
        }
        for (kind, tasks), points in grids.items()
    ]
    return {
        "result": drawn.result,
        "map": drawn,
        "how": describe_optimisation(drawn.result.record.build),
        "grids": views,
    }


def _picture(runners: Runners, points: list[MapPoint]) -> Markup:
    return map_picture(points, {model: runner.family for model, runner in runners.items()})


class MapFunctions(Functions):
    """The functions about the map, for one page; with `gil=False` about the map without the GIL."""

    def __init__(self, context: SiteContext, page: str) -> None:
        super().__init__(context, page)
        self._runners: Runners = context.site.scenarios[SCENARIO].runners if SCENARIO in context.site.scenarios else {}

    def choose_pictures(self) -> Markup:
        """Return the maps of Choose as pictures and tables, and links to the others. `choose_pictures()`."""
        shown = shown_maps(self._context)
        if not shown:
            return not_drawn(MAP_COMMAND)
        return fragment(
            "work_map.html",
            root=self._root,
            shown=[_view(self._context, drawn) for drawn in shown],
            others=[drawn.result for drawn in _others(self._context)],
        )

    def one_model_table(self) -> Markup:
        """Return the cost of using one model for all work, for each map on Choose. `one_model_table()`."""
        views = [(drawn.result, one_model_each(drawn), drawn) for drawn in shown_maps(self._context)]
        return fragment("one_model.html", views=views, runners=self._runners)

    def rules_table(self) -> Markup:
        """Return how often each rule of thumb is right on each map. `rules_table()`."""
        maps = measured_maps(self._context)
        rows = [(drawn.result, each) for rule in RULES for drawn in maps if (each := score(drawn, rule))]
        gap = next(filter(None, map(untested, maps)), None)
        return fragment("map_rules.html", rules=RULES, own=OWN, rows=rows, gap=gap)

    def map_picture(self, tasks: int, *, gil: bool = True) -> Markup:
        """Return the picture of the map for a number of tasks that wait for timers. `map_picture(1_000)`."""
        drawn = first_map(self._context, gil=gil)
        points = [at for at in drawn.points if at.point[:2] == (MAIN_KIND, tasks)] if drawn else []
        if not points:
            return not_drawn(MAP_COMMAND)
        return Markup('<figure class="map" data-search-exclude><figcaption>{}, {}</figcaption>{}</figure>').format(
            count_noun(tasks, "task"), self.map_build(gil=gil), _picture(self._runners, points)
        )

    def map_build(self, *, gil: bool = True) -> str:
        """Name the build of the map. `map_build()`: "CPython 3.14.7"."""
        drawn = first_map(self._context, gil=gil)
        return describe_build(drawn.result.build) if drawn else NOT_MEASURED

    def map_measured_on(self) -> Markup:
        """Return the foot of an answer from the map: its builds, machine and runs. `map_measured_on()`."""
        return measured_on([drawn.result for drawn in shown_maps(self._context)], self._root)

    def best_by_family(self, *, gil: bool = True) -> str:
        """Count each family's best points: "asyncio at 50 of 66 points, threads at 21". `best_by_family()`."""
        drawn = first_map(self._context, gil=gil)
        points, families = judged_points(drawn) if drawn else [], {n: r.family for n, r in self._runners.items()}
        counts = Counter(name for at in points for name in {family_at(at.point, model, families) for model in at.best})
        if not counts:
            return NOT_MEASURED
        (family, most), *others = counts.most_common()
        rest = "".join(f", {name} at {number}" for name, number in others)
        return f"{family} at {most} of {count_noun(len(points), 'point')}{rest}"

    def fastest_at(self, tasks: int, compute_us: int, wait_us: int, *, gil: bool = True) -> str:
        """Name the best models at a point. `fastest_at(1_000, 0, 100_000)`: "asyncio or gevent greenlets (104 ms)"."""
        at = self._at(tasks, compute_us, wait_us, gil=gil)
        if at is None or not at.best:
            return NOT_MEASURED
        names = model_names(at.best, self._runners)
        time = format_estimate(at.measured[0].estimate, "ns")
        if len(names) > MOST_NAMED:
            return patterns.ANY_FASTEST_MODEL.format(count=len(names), time=time)
        perhaps = list_names(model_names(at.undecided, self._runners)[:MOST_NAMED], "or")
        best = f"{list_names(names, 'or')} ({time})"
        return patterns.BEST_AND_PERHAPS.format(best=best, perhaps=perhaps) if perhaps else best

    def behind_at(self, runner: str, tasks: int, compute_us: int, wait_us: int, *, gil: bool = True) -> str:
        """Compare a model with the fastest at a point. `behind_at("threads", 1_000, 0, 100_000)`."""
        select(self._runners, [runner], f"runner of {SCENARIO}")
        at = self._at(tasks, compute_us, wait_us, gil=gil)
        own, fastest = (at.standing(runner), at.measured[0].estimate) if at else (None, None)
        if own is None or fastest is None:
            return NOT_MEASURED
        if own.is_best:
            return patterns.AS_FAST_AS_ANY
        if own.bound_ns:
            ratio = patterns.AT_LEAST.format(format_ratio(own.bound_ns / fastest.value))
            return patterns.RATIO_BY_ARITHMETIC.format(patterns.TIMES_AS_LONG.format(ratio))
        return describe(own.behind, DURATION) if own.behind else strip_markup(own.reason)

    def _at(self, tasks: int, compute_us: int, wait_us: int, *, gil: bool) -> MapPoint | None:
        drawn = first_map(self._context, gil=gil)
        return drawn.at(Point(MAIN_KIND, tasks, compute_us, wait_us)) if drawn else None
