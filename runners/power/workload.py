"""Power: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome, Span, default_executor_threads, span_since

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "sync_loop"

BASE = 7777
PRIME = 1_000_000_007

CASES = {
    "published": Case({"size": "published", "exponent": 200_000, "jobs": 10}, warm_up={"exponent": 100, "jobs": 2})
}


class Answer(NamedTuple):
    """What was found out about one power, and when and where."""

    number: int
    bits: int
    remainder: int
    span: Span


class Job(NamedTuple):
    """What a runner gets: the numbers of the computations, and how to do one."""

    numbers: range
    exponent: int
    cores: int

    def work(self, number: int) -> Answer:
        """Compute one power; blocks for about a tenth of a second."""
        started_ns = time.perf_counter_ns()
        power = BASE**self.exponent
        return Answer(number, power.bit_length(), power % PRIME, span_since(started_ns))


def prepare(parameters: Parameters, surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return Job(range(int(parameters["jobs"])), int(parameters["exponent"]), surroundings.cores)


def at_once(job: Job) -> dict[str, int]:
    """Say how many powers may be in work at one moment, by what the runner declares in AT_ONCE."""
    limits = {"one": 1, "workers": job.cores, "jobs": len(job.numbers), "default executor": default_executor_threads()}
    return {word: min(limit, len(job.numbers)) for word, limit in limits.items()}


def judge(job: Job, returned: list[Answer]) -> Outcome:
    """Check the answers, and compute what the ideal needs."""
    bits = math.floor(job.exponent * math.log2(BASE)) + 1
    remainder = pow(BASE, job.exponent, PRIME)
    wrong = ""
    if sorted(answer.number for answer in returned) != list(job.numbers):
        wrong = f"{len(job.numbers)} powers are asked for; {len(returned)} were answered"
    for answer in returned:
        if (answer.bits, answer.remainder) != (bits, remainder):
            wrong = f"power {answer.number} has {answer.bits} bits and leaves {answer.remainder}"
    durations = [answer.span.ended_ns - answer.span.started_ns for answer in returned]
    values: dict[str, Value] = {"longest_job_ns": max(durations, default=0), "all_jobs_ns": sum(durations)}
    return Outcome(values, [answer.span for answer in returned], wrong)
