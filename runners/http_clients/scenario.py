"""HTTP clients: httpx, aiohttp, requests or urllib for many gets?

A thousand pages of about 100 bytes are fetched from one local site, with 100 gets open at once. Each runner has one
client for all gets, or a session or connection for each of 100 threads, with the client's defaults: aiohttp and httpx
open up to 100 connections, and httpx keeps 20 of them when they are idle. Only the time-out of httpx is longer, 30 s
instead of 5. Each page must come back once, with its own text.

The first metric is the processor time of a get in the client's process. The site is aiohttp's server, in a process of
its own on the same machine. It needs about as much processor time for a get as aiohttp's client, so on two cores it
limits the fastest clients: their gets per second are no more than this site serves. It does not limit httpx and
requests, which need several times as much. Making the loop or the threads and opening the connections is part of the
time.

The scenario can't show what a real network adds: distance, TLS, HTTP/2, compression, large pages, redirects, or a site
that is slower than its client. If a site takes 50 ms for a page, 100 gets at once are 2,000 a second, and a client
that needs less than half a millisecond for each is never the limit.

niquests is not measured. It installs a file that runs at each start of Python, and replaces the package urllib3 that
requests needs; all runners of a build share an environment, so it would change what the others measure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric
from runners.harness.metrics import quotient

if TYPE_CHECKING:
    from runners.harness.contract import Presentation

SOURCE = "W36"
METRICS = (
    Metric(
        "cpu_ns_per_get",
        "Processor time of a get",
        "ns",
        "lower",
        quotient("cpu_us", "gets_count", 1_000),
        kind="cpu",
        formula="cpu_us / gets_count * 1000; null if gets_count is 0 or cpu_us is unknown",
    ),
    Metric(
        "gets_per_s",
        "Gets per second",
        "per_s",
        "higher",
        quotient("gets_count", "elapsed_ns", 1e9),
        formula="gets_count / elapsed_ns * 1e9; null if elapsed_ns is 0",
    ),
    Metric("elapsed_ns", "Time for all gets", "ns", "lower"),
    Metric("worst_latency_ns", "Worst latency", "ns", "lower", kind="latency"),
    Metric("gets_count", "Correct pages", "count", "higher"),
)
COLUMNS = {
    "gets_count": "Pages that came back with their own text.",
    "worst_latency_ns": "Longest time from the start of a get to the end of its page, once it was allowed to start.",
}
INSIDE_THE_CLOCK = (
    "making the loop or the threads and the client, opening connections, all gets, closing what was opened"
)
IDEAL = Ideal("none: what a get needs depends on the client; the work sets no limit")
PRESENTATION: Presentation = {
    "answers": (
        ("httpx_client", "aiohttp_session"),
        ("httpx2_client", "aiohttp_session"),
        ("requests_threads", "aiohttp_session"),
    ),
    "notes": {
        "http_client_threads": (
            "The module of the standard library that urllib.request uses too. urllib.request itself opens a "
            "connection for each page; Download has it."
        ),
        "httpx2_client": "httpx2 continues httpx with a rewritten pool of connections. It needs Python 3.11.",
    },
}
