"""Draws the charts of each case, of every kind that is found. Nothing else knows which kinds there are."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from typing import TYPE_CHECKING

from generate.charts import kinds
from generate.charts.chart import Chart, Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from generate.data.results import Results

    Draw = Callable[[Subject], Chart | None]


def find_kinds() -> Mapping[str, Draw]:
    """Find the function that draws each kind of chart, in the order in which they stand on a page."""
    return _kinds_in(tuple(kinds.__path__))


@functools.cache  # each chart of a page asks for them
def _kinds_in(folders: tuple[str, ...]) -> Mapping[str, Draw]:
    names = [found.name for found in pkgutil.iter_modules(folders)]
    modules = {name: importlib.import_module(f"{kinds.__name__}.{name}") for name in names}
    return {name: modules[name].draw for name in sorted(names, key=lambda name: (modules[name].PLACE, name))}


def draw(site: Results, names: Iterable[str]) -> dict[tuple[str, str], list[Chart]]:
    """Draw the charts of every case of the scenarios *names*, by scenario and case."""
    found = find_kinds()
    return {(name, case): _charts(site, name, case, found) for name in names for case in site.scenarios[name].cases}


def _charts(site: Results, name: str, case: str, found: Mapping[str, Draw]) -> list[Chart]:
    """Return the charts of one case, of each build of its current machine: the current build first."""
    first, scenario = site.first(name, case), site.scenarios[name]
    cells = sorted(site.on_one_machine(name, case), key=lambda cell: cell != first)
    drawn = [
        draw_kind(Subject(site, cell, scenario, case, kind)) for cell in cells for kind, draw_kind in found.items()
    ]
    return [chart for chart in drawn if chart]
