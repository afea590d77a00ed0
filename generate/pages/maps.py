"""The map of each model's costs by kind of work: its pictures, tables, pages and functions.

Choose shows the first map, with and without the GIL. Each of the others has a page of its own.
"""

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from generate.charts.grids import STEPS, map_picture
from generate.data.map_rules import OWN, RULES, one_model_each, score
from generate.data.selection import Result
from generate.data.work_map import MAIN_KIND, SCENARIO, Cost, MapPoint, Point, WorkMap, work_map
from generate.pages.pieces import Functions, SiteContext, measured_on
from generate.pages.templates import fragment, not_drawn, path_to_root
from generate.pages.templates import page as markdown
from generate.words import patterns
from generate.words.builds import describe_optimisation
from generate.words.names import list_names, strip_markup
from generate.words.numbers import count_noun, describe, format_ratio
from generate.words.patterns import NOT_MEASURED
from generate.words.repeat import MAP_COMMAND
from generate.words.units import DURATION
from runners.harness.catalogue.scenarios import Runner, select

Runners = Mapping[str, Runner]


PICTURED = ("asyncio_tasks", "threads")
"""The models whose costs are drawn: those that most programs use."""
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


def _view(context: SiteContext, drawn: WorkMap, *, is_linked: bool = False) -> dict[str, Any]:
    """Return the content of a map's pictures and tables, for each kind and number of tasks.

    If *is_linked*, each point is an anchor in the tables, to which the pictures link.
    """
    runners = context.site.scenarios[SCENARIO].runners
    grids: dict[tuple[str, int], list[MapPoint]] = {}
    for at in drawn.points:
        grids.setdefault((at.point.kind, at.point.tasks), []).append(at)
    models = {name: short_name(name, runners) for name in PICTURED if name in drawn.models}
    timers = [(tasks, points) for (kind, tasks), points in grids.items() if kind == MAIN_KIND]
    pictures = [
        (
            words,
            "" if drawn.why_undecided else _sum_up([at.cost(name) for _, points in timers for at in points]),
            [(tasks, map_picture(points, name, words, is_linked=is_linked)) for tasks, points in timers],
        )
        for name, words in models.items()
    ]
    tables = [
        (kind, tasks, [(at, list_models(at.best, runners), list_models(at.undecided, runners)) for at in points])
        for (kind, tasks), points in grids.items()
    ]
    return {
        "result": drawn.result,
        "map": drawn,
        "how": describe_optimisation(drawn.result.record.build),
        "steps": STEPS[1:],
        "models": models,
        "pictures": pictures,
        "tables": tables,
        "is_linked": is_linked,
    }


def _sum_up(costs: Iterable[Cost | None]) -> str:
    """Count the squares in which a model is good enough. A bound below the limit leaves that open."""
    known, limit = [*filter(None, costs)], STEPS[1]
    decided = [each for each in known if each.state != "undecided"]
    above = sum(each.ratio > limit for each in decided)
    within = sum(each.ratio <= limit and not each.is_bound for each in decided)
    undecided = len(known) - within - above
    return patterns.MAP_HABIT.format(limit=limit, within=within, count=len(known), above=above, undecided=undecided)


def _range_shares(shares: Sequence[float]) -> str:
    if not shares:
        return ""
    percent = dict.fromkeys(f"{limit(shares):.0%}".removesuffix("%") for limit in (min, max))
    return patterns.RULE_SHARES.format(percent=" to ".join(percent), maps=count_noun(len(shares), "map"))


class MapFunctions(Functions):
    """The functions about the map, for one page."""

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
            shown=[_view(self._context, drawn, is_linked=drawn is shown[0]) for drawn in shown],
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
        rules = [(rule, _range_shares([each.share.value for _, each in rows if each.rule is rule])) for rule in RULES]
        return fragment("map_rules.html", rules=rules, own=OWN, rows=rows)

    def behind_at(self, runner: str, tasks: int, compute_us: int, wait_us: int, *, gil: bool = True) -> str:
        """Compare a model with the fastest at a point. `behind_at("threads", 1_000, 0, 100_000)`."""
        select(self._runners, [runner], f"runner of {SCENARIO}")
        drawn = first_map(self._context, gil=gil)
        at = drawn.at(Point(MAIN_KIND, tasks, compute_us, wait_us)) if drawn else None
        own, cost = (at.standing(runner), at.cost(runner)) if at else (None, None)
        if own is None:
            return NOT_MEASURED
        if cost is None:
            return strip_markup(own.reason)
        if cost.is_best:
            return patterns.AS_FAST_AS_ANY
        if cost.is_bound:
            ratio = patterns.AT_LEAST.format(format_ratio(cost.ratio))
            return patterns.RATIO_BY_ARITHMETIC.format(patterns.TIMES_AS_LONG.format(ratio))
        return describe(own.behind, DURATION)
