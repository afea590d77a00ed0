"""Worker start: what does a worker cost since Python 3.14?

A worker is a thread, a process or a sub-interpreter that answers numbers. Its start is the time until its first answer.
Then we read its memory, call it 200 times in a row, and end it. Ten workers start side by side: all are asked before we
wait for the first answer.

In one case the workers need twenty modules of the standard library, as a service does. The program has imported them
before the clock starts. A forked process inherits them and a thread shares them. A new process or interpreter imports
them again, inside the clock. So does a process from a fork server, unless the server has imported them:
`set_forkserver_preload` tells it to, and in Python 3.14 it imports the main module of a program that is run as a file.
A program run with `-m`, like our harness, gets nothing preloaded. We record how many workers imported the modules
themselves.

Processes start in three ways: by fork, the default on Linux up to Python 3.13; from a fork server, the default since
3.14, which starts with the first process or runs already; or as new interpreters (spawn), the default on macOS and
Windows. Memory is the growth of this process and all processes below it until all workers have answered, for each
worker. The fork server counts if it starts in between. A page that several processes share counts once. Memory comes in
pages of 4 KiB, and a single thread may take one or two: the figure of ten tells more. Only Linux reports it.

Two more cases start a pool of two processes, forked or in this Python's default way. One calls an empty function a
thousand times. The other gets 230 tables of 2,700 numbers, 50 MB of memory (70 without the GIL), and each of its 230
jobs adds up one table. Forked processes inherit the tables; others receive them pickled, once each.

The scenario can't show what larger programs import, what an initializer does in a worker, or what a fork copies in a
program that goes on to change much of its memory. Forking a program with threads is not safe, however little it costs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Presentation, Value

SOURCE = "W30"


def bytes_per_worker(values: Mapping[str, Value]) -> float | None:
    """Return how much memory came with one worker; None if unknown or none."""
    before, working, workers = (values.get(name) for name in ("before_bytes", "working_bytes", "workers_count"))
    if not isinstance(before, int) or not isinstance(working, int) or not isinstance(workers, int) or not workers:
        return None
    return (working - before) / workers if working > before else None


METRICS = (
    Metric("start_up_ns", "Time to start and answer", "ns", "lower"),
    Metric(
        "bytes_per_worker",
        "Memory of one worker",
        "bytes",
        "lower",
        bytes_per_worker,
        formula="(working_bytes - before_bytes) / workers_count; null if that is not above 0",
    ),
    Metric("call_median_ns", "Median time of a call", "ns", "lower"),
    Metric("ending_ns", "Time to end all workers", "ns", "lower"),
    Metric("importing_workers_count", "Workers that imported the modules themselves", "count", "lower"),
)
COLUMNS = {
    "workers_count": "Workers that answered.",
    "importing_workers_count": "Workers in which the twenty modules were imported after the start.",
    "start_up_ns": (
        "From before the first worker is started until the last has given its first answer; for a pool, from before it "
        "is made until its jobs are done and it has ended."
    ),
    "call_median_ns": "Median time of 200 calls of the first worker, from sending a number to its answer.",
    "ending_ns": "From the end of the calls until all workers have ended.",
    "before_bytes": "Memory of this process and all below it before the first start; shared pages count once (Pss).",
    "working_bytes": "The same when all workers have answered.",
    "jobs_count": "Jobs of the pool that were done.",
}
INSIDE_THE_CLOCK = (
    "starting the workers and their first answers; for a pool, starting it, handing over its data, all jobs, ending it"
)
IDEAL = Ideal("none: what a worker costs depends on the interpreter and the system; the work sets no limit")
PRESENTATION: Presentation = {
    "overview": "one worker, 20 modules",
    "case_names": {
        "pool, 1,000 calls of nothing": "a pool that calls an empty function 1,000 times",
        "pool, 230 jobs that read 50 MB": "a pool with 230 jobs that read 50 MB",
    },
    "each_case_answers": True,
    "are_choices": False,
    "notes": {
        "interpreter": (
            "Interpreter.call hands the function over with each call. A process or a thread gets it once, as it starts."
        ),
        "process_fork": (
            "Not safe in a program with threads, which is why Python 3.14 no longer does it by default on Linux."
        ),
        "process_forkserver_preloaded": (
            "multiprocessing.set_forkserver_preload names modules for the server to import. If that fails, the server "
            "goes on without them: the number of workers that imported the modules themselves shows it."
        ),
    },
}
