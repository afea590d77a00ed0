"""The map as pictures and tables: the first on Choose, with and without the GIL; any other on its own page. Pure."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from generate.charts.work_map import grid_of, picture
from generate.data.map_rules import one_model_each
from generate.data.record_view import calibration_difference
from generate.data.work_map import SCENARIO
from generate.pages.choose import families, measured_maps, shown_maps
from generate.pages.choose_answer import list_models
from generate.pages.pieces import measured_on
from generate.pages.templates import fragment, not_drawn, root_of
from generate.pages.templates import page as markdown
from generate.words.builds import describe_optimisation
from generate.words.repeat import MAP_COMMAND

if TYPE_CHECKING:
    from markupsafe import Markup

    from generate.data.selection import Result
    from generate.data.work_map import MapPoint, WorkMap
    from generate.pages.context import SiteContext

    Map = tuple[Result, WorkMap]


def pictures(context: SiteContext, page: str) -> Markup:
    """Return the first map, with and without the GIL, and links to the others."""
    shown, others = shown_maps(context), _others(context)
    if not shown:
        return not_drawn(MAP_COMMAND)
    return fragment(
        "work_map.html",
        root=root_of(page),
        shown=[_view(context, cell, each) for cell, each in shown],
        others=[cell for cell, _ in others],
        apart=[*filter(None, (_apart(one, other) for (one, _), (other, _) in pairwise(shown)))],
    )


def pages(context: SiteContext) -> dict[str, str]:
    """Return a page for each map that Choose does not show."""
    return {
        cell.map_page: markdown(
            "map.md",
            view=_view(context, cell, drawn),
            measured_on=measured_on([cell], root_of(cell.map_page)),
            models=one_model_each(drawn),
            runners=context.site.scenarios[SCENARIO].runners,
            root=root_of(cell.map_page),
        )
        for cell, drawn in _others(context)
    }


def page_of(context: SiteContext, cell: Result) -> str:
    """Return the page that has the map of *cell*, a path below docs/; empty if none has it."""
    own = {other.key: other.map_page for other, _ in _others(context)}
    on_choose = {other.key: "choose.md" for other, _ in shown_maps(context)}
    return (own | on_choose).get(cell.key, "")


def _others(context: SiteContext) -> list[Map]:
    shown = {cell.key for cell, _ in shown_maps(context)}
    return [(cell, drawn) for cell, drawn in measured_maps(context) if cell.key not in shown]


def _view(context: SiteContext, cell: Result, drawn: WorkMap) -> dict[str, Any]:
    of_runners, name = families(context, SCENARIO), cell.address
    runners = context.site.scenarios[SCENARIO].runners
    groups: dict[tuple[str, int], list[MapPoint]] = {}
    for point in drawn.points:
        groups.setdefault((point.point.kind, point.point.tasks), []).append(point)
    return {
        "cell": cell,
        "map": drawn,
        "how": describe_optimisation(cell.record.build),
        "grids": [
            {
                "kind": kind,
                "tasks": tasks,
                "picture": picture(grid_of(points), of_runners, f"map-{name}-{kind}-{tasks}"),
                "rows": [(at, list_models(at.best, runners), list_models(at.undecided, runners)) for at in points],
            }
            for (kind, tasks), points in groups.items()
        ],
    }


def _apart(one: Result, other: Result) -> str:
    """Describe how the work of two maps differs; empty if it does not."""
    return calibration_difference(one.record.run.calibration, other.record.run.calibration)
