"""Prints the family that intelligent-futures selects, called with a module, a function, a generator and how many items.

As its documentation advises: `evaluate_workload` tunes a standard pool and its own executor on training blocks, and
compares them on held-out blocks. It either recommends its executor, or the best standard pool is kept.
"""

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from intelligent_futures.evaluation import EvaluationConfiguration, EvaluationPlan, evaluate_workload
from intelligent_futures.evaluation_workloads import EvaluationFixture, callable_workload

CORES = os.cpu_count() or 1
MOST = 32
USUAL = EvaluationConfiguration("thread", min(MOST, CORES + 4))
"""The standard pool of threads, without arguments."""
THREADS = {USUAL, *(EvaluationConfiguration("thread", workers) for workers in (1, CORES, MOST))}
POOLS = [*sorted(THREADS), *(EvaluationConfiguration("process", CORES, batch) for batch in (1, 10))]
PLAN = EvaluationPlan(max_workers=MOST, max_pending=2 * MOST, expected_reuses=1_000_000)


def main(module: str, function: str, generator: str, count: str) -> None:
    work = importlib.import_module(module)
    run: Any = getattr(work, function)
    items = [*getattr(work, generator)()][: int(count)]
    expected = tuple(map(run, items))

    @contextmanager
    def fixture(_seed: int) -> Iterator[EvaluationFixture]:
        yield EvaluationFixture(items, lambda answers: bool(answers == expected))

    workload = callable_workload(
        run,
        fixture,
        name=function,
        version="1",
        repeatable=True,
        independent=True,
        process_safe=True,
        max_pending=PLAN.max_pending,
    )
    report = evaluate_workload(
        workload,
        stdlib_configurations=POOLS,
        intelligent_configurations=POOLS,
        fixed_baseline=USUAL,
        plan=PLAN,
        allow_process=True,
    )
    chosen = report.recommendation.configuration if report.recommendation else report.selected_stdlib
    sys.stdout.write(f"{name_family(chosen)}\n")


def name_family(chosen: EvaluationConfiguration | None) -> str:
    """Return a family as expected.py names it; a pool of one thread is as good as a loop."""
    if chosen is None:
        return "none"
    if chosen.backend == "process":
        return "processes"
    return "threads" if chosen.workers > 1 else "loop"


if __name__ == "__main__":
    main(*sys.argv[1:])
