"""CPU beside I/O: how late does an event loop become while something computes beside it?

A heart beats on an asyncio event loop: it sleeps 1 ms, over and over, and notes how late it wakes. Meanwhile about a
tenth of a second of work is computed: a hundred pieces of a loop in Python of about 1 ms each, one operation in C that
keeps the GIL until it is done (the power 7777 ** 200000, and its remainder by a prime), or one in C that frees it
(PBKDF2 of hashlib, 300,000 rounds). It is computed on the loop itself, in one go or with a turn for the others after
each piece; in a thread, with the switch interval of 5 ms and with others; in a process; in a sub-interpreter. The heart
alone is the floor.

The beats that count are those from when the work is handed over until its answer is back on the loop. While the loop is
not free, the heart can't beat; every millisecond that passes so counts as one more beat that was due and is late by
what is left of the wait. So a percentile is of moments, as an event that may come at any time would see it, and a loop
that is blocked once for long is not taken for one that was late once.

The process and the interpreter are started before the heart beats, as a server keeps them; the one process that is
started for it is started, and ended, while the heart beats. That work and heart ran side by side is seen from both
sides: the beats in the midst of a piece of computing are counted.
"""

from __future__ import annotations

from runners.harness.contract import Ideal, Metric

SOURCE = "Q1"
METRICS = (
    Metric("lag_99th_percentile_ns", "99th percentile of the loop's lag", "ns", "lower", kind="delay"),
    Metric("lag_median_ns", "Median of the loop's lag", "ns", "lower", kind="delay"),
    Metric("lag_worst_ns", "Worst lag of the loop", "ns", "lower", kind="delay"),
    Metric("computing_ns", "From the start of the computing to its end", "ns", "lower"),
    Metric("beats_beside_count", "Beats in the midst of a piece of computing", "count", "neither"),
    Metric("beats_due_count", "Beats that were due", "count", "neither"),
)
INSIDE_THE_CLOCK = (
    "making the event loop, starting the thread, process or interpreter, computing, ending what was started; the beats"
    " that count are those while the work is out"
)
IDEAL = Ideal(
    "none: how late a timer of a loop fires that nothing keeps from it belongs to the machine and the operating system;"
    " the heart alone shows it"
)
CASE_NAMES = {
    "published, a loop in Python": "a loop in Python",
    "published, C that keeps the GIL": "C that keeps the GIL",
    "published, C that frees the GIL": "C that frees the GIL",
    "published, nothing computes": "nothing computes",
}
NOTES = {"process_pool_new": "starting and ending its process is among what makes the loop late"}
