"""The kinds of charts. Each has a function that draws a case of one result, or returns None."""

from collections.abc import Iterable

from generate.charts.chart import Chart, Subject
from generate.charts.kinds import bars, builds, curve, samples
from generate.data.results import Results

KINDS = {
    "bars": bars.draw,
    "curve": curve.draw,
    "latencies": samples.draw_latencies,
    "depth": samples.draw_depth,
    "builds": builds.draw,
}
"""In their order on a page."""


def draw(site: Results, names: Iterable[str]) -> dict[tuple[str, str], list[Chart]]:
    """Draw the charts of every case of the scenarios *names*, for the result that pages show, by scenario and case."""
    charts: dict[tuple[str, str], list[Chart]] = {}
    for scenario in (site.scenarios[name] for name in names):
        for case in scenario.cases:
            result = site.first(scenario.name, case)
            subjects = [Subject(site, result, scenario, case, kind) for kind in KINDS] if result else []
            charts[scenario.name, case] = [*filter(None, (KINDS[subject.kind](subject) for subject in subjects))]
    return charts
