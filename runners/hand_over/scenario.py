"""Hand-over: what does it cost to switch from one task to another?

A token goes round among tasks and is handed on 5,000 times in all. The task that has it notes the time and hands it to
the next, which was waiting for it, and nothing else is done. So the time between two notes is what it costs to put a
value where the next task looks for it, to wake that task and to go to sleep. Two tasks hand the token to and fro; in a
ring of 100, each wakes the next while the 98 others wait.

Tasks are threads, greenlets, asyncio or trio tasks, generators, or processes. The token goes through an event, a queue,
a channel or a pipe. Generators are the floor: a plain loop resumes them in turn, with no scheduler and nothing between
them. The plain switch of greenlets and asyncio's sleep(0) have no token either: the order of the tasks is all there is.
Processes are measured only as a pair: a ring of 100 of them would be mostly their start.

Every figure includes reading the clock, which is much of the floor. The result counts only if each task had the token
as often as it should and never before its turn.

The scenario can't show a switch among tasks that compete for a core, as in a server under load, or what a switch costs
in lost caches: these tasks hold next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric
from runners.harness.metrics import quotient

if TYPE_CHECKING:
    from runners.harness.contract import Presentation

SOURCE = "W11"
METRICS = (
    Metric(
        "hand_over_ns",
        "Mean time of a hand-over",
        "ns",
        "lower",
        quotient("handing_over_ns", "hand_overs_count"),
        formula=("handing_over_ns / hand_overs_count; null if hand_overs_count is 0"),
    ),
    Metric("hand_over_median_ns", "Median time of a hand-over", "ns", "lower"),
    Metric("hand_over_longest_ns", "Longest time of a hand-over", "ns", "lower"),
    Metric("elapsed_ns", "Time for all hand-overs, start and end included", "ns", "lower"),
    Metric("hand_overs_count", "Hand-overs", "count", "neither"),
)
COLUMNS = {
    "hand_overs_count": "How often the token was handed over: once less than a task had it.",
    "handing_over_ns": "From when the first task first had the token to when the last task last had it.",
    "hand_over_median_ns": "Median of the times from when a task had the token to when the next had it.",
    "hand_over_longest_ns": "The longest of these times.",
}
INSIDE_THE_CLOCK = (
    "the hand-overs, from the first task's first note of the time to the last task's last; the time for all "
    "hand-overs also includes making the event loop (except gevent's, which the warm-up has made), starting the"
    " tasks and ending them"
)
IDEAL = Ideal("none: the cost of a switch depends on the interpreter and the system; the work sets no limit")
PRESENTATION: Presentation = {
    "case_names": {"ring of 100 tasks": "a ring of 100 tasks"},
    "apart": ("generators",),
    "notes": {
        "trio_channel": (
            "trio's send lets other tasks run each time, even if there is room, as every await of trio's own "
            "functions does; put returns at once on the queues of asyncio and gevent, which have no bound. So a "
            "trio task is resumed twice for each hand-over, and not once. send_nowait would not pause."
        ),
    },
}
