"""Everyday: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from runners.everyday import _work
from runners.everyday._work import Answer, Item
from runners.harness.contract import Case, Outcome, default_executor_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from runners.harness.contract import Parameters, Surroundings, Value

__all__ = ["BASELINE", "CASES", "Answer", "Item", "Job", "at_once", "judge", "prepare"]

BASELINE = "sync_loop"
LARGE_POOL = 200
EARLIEST_SHARE = 0.9
"""Of its wait, after which an item can be done at the earliest: clocks count in steps."""


def _case(kind: str, items: int, size: str, *, wait_s: float = 0.0, turns: int = 0) -> Case:
    waits = bool(wait_s)
    return Case(
        {"size": size, "kind": kind, "items": items, "wait_s": wait_s, "turns": turns},
        warm_up={"items": 2, "wait_s": wait_s / 100, "turns": turns // 100},
        baseline="asyncio_tasks" if waits else "",
        quick=False,
        steady=waits,
    )


CASES = {
    "1,000 API calls of 100 ms": _case("call", 1_000, "1,000 API calls", wait_s=0.1),
    "compress 200 files": _case("compress", 200, "200 files"),
    "20 requests of 20 ms and 10 ms of JSON": _case("json", 20, "20 requests", wait_s=0.02, turns=9_000),
    "read 500 small files": _case("read", 500, "500 small files"),
    "40 images, 5 ms of Python each": _case("resize", 40, "40 images", turns=100_000),
    "50 queries of 20 ms, 20 ms of computing": _case("query", 50, "50 queries", wait_s=0.02, turns=8_000),
}


class Job(NamedTuple):
    """What a runner gets: the items, and how to do one. It returns an answer for each, in any order."""

    items: list[Item]
    work: Callable[[Item], Answer]
    """Does all of an item; blocks."""
    work_async: Callable[..., Coroutine[None, None, Answer]]
    """The same as a coroutine, whose wait does not block. What it computes does, unless its second argument, a
    coroutine function of the item, does that elsewhere."""
    compute: Callable[[Item], int]
    """Does what is not the wait; blocks."""
    cores: int
    large_pool: int
    """Threads of a pool that is made for waiting."""


def prepare(parameters: Parameters, surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    items = _work.make_items(
        str(parameters["kind"]),
        int(parameters["items"]),
        float(parameters["wait_s"]),
        int(parameters["turns"]),
        surroundings.seed,
    )
    return Job(items, _work.work, _work.work_async, _work.result_of, surroundings.cores, LARGE_POOL)


def at_once(job: Job) -> dict[str, int]:
    """Say how many items may be in work at one moment, by what the runner declares in AT_ONCE."""
    limits = {"one": 1, "workers": job.cores, "large pool": job.large_pool, "items": len(job.items)}
    limits["default executor"] = default_executor_threads()
    return {word: min(limit, len(job.items)) for word, limit in limits.items()}


def judge(job: Job, returned: list[Answer]) -> Outcome:
    """Check that each item was done once and rightly, and not before its wait was over."""
    right: dict[tuple[bytes, int], int] = {}
    wrong = ""
    if sorted(answer.number for answer in returned) != [*range(len(job.items))]:
        return Outcome({}, [], f"{len(job.items)} items are to be done, each once; {len(returned)} were answered")
    for number, result, span in returned:
        item = job.items[number]
        if (item.payload, item.turns) not in right:
            right[item.payload, item.turns] = _work.result_of(item)
        if result != right[item.payload, item.turns]:
            wrong = f"item {number} gave {result}, not {right[item.payload, item.turns]}"
        elif span.ended_ns - span.started_ns < EARLIEST_SHARE * item.wait_s * 1e9:
            wrong = f"item {number} was done before its wait of {item.wait_s * 1e3:g} ms was over"
    durations = [answer.span.ended_ns - answer.span.started_ns for answer in returned]
    values: dict[str, Value] = {"longest_item_ns": max(durations), "all_items_ns": sum(durations)}
    return Outcome(values, [answer.span for answer in returned], wrong)
