"""Hand-over: what does it cost to switch from one task to another?

A token goes round among tasks, 5,000 times in all: one has it, notes the time and hands it to the next, which was
waiting for it. Nothing else is done, so that the time between two notes is what it costs to put a value where the other
looks for it, to wake the other and to go to sleep oneself. Two tasks hand it to and fro; in a ring of 100, each wakes
the next, and there are 98 others that wait meanwhile.

Tasks are threads, greenlets, asyncio or trio tasks, generators, or processes; between them is an event, a queue or a
pipe, one for each task. Generators are the floor: a plain loop resumes them in turn, with neither a scheduler nor
anything between them. The plain switch of greenlets and the sleep(0) of asyncio have no token either: the order of the
tasks is all there is. Processes are two alone: a ring of 100 would be about starting them.

The note of the time is in all figures alike; it is about 0.1 µs, so that the floor is mostly the note. The result
counts only if each task had the token as often as it should and none before its turn.

It can't show a switch among tasks that compete for a core, as in a server under load, nor what the caches lose by it:
these tasks have next to nothing in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Value

SOURCE = "W11"


def hand_over_ns(values: Mapping[str, Value]) -> float | None:
    """Return how long a hand-over takes on average, without the start and the end of the tasks."""
    count, total_ns = values.get("hand_overs_count"), values.get("handing_over_ns")
    return total_ns / count if isinstance(count, int) and count and isinstance(total_ns, int) else None


METRICS = (
    Metric("hand_over_ns", "Time of a hand-over", "ns", "lower", hand_over_ns, kind="latency"),
    Metric("hand_over_median_ns", "Median time of a hand-over", "ns", "lower", kind="latency"),
    Metric("hand_over_longest_ns", "Longest time of a hand-over", "ns", "lower", kind="latency"),
    Metric("elapsed_ns", "Time for all hand-overs, with start and end", "ns", "lower"),
    Metric("hand_overs_count", "Hand-overs", "count", "neither"),
)
INSIDE_THE_CLOCK = (
    "the hand-overs, from the first task's first note of the time to the last one's last; in the time for all, making"
    " the event loop, starting the tasks and ending them as well"
)
IDEAL = Ideal("none: what a switch costs is the interpreter's and the system's own affair, not a limit of the work")
CASE_NAMES = {"ring of 100 tasks": "a ring of 100 tasks"}
