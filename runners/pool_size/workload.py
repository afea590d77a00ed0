"""Pool size: the cases, the work, and the check of its answers."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome, Span, default_executor_threads, span_since

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "thread_pool"

DEFAULT = 0
"""Stands for the size that the library chooses."""
MOST_THREAD_BYTES = 300_000
"""What a thread may hold, on a build without the GIL."""
EARLIEST_SHARE = 0.9
"""Of its wait, after which an item can be done at the earliest: clocks count in steps."""

BOTH = "2,048 items of 0.1 ms and a wait of 1 ms"
WAITING = "2,048 waits of 5 ms"
COMPUTING = "200 items of 0.5 ms"


def _cases(size: str, work: Parameters, baseline: int, **sizes: tuple[int, ...]) -> dict[str, Case]:
    """Make a case for each size of a pool; *sizes* has those of each kind of pool."""
    cases = {}
    for workers in sorted({workers for each in sizes.values() for workers in each}):
        pools = {pool: int(workers in each) for pool, each in sizes.items()}
        name = "default size" if workers == DEFAULT else "1 worker" if workers == 1 else f"{workers:,} workers"
        cases[f"{size}, {name}"] = Case(
            {"size": size, "workers": workers, **work, **pools},
            warm_up={"workers": 1, "items": 2, "turns": 20, "wait_s": 0.0},
            block=size,
            baseline=BASELINE if workers == baseline else "",
            quick=False,
            steady=size == WAITING,
            memory_bytes=workers * MOST_THREAD_BYTES,
        )
    return cases


CASES = {
    **_cases(
        BOTH,
        {"items": 2_048, "turns": 2_000, "wait_s": 0.001},
        baseline=40,
        threads=(DEFAULT, 16, 40, 128, 512, 2_048),
        growing=(2_048,),
        processes=(),
    ),
    **_cases(
        WAITING,
        {"items": 2_048, "turns": 0, "wait_s": 0.005},
        baseline=128,
        threads=(40, 128, 512),
        growing=(2_048,),
        processes=(),
    ),
    **_cases(
        COMPUTING,
        {"items": 200, "turns": 10_000, "wait_s": 0.0},
        baseline=1,
        threads=(DEFAULT, 1, 2, 40),
        growing=(),
        processes=(2, 4, 8),
    ),
}


class Item(NamedTuple):
    """What one call does."""

    number: int
    turns: int
    wait_s: float


class Answer(NamedTuple):
    """What came of one item, and when and where."""

    number: int
    result: int
    span: Span


class Items:
    """The items, which note when a pool begins to take them: that is after its workers have started."""

    def __init__(self, items: list[Item]) -> None:
        self._items = items
        self.taken_ns = 0

    def __iter__(self) -> Iterator[Item]:
        self.taken_ns = time.perf_counter_ns()
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


class Job(NamedTuple):
    """What a runner gets: the items, the function for one, and how many workers to use."""

    items: Items
    work: Callable[[Item], Answer]
    workers: int


def compute(turns: int) -> int:
    """Compute in a loop of pure Python."""
    total = 1
    for turn in range(turns):
        total = (total * 31 + turn) % 65_521
    return total


def work(item: Item) -> Answer:
    """Compute, then wait."""
    started_ns = time.perf_counter_ns()
    result = compute(item.turns)
    if item.wait_s:
        time.sleep(item.wait_s)
    return Answer(item.number, result, span_since(started_ns))


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    turns, wait_s = int(parameters["turns"]), float(parameters["wait_s"])
    items = [Item(number, turns, wait_s) for number in range(int(parameters["items"]))]
    return Job(Items(items), work, int(parameters["workers"]) or default_executor_threads())


def at_once(job: Job) -> dict[str, int]:
    """Return the limits that AT_ONCE can name."""
    return {"workers": min(job.workers, len(job.items))}


def judge(job: Job, returned: list[Answer]) -> Outcome:
    """Check that each item was done once and rightly, and not before its wait was over."""
    items = [*job.items._items]  # noqa: SLF001 - without noting a time
    if [answer.number for answer in returned] != [item.number for item in items]:
        return Outcome({}, [], f"{len(items)} items are to be done, each once; {len(returned)} were answered")
    right = compute(items[0].turns)
    wrong = ""
    for (number, result, span), item in zip(returned, items):  # noqa: B905 - of one length
        if result != right:
            wrong = f"item {number} gave {result}, not {right}"
        elif span.ended_ns - span.started_ns < EARLIEST_SHARE * item.wait_s * 1e9:
            wrong = f"item {number} was done before its wait of {item.wait_s * 1e3:g} ms was over"
    spans = [answer.span for answer in returned]
    values: dict[str, Value] = {
        "items_ns": max(span.ended_ns for span in spans) - job.items.taken_ns,
        "all_items_ns": sum(span.ended_ns - span.started_ns for span in spans),
        "workers_used_count": len({(span.process_id, span.thread_id) for span in spans}),
    }
    return Outcome(values, spans, wrong)
