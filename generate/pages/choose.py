"""The page Choose: its form and answers, and tables of all maps. Pure."""

from __future__ import annotations

import functools
import json
from itertools import product
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from generate.charts.work_map import duration
from generate.data.map_rules import OWN, RULES, one_model_each, score, untested
from generate.data.work_map import SCENARIO, Point, work_map
from generate.pages.choose_answer import OPENS_WITH, answer, same_work, work_words
from generate.pages.real_clients import clients_of
from generate.pages.templates import fragment, root_of
from generate.words.machines import add_article
from generate.words.names import strip_markup
from generate.words.numbers import count_noun

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generate.data.selection import Result
    from generate.data.work_map import WorkMap
    from generate.pages.context import SiteContext

MAPS = "assets/maps"
"""Where the answers lie below docs/: a file a map."""
KINDS = {
    "timers": "loops in Python, waits for a timer",
    "sockets": "loops in Python, waits for a local server",
    "hashing": "computes in C without the GIL (hashing), waits for a timer",
}


class Offered(NamedTuple):
    """The values that the form offers; times in us."""

    kinds: Sequence[str]
    tasks: Sequence[int]
    compute: Sequence[int]
    wait: Sequence[int]

    def settings(self) -> Iterator[Point]:
        """Yield every setting of the form."""
        return (Point(*each) for each in product(*self))


@functools.lru_cache(maxsize=1)  # many functions of pages ask for the same
def measured_maps(context: SiteContext) -> list[tuple[Result, WorkMap]]:
    """Return the maps, the one that pages begin with first."""
    cells = [cell for cell in context.site.current.get(SCENARIO, []) if not cell.record.build.variant]
    return [(cell, drawn) for cell in cells if (drawn := work_map(cell)).points]


def on_one_machine(context: SiteContext, *, gil: bool) -> tuple[Result, WorkMap] | None:
    """Return the first map, or that of the same machine and release without the GIL; None if there is none."""
    found = measured_maps(context)
    if gil or not found or found[0][0].record.build.free_threaded:
        return next(iter(found), None)
    without = context.site.without_gil(found[0][0], SCENARIO)
    return next(((cell, drawn) for cell, drawn in found if cell is without), None)


def shown_maps(context: SiteContext) -> list[tuple[Result, WorkMap]]:
    """Return the maps that the page shows, with and without the GIL; each other one has a page of its own."""
    pair = (on_one_machine(context, gil=gil) for gil in (True, False))
    return [*{each[0].key: each for each in pair if each}.values()]


def offered(context: SiteContext) -> Offered:
    """Return the values that some map has."""
    points = [at.point for _, drawn in measured_maps(context) for at in drawn.points]
    return Offered(
        [kind for kind in KINDS if kind in {point.kind for point in points}],
        sorted({point.tasks for point in points}),
        sorted({point.compute_us for point in points}),
        sorted({point.wait_us for point in points}),
    )


def form(context: SiteContext, page: str) -> Markup:
    """Return the form with its first answer, and where those of each machine and build are."""
    found = measured_maps(context)
    if not found:
        return Markup("")
    files: dict[str, dict[str, str]] = {}
    for cell, _ in found:
        files.setdefault(cell.machine_key.key, {})[strip_markup(cell.build)] = (
            f"{root_of(page)}{MAPS}/{cell.address}.json"
        )
    cell, drawn = found[0]
    choices = offered(context)
    opens = {**OPENS_WITH._asdict(), "machine": cell.machine_key.key, "build": strip_markup(cell.build)}
    return fragment(
        "choose_form.html",
        files=files,
        machines={each.machine_key.key: context.site.machine_name(each.machine_key) for each, _ in found},
        opens={name.removesuffix("_us"): value for name, value in opens.items()},
        selects=_selects(drawn, choices),
        kinds={kind: KINDS[kind] for kind in choices.kinds},
        answer=_rendered(context, cell, drawn, OPENS_WITH),
    )


def _selects(drawn: WorkMap, choices: Offered) -> dict[str, dict[str, list[tuple[int, str]]]]:
    """Return what the selects offer as the page opens: measured values first, as choose.js keeps it."""
    labels = {"tasks": "{:,}".format, "compute": _duration, "wait": _duration}
    fields = {"tasks": "tasks", "compute": "compute_us", "wait": "wait_us"}
    selects = {}
    for name, label in labels.items():
        groups: dict[str, list[tuple[int, str]]] = {"Measured": [], "Not measured": []}
        for value in getattr(choices, name):
            at = drawn.at(same_work(OPENS_WITH._replace(**{fields[name]: value})))
            groups["Measured" if at else "Not measured"].append((value, label(value)))
        selects[name] = {title: options for title, options in groups.items() if options}
    return selects


def _duration(duration_us: int) -> str:
    return duration(duration_us) if duration_us else "not at all"


def _rendered(context: SiteContext, cell: Result, drawn: WorkMap, point: Point) -> tuple[Markup, Markup]:
    """Render an answer: its sentences, and its table."""
    runners = context.site.scenarios[SCENARIO].runners
    found = answer(drawn, point, runners, clients_of(context.site, cell))
    machine = f"{add_article(cell.machine_name)} ({strip_markup(cell.record.machine.cpu)})"
    runs = f"{count_noun(len(cell.runs), 'run')}, {cell.record.run.started[:10]}"
    where = f"{work_words(found.point)}. {strip_markup(cell.build)} on {machine}, {runs}."
    said = fragment("choose_answer.html", answer=found)
    return said, fragment("choose_models.html", answer=found, where=where, raw=quote(cell.file.path))


def fetched(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Yield the answers of each map, path and JSON: by setting, HTML or the setting of the same work."""
    for cell, drawn in measured_maps(context):
        points = [*offered(context).settings()]
        measured = [_key(point) for point in points if drawn.at(same_work(point))]
        answers = {
            _key(point): _rendered(context, cell, drawn, point) if point == same_work(point) else _key(same_work(point))
            for point in points
        }
        yield f"{MAPS}/{cell.address}.json", json.dumps({"measured": measured, "answers": answers}, ensure_ascii=False)


def _key(point: Point) -> str:
    return "/".join(map(str, point))


def small_form(context: SiteContext, page: str) -> Markup:
    """Return a form that leads to the page; nothing without a map."""
    if not measured_maps(context):
        return Markup("")
    choices = offered(context)
    selects = {
        "tasks": ("Tasks at once", OPENS_WITH.tasks, [(value, f"{value:,}") for value in choices.tasks]),
        "compute": ("Each computes", OPENS_WITH.compute_us, [(us, _duration(us)) for us in choices.compute]),
        "wait": ("Each waits", OPENS_WITH.wait_us, [(us, _duration(us)) for us in choices.wait]),
    }
    return fragment("choose_small.html", root=root_of(page), selects=selects)


def rules(context: SiteContext, page: str) -> Markup:
    """Return how often each rule of thumb is right, on each map."""
    found = measured_maps(context)
    rows = [(cell, each) for rule in RULES for cell, drawn in found if (each := score(drawn, rule))]
    gap = next(filter(None, (untested(drawn) for _, drawn in found)), None)
    return fragment("map_rules.html", rules=RULES, own=OWN, rows=rows, gap=gap, root=root_of(page))


def one_model(context: SiteContext, page: str) -> Markup:
    """Return what it costs to use one model for all work, by each map that the page shows."""
    views = [(cell, one_model_each(drawn), drawn) for cell, drawn in shown_maps(context)]
    runners = context.site.scenarios[SCENARIO].runners
    return fragment("one_model.html", views=views, runners=runners, root=root_of(page))


def families(context: SiteContext, scenario: str) -> dict[str, str]:
    """Return the family of each runner of *scenario*."""
    return {name: runner.family for name, runner in context.site.scenarios[scenario].runners.items()}
