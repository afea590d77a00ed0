"""Queue depth: how full does an asyncio queue get between one producer and one consumer?

One task puts 100,000 numbers into a queue and another takes them out. Right after each get, the consumer notes how
many are still in the queue, and how long this one was in it, from just before its put. All runners take these notes in
the same way, and what they cost is in all their times. Of the 100,000 depths and delays the exact extremes are kept,
and 200 depths and 40 delays, evenly spaced. A depth is what a get left behind: a queue that never holds more than one
is seen at 0.
"""

from __future__ import annotations

import time
from array import array
from typing import TYPE_CHECKING

from runners.harness.contract import Case, Ideal, Metric, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Surroundings, Value

SOURCE = "S4"
BASELINE = "unbounded"

DEPTH_POINTS = 200
LATENCY_POINTS = 40  # a delay follows from the depths; these are kept to see that it does

Item = tuple[int, int]

CASES = {"published": Case({"size": "published", "items": 100_000}, warm_up={"items": 100})}


def items_per_second(values: Mapping[str, Value]) -> float | None:
    """Return how many items went through in a second."""
    items, elapsed_ns = values.get("items_count"), values.get("elapsed_ns")
    if not isinstance(items, int) or not isinstance(elapsed_ns, int):
        return None
    return items / elapsed_ns * 1e9


def mean_latency_ns(values: Mapping[str, Value]) -> float | None:
    """Return how long an item is in the queue on average."""
    items, total_ns = values.get("items_count"), values.get("item_latency_total_ns")
    if not isinstance(items, int) or not isinstance(total_ns, int):
        return None
    return total_ns / items


METRICS = (
    Metric("elapsed_ns", "Time for all items", "ns", "lower"),
    Metric("items_per_second", "Items a second", "per_s", "higher", items_per_second),
    Metric("depth_max_count", "Greatest depth seen at the consumer", "count", "lower"),
    Metric("depth_min_count", "Smallest depth seen at the consumer", "count", "neither"),
    Metric("mean_latency_ns", "Mean time of an item in the queue", "ns", "lower", mean_latency_ns),
    Metric("item_latency_max_ns", "Longest time of an item in the queue", "ns", "lower"),
)
INSIDE_THE_CLOCK = "making the event loop, all puts and gets and the notes taken of them, closing the loop"
IDEAL = Ideal(
    "none: what a put, a get and a change of task cost is the interpreter's own affair, not a limit of the work"
)


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
