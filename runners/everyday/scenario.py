"""Everyday: which model for six everyday pieces of work?

A thousand calls of an API that answers after 100 ms. Two hundred files of 64 kB to compress with zlib, which releases
the GIL. Twenty requests to a web handler, each of which waits 20 ms and then parses JSON for about 10 ms. Five hundred
small files to read. Forty loops of about 5 ms of pure Python. Fifty waits of 20 ms, as for the answers of a database,
with 20 ms of computing over all of them. Only the standard library is used, and each model is written as an article
would write it. This scenario checks, by direct measurement, the advice of the map of Crossover.

APIs, clients and databases are timers: the cost of an HTTP client or a database driver is not in these figures.
Download measures HTTP clients. The files to compress are texts in memory. Those to read are modules of the
interpreter's own library, of which the first 4 kB are read. They should be in the system's cache, so that no disk is
measured, and they differ from one Python version to the next. Processes and interpreters receive their items pickled,
inside the clock, as in real use.

Not every model is tried on each piece of work. One after another, the calls would take 100 s, the requests 0.6 s and
the waits 1 s, by arithmetic. In a pool of the library's default size, which on two cores is six threads, the calls
would take 17 s; a pool of 200 threads is measured instead. If items wait, asyncio tasks are the baseline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Presentation, Value

SOURCE = "Q1"
METRICS = (
    Metric("elapsed_ns", "Time for all items", "ns", "lower"),
    Metric("longest_item_ns", "Longest single item", "ns", "neither"),
    Metric("all_items_ns", "Sum over the items", "ns", "neither"),
)
COLUMNS = {
    "longest_item_ns": "Longest time of a single item from start to end, with its wait.",
    "all_items_ns": "Sum over the items, with their waits.",
}
INSIDE_THE_CLOCK = "starting threads, pools or the event loop, handing over and doing all items, ending what began"


def ideal_ns(parameters: Parameters, cores: int, baseline: Mapping[str, Value]) -> float | None:
    """Return the time that no division of the work over *cores* can beat, from the baseline of the same round."""
    wait_ns = float(parameters["wait_s"]) * 1e9
    if wait_ns and not parameters["turns"]:
        return wait_ns
    longest, total = baseline.get("longest_item_ns"), baseline.get("all_items_ns")
    if not isinstance(longest, int) or not isinstance(total, int):
        return None
    if not wait_ns:
        return max(longest, total / cores)
    # Asyncio tasks all wait at once and then compute one after another: the last has waited for the others' computing.
    return wait_ns + (longest - wait_ns) / min(cores, int(parameters["items"]))


IDEAL = Ideal(
    "if items wait, one wait, and if they compute as well, then the computing of all items divided by the "
    "usable cores; otherwise the longest item, or the sum of all items divided by the usable cores, whichever "
    "is more",
    ideal_ns,
)
STARTS = (
    "On Linux processes start by fork up to Python 3.13, by a fork server from 3.14 on; W7 has the cost. A "
    "pool that is given multiprocessing.get_context('fork') starts as before, which is not safe in a program "
    "with threads."
)
PRESENTATION: Presentation = {
    "case_names": {
        "20 requests of 20 ms and 10 ms of JSON": "all of 20 requests, each 20 ms of waiting, 10 ms of JSON",
        "40 images, 5 ms of Python each": "40 loops of pure Python, 5 ms each",
        "50 queries of 20 ms, 20 ms of computing": "50 waits of 20 ms, with 20 ms of computing in all",
    },
    "apart": ("thread_pool_200",),
    "each_case_answers": True,
    "notes": {
        "process_pool": STARTS,
        "asyncio_processes": STARTS,
        "thread_pool_200": (
            "A thousand calls in 200 threads take at least five waits in a row, whatever a thread costs. What "
            "threads cost shows in the runner with one for each call."
        ),
    },
}
