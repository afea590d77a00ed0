"""CPU beside I/O: how late does an event loop become while something computes next to it?

A heartbeat runs on an asyncio event loop: it sleeps 1 ms, over and over, and notes how late it wakes. Meanwhile some 40
to 100 ms of work is computed, depending on the machine, of one of three kinds: a hundred pieces of a loop in Python, of
about half a millisecond each; one operation in C that keeps the GIL until it is done (the power 7777 ** 200000, and its
remainder by a prime); or one in C that releases it (PBKDF2 of hashlib, 300,000 rounds). It is computed on the loop
itself, in one go or with a turn for the others after each piece; in a thread, with the usual switch interval of 5 ms or
another; in a process; or in a sub-interpreter. The heartbeat without any work is the floor.

The beats that count are those from when the work is handed over until its answer is back on the loop. A blocked loop
can't beat, so for each millisecond that passes one more beat counts as due, late by the rest of the wait. A median is
therefore one of moments, as an event that may come at any time would meet them: a loop that is blocked once for long
does not pass for one that was late once. Only 25 to 110 beats count in a sample: too few for a 99th percentile, so the
worst delay is compared.

The process and the interpreter are started before the heartbeat, as a server would keep them. One runner starts its
process for the one call, and ends it, during the heartbeat. How many beats fell inside a piece of computing is counted,
which shows whether the work and the heartbeat ran side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from runners.harness.contract import Presentation

SOURCE = "Q1"
METRICS = (
    Metric("lag_worst_ns", "Worst delay of the loop", "ns", "lower", kind="delay"),
    Metric("lag_median_ns", "Median of the loop's delay", "ns", "lower", kind="delay"),
    Metric("computing_ns", "Time from the start of the computing to its end", "ns", "lower"),
    Metric("beats_beside_count", "Beats during a piece of computing", "count", "neither"),
    Metric("beats_due_count", "Beats that were due", "count", "neither"),
)
COLUMNS = {
    "lag_99th_percentile_ns": (
        "99th percentile, by nearest rank, of how late beats were; for each period by which one is late, one more "
        "counts, late by what is left. Of so few beats it is the worst or the second worst; not compared."
    ),
    "lag_median_ns": "Median of the same, by nearest rank.",
    "lag_worst_ns": "The greatest of the same.",
    "lag_trace_us": "The same in the order of the beats, thinned evenly.",
    "beats_due_count": "How many beats count there.",
    "beats_beside_count": "Beats during a piece of computing.",
    "computing_ns": "From the start of the first piece of computing to the end of the last.",
}
INSIDE_THE_CLOCK = (
    "making the event loop, starting the thread, process or interpreter, computing, ending what was started; "
    "the beats that count are those from the hand-over of the work to its answer"
)
IDEAL = Ideal(
    "none: how late a timer fires on a loop that nothing holds up depends on the machine and the operating "
    "system; the heartbeat without any work shows it"
)
PRESENTATION: Presentation = {
    "case_names": {
        "published, a loop in Python": "a loop in Python",
        "published, C that keeps the GIL": "C that keeps the GIL",
        "published, C that frees the GIL": "C that releases the GIL",
        "published, nothing computes": "nothing computes",
    },
    "runner_names": {"on_loop_yielding": "on the loop, yields 100 times"},
    "notes": {"process_pool_new": "starting and ending its process is part of what makes the loop late"},
}
