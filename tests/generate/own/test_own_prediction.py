"""The arithmetic of tests/planted_work/expected.py: c computes, w waits, n items, on two cores."""

from typing import Any

import msgspec
import pytest
from own_records import ITEM, MS, own_record

from generate.data.own_prediction import advise, predict

BARE = msgspec.structs.replace(
    ITEM, compute_ns=0, wait_ns=0, longest_ns=0, argument_bytes=10, answer_bytes=10, pickle_ns=2000
)


def advised(count: int = 200, kind: str = "function", version: str = "3.13.1", **costs: Any) -> str:  # noqa: ANN401 - fields
    own = {"blocking_ns": 0 if kind == "coroutine" else None} | costs
    item = msgspec.structs.replace(BARE, **own)
    advice = advise(predict(own_record([], [version], item, kind=kind, items_count=count)))
    assert advice is not None
    return advice.model.partition("_")[0]


@pytest.mark.parametrize(
    ("expected", "costs"),
    [
        ("processes", {"compute_ns": 10 * MS}),
        ("processes", {"compute_ns": 9 * MS, "wait_ns": MS}),
        ("loop", {"compute_ns": 100 * MS, "count": 10, "longest_ns": 970 * MS}),
        ("threads", {"wait_ns": 20 * MS}),
        ("threads", {"compute_ns": 3 * MS, "wait_ns": 9 * MS}),
        ("threads", {"compute_ns": 4 * MS, "wait_ns": 4 * MS}),
        ("threads", {"compute_ns": 10 * MS, "gil_share": 0.02}),
        ("threads", {"compute_ns": 10 * MS, "gil_share": None, "version": "3.14.7t"}),
        ("loop", {"compute_ns": 10 * MS, "pickle_ns": None}),
        ("loop", {"compute_ns": 500, "count": 10_000}),
        ("loop", {"compute_ns": MS, "argument_bytes": 300_000, "pickle_ns": 3 * MS}),
        ("gather", {"kind": "coroutine", "wait_ns": 20 * MS}),
        ("gather", {"kind": "coroutine", "compute_ns": MS // 3, "wait_ns": 50 * MS}),
        ("loops", {"kind": "coroutine", "wait_ns": 5 * MS, "blocking_ns": 5 * MS}),
        ("loops", {"kind": "coroutine", "compute_ns": 5 * MS, "gil_share": 0.0}),
        ("loop", {"kind": "coroutine", "compute_ns": 5 * MS}),
        ("loop", {"kind": "coroutine", "compute_ns": 800, "count": 10_000}),
    ],
)
def test_advice_is_that_of_the_arithmetic(expected: str, costs: dict[str, Any]) -> None:
    assert advised(**costs) == expected


def test_builds_without_an_item_are_not_predicted() -> None:
    record = own_record([])
    bare = msgspec.structs.replace(record, builds=[msgspec.structs.replace(record.builds[0], item=None)])
    assert advise(predict(bare)) is None


def test_threads_left_running_rule_out_fork() -> None:
    item = msgspec.structs.replace(ITEM, threads_count=2)
    models = {each.model for each in predict(own_record([], item=item))}
    assert "processes_spawn" in models
    assert "processes_fork" not in models


def test_prediction_keeps_to_the_limits_of_the_command() -> None:
    item = msgspec.structs.replace(BARE, wait_ns=20 * MS, blocking_ns=0)
    limited = predict(own_record([], item=item, kind="coroutine", at_once=4))
    assert {each.workers for each in limited if each.model == "gather"} == {4}
    assert {each.workers for each in predict(own_record([], workers=[3])) if each.model == "threads"} == {3}
