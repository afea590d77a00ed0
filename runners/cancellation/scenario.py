"""Cancellation: how long until 1,000 tasks are gone, and what runs on?

A thousand tasks wait, 250 ms each. Once they wait, they are cancelled, in each library's own way: a group in which one
task fails, a gather or a scope that is cancelled, wait_for(timeout=0), greenlets that are killed, threads that are told
to end, a thread pool that is shut down. The first figure is the time from there until every task is gone and the
waiting code knows it; the second, the time until the waiting code goes on. Each task notes in its `finally` that it has
cleaned up; in the second case it waits 1 ms to do so.

Not every way cancels what has begun. If one task of a gather fails, if asyncio.wait times out, or if a pool is shut
down while its threads are at work, what has begun waits on to its end. The libraries document this: it is counted here,
not an error. The time until all are gone is then the rest of the 250 ms. A pool has the library's default number
of threads; tasks that none of them had begun are withdrawn and never begin. Threads that are told to end wait for that
signal, without the limit of 250 ms: to start a thousand of them may take longer than that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from runners.harness.contract import Presentation

SOURCE = "Q1"
METRICS = (
    Metric("gone_ns", "Time from the cancellation until every task is gone", "ns", "lower", kind="delay"),
    Metric("went_on_ns", "Time from the cancellation until the waiting code goes on", "ns", "lower", kind="delay"),
    Metric("ran_on_count", "Tasks that ran on to their end", "count", "lower"),
    Metric("left_count", "Tasks not yet gone when the waiting code goes on", "count", "lower"),
    Metric("cleaned_up_count", "Tasks that cleaned up", "count", "neither"),
    Metric("withdrawn_count", "Tasks that never began", "count", "neither"),
    Metric("elapsed_ns", "Time from making the tasks until all is over", "ns", "lower"),
)
COLUMNS = {
    "gone_ns": "From the cancellation until every task is gone and the waiting code knows it.",
    "went_on_ns": "From the cancellation until the waiting code for the tasks goes on.",
    "left_count": "Tasks that had begun, and had not cleaned up when the waiting code went on.",
    "ran_on_count": "Tasks that waited to the end of their wait.",
    "cleaned_up_count": "Tasks that cleaned up.",
    "withdrawn_count": "Tasks that were withdrawn before they began.",
}
INSIDE_THE_CLOCK = (
    "making the event loop and the tasks, 10 ms or more until all of them wait, cancelling them, closing the "
    "loop; the two times that are compared begin with the cancellation"
)
IDEAL = Ideal(
    "none: the cost of ending a waiting task depends on the interpreter and the library, and a task that is not"
    " cancelled ends with its own wait"
)
PRESENTATION: Presentation = {
    "case_names": {
        "published, tasks that wait": "1,000 tasks that wait",
        "published, tasks that clean up": "1,000 tasks that clean up for 1 ms",
    },
    "apart": ("gather_child_fails", "wait_timeout", "thread_pool_shutdown"),
    "notes": {
        "gather_cancel": "the waiting code goes on as soon as one task is gone, whether or not others still clean up",
        "gather_child_fails": "nothing is cancelled: the others wait to their end",
        "wait_timeout": "nothing is cancelled: the tasks wait to their end",
        "wait_for_timeout": "timeout=0: it expires at once, so no timer is in the figure",
        "thread_pool_shutdown": "what a thread had begun waits on to its end; the rest never begins",
        "trio_nursery/published, tasks that clean up": (
            "in a cancelled scope every further wait is cancelled as well, so each clean-up is shielded from that "
            "by a scope of its own, which is in the figure; asyncio cancels a task once, and what the task awaits "
            "after that goes on"
        ),
        "threads_event": "the threads wait for the word themselves: nothing from outside could end them",
    },
}
