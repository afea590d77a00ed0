"""Primes: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome, Span, default_executor_threads, span_since

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "sync_loop"

CANDIDATES = (
    112272535095293,
    112582705942171,
    112272535095293,
    115280095190773,
    115797848077099,
    1099726899285419,
    17,
    4,
)
PRIMES = {112272535095293, 112582705942171, 115280095190773, 115797848077099, 17}
TIMER_INTERVAL_S = 0.01

CASES = {
    "published": Case({"size": "published", "skip": 0, "timer": 0}, warm_up={"skip": 6}),
    "published, with a timer": Case(
        {"size": "published", "skip": 0, "timer": 1}, warm_up={"skip": 6}, baseline="asyncio_naive"
    ),
}


class Answer(NamedTuple):
    """One number, whether it is prime, and when and where that was found out."""

    number: int
    prime: bool
    span: Span


class Job(NamedTuple):
    """What a runner gets: the numbers, the blocking call, how many workers, and a timer to keep on the event loop."""

    numbers: tuple[int, ...]
    work: Callable[[int], Answer]
    workers: int
    timer: Callable[[], Coroutine[None, None, None]]
    timer_ticks: bool
    timer_delays_ns: list[int]


def is_prime(number: int) -> bool:
    """Trial division by 3, 5, 7, ... up to the square root. *number* is at least 3."""
    if number % 2 == 0:
        return False
    return all(number % divisor for divisor in range(3, math.isqrt(number) + 1, 2))


def work(number: int) -> Answer:
    """Test one number; blocks for up to a second."""
    started_ns = time.perf_counter_ns()
    prime = is_prime(number)
    return Answer(number, prime, span_since(started_ns))


def prepare(parameters: Parameters, surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    delays_ns: list[int] = []

    async def timer() -> None:
        import asyncio  # noqa: PLC0415 - a process pool's children import this module inside the clock

        while parameters["timer"]:
            due_ns = time.perf_counter_ns() + round(TIMER_INTERVAL_S * 1e9)
            try:
                await asyncio.sleep(TIMER_INTERVAL_S)
            finally:
                delays_ns.append(time.perf_counter_ns() - due_ns)

    numbers = CANDIDATES[int(parameters["skip"]) :]
    return Job(numbers, work, surroundings.cores, timer, bool(parameters["timer"]), delays_ns)


def at_once(job: Job) -> dict[str, int]:
    """Say how many numbers may be in work at one moment, by what the runner declares in AT_ONCE."""
    return {"one": 1, "workers": job.workers, "default executor": min(default_executor_threads(), len(job.numbers))}


def judge(job: Job, returned: list[Answer]) -> Outcome:
    """Check the answers, and compute what the ideal needs."""
    values: dict[str, Value] = {}
    wrong = ""
    if sorted(answer.number for answer in returned) != sorted(job.numbers):
        wrong = "the numbers answered are not the numbers asked"
    for answer in returned:
        if answer.prime != (answer.number in PRIMES):
            wrong = f"{answer.number} is {'not ' if answer.prime else ''}prime"
    if job.timer_ticks and not job.timer_delays_ns:
        wrong = "the timer never began to tick"
    durations = [answer.span.ended_ns - answer.span.started_ns for answer in returned]
    values["longest_job_ns"] = max(durations, default=0)
    values["all_jobs_ns"] = sum(durations)
    values["timer_worst_delay_ns"] = max(job.timer_delays_ns, default=None)
    return Outcome(values, [answer.span for answer in returned], wrong)
