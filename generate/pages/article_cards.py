"""The articles as cards, each with the small picture that its first lines ask for; it opens the article too. Pure."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generate.charts import small
from generate.charts.bars import Row, bars_of, picture
from generate.charts.work_map import SHORT, grid_of
from generate.claims.marks import LETTERS, SYMBOLS
from generate.data.work_map import MAIN_KIND, SCENARIO
from generate.pages import choose
from generate.pages.article_list import Bars, Lanes, Map, Rounds, Verdicts
from generate.pages.templates import fragment, root_of
from generate.words.builds import describe_build
from generate.words.front_matter import FrontMatterError
from generate.words.numbers import count_noun, format_bounds, format_estimate
from generate.words.repeat import MAP_COMMAND, format_first_run
from runners.harness.catalogue.scenarios import select
from runners.harness.errors import UserError
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generate.data.selection import Result
    from generate.data.table import Summary
    from generate.pages.article_list import Article
    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Role

ROOM = 1.3
"""So many times shorter than those of a page the bars of a card are: their numbers need as much room on it."""
MOST_PARTS = 5
"""Of claims, a row of squares each."""
FEWEST_TO_DIFFER = 2
"""Of builds."""


class Drawn(NamedTuple):
    """A picture and what goes with it; or what is to be run, so that there is one."""

    svg: Markup = Markup()
    says: str = ""
    """What it shows, and on which build."""
    families: Mapping[str, str] = MappingProxyType({})
    """Names of the families in it."""
    lacks: str = ""
    """The command that measures it, if nothing was."""


def cards(context: SiteContext, page: str) -> Markup:
    """Return a card for each article: its picture, its question, what it is about. Raises FrontMatterError."""
    entries = [(article, _drawn(context, article)) for article in context.articles]
    return fragment("article_cards.html", entries=entries, root=root_of(page))


def opening(context: SiteContext, page: str) -> Markup:
    """Return the picture of an article's card, for below its title; empty without one."""
    drawn = next((_drawn(context, article) for article in context.articles if article.page == page), Drawn())
    return fragment("opening_picture.html", drawn=drawn)


def _drawn(context: SiteContext, article: Article) -> Drawn:
    wanted = article.picture
    try:
        match wanted:
            case None:
                return Drawn()
            case Bars():
                return _bars(context, wanted)
            case Rounds():
                return _rounds(context, wanted)
            case Map():
                return _map(context, wanted)
            case Lanes():
                return _lanes(wanted)
            case Verdicts():
                return _verdicts(context)
    except UserError as error:
        msg = f"{article.page}: picture: {error}"
        raise FrontMatterError(msg) from error


def _bars(context: SiteContext, of: Bars) -> Drawn:
    """Draw the values of the first result that has any."""
    scenario, metric = _named(context, of)
    every = ((cell, _values(context, cell, of, metric)) for cell in context.site.current[of.scenario])
    cell, values = next(((cell, values) for cell, values in every if any(values.values())), (None, {}))
    if cell is None:
        return Drawn(lacks=format_first_run(scenario, [case for _, *cases in of.rows.values() for case in cases]))
    free = context.site.without_gil(cell, of.scenario) if of.without_gil else None
    beside = _values(context, free, of, metric) if free else {}
    rows = [
        Row(
            name if row else f"{name}: no value",
            scenario.runners[of.rows[name][0]].family,
            [*bars_of(row), *bars_of(beside.get(name), is_second=True)],
        )
        for name, row in values.items()
    ]
    better = "" if metric.better == "neither" else f"; {metric.better} is better"
    lighter = f"; lighter: {describe_build(free.build)}" if free else ""
    says = f"{metric.title}{better}. {describe_build(cell.build)}{lighter}"
    written = [f"{name} {format_estimate(row.value, row.unit) if row else 'no value'}" for name, row in values.items()]
    return Drawn(picture(rows, metric.unit, f"{says}: {', '.join(written)}", room=ROOM), says)


def _named(context: SiteContext, of: Bars) -> tuple[Scenario, Metric]:
    """Return the scenario and the metric; raises UnknownNameError for these, a case or a runner that there is not."""
    scenario = _scenario(context, of.scenario)
    for runner, *cases in of.rows.values():
        select(scenario.runners, [runner], f"runner of {of.scenario}")
        select(scenario.cases, cases, f"case of {of.scenario}")
    metrics = {metric.name: metric for metric in scenario.metrics}
    return scenario, metrics[select(metrics, [of.metric] if of.metric else [], f"metric of {of.scenario}")[0]]


def _values(context: SiteContext, cell: Result, of: Bars, metric: Metric) -> dict[str, Summary | None]:
    """Return the value of each row, in the first of its cases that has one."""

    def value(runner: str, *cases: str) -> Summary | None:
        each = (context.site.value(cell, of.scenario, case, runner, metric.name) for case in cases)
        return next(filter(None, each), None)

    return {name: value(*place) for name, place in of.rows.items()}


def _rounds(context: SiteContext, of: Rounds) -> Drawn:
    scenario = _scenario(context, of.scenario)
    select(scenario.cases, [of.case], f"case of {of.scenario}")
    select(scenario.runners, [of.runner], f"runner of {of.scenario}")
    cell, metric, known = context.site.first(of.scenario, of.case), scenario.metrics[0], scenario.runners[of.runner]

    def values(role: Role) -> list[float]:
        key = SeriesKey(of.scenario, of.case, of.runner, role)
        return [*cell.newest.by_round(cell.newest.view.series.get(key), metric).values()] if cell else []

    every = [(known.words, known.family, values("subject")), ("the same again", known.family, values("control"))]
    rows = [row for row in every if row[2]]
    if cell is None or not rows:
        return Drawn(lacks=format_first_run(scenario, [of.case]))
    times = count_noun(len(rows[0][2]), "round")
    says = f"{metric.title}: the {times} of one run, and as many of the same code. {describe_build(cell.build)}"
    amounts = [amount for row in rows for amount in row[2]]
    written = format_bounds(min(amounts), max(amounts), metric.unit)
    return Drawn(small.dots(rows, metric.unit, f"{says}: {written}"), says)


def _map(context: SiteContext, of: Map) -> Drawn:
    found = choose.on_one_machine(context, gil=True)
    points = [at for at in found[1].points if at.point[:2] == (MAIN_KIND, of.tasks)] if found else []
    if found is None or not points:
        return Drawn(lacks=MAP_COMMAND)
    runners, grid = context.site.scenarios[SCENARIO].runners, grid_of(points)
    of_models = {name: runner.family for name, runner in runners.items()}
    rows: list[list[small.Marked | None]] = []
    for compute_us in grid.compute_us:
        at_each = [grid.points.get((compute_us, wait_us)) for wait_us in grid.wait_us]
        fronts = [at.families(of_models) if at and not at.is_undecided else [] for at in at_each]
        rows.append([small.Marked(front[0], is_tie=len(front) > 1) if front else None for front in fronts])
    families = dict.fromkeys(marked.family for row in rows for marked in row if marked)
    number = count_noun(of.tasks, "task")
    says = (
        f"Who is fastest for {number}: to the right each waits longer, downwards it computes more. "
        f"{describe_build(found[0].build)}"
    )
    named = {family: SHORT.get(family, family) for family in families}
    return Drawn(small.marks(rows, f"{says}: {', '.join(named.values())}"), says, named)


def _verdicts(context: SiteContext) -> Drawn:
    cells = context.board.current_cells()
    if len(cells) < FEWEST_TO_DIFFER:
        return Drawn(lacks='make report PYTHONS="3.13 3.14"')
    differing = [each.part for each in context.board.differences(cells)]
    parts = [part for part in differing if not part.written.depends_on][:MOST_PARTS]
    if not parts:
        return Drawn(says=f"No claim holds on one of {count_noun(len(cells), 'build')} and not on another")
    found = [[each.verdict for each in context.board.part_row(part, cells)] for part in parts]
    rows = [[(LETTERS[verdict], SYMBOLS[verdict]) for verdict in of_part] for of_part in found]
    first, last = describe_build(cells[0].build), describe_build(cells[-1].build)
    says = f"Claims that hold (✓) on some builds and not (✗) on others: a square a build, from {first} to {last}"
    return Drawn(small.squares(rows, f"{says}: {', '.join(part.id for part in parts)}"), says)


def _lanes(of: Lanes) -> Drawn:
    rows = [(name, family, written) for name, (family, *written) in of.rows.items()]
    says = "Filled: it computes; outlined: it waits"
    return Drawn(small.lanes(rows, f"{says}: {', '.join(of.rows)}"), says)


def _scenario(context: SiteContext, name: str) -> Scenario:
    scenarios = context.site.scenarios
    return scenarios[select(scenarios, [name], "scenario")[0]]
