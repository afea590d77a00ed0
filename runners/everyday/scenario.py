"""Everyday: which model for six pieces of work that everybody has?

A thousand calls of an API that answers after 100 ms. Two hundred files of 64 kB to compress with zlib, which lets go of
the GIL. Twenty requests to a web handler, each of which waits 20 ms and then parses about 10 ms of JSON. Five hundred
small files to read. Forty images, each with about 5 ms of pure Python. Fifty queries to a database that answers each
after 20 ms, with 20 ms of computing over all the answers. The standard library alone, and each model as an article
would write it. It is here to check, by direct measurement, what the map of the scenario crossover advises.

APIs, clients and databases are timers: what a client for HTTP or a driver costs is the same in each model, and is
measured in the scenario download. The files are modules of the interpreter's own library, of which 4 kB are read; they
are in the system's cache, so that no disk is measured, and they are not the same in each version of Python. What
processes and interpreters work on is handed to them pickled, inside the clock, as it would be.

Not every model is tried on each piece of work. One thing after another, the calls would take 100 s, the requests 0.6 s
and the queries 1 s, which is arithmetic; so is what the calls take in a pool of the library's own size, 17 s with its
six threads on two cores. A pool of 200 threads is there in its place. Where there are waits, asyncio tasks are the
baseline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Value

SOURCE = "Q1"
METRICS = (
    Metric("elapsed_ns", "Time for all items", "ns", "lower"),
    Metric("longest_item_ns", "Longest single item", "ns", "neither"),
    Metric("all_items_ns", "Sum over the items", "ns", "neither"),
)
INSIDE_THE_CLOCK = "starting threads, pools or the event loop, handing over and doing all items, ending them"


def ideal_ns(parameters: Parameters, cores: int, baseline: Mapping[str, Value]) -> float | None:
    """Return the time that no division of the work over *cores* can beat, from the baseline of the same round."""
    if parameters["wait_s"]:
        return float(parameters["wait_s"]) * 1e9
    longest, total = baseline.get("longest_item_ns"), baseline.get("all_items_ns")
    if not isinstance(longest, int) or not isinstance(total, int):
        return None
    return max(longest, total / cores)


IDEAL = Ideal(
    "where items wait, one wait; else the longest item, or the sum of all divided by the usable cores, whichever is"
    " more",
    ideal_ns,
)
CASE_NAMES = {
    "20 requests of 20 ms and 10 ms of JSON": "20 web requests, each 20 ms of waiting and 10 ms of JSON",
    "40 images, 5 ms of Python each": "40 images, each 5 ms of pure Python",
    "50 queries of 20 ms, 20 ms of computing": "50 database queries of 20 ms, with 20 ms of computing in all",
}
