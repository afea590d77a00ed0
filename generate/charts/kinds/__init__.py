"""The kinds of charts, one module each. They are found by name; nothing lists them.

Each module has `draw`, which returns the chart of a case of one result, or None, and `PLACE`, its place among the
charts of a case. The `hover` of a row or line is its text for pointers.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from generate.charts.chart import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from generate.charts.chart import Chart
    from generate.data.results import Results

    Draw = Callable[[Subject], Chart | None]


def find_kinds() -> Mapping[str, Draw]:
    """Find the function that draws each kind of chart, in their order on a page."""
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    modules = {name: importlib.import_module(f"{__name__}.{name}") for name in names}
    return {name: modules[name].draw for name in sorted(names, key=lambda name: modules[name].PLACE)}


def draw(site: Results, names: Iterable[str]) -> dict[tuple[str, str], list[Chart]]:
    """Draw the charts of every case of the scenarios *names*, for the result that pages show, by scenario and case."""
    charts: dict[tuple[str, str], list[Chart]] = {}
    kinds = find_kinds()
    for scenario in (site.scenarios[name] for name in names):
        for case in scenario.cases:
            result = site.first(scenario.name, case)
            subjects = [Subject(site, result, scenario, case, kind) for kind in kinds] if result else []
            drawn = (kinds[subject.kind](subject) for subject in subjects)
            charts[scenario.name, case] = [*filter(None, drawn)]
    return charts
