"""Queue depth: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

import time
from array import array
from typing import TYPE_CHECKING

from runners.harness.contract import Case, Outcome

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "unbounded"

DEPTH_POINTS = 200
LATENCY_POINTS = 40  # a delay follows from the depths; these are kept to see that it does

Item = tuple[int, int]

CASES = {"published": Case({"size": "published", "items": 100_000}, warm_up={"items": 100})}


class Job:
    """What a runner gets: how many items to send, how to make one, and where to say that one has arrived."""

    def __init__(self, items: int) -> None:
        """Begin with nothing sent."""
        self.items = items
        self.numbers = array("q")
        self.latencies_ns = array("q")
        self.depths = array("q")

    def produce(self, number: int) -> Item:
        """Make the item that is to be put now: the number, and the time."""
        return number, time.perf_counter_ns()

    def consume(self, item: Item, depth: int) -> None:
        """Note that *item* has arrived and left *depth* others in the queue."""
        number, produced_ns = item
        self.latencies_ns.append(time.perf_counter_ns() - produced_ns)
        self.numbers.append(number)
        self.depths.append(depth)


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return Job(int(parameters["items"]))


def at_once(_job: Job) -> dict[str, int]:
    """Name no limit: nothing is worked at here."""
    return {}


def _evenly_spaced(values: array[int], most: int) -> list[int]:
    last = len(values) - 1
    points = min(most, len(values))
    return [values[point * last // max(1, points - 1)] for point in range(points)]


def judge(job: Job, _returned: None) -> Outcome:
    """Check that every item arrived, in order, and shorten the traces."""
    wrong = ""
    if job.numbers != array("q", range(job.items)):
        wrong = f"{job.items} items are to arrive in order; {len(job.numbers)} arrived"
        wrong += ", not in order" if len(job.numbers) == job.items else ""
    values: dict[str, Value] = {
        "items_count": len(job.numbers),
        "depth_max_count": max(job.depths, default=None),
        "depth_min_count": min(job.depths, default=None),
        "item_latency_max_ns": max(job.latencies_ns, default=None),
        "item_latency_total_ns": sum(job.latencies_ns),
        "depth_trace_count": _evenly_spaced(job.depths, DEPTH_POINTS),
        "latency_trace_us": [latency_ns // 1000 for latency_ns in _evenly_spaced(job.latencies_ns, LATENCY_POINTS)],
    }
    return Outcome(values, [], wrong)
