"""GIL wait: how late does a thread wake from its sleep while others compute?

The main thread sleeps 5 ms at a time for 0.4 s and notes how late it wakes, while 0, 1, 2 or 4 other threads compute
without a pause. They run either a loop in Python, which releases the GIL soon after another thread has waited for it
for the switch interval, 5 ms; or the power 7777 ** 200000 over and over, one operation in C that does not release it
until it is done. All begin together, and each computes at least once, however late it gets to run. If more threads
compute than there are cores, a delay includes the operating system's share as well, with a GIL or without. The later
the main thread wakes, the fewer wake-ups fit into the 0.4 s, so their mean is compared first: the worst of four and the
worst of eighty are not alike.

In the other block nobody computes: 1 or 10 threads each sleep 20 ms, eight times in a row (a sleep replaces I/O). If
none of them slows another down, ten take as long as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric
from runners.harness.metrics import quotient

if TYPE_CHECKING:
    from runners.harness.contract import Presentation

SOURCE = "S5"
METRICS = (
    Metric(
        "wake_up_mean_delay_ns",
        "Mean delay in waking up",
        "ns",
        "lower",
        quotient("wake_up_all_delays_ns", "wake_ups_count"),
        kind="delay",
        formula=("wake_up_all_delays_ns / wake_ups_count; null if wake_ups_count is 0"),
    ),
    Metric("wake_up_worst_delay_ns", "Worst delay in waking up", "ns", "lower", kind="delay"),
    Metric("elapsed_ns", "Time until all threads have ended", "ns", "lower"),
)
COLUMNS = {
    "wake_up_worst_delay_ns": "The longest that a sleep lasted beyond what was asked for.",
    "wake_up_all_delays_ns": "Sum, over the sleeps, of how long each lasted beyond what was asked for.",
    "wake_ups_count": "Sleeps.",
    "wake_up_delay_trace_us": "How long each sleep lasted beyond what was asked for, in the order of their ends.",
    "switch_interval_us": "A setting, not measured: the interpreter's switch interval.",
}
INSIDE_THE_CLOCK = "starting the threads, sleeping and waking, and for those that compute to end what they had begun"
IDEAL = Ideal(
    "none: an undisturbed thread wakes when the operating system's timer fires, which depends on the machine "
    "and not on the work"
)
PRESENTATION: Presentation = {
    "case_names": {
        "published, nobody computes": "nobody computes",
        "published, 1 computes": "one thread computes",
        "published, 2 compute": "two threads compute",
        "published, 4 compute": "four threads compute",
        "published, 1 waits": "one thread waits",
        "published, 10 wait": "ten threads wait",
    },
    "are_choices": False,
}
