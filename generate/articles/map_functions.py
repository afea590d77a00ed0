"""The functions of hand-written pages that speak of the map: which model is fastest for which work.

The map is that of the current result, or, where a page asks for it, of the same release without the GIL.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from markupsafe import Markup

from generate.analysis.map_rules import OWN, RULES_OF_CLAIMS, SHORT_COMPUTING_US, points_named, score, untested
from generate.analysis.one_model import CLOSE, judged_points, one_model_each
from generate.analysis.work_map import MAIN_KIND, SCENARIO, Point
from generate.charts.work_map import grid_of, picture
from generate.pages import choose, everyday, maps
from generate.pages.provenance import measured_on
from generate.pages.templates import fragment, not_drawn
from generate.text.builds import build_words
from generate.text.names import listed, listed_briefly, plain, slug
from generate.text.numbers import (
    NOT_MEASURED,
    counted,
    format_bound,
    format_ratio,
    format_ratio_interval,
    format_share,
    format_value,
)
from generate.text.repeat import MAP_COMMAND
from runners.harness.catalogue.scenarios import select
from runners.harness.measure import GIL_IS_BACK

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generate.analysis.map_rules import Gap, Score
    from generate.analysis.work_map import MapPoint, Standing, WorkMap
    from generate.pages.context import SiteContext
    from generate.statistics.bounds import Decision

WAYS: Mapping[Decision, str] = {
    "holds": "passes",
    "too close to call": "is too close to call",
    "does not hold": "fails",
}
"""What is said of our own rule by its verdict on a map that it had not seen."""


def _shares(scores: Mapping[str, Score]) -> str:
    """Say from which share to which."""
    least, most = (format_share(end(each.share.median for each in scores.values())) for end in (min, max))
    return least if least == most else f"{least} to {most}"


def _passes(made: Mapping[str, Score], tested: Mapping[str, Score]) -> str:
    """Say whether our own rule is right as often as was asked where it is tested; and where it was made and is not."""
    having = {verdict: [name for name, each in tested.items() if each.verdict == verdict] for verdict in WAYS}
    named = [(WAYS[verdict], names) for verdict, names in having.items() if names]
    said = [way if len(names) == len(tested) else f"{way} on {listed_briefly(names)}" for way, names in named]
    short = [name for name, each in made.items() if each.verdict == "does not hold"]
    if not short:
        return listed(said)
    joint = "and" if having["does not hold"] else "but"
    return f"{listed(said)}, {joint} falls short on {listed_briefly(short)}, from which it was made"


class MapFunctions:
    """The functions that speak of the map, for one page."""

    def __init__(self, context: SiteContext, page: str) -> None:
        """Make them for *page*, a path below docs/."""
        self._context, self._page = context, page
        runners = context.site.scenarios[SCENARIO].runners if SCENARIO in context.site.scenarios else {}
        self._families = {name: runner.family for name, runner in runners.items()}
        self._words = {name: runner.words for name, runner in runners.items()}

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
        """Return, for each everyday piece of work, whom the map has at the front, and whom its measurement has."""
        return everyday.everyday_table(self._context, self._page)

    def one_model_table(self) -> Markup:
        """Return what it costs to use one model for all work, by each map that Choose shows."""
        return choose.one_model(self._context, self._page)

    def rules_table(self) -> Markup:
        """Return how often rules of thumb are right, over the maps."""
        return choose.rules(self._context, self._page)

    def own_rule(self) -> str:
        """Say how far our own rule goes: on the maps that it was made from, and on those on which it is tested."""
        found = sorted(choose.measured_maps(self._context), key=lambda each: each[0].order)
        decided = [(cell, drawn) for cell, drawn in found if not drawn.why_undecided]
        scores = {build_words(cell.build): one for cell, drawn in decided if (one := score(drawn, OWN))}
        made, tested = ({name: each for name, each in scores.items() if each.is_test is of} for of in (False, True))
        if not made:
            return "No map that it was made from is decided here."
        said = f"On {listed_briefly([*made])}, from which it was made, it is right at {_shares(made)} of the points"
        if not tested:
            return f"{said}. No other map is decided yet, so it was not tested."
        others = f"on {listed_briefly([*tested])}, which it had not seen, at {_shares(tested)}"
        asked = f"Before anything was measured we had asked for {format_share(OWN.expected.low)}"
        return f"{said}; {others}. {asked}: it {_passes(made, tested)}."

    def points_of_rule(self, rule: str) -> str:
        """Say on how small pieces of work a rule that a claim makes is judged, since every point of the map counts.

        "Of the 14 points at which it names a model, 4 have a single task, and at 3 all tasks together compute for more
        than 0.1 s".
        """
        select(RULES_OF_CLAIMS, [rule], "rule of the map")
        drawn = self._map()
        points = points_named(drawn, RULES_OF_CLAIMS[rule]) if drawn else []
        if not points:
            return NOT_MEASURED
        single = sum(point.tasks == 1 for point in points)
        large = sum(point.tasks * point.compute_us > SHORT_COMPUTING_US for point in points)
        have = f"{single or 'none'} {'have' if single > 1 else 'has'} a single task"
        computing = f"at {large or 'none'} all tasks together compute for more than {SHORT_COMPUTING_US / 1e6:g} s"
        return f"of the {counted(len(points), 'point')} at which it names a model, {have}, and {computing}"

    def map_build(self, *, gil: bool = True) -> str:
        """Name the build of the map."""
        found = choose.beside_each_other(self._context, gil=gil)
        return plain(found[0].build) if found else NOT_MEASURED

    def map_measured_on(self) -> str:
        """Say of which machine, build and run the map is: the one beside which that without the GIL was measured."""
        found = choose.beside_each_other(self._context, gil=True)
        return measured_on(found[0], SCENARIO) if found else "This was not measured."

    def map_picture(self, tasks: int, *, gil: bool = True) -> Markup:
        """Return the picture of the map for so many tasks that wait for timers."""
        drawn = self._map(gil=gil)
        points = [at for at in drawn.points if at.point[:2] == (MAIN_KIND, tasks)] if drawn else []
        if not points:
            return not_drawn(MAP_COMMAND)
        name = slug(f"{self._page} {tasks} {'gil' if gil else 'no gil'}")
        return Markup('<figure class="map" data-search-exclude><figcaption>{}, {}</figcaption>{}</figure>').format(
            counted(tasks, "task"), self.map_build(gil=gil), picture(grid_of(points), self._families, name)
        )

    def map_fronts(self, *, gil: bool = True) -> str:
        """Say at how many points each family is at the front: "asyncio at 50 of 66 points, threads at 21, ..."."""
        drawn = self._map(gil=gil)
        if drawn is None:
            return NOT_MEASURED
        points = [at for at in judged_points(drawn) if not at.is_undecided]
        if not points:
            return "not decided at any point"
        at_front = Counter(family for at in points for family in at.front_families(self._families))
        (family, most), *others = at_front.most_common()
        rest = "".join(f", {name} at {number}" for name, number in others)
        return f"{family} at {most} of {counted(len(points), 'point')}{rest}"

    def map_lacks(self, *, gil: bool = False) -> str:
        """Say which models a map lacks because their imports turned the GIL back on; nothing where it lacks none."""
        drawn = self._map(gil=gil)
        series = drawn.gated.file.record.series if drawn else []
        back = {each.runner for each in series if each.scenario == SCENARIO and each.reason == GIL_IS_BACK[0]}
        if not back:
            return ""
        names = listed([self._words[runner] for runner in self._words if runner in back])
        return f" Not among them: {names}, whose imports turned the GIL back on."

    def points_at_front(self, runner: str, *, gil: bool = True) -> str:
        """Say at how many points a model is at the front: "0 of 54 points"."""
        select(self._families, [runner], f"runner of {SCENARIO}")
        drawn = self._map(gil=gil)
        of_runner = [each for each in one_model_each(drawn) if each.runner == runner] if drawn else []
        return f"{of_runner[0].at_front} of {counted(of_runner[0].points, 'point')}" if of_runner else NOT_MEASURED

    def much_computing(self) -> str:
        """Say from how much computing in all on the map was measured that our own rule gives to processes: "1 s"."""
        return gap.most if (gap := self._untested()) else NOT_MEASURED

    def some_computing(self) -> str:
        """Say what is the most computing in all on the map that our own rule does not give to processes: "0.1 s"."""
        return gap.least if (gap := self._untested()) else NOT_MEASURED

    def _untested(self) -> Gap | None:
        drawn = self._map()
        return untested(drawn) if drawn else None

    def fastest_at(self, tasks: int, compute_us: int, wait_us: int, *, gil: bool = True, kind: str = MAIN_KIND) -> str:
        """Say who is fastest at a point and who is within the noise of it: "asyncio tasks (104 ms), or greenlets"."""
        at = self._at(Point(kind, tasks, compute_us, wait_us), gil=gil)
        if at is None or not at.front:
            return NOT_MEASURED
        first, *others = at.named_front
        if at.is_undecided:
            least = f"{self._words[first.runner]} ({format_value(first.elapsed_ns, 'ns')})"
            return f"not decided (the least median: {least})"
        alike = "; within the noise of it: " + "; ".join(map(self._alike, others)) if others else ""
        return f"{self._words[first.runner]} ({format_value(first.elapsed_ns, 'ns')}){alike}"

    def behind_at(  # noqa: PLR0913 - a place on the map, by name
        self, runner: str, tasks: int, compute_us: int, wait_us: int, *, gil: bool = True, kind: str = MAIN_KIND
    ) -> str:
        """Say how far *runner* is behind the fastest at a point: "2.1 times the time of the fastest (2.0 to 2.2)"."""
        select(self._families, [runner], f"runner of {SCENARIO}")
        at = self._at(Point(kind, tasks, compute_us, wait_us), gil=gil)
        one = at.of(runner) if at else None
        if at is None or one is None or not at.front:
            return NOT_MEASURED
        if one.is_undecided or (one.at_front and at.is_undecided):
            taken = f" ({format_bound(one.behind.ratio)} times its time in this run)" if one.behind else ""
            return f"not distinguished from the fastest{taken}"
        if one.at_front:
            return "as fast as any, within the noise" if len(at.front) > 1 else "the fastest"
        if one.behind is not None:
            compared = one.behind
            ratio, bounds = format_bound(compared.ratio), format_ratio_interval(compared.low, compared.high)
            return f"{ratio} times the time of the fastest" + (f" ({bounds})" if bounds != ratio else "")
        if one.bound_ns is not None and at.front[0].elapsed_ns:
            at_least = format_ratio(one.bound_ns / at.front[0].elapsed_ns)
            return f"by arithmetic at least {at_least} times the time of the fastest"
        return plain(one.reason)

    def socket_table(self) -> Markup:
        """Return the points at which tasks wait for sockets, beside those at which they wait as long for timers."""
        baseline = self._context.site.scenarios[SCENARIO].baseline
        rows = [
            (at.point, [self._front(each) for each in (timer, at)], [each.of(baseline) for each in (timer, at)])
            for at, timer in self._sockets()
        ]
        return fragment("map_sockets.html", rows=rows, baseline=self._words[baseline])

    def sockets_agree(self) -> str:
        """Say in how many rows of that table both columns name the same models; nothing where none is decided."""
        every = self._sockets()
        decided = [pair for pair in every if not any(at.is_undecided or not self._front(at) for at in pair)]
        where = " in which both are decided" if len(decided) < len(every) else ""
        alike = [{*self._front(at)} == {*self._front(timer)} for at, timer in decided]
        if not alike:
            return ""
        if not any(alike):
            return f"In no row{where} do both columns name the same models."
        rows = "every row" if all(alike) else f"{sum(alike)} of {counted(len(alike), 'row')}"
        alike_words = f"In {rows}{where} both columns name the same models"
        return f"{alike_words}: there, what the map says of the fastest carries over."

    def _sockets(self) -> list[tuple[MapPoint, MapPoint]]:
        """Return the points at which tasks wait for sockets, each with that of tasks that wait as long for timers."""
        if (drawn := self._map()) is None:
            return []
        sockets = (at for at in drawn.points if at.point.kind == "sockets")
        return [(at, timer) for at in sockets if (timer := drawn.at(at.point._replace(kind=MAIN_KIND)))]

    def _alike(self, one: Standing) -> str:
        """Name a model within the noise of the fastest; where the noise is wide, with how far behind it seems to be."""
        if one.behind is None or one.behind.ratio <= CLOSE:
            return self._words[one.runner]
        return f"{self._words[one.runner]} ({format_ratio(one.behind.ratio)} times)"

    def _front(self, at: MapPoint) -> list[str]:
        return ["not decided"] if at.is_undecided else [self._words[standing.runner] for standing in at.named_front]

    def _map(self, *, gil: bool = True) -> WorkMap | None:
        found = choose.beside_each_other(self._context, gil=gil)
        return found[1] if found else None

    def _at(self, point: Point, *, gil: bool) -> MapPoint | None:
        drawn = self._map(gil=gil)
        return drawn.at(point) if drawn else None
