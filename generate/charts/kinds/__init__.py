"""The kinds of charts, a module each, found by its name: nothing lists them.

In a kind, `draw` returns the chart of a case of one result, or None if it makes none for that; `PLACE` is its place
among the charts of a case. What a pointer that rests on a point is shown is the `hover` of its row or line.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from typing import TYPE_CHECKING

from generate.charts.chart import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from generate.charts.chart import Chart
    from generate.data.results import Results

    Draw = Callable[[Subject], Chart | None]


def find_kinds() -> Mapping[str, Draw]:
    """Find the function that draws each kind of chart, in their order on a page."""
    return _kinds_in(tuple(__path__))


@functools.cache  # each chart of a page asks for them
def _kinds_in(folders: tuple[str, ...]) -> Mapping[str, Draw]:
    names = [module.name for module in pkgutil.iter_modules(folders)]
    modules = {name: importlib.import_module(f"{__name__}.{name}") for name in names}
    return {name: modules[name].draw for name in sorted(names, key=lambda name: (modules[name].PLACE, name))}


def draw(site: Results, names: Iterable[str]) -> dict[tuple[str, str], list[Chart]]:
    """Draw the charts of every case of the scenarios *names*, by scenario and case."""
    return {(name, case): [*_charts(site, name, case)] for name in names for case in site.scenarios[name].cases}


def _charts(site: Results, name: str, case: str) -> Iterator[Chart]:
    """Yield the charts of one case, of each build of its current machine: the current build first."""
    first = site.first(name, case)
    for cell in sorted(site.on_one_machine(name, case), key=lambda cell: cell != first):
        charts = (
            draw_kind(Subject(site, cell, site.scenarios[name], case, kind)) for kind, draw_kind in find_kinds().items()
        )
        yield from filter(None, charts)
