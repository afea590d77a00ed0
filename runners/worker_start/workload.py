"""Worker start: the cases, the job of each, and the check of its answers."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple, Protocol

from runners.harness.contract import Case, Outcome, Span
from runners.worker_start import _answers, _jobs
from runners.worker_start._memory import tree_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from runners.harness.contract import Parameters, Surroundings, Value
    from runners.worker_start._answers import Answer
    from runners.worker_start._jobs import Data, Done

__all__ = ["BASELINE", "CASES", "Job", "Worker", "at_once", "judge", "prepare"]

BASELINE = "thread"
CALLS = 200
"""Calls of the first worker, one after another, once all have answered."""
POOL = 2
"""Processes of a pool, as in the sources."""


def _workers(size: str, workers: int, *, modules: bool = False) -> Case:
    parameters: Parameters = {
        "size": size,
        "kind": "worker",
        "workers": workers,
        "modules": int(modules),
        "calls": CALLS,
    }
    return Case(parameters, warm_up={"workers": 1, "calls": 5}, quick=False, time_limit_s=20.0)


def _pool(size: str, jobs: int, lines: int, chunk: int) -> Case:
    parameters: Parameters = {
        "size": size,
        "kind": "pool",
        "workers": POOL,
        "jobs": jobs,
        "lines": lines,
        "chunk": chunk,
    }
    return Case(parameters, warm_up={"jobs": 4, "lines": min(lines, 1)}, baseline="pool_default", quick=False)


CASES = {
    "one worker": _workers("one worker", 1),
    "one worker, 20 modules": _workers("one worker", 1, modules=True),
    "10 workers": _workers("10 workers", 10),
    "pool, 1,000 calls of nothing": _pool("1,000 calls", jobs=1_000, lines=0, chunk=10),
    "pool, 230 jobs that read 50 MB": _pool("230 jobs", jobs=230, lines=2_700, chunk=1),
}


class Worker(Protocol):
    """Something that answers. It starts as it is made."""

    def ask(self, number: int) -> None:
        """Send a number."""

    def answer(self) -> Answer:
        """Wait for the answer to a number that was sent."""

    def end(self) -> None:
        """End it, and wait until it has ended."""


class Employed(NamedTuple):
    """What was noted of workers that were started, called and ended."""

    begun_ns: int
    first: list[tuple[Answer, int]]
    """Each worker's first answer, and when it came."""
    calls_ns: list[int]
    called: list[Answer]
    ending_ns: int
    ended_ns: int
    before_bytes: int | None
    working_bytes: int | None


class Job:
    """What a runner gets: workers to start, or numbers for a pool of processes, each of which gets the data."""

    def __init__(self, workers: int, calls: int, answer: Callable[[int], Answer], data: Data, jobs: int) -> None:
        self.workers = workers
        self.calls = calls
        self.answer = answer
        self.employed: Employed | None = None
        self.numbers = range(jobs)
        self.data = data
        self.receive = _jobs.receive
        self.work = _jobs.read if data else _jobs.nothing
        self.chunk = 1
        self.begun_ns = self.ended_ns = 0

    def begin(self) -> None:
        """Note that the pool is about to be made."""
        self.begun_ns = time.perf_counter_ns()

    def end(self) -> None:
        """Note that the pool has ended."""
        self.ended_ns = time.perf_counter_ns()

    def employ(self, start: Callable[[Callable[[int], Answer]], Worker]) -> None:
        """Start all workers side by side, ask each, call the first one many times, and end them."""
        before_bytes = tree_bytes()
        begun_ns = time.perf_counter_ns()
        workers = [start(self.answer) for _ in range(self.workers)]
        for number, worker in enumerate(workers):
            worker.ask(number)
        first = [(worker.answer(), time.perf_counter_ns()) for worker in workers]
        working_bytes = tree_bytes()
        called, calls_ns = [], []
        for number in range(self.calls):
            asked_ns = time.perf_counter_ns()
            workers[0].ask(number)
            called.append(workers[0].answer())
            calls_ns.append(time.perf_counter_ns() - asked_ns)
        ending_ns = time.perf_counter_ns()
        for worker in workers:
            worker.end()
        ended_ns = time.perf_counter_ns()
        self.employed = Employed(begun_ns, first, calls_ns, called, ending_ns, ended_ns, before_bytes, working_bytes)


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job of one case. The program itself has imported the modules, if there are any."""
    answer = _answers.answer
    if parameters.get("modules"):
        from runners.worker_start import _modules  # noqa: PLC0415 - only where they belong to the case

        answer = _modules.answer
    jobs, lines = int(parameters.get("jobs", 0)), int(parameters.get("lines", 0))
    data = [{line: line * 7 % 1_000 + job for line in range(lines)} for job in range(jobs)] if lines else []
    job = Job(int(parameters["workers"]), int(parameters.get("calls", 0)), answer, data, jobs)
    job.chunk = int(parameters.get("chunk", 1))
    return job


def at_once(job: Job) -> dict[str, int]:
    """Return the limits that AT_ONCE can name."""
    return {"workers": job.workers}


def judge(job: Job, returned: list[Done] | None) -> Outcome:
    """Check the answers of all workers, and that there were as many workers as asked for."""
    return _judge_jobs(job, returned or []) if job.numbers else _judge_workers(job)


def _judge_jobs(job: Job, done: list[Done]) -> Outcome:
    expected = [(number, sum(job.data[number].values()) if job.data else 0) for number in job.numbers]
    wrong = "" if [each[:2] for each in done] == expected else f"{len(done)} of {len(expected)} jobs, or wrong sums"
    spans = [Span(*each[2:]) for each in done]
    values: dict[str, Value] = {
        "jobs_count": len(done),
        "workers_count": len({span.process_id for span in spans}),
        "start_up_ns": job.ended_ns - job.begun_ns,
    }
    return Outcome(values, spans, wrong)


def _judge_workers(job: Job) -> Outcome:
    if job.employed is None:
        return Outcome({}, [], "no worker was started")
    employed = job.employed
    first = [answer for answer, _ in employed.first]
    places = {answer[1:3] for answer in first}
    right = [answer[0] for answer in first] == [number + 1 for number in range(job.workers)]
    right = right and [answer[0] for answer in employed.called] == [number + 1 for number in range(job.calls)]
    wrong = "" if right else "wrong answers"
    if len(places) != job.workers:
        wrong = wrong or f"{job.workers} workers were to answer, {len(places)} did"
    values: dict[str, Value] = {
        "workers_count": len(places),
        "importing_workers_count": sum(answer[3] > employed.begun_ns for answer in first),
        "start_up_ns": max(at_ns for _, at_ns in employed.first) - employed.begun_ns,
        "call_median_ns": sorted(employed.calls_ns)[len(employed.calls_ns) // 2],
        "ending_ns": employed.ended_ns - employed.ending_ns,
        "before_bytes": employed.before_bytes,
        "working_bytes": employed.working_bytes,
    }
    spans = [Span(at_ns, employed.ending_ns, *answer[1:3]) for answer, at_ns in employed.first]
    return Outcome(values, spans, wrong)
