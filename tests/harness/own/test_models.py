"""Every model gives the loop's answers in the order of the items, and runs as many at once as it should."""

import importlib.util
import inspect
import multiprocessing
import sys
from typing import Any

import own_work
import pytest

from runners.harness.own.measured import models, subject

CALLS = [(number,) for number in range(12)]
FUNCTIONS = ["loop", "threads", "to_thread", "processes_fork", "processes_forkserver", "processes_spawn"]
COROUTINES = ["loop", "gather", "loops_in_threads"]
OPTIONAL = {"uvloop": "uvloop", "trio": "trio"}


def run(model: str, function: Any, workers: int = 3, **more: Any) -> list[Any]:  # noqa: ANN401 - any function and field
    if (library := OPTIONAL.get(model)) and importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    if model == "taskgroup" and sys.version_info < (3, 11):
        pytest.skip("needs Python 3.11")
    method = model.removeprefix("processes_")
    if method != model and method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {method}")
    work = models.Work(function, more.pop("calls", CALLS), workers, **more)
    libraries = frozenset({"anyio"}) if inspect.iscoroutinefunction(function) else None
    return models.find(model, libraries, at_once=6)(work)


@pytest.mark.parametrize("model", FUNCTIONS)
def test_function_has_the_loops_answers(model: str) -> None:
    assert run(model, own_work.square) == [number**2 for (number,) in CALLS]


@pytest.mark.parametrize("model", [*COROUTINES, "taskgroup", "uvloop", "trio"])
def test_coroutine_has_the_loops_answers(model: str) -> None:
    assert run(model, own_work.square_later) == [number**2 for (number,) in CALLS]


@pytest.mark.parametrize("model", FUNCTIONS)
def test_function_without_items_is_called_that_often(model: str) -> None:
    assert run(model, own_work.without_items, calls=[()] * 5) == [7] * 5


@pytest.mark.parametrize("model", FUNCTIONS)
def test_as_many_calls_run_at_once_as_there_are_workers(model: str) -> None:
    assert own_work.overlap(run(model, own_work.sleep)) == (1 if model == "loop" else 3)


@pytest.mark.parametrize(("model", "most"), [("loop", 1), ("gather", 3), ("taskgroup", 3), ("uvloop", 3), ("trio", 3)])
def test_as_many_coroutines_run_at_once_as_allowed(model: str, most: int) -> None:
    assert own_work.overlap(run(model, own_work.sleep_in_loop)) == most


def test_loops_in_threads_share_the_limit() -> None:
    assert own_work.overlap(run("loops_in_threads", own_work.sleep_in_loop)) == 6


def test_greenlets_run_at_once() -> None:
    gevent = pytest.importorskip("gevent")
    at_once: list[int] = []

    def wait(number: int) -> int:
        at_once.append(number)
        gevent.sleep(0.01)
        count = len(at_once)
        at_once.remove(number)
        return count

    assert max(run("greenlets", wait)) == 3


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
