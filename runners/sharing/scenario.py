"""Sharing: do two threads help if they share objects?

A worker takes steps, each of which counts one, and every runner counts in its own way: in private objects, with one
object that all threads read, or with one that all write. In turn, one thread takes all the steps, and two threads take
half of them each. The speed-up is the time with one thread over the time with two. It is 2 if two threads gain all that
two cores offer, 1 if they gain nothing, and less if they disturb each other. With a GIL, Python code runs in one thread
at a time, so it should stay near 1.

Two processes do the same on private objects. Their speed-up shows how much two cores offer on this machine: they share
its caches and its memory, and with other programs its cores. Each of them has started before the first trial. Threads
wait for each other before they begin. The processes get their parts one after the other, a fraction of a millisecond
apart, and that is part of their time.

Without a GIL, threads that take references to the same object take turns at its reference count. Literals and small
integers are immortal: nobody counts their references. So the value that all read is a number that was computed, and the
class attribute is a literal: the first shows what counting references costs, the second what reading a class costs. The
threads that write one dict use different keys in it. A thread that merges at the end does the same in a dict of its
own, and then adds that to the shared one, with a lock, as part of its work.

If the total is wrong in one trial, the sample has failed. A sample has three trials of each kind. A step does next to
nothing else, so these are the worst cases: real programs do more between two accesses to what they share. The scenario
can't show more than two threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric
from runners.harness.metrics import quotient

if TYPE_CHECKING:
    from runners.harness.contract import Presentation

SOURCE = "Q1"
METRICS = (
    Metric(
        "speed_up",
        "Speed-up by a second worker",
        "times",
        "higher",
        quotient("one_worker_ns", "two_workers_ns"),
        formula="one_worker_ns / two_workers_ns; null if two_workers_ns is 0",
    ),
    Metric(
        "one_worker_step_ns",
        "Time for each step, one worker",
        "ns",
        "lower",
        quotient("one_worker_ns", "steps_count"),
        formula="one_worker_ns / steps_count; null if steps_count is 0",
    ),
    Metric(
        "two_workers_step_ns",
        "Time for each step, two workers",
        "ns",
        "lower",
        quotient("two_workers_ns", "steps_count"),
        formula="two_workers_ns / steps_count; null if steps_count is 0",
    ),
)
COLUMNS = {
    "one_worker_ns": "Sum, over the trials with one worker, of the time from its start to its end.",
    "two_workers_ns": "Sum, over the trials with two workers, of the time from the first start to the last end.",
    "steps_count": "Steps in the trials with one worker. The trials with two have as many.",
}
INSIDE_THE_CLOCK = "the steps, from when the first worker begins to when the last ends, but not the start of workers"
IDEAL = Ideal(
    "none: two workers can be twice as fast at best, and how near they come depends on the machine as well as on what "
    "they share; two processes show what the machine itself costs"
)
PRESENTATION: Presentation = {
    "case_names": {"1 and 2 workers": "one worker, then two, in turn"},
    "are_choices": False,
}
