"""The functions of hand-written pages about the map: which model is fastest for which work.

The map is that of the current result, or, with *gil* false, of the same release without the GIL.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from markupsafe import Markup

from generate.charts.work_map import grid_of, picture
from generate.data.map_rules import judged_points, one_model_each, untested
from generate.data.selection import slug
from generate.data.work_map import MAIN_KIND, SCENARIO, Point, family_at
from generate.pages import choose, everyday, maps
from generate.pages.choose_answer import MOST_NAMED, list_models, model_names
from generate.pages.pieces import measured_on
from generate.pages.templates import fragment, not_drawn, root_of
from generate.words.builds import describe_build
from generate.words.names import list_names, strip_markup
from generate.words.numbers import NOT_MEASURED, count_noun, describe, format_estimate, format_ratio
from generate.words.repeat import MAP_COMMAND
from generate.words.units import DURATION
from runners.harness.catalogue.scenarios import select

if TYPE_CHECKING:
    from generate.data.map_rules import Gap
    from generate.data.work_map import MapPoint, WorkMap
    from generate.pages.context import SiteContext


class MapFunctions:
    """The functions about the map, for one page."""

    def __init__(self, context: SiteContext, page: str) -> None:
        """Make them for *page*, a path below docs/."""
        self._context, self._page = context, page
        self._runners = context.site.scenarios[SCENARIO].runners if SCENARIO in context.site.scenarios else {}
        self._families = {name: runner.family for name, runner in self._runners.items()}

    def choose_form(self) -> Markup:
        """Return the form that reads the map, to choose a model for a piece of work."""
        return choose.form(self._context, self._page)

    def choose_small(self) -> Markup:
        """Return a form that leads to the page Choose."""
        return choose.small_form(self._context, self._page)

    def choose_pictures(self) -> Markup:
        """Return the map as pictures and tables, and where those of other builds are."""
        return maps.pictures(self._context, self._page)

    def everyday_table(self) -> Markup:
        """Return, for each everyday piece of work, what the map advises, and what its own measurement shows."""
        return everyday.everyday_table(self._context, self._page)

    def one_model_table(self) -> Markup:
        """Return what it costs to use one model for all work, by each map that Choose shows."""
        return choose.one_model(self._context, self._page)

    def rules_table(self) -> Markup:
        """Return how often rules of thumb are right, over the maps."""
        return choose.rules(self._context, self._page)

    def map_build(self, *, gil: bool = True) -> str:
        """Name the build of the map."""
        found = choose.on_one_machine(self._context, gil=gil)
        return describe_build(found[0].build) if found else NOT_MEASURED

    def map_measured_on(self) -> Markup:
        """Return the foot of an answer from the map: its build, machine and runs."""
        found = [choose.on_one_machine(self._context, gil=gil) for gil in (True, False)]
        return measured_on(list(dict.fromkeys(each[0] for each in found if each)), root_of(self._page))

    def map_picture(self, tasks: int, *, gil: bool = True) -> Markup:
        """Return the picture of the map for so many tasks that wait for timers."""
        drawn = self._map(gil=gil)
        points = [at for at in drawn.points if at.point[:2] == (MAIN_KIND, tasks)] if drawn else []
        if not points:
            return not_drawn(MAP_COMMAND)
        name = slug(f"{self._page} {tasks} {'gil' if gil else 'no gil'}")
        return Markup('<figure class="map" data-search-exclude><figcaption>{}, {}</figcaption>{}</figure>').format(
            count_noun(tasks, "task"), self.map_build(gil=gil), picture(grid_of(points), self._families, name)
        )

    def best_by_family(self, *, gil: bool = True) -> str:
        """Say at how many points each family has a best model: "asyncio at 50 of 66 points, threads at 21, ..."."""
        drawn = self._map(gil=gil)
        points = judged_points(drawn) if drawn else []
        counts = Counter(
            family for at in points for family in {family_at(at.point, name, self._families) for name in at.best}
        )
        if not counts:
            return NOT_MEASURED
        (family, most), *others = counts.most_common()
        rest = "".join(f", {name} at {number}" for name, number in others)
        return f"{family} at {most} of {count_noun(len(points), 'point')}{rest}"

    def points_at_best(self, runner: str, *, gil: bool = True) -> str:
        """Say at how many points a model is the fastest, or as fast: "0 of 54 points"."""
        select(self._families, [runner], f"runner of {SCENARIO}")
        drawn = self._map(gil=gil)
        own = next((each for each in one_model_each(drawn) if each.runner == runner), None) if drawn else None
        return f"{own.best} of {count_noun(own.points, 'point')}" if own else NOT_MEASURED

    def much_computing(self) -> str:
        """Write the least computing in all on the map that our own rule gives to processes: "1 s"."""
        return gap.most if (gap := self._untested()) else NOT_MEASURED

    def some_computing(self) -> str:
        """Write the most computing in all on the map that our own rule does not give to processes: "0.1 s"."""
        return gap.least if (gap := self._untested()) else NOT_MEASURED

    def fastest_at(self, tasks: int, compute_us: int, wait_us: int, *, gil: bool = True, kind: str = MAIN_KIND) -> str:
        """Name the best models at a point: "asyncio or gevent greenlets (104 ms)", or their number if it is large."""
        at = self._at(Point(kind, tasks, compute_us, wait_us), gil=gil)
        if at is None or not at.best:
            return NOT_MEASURED
        names = model_names(at.best, self._runners)
        alike = f"any of {len(names)} models: take the simplest" if len(names) > MOST_NAMED else list_names(names, "or")
        maybe = list_names(model_names(at.undecided, self._runners)[:MOST_NAMED], "or")
        undecided = "" if not maybe or len(names) > MOST_NAMED else f"; perhaps {maybe}"
        return f"{alike} ({format_estimate(at.measured[0].estimate, 'ns')}){undecided}"

    def behind_at(  # noqa: PLR0913 - a place on the map, by name
        self, runner: str, tasks: int, compute_us: int, wait_us: int, *, gil: bool = True, kind: str = MAIN_KIND
    ) -> str:
        """Say how *runner* compares with the fastest at a point: "takes 2.1 times as long (2.0 to 2.2)"."""
        select(self._families, [runner], f"runner of {SCENARIO}")
        at = self._at(Point(kind, tasks, compute_us, wait_us), gil=gil)
        own, fastest = (at.standing(runner), at.measured[0].estimate) if at else (None, None)
        if own is None or fastest is None:
            return NOT_MEASURED
        if own.is_best:
            return "as fast as any"
        if own.bound_ns:
            return f"by arithmetic at least {format_ratio(own.bound_ns / fastest.value)} times as long"
        return describe(own.behind, DURATION) if own.behind else strip_markup(own.reason)

    def socket_table(self) -> Markup:
        """Return the points at which tasks wait for sockets, beside those at which they wait as long for timers."""
        baseline = self._context.site.scenarios[SCENARIO].baseline
        drawn = self._map()
        sockets = [at for at in drawn.points if at.point.kind == "sockets"] if drawn else []
        pairs = [(timer, at) for at in sockets if drawn and (timer := drawn.at(at.point._replace(kind=MAIN_KIND)))]
        rows = [
            (
                at.point,
                [list_models(each.best, self._runners) for each in (timer, at)],
                [each.standing(baseline) for each in (timer, at)],
            )
            for timer, at in pairs
        ]
        return fragment("map_sockets.html", rows=rows, baseline=self._runners[baseline].words)

    def _untested(self) -> Gap | None:
        drawn = self._map()
        return untested(drawn) if drawn else None

    def _map(self, *, gil: bool = True) -> WorkMap | None:
        found = choose.on_one_machine(self._context, gil=gil)
        return found[1] if found else None

    def _at(self, point: Point, *, gil: bool) -> MapPoint | None:
        drawn = self._map(gil=gil)
        return drawn.at(point) if drawn else None
