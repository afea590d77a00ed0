"""Moving data: the cases, what is handed over, and the check of what comes back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from runners.harness.contract import Case, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "thread_pool"

LONG_ENOUGH_S = 0.1
"""How long a sample goes on handing over, whatever a call takes."""


def _case(data: str, block: str = "to a worker", baseline: str = "") -> Case:
    return Case(
        {"size": data, "data": data, "go_on_s": LONG_ENOUGH_S},
        warm_up={"go_on_s": 0.0},
        block=block,
        baseline=baseline,
        quick=False,
        time_limit_s=20.0,
    )


MAKE: dict[str, Callable[[], object]] = {
    "a list of 10,000 ints": lambda: [*range(10_000)],
    "a dict of 1,000 strings": lambda: {f"key {number}": f"value {number}" for number in range(1_000)},
    "1 MB of bytes": lambda: bytes(range(250)) * 4_000,
    "a list of ten blocks of 100 kB": lambda: [bytes([number]) * 100_000 for number in range(65, 75)],
}
"""Makes the data of a case. Without an entry it is an int: the number of the call."""

CASES = {
    "an int": _case("an int"),
    **{data: _case(data) for data in MAKE},
    "an int, from an event loop": _case("an int, from an event loop", "from an event loop", "to_thread"),
}


class Job:
    """What a runner gets: data to hand over, again and again, and a function that returns what it is given."""

    def __init__(self, data: str, go_on_s: float) -> None:
        """Make the data; nothing has been handed over."""
        self.data: Any = MAKE[data]() if data in MAKE else None
        self.expected = MAKE[data]() if data in MAKE else None
        self.function = identity
        self.function_async = identity_async
        self.answer: object = None
        """What the last call gave."""
        self.calls_count = 0
        self.started_ns = self.ended_ns = 0
        self._go_on_ns = round(go_on_s * 1e9)

    def calls(self) -> Iterator[object]:
        """Yield the data of the next call, until the time is over."""
        self.started_ns = time.perf_counter_ns()
        until_ns = self.started_ns + self._go_on_ns
        while True:
            yield self.calls_count if self.data is None else self.data
            self.calls_count += 1
            self.ended_ns = time.perf_counter_ns()
            if self.ended_ns >= until_ns:
                return


def identity(value: object) -> object:
    """Return what is given."""
    return value


async def identity_async(value: object) -> object:
    """Return what is given, as a coroutine."""
    return value


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return Job(str(parameters["data"]), float(parameters["go_on_s"]))


def at_once(_job: Job) -> dict[str, int]:
    """Name no limit: one call at a time."""
    return {}


def judge(job: Job, _returned: None) -> Outcome:
    """Check the content of the last answer; of ints it is the number of the last call."""
    values: dict[str, Value] = {
        "calls_count": job.calls_count,
        "handing_over_ns": job.ended_ns - job.started_ns,
    }
    expected = job.calls_count - 1 if job.expected is None else job.expected
    wrong = ""
    if not job.calls_count:
        wrong = "nothing was handed over"
    elif type(job.answer) is not type(expected) or job.answer != expected:
        wrong = f"the last answer is not what was handed over, but {str(job.answer)[:40]!r}"
    return Outcome(values, [], wrong)
