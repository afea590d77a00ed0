"""Queue depth: how full does an asyncio queue get between one producer and one consumer?

One task puts 100,000 numbers into a queue and another takes them out. Right after each get, the consumer notes how many
are still in the queue, and how long this one was in it, from just before its put. All runners take these notes in the
same way, and the cost of the notes is in all their times. Of the 100,000 depths and delays the exact extremes are kept,
and 200 depths and 40 delays, evenly spaced. A depth is what a get left behind: a queue that never holds more than one
is seen at 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Presentation, Value

SOURCE = "S4"


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
    Metric(
        "items_per_second",
        "Items a second",
        "per_s",
        "higher",
        items_per_second,
        formula=("items_count / elapsed_ns * 1e9; null if elapsed_ns is 0"),
    ),
    Metric("depth_max_count", "Greatest depth seen at the consumer", "count", "lower"),
    Metric("depth_min_count", "Smallest depth seen at the consumer", "count", "neither"),
    Metric(
        "mean_latency_ns",
        "Mean time of an item in the queue",
        "ns",
        "lower",
        mean_latency_ns,
        kind="latency",
        formula=("item_latency_total_ns / items_count; null if items_count is 0"),
    ),
    Metric("item_latency_max_ns", "Longest time of an item in the queue", "ns", "lower", kind="latency"),
)
COLUMNS = {
    "items_count": "Items that arrived.",
    "depth_max_count": "The most items that a get left in the queue.",
    "depth_min_count": "The fewest items that a get left in the queue.",
    "depth_trace_count": "How many items a get left in the queue, at gets evenly spaced from the first to the last.",
    "item_latency_max_ns": "The longest time from just before an item's put to just after its get.",
    "item_latency_total_ns": "Sum of these times over all items.",
    "latency_trace_us": "These times, of items evenly spaced from the first to the last.",
}
INSIDE_THE_CLOCK = "making the event loop, all puts and gets and the notes taken of them, closing the loop"
IDEAL = Ideal("none: the cost of a put, a get and a task switch depends on the interpreter; the work sets no limit")
PRESENTATION: Presentation = {
    "case_names": {"published": "100,000 items"},
    "answered_by": "depth",
}
