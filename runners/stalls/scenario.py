"""Stalls: why does my event loop stall, and what does each fix buy?

A heart beats on an asyncio event loop: it sleeps 1 ms, over and over, and notes how late it wakes. Next to it a service
answers requests, one at a time, that arrive within about 0.3 s. Each case is one cause of stalls, and its runners are
the cause and what people do against it. A loop that is blocked can't beat, so each millisecond by which a beat is late
counts as one more beat, late by the rest. A percentile is therefore one of moments, and has 200 of them or more.

- *A million live objects.* The service holds half a million sessions of two objects that the garbage collector visits.
  Each of 150 requests makes 3,000 more, which live until 24 other requests have come. So many survive that the
  collector of a build with the GIL visits everything once. Free-threaded builds do that only when the number of objects
  has grown by a quarter, which it doesn't here: how long they stop then is not shown. Nor are the incremental
  collector's pauses, which only Python 3.14.0 to 3.14.4 had, nor what `gc.disable()` costs: a service that leaves
  cycles behind grows for as long as it runs.
- *1 MB of JSON.* Each of eight requests parses 10,000 orders and adds them up, which takes some 10 ms. The parser is
  written in C and keeps the GIL until it is done, so the thread shows what such a call does to the loop. The pool of
  processes is there before, or each request starts one and ends it. The process returns the sum, or all that it parsed.
- *A slow log.* Each of 16 requests logs a line to a stream whose writes block for 10 ms.
- *TLS set-up.* Each of eight requests makes an SSL context that loads 140 CA certificates, as a client made for one
  request does. The certificates are made up, as many as in the lists of browsers. No connection is made, so the
  handshake is not included.
- *A call that does nothing*, on the loop or in a thread, five times in each of 200 requests: what the crossing to a
  thread itself costs. On the loop it shows the floor, a loop that nothing stalls.

The look-up of names is left out. On loopback it takes 10 to 20 µs, because nothing is asked over a network, and a
resolver that was made slow would only show the length that we gave it, as the slow log does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric
from runners.harness.metrics import quotient

if TYPE_CHECKING:
    from runners.harness.contract import Presentation

SOURCE = "Q1"
METRICS = (
    Metric("delay_99th_percentile_ns", "99th percentile of the loop's delay", "ns", "lower", kind="delay"),
    Metric("delay_worst_ns", "Worst delay of the loop", "ns", "lower", kind="delay"),
    Metric(
        "request_mean_ns",
        "Mean time of a request, from its start to its answer",
        "ns",
        "lower",
        quotient("requests_total_ns", "requests_count"),
        formula="requests_total_ns / requests_count; null if requests_count is 0",
    ),
    Metric("largest_process_peak_bytes", "Peak memory of the largest process", "bytes", "lower"),
    Metric("full_collections_count", "Full collections by the garbage collector", "count", "neither"),
    Metric("beats_beside_count", "Beats during a request", "count", "neither"),
)
COLUMNS = {
    "delay_worst_ns": (
        "The most by which a beat was late. For each period by which one is late one more counts, late by the rest."
    ),
    "delay_99th_percentile_ns": "99th percentile of the same, by nearest rank; null if fewer than 200 were due.",
    "beats_due_count": "How many beats count there.",
    "requests_count": "Requests that were answered.",
    "requests_total_ns": "Sum, over the requests, of the time from when one is taken up until it is answered.",
    "beats_beside_count": "Beats during a request.",
    "full_collections_count": "Collections of the oldest generation while the heart beat; not counted by all builds.",
}
INSIDE_THE_CLOCK = (
    "making the event loop, starting threads, processes and the log's listener, all requests, ending what was started; "
    "the beats that count are those from the first request to the last"
)
IDEAL = Ideal(
    "none: how late a timer fires on an idle loop depends on the machine and the operating system; "
    "the call that does nothing shows it"
)
PRESENTATION: Presentation = {
    "each_case_answers": True,
    "notes": {
        "json_process_pool_in_handler": (
            "Starting and ending its process is part of each request, and the loop waits while a pool ends."
        ),
    },
}
