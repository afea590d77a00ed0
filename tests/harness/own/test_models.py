"""Every model gives the loop's answers in the order of the items, and runs as many at once as it should."""

import importlib.util
import inspect
import multiprocessing
import sys
from typing import Any

import own_work
import pytest

from runners.harness.contract import Span, peak_in_flight
from runners.harness.own.measured import models, subject

CALLS = [(number,) for number in range(12)]
FUNCTIONS = ["loop", "threads", "to_thread", "processes_fork", "processes_forkserver", "processes_spawn"]
COROUTINES = ["loop", "gather", "taskgroup", "uvloop", "trio"]
OPTIONAL = {"uvloop": "uvloop", "trio": "trio", "greenlets": "gevent"}
SQUARES = [number**2 for (number,) in CALLS]
WORKERS, AT_ONCE = 3, 6


def run(model: str, function: Any, **more: Any) -> list[Any]:  # noqa: ANN401 - any function and field
    if (library := OPTIONAL.get(model)) and importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    if model == "taskgroup" and sys.version_info < (3, 11):
        pytest.skip("needs Python 3.11")
    method = model.removeprefix("processes_")
    if method != model and method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {method}")
    work = models.Work(function, more.pop("calls", CALLS), WORKERS, **more)
    libraries = frozenset({"anyio"}) if inspect.iscoroutinefunction(function) else None
    return models.find(model, libraries, at_once=AT_ONCE)(work)


@pytest.mark.parametrize(
    ("model", "function", "calls", "answers"),
    [
        *((model, own_work.square, CALLS, SQUARES) for model in FUNCTIONS),
        *((model, own_work.without_items, [()] * 5, [7] * 5) for model in FUNCTIONS),
        *((model, own_work.square_later, CALLS, SQUARES) for model in (*COROUTINES, "loops_in_threads")),
    ],
)
def test_answers_are_the_loops(model: str, function: Any, calls: list[Any], answers: list[int]) -> None:  # noqa: ANN401 - functions
    assert run(model, function, calls=calls) == answers


@pytest.mark.parametrize(
    ("model", "function", "most"),
    [
        *((model, own_work.sleep, 1 if model == "loop" else WORKERS) for model in FUNCTIONS),
        *((model, own_work.sleep_in_loop, 1 if model == "loop" else WORKERS) for model in COROUTINES),
        ("loops_in_threads", own_work.sleep_in_loop, AT_ONCE),
        ("greenlets", own_work.sleep_in_greenlet, WORKERS),
    ],
)
def test_as_many_run_at_once_as_allowed(model: str, function: Any, most: int) -> None:  # noqa: ANN401 - functions
    assert peak_in_flight([Span(begun, ended, 1, 1) for begun, ended in run(model, function)]) == most


@pytest.mark.parametrize("model", ["threads", "to_thread", "processes_spawn", "loop"])
def test_setup_runs_in_every_worker_before_its_items(model: str) -> None:
    own_work.prepared.clear()
    assert run(model, own_work.needs_preparation, setup=own_work.prepare) == [number for (number,) in CALLS]


@pytest.mark.parametrize(
    ("same", "first", "second", "are_same"),
    [
        ("exact", [1, "a"], [1, "a"], True),
        ("exact", float("nan"), float("nan"), True),
        ("exact", {1: 2}, {1: 3}, False),
        ("unordered", [1, 2], [2, 1], True),
        ("unordered", [1, 1, 2], [1, 2, 2], False),
        ("close", {"a": [1.0, 2]}, {"a": [1 + 1e-12, 2]}, True),
        ("close", [1.0], [1.01], False),
        ("close", "text", "text", True),
    ],
)
def test_answers_are_compared_as_asked(same: str, first: object, second: object, *, are_same: bool) -> None:
    assert subject.SAME[same](first, second) == are_same
