"""Moving data: what does it cost to hand data to a thread, a process or an interpreter, and back?

A function that returns its argument is called in a worker, one call after another for a tenth of a second, and the
time of a call is the mean. So each figure is a way there and back: two copies, or two references. The worker is started
and called once before the clock. Data is an int, a list of 10,000 ints, a dict of 1,000 short strings, 1 MB of bytes,
and ten blocks of 100 kB in a list. The last answer must have the content of what was handed over.

A thread is handed a reference. A process is handed what pickle makes of the data, through a pipe. With pickle protocol
5, large buffers can take another way: here 1 MB is copied into shared memory once on each way, and out of it at the
end. The function works on the copy in the shared memory. An interpreter is handed a copy too, pickled unless Python
knows how to share the type. How the process was started should make no difference to a call; one case has both ways, to
check that.

The last case is the crossing itself, from an event loop to a thread and back, with an int. There are asyncio.to_thread,
the bare run_in_executor, a to_thread whose result goes straight to asyncio's future, one thread with a queue, and
asgiref's adapters, which Django uses: sync_to_async on a running loop, and async_to_sync in a program that has none,
where each call makes a loop.

One call at a time shows how long a caller waits, and most of a short call is the waking of threads. It does not show
how much work a processor gets through if many calls are under way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric
from runners.harness.metrics import quotient

if TYPE_CHECKING:
    from runners.harness.contract import Presentation

SOURCE = "W29"
METRICS = (
    Metric(
        "call_ns",
        "Mean time of a call",
        "ns",
        "lower",
        quotient("handing_over_ns", "calls_count"),
        formula="handing_over_ns / calls_count; null if calls_count is 0",
    ),
    Metric("calls_count", "Calls", "count", "neither"),
    Metric("elapsed_ns", "Time including the start and end of the worker", "ns", "lower"),
)
COLUMNS = {
    "calls_count": "Calls within the time.",
    "handing_over_ns": "From the first call to the end of the last.",
}
INSIDE_THE_CLOCK = (
    "the calls, from when the first is made to when the last has answered; the time with starting and ending also "
    "includes the worker and the event loop"
)
IDEAL = Ideal("none: a thread that is handed a reference is the floor")
PRESENTATION: Presentation = {
    "each_case_answers": True,
    "are_choices": False,
    "notes": {
        "thread_direct": (
            "Not a pool. It shows what could be saved at most, since only a queue and the waking of two threads are "
            "left."
        ),
        "interpreter_queues": (
            "In Python 3.14 the get of these queues does not wait to be woken. It looks again every 10 ms."
        ),
        "asgiref_cold": "The other way round: a coroutine is called from code that is not asynchronous.",
    },
}
