"""Download: which model waits best for pages from slow sites?

Ten jobs each fetch a page from four sites, one page after another: 40 pages. Four local servers play the sites, in a
process of their own on the same machine; they answer a small page after 20, 40, 60 and 80 ms. With a heavy tail each
page has a latency of its own, drawn from a Pareto distribution (shape 1.5) with the same four means and cut at 8.5
times the mean. A latency depends on the job and the site, never on the order of requests, so all runners meet the same
40; the draw is the same in each round. Each page is compared with what its site sent. One runner fetches all four pages
of a job together, which the published code does not.

Some runners are not the source's. asyncio.to_thread uses the default pool of its loop, which has at most four threads
more than there are cores: with fewer than ten, some jobs wait for one. trio and anyio have no HTTP client: their
runners write the request themselves, open a connection for each page as urllib does, and do not read the headers of the
answer. That is less work than a client does, so they show what their loops cost, and not what a client on them would.

As in the source, urllib opens a connection for each page and aiohttp a session for each job; a thread, process or
greenlet is started for each job, without a pool. Before its first page urlopen builds an opener for every URL scheme;
from Python 3.12 on that reads the certificates for TLS, even if none is used. A warm-up outside the clock has done so
for the loop, threads and greenlets; each process does it again, inside the clock. Two runners have an opener for http
only: TLS plays no part in the difference between their threads and processes.

The documentation of aiohttp advises one session for a program. By default that has at most 100 connections, so of a
thousand jobs at once all but 100 would wait for one, and their 4,000 pages, of 50 ms on average, would take 2 s or
more; TCPConnector(limit=0) sets no limit. Here no session comes near its limit. The cost of so many sessions is in the
figures.

Two cases have more jobs: 1,000 with the latencies above, and 100 with latencies five times as long (slower links).
Threads are the baseline there and the plain loop is left out: that many jobs one after another take that many times as
long, which is arithmetic. Processes and openers without TLS are measured with ten jobs only. The runner that fetches
all pages of a job together stops at 100: many systems do not let a process open 4,000 connections. A thousand jobs need
over 1,000 open files; if the system allows fewer, its refusal is recorded.

The scenario can't show what a real network adds: looking up names (the sites' addresses are numbers), TLS, redirects,
distance, loss, a shared uplink, or sites that slow down under load. The sites share the runner's processor, and all
four are one process with one event loop: its work for each page is in every model's time, and brings ratios nearer to
1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.download.workload import pages_of
from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Presentation, Value

SOURCE = "S5"
METRICS = (
    Metric("elapsed_ns", "Time for all pages", "ns", "lower"),
    Metric("pages_count", "Correct pages", "count", "higher"),
)
COLUMNS = {"pages_count": "Pages of the tasks that returned all of their pages, in order."}
INSIDE_THE_CLOCK = (
    "starting the threads, processes, greenlets or event loop (except gevent's, which the warm-up has made), "
    "fetching all pages, ending them"
)


def ideal_ns(parameters: Parameters, _cores: int, _baseline: Mapping[str, Value]) -> float:
    """Return the longest chain of waits: a task's four pages, or a single page if all may be fetched at once.

    A loop that does one task after another is held to the same chain: nothing in the work makes the tasks wait for
    each other, and the distance to it is what the other models win.
    """
    tasks = pages_of(parameters)
    if int(parameters.get("limit", 0)) > len(tasks):
        return max(page.latency_s for task in tasks for page in task) * 1e9
    return max(sum(page.latency_s for page in task) for task in tasks) * 1e9


IDEAL = Ideal(
    "the longest chain of waits: the longest task's four pages one after another; for a runner that fetches all"
    " pages of a task at once, the longest page",
    ideal_ns,
)
PRESENTATION: Presentation = {
    "case_names": {
        "published, fixed latencies": "fixed latencies",
        "published, heavy tail": "latencies with a heavy tail",
        "100 jobs, slower links": "100 jobs, links five times as slow",
    },
    "answers": (("threads", "sync_loop"), ("greenlets", "threads"), ("asyncio_aiohttp", "threads")),
    "apart": ("asyncio_aiohttp_concurrent",),
    "notes": {
        "processes": (
            "From Python 3.12 on each process reads certificates for TLS as well, which no page here needs. To "
            "compare Pythons, see processes with an opener without TLS."
        ),
        "greenlets": (
            "For each new connection gevent asks its resolver, by default a pool of 10 threads, for the address, "
            "even if it is a number, as here. asyncio, aiohttp and anyio skip that for a number; trio and plain "
            "threads do it in place. GEVENT_RESOLVER chooses another resolver."
        ),
    },
}
