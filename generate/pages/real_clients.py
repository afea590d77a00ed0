"""What the answer of Choose adds to work that waits for a network: how models did with real HTTP clients. Pure.

On the map a call is a wait and nothing else; what its client computes may turn the order round. Read for the build of
each map, in the words of the paragraph to which the answer leads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from generate.analysis.work_map import placed
from generate.text.builds import build_words
from generate.text.numbers import say
from generate.text.units import kind_of_metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from generate.analysis.selection import CellResult
    from generate.pages.context import SiteContext

SCENARIO, CASE = "download", "1,000 jobs, fixed latencies"
NAMES = {"asyncio_aiohttp": "aiohttp", "greenlets": "gevent"}
"""Those that are compared with threads."""
CLIENT_OF = {
    "asyncio_tasks": "asyncio_aiohttp",
    "asyncio_uvloop": "asyncio_aiohttp",
    "greenlets": "greenlets",
    "threads": "threads",
}
"""By model of the map, what downloaded in its manner."""


class Clients(TypedDict):
    """What was measured with real clients, as the form reads it."""

    said: str
    """How they compare with threads, in one run and in several."""
    on: str
    """The build, where that paragraph is of another; else empty."""
    front: dict[str, bool]
    """By model of the map, whether its like was at the front."""


def clients_of(context: SiteContext, cell: CellResult) -> Clients | None:
    """Return how real clients did on the machine and build of *cell*; None where too little of that was measured."""
    site = context.site
    alike = site.beside_each_other(SCENARIO, CASE, cell.host)
    measured = next((each for each in alike if each.cell == cell.cell), None)
    first = site.first(SCENARIO)
    said = _against_threads(context, measured) if measured else ""
    if measured is None or first is None or not said:
        return None
    on = "" if measured.file is first.file else f", on {build_words(measured.build)}"
    return Clients(said=said, on=on, front=_front(context, measured))


def _against_threads(context: SiteContext, cell: CellResult) -> str:
    """Say "gevent: 1.61 times as fast (1.49 to 1.70; 1.38 to 1.61 in 5 runs)", of each; empty where none is known."""
    metric = context.site.scenarios[SCENARIO].metrics[0]
    said = []
    for runner, name in NAMES.items():
        row = context.site.value(cell, SCENARIO, CASE, runner, metric.name)
        if row and row.against_baseline:
            words = say(row.against_baseline, kind_of_metric(metric), row.noise, row.ratios_of_runs)
            said.append(f"{name}: {words}")
    return "; ".join(said)


def _front(context: SiteContext, cell: CellResult) -> dict[str, bool]:
    keys = (SeriesKey(SCENARIO, CASE, runner, "subject") for runner in dict.fromkeys(CLIENT_OF.values()))
    alike = [series for key in keys if (series := cell.gated.view.series.get(key))]
    ranked = placed(cell.gated, alike, context.site.scenarios[SCENARIO].metrics[0])
    at_front = {each.series.runner: each.at_front for each in ranked}
    return {model: at_front[client] for model, client in CLIENT_OF.items() if client in at_front}
