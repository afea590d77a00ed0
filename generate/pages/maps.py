"""The map as pictures and tables: the first, with and without the GIL, on the page Choose, each other on its own. Pure.

The pictures and tables of all maps would be most of one page, and more with every build and machine.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from generate.analysis import calibration
from generate.analysis.one_model import one_model_each
from generate.analysis.work_map import SCENARIO
from generate.charts.work_map import grid_of, picture
from generate.pages.choose import families, measured_maps, shown_maps
from generate.pages.provenance import measured_on
from generate.pages.templates import fragment, not_drawn, root_of
from generate.pages.templates import page as markdown
from generate.text.builds import how_optimised
from generate.text.names import slug
from generate.text.repeat import MAP_COMMAND

if TYPE_CHECKING:
    from markupsafe import Markup

    from generate.analysis.selection import CellResult
    from generate.analysis.work_map import MapPoint, Standing, WorkMap
    from generate.pages.context import SiteContext

    Map = tuple[CellResult, WorkMap]


def pictures(context: SiteContext, page: str) -> Markup:
    """Return the map of the first cell, that of its twin without the GIL beside it, and where the others are."""
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
            measured_on=measured_on(cell, SCENARIO),
            models=one_model_each(drawn),
            runners=context.site.scenarios[SCENARIO].runners,
            root=root_of(cell.map_page),
        )
        for cell, drawn in _others(context)
    }


def page_of(context: SiteContext, cell: CellResult) -> str:
    """Return the page that has the map of *cell*, a path below docs/; empty where this file has none that is shown."""
    of_own = {other.file.path: other.map_page for other, _ in _others(context)}
    on_choose = {other.file.path: "choose.md" for other, _ in shown_maps(context)}
    return (of_own | on_choose).get(cell.file.path, "")


def _others(context: SiteContext) -> list[Map]:
    shown = {cell.file.path for cell, _ in shown_maps(context)}
    return [(cell, drawn) for cell, drawn in measured_maps(context) if cell.file.path not in shown]


def _view(context: SiteContext, cell: CellResult, drawn: WorkMap) -> dict[str, Any]:
    of_runners, name = families(context, SCENARIO), slug(f"{cell.machine} {cell.build} {cell.record.run.id}")
    groups: dict[tuple[str, int], list[MapPoint]] = {}
    for point in drawn.points:
        groups.setdefault((point.point.kind, point.point.tasks), []).append(point)
    return {
        "cell": cell,
        "map": drawn,
        "how": how_optimised(cell.record.build),
        "grids": [
            {
                "kind": kind,
                "tasks": tasks,
                "picture": picture(grid_of(points), of_runners, f"map-{name}-{kind}-{tasks}"),
                "rows": [(point, [_words(context, standing) for standing in point.named_front]) for point in points],
            }
            for (kind, tasks), points in groups.items()
        ],
    }


def _words(context: SiteContext, standing: Standing) -> str:
    return context.site.scenarios[SCENARIO].runners[standing.runner].words


def _apart(one: CellResult, other: CellResult) -> str:
    """Say how what tasks computed differs between two maps; empty where it does not."""
    return calibration.difference(one.record.run.calibration, other.record.run.calibration)
