"""Gather tree: what do eager tasks, and a gather that knows them, save?

A tree of coroutines has six branches at every level. Each coroutine waits for its children together, and only the
leaves do anything. A leaf does nothing (none), sleeps 50 ms (io), draws a number from 1 to 100 and sleeps unless the
number is at most 90 and was drawn before (memoization), or half the time computes the factorial of 500 and otherwise
does what a leaf of memoization does (cpu_io_mixed). The draws are seeded: every sample of a case has the same tree.
Every coroutine returns how many leaves it reached, which reveals a gather that loses or doubles a result.

The old gather waits for a callback from each child, as asyncio's did before Python 3.12; the new one counts a child
that has finished already. Both are ours, and equal in all else.

The published tree is six levels deep (46,656 leaves). Five levels (7,776 leaves) serve for a quick look. The single
wait of 50 ms is a larger part of their time, so plain and eager tasks may compare differently: claims are only judged
on the published tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Presentation, Value

SOURCE = "S3"
METRICS = (
    Metric("elapsed_ns", "Time for the whole tree", "ns", "lower"),
    Metric("nested_awaits_ns", "The same tree as plain nested awaits, with the waits left out", "ns", "neither"),
    Metric("waits_count", "Leaves that waited", "count", "neither"),
)
COLUMNS = {
    "nested_awaits_ns": (
        "Time for the same tree as plain nested awaits that never wait, without an event loop, after the clock has "
        "stopped: the best of several tries."
    ),
    "waits_count": "Leaves that waited.",
}
INSIDE_THE_CLOCK = "making the event loop, the whole tree, closing the loop"


def ideal_ns(parameters: Parameters, _cores: int, baseline: Mapping[str, Value]) -> float | None:
    """Return the time that no way of running the tree in one thread can beat, from the baseline of the same round."""
    calls_ns, waits = baseline.get("nested_awaits_ns"), baseline.get("waits_count")
    if not isinstance(calls_ns, int):
        return None
    return max(calls_ns, float(parameters["wait_s"]) * 1e9 if waits else 0.0)


IDEAL = Ideal(
    "only the calls: the same coroutines awaited one in another without tasks or an event loop, the waits left "
    "out, the best of several tries; or, if leaves wait, one sleep of 50 ms, if that is longer",
    ideal_ns,
)
PRESENTATION: Presentation = {
    "case_names": {
        "depth 5, none": "five levels, leaves that do nothing",
        "depth 5, io": "five levels, leaves that all wait",
        "depth 5, memoization": "five levels, leaves that remember and wait",
        "depth 5, cpu_io_mixed": "five levels, leaves that compute or wait",
        "published, none": "six levels, leaves that do nothing",
        "published, io": "six levels, leaves that all wait",
        "published, memoization": "six levels, leaves that remember and wait",
        "published, cpu_io_mixed": "six levels, leaves that compute or wait",
    },
    "answers": (
        ("gather_before_eager", "gather_before"),
        ("gather_after_eager", "gather_before_eager"),
        ("gather_after", "gather_before"),
    ),
    "apart": ("nested_awaits",),
}
