"""How models did with real HTTP clients, for answers of Choose about work that may be calls over a network. Pure.

On the map a call is a wait and nothing else; what a client computes may reverse the order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generate.data.work_map import ranked
from generate.words.numbers import describe
from generate.words.units import kind_of_metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generate.data.results import Results
    from generate.data.selection import Result

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


class Clients(NamedTuple):
    """What was measured with real clients."""

    against_threads: str
    best: Mapping[str, bool]
    """By model of the map, whether its client was the fastest, or as fast."""


def clients_of(site: Results, cell: Result) -> Clients | None:
    """Return how real clients did on the machine and build of *cell*; None if they were not measured there."""
    if SCENARIO not in site.scenarios:
        return None
    result = next((each for each in site.current[SCENARIO] if each.key == cell.key), None)
    metric = site.scenarios[SCENARIO].metrics[0]
    keys = {runner: SeriesKey(SCENARIO, CASE, runner, "subject") for runner in CLIENT_OF.values()}
    ratios = {name: result and result.against_baseline(keys[runner], metric) for runner, name in NAMES.items()}
    compared = [f"{name} {describe(ratio, kind_of_metric(metric))}" for name, ratio in ratios.items() if ratio]
    if result is None or not compared:
        return None
    best = {each.runner: each.is_best for each in ranked(result, keys.values(), metric)}
    return Clients("; ".join(compared), {model: best[client] for model, client in CLIENT_OF.items() if client in best})
