"""Pool size: how many threads or processes should a pool have?

The same items go through pools of different sizes. Three kinds of work: items that compute for about 0.1 ms in pure
Python and then wait for 1 ms, as a handler between two calls of a database does; items that only wait, 5 ms each; and
items that only compute, about 0.5 ms each. A wait is a sleep.

The workers start before the clock, as in a service that has run for a while, so each pool is complete. Left to itself,
ThreadPoolExecutor starts a thread only if none is idle when an item arrives. A pool that may have 2,048 threads is
measured in this way as well, and the number of workers used is recorded: a generous limit is not a large pool.

Among the sizes are defaults. ThreadPoolExecutor and asyncio.to_thread use 4 more threads than there are cores, at most
32. Starlette and FastAPI run `def` handlers in 40 threads, a limit of anyio. ProcessPoolExecutor uses one process for
each core.

Small pools are left out if arithmetic decides: with one thread 2,048 waits of 5 ms take 10 s, with six 1.7 s. Processes
are measured only for computing, items in chunks. What starting them costs is another question, and so is how long one
request waits in a busy pool: all items are there at once, and only the time until the last is done is measured.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Presentation, Value

SOURCE = "W39"
METRICS = (
    Metric("items_ns", "Time for all items", "ns", "lower"),
    Metric("elapsed_ns", "Time including the start and end of the pool", "ns", "lower"),
    Metric("workers_used_count", "Workers used", "count", "neither"),
)
COLUMNS = {
    "items_ns": "From when the pool takes the first item to the end of the last.",
    "all_items_ns": "Sum over the items, each from start to end.",
    "workers_used_count": "Threads, or processes, that did at least one item.",
}
INSIDE_THE_CLOCK = (
    "handing over and doing all items; of the growing pool also starting its threads; the time with starting and "
    "ending includes the start of the other pools and the end of all"
)


def ideal_ns(parameters: Parameters, cores: int, baseline: Mapping[str, Value]) -> float | None:
    """Return the time that a pool of this size can't beat."""
    workers = int(parameters["limit"])
    if parameters["wait_s"]:
        return math.ceil(int(parameters["items"]) / workers) * float(parameters["wait_s"]) * 1e9
    total = baseline.get("all_items_ns")
    return total / min(workers, cores) if isinstance(total, int) else None


IDEAL = Ideal(
    "if items wait, their waits, so many at a time as there are workers; otherwise the sum of all items in one thread, "
    "divided by the workers or the usable cores, whichever are fewer",
    ideal_ns,
)
PRESENTATION: Presentation = {
    "case_names": {
        "2,048 items of 0.1 ms and a wait of 1 ms, default size": "2,048 items of 0.1 ms and a wait of 1 ms, as many "
        "workers as cores and 4 (the default of Python)",
        "2,048 items of 0.1 ms and a wait of 1 ms, 40 workers": "2,048 items of 0.1 ms and a wait of 1 ms, 40 workers "
        "(the default of FastAPI)",
        "2,048 waits of 5 ms, 40 workers": "2,048 waits of 5 ms, 40 workers (the default of FastAPI)",
        "200 items of 0.5 ms, default size": "200 items of 0.5 ms, as many workers as cores and 4 (the default of "
        "Python)",
        "200 items of 0.5 ms, 40 workers": "200 items of 0.5 ms, 40 workers (the default of FastAPI)",
    },
    "overview": "2,048 items of 0.1 ms and a wait of 1 ms, 40 workers",
    "are_choices": False,
    "answered_by": "curve",
    "each_case_answers": True,
    "marks": lambda cores: {min(32, cores + 4): "default", 40: "FastAPI", cores: "cores"},
    "notes": {
        "thread_pool": (
            "Whether all its threads are used depends on the version: up to Python 3.12 threads that have just "
            "become idle tend to take the next item, since 3.13 the one that has waited longest takes it. The number "
            "of workers shows it."
        ),
        "thread_pool_growing": (
            "Its size is only a limit. A thread that has done an item takes the next one, so the pool stops growing "
            "once items end as fast as they arrive. The number of workers shows how far it grew."
        ),
    },
}
