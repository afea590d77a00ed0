"""Whether one file's value lies inside the interval that another file has of the same series."""

from __future__ import annotations

from typing import Any

import pytest
from factory import REFERENCE, Plan, build, make, some_scenarios

from generate.checks.compare import compare, lines
from generate.checks.placed import Placed

SCENARIOS = {"primes": some_scenarios()["primes"]}
NEW = build("3.14.0")
OURS: dict[str, Any] = {"run_id": "ours", "seed": 1, "build": NEW}
YOURS: dict[str, Any] = {"run_id": "yours", "seed": 2, "build": NEW}


def told(ours: dict[str, Any], yours: dict[str, Any]) -> Placed | str:
    rows = compare(make(SCENARIOS, Plan(**ours)), make(SCENARIOS, Plan(**yours)), SCENARIOS)
    (found,) = (row.placed for row in rows if (row.case, row.runner) == ("published", "thread_pool"))
    return found


def place(ours: dict[str, Any], yours: dict[str, Any]) -> Placed:
    found = told(ours, yours)
    assert isinstance(found, Placed)
    return found


def test_the_same_file_lies_inside_itself() -> None:
    found = place(OURS, OURS)
    assert found.is_inside
    assert found.low < found.value < found.high


def test_on_one_machine_the_values_themselves_are_placed() -> None:
    found = place(OURS, {**YOURS, "speed": {"thread_pool": 3.0}})
    assert not found.is_inside
    assert found.unit == "ns"
    assert found.value > 2 * found.high
    assert "is outside" in found.words


@pytest.mark.parametrize(("speed", "is_inside"), [(1.0, True), (3.0, False)])
def test_on_two_machines_the_ratios_to_the_reference_are_placed_so_a_slow_host_makes_no_difference(
    speed: float, *, is_inside: bool
) -> None:
    found = place(OURS, {**YOURS, "machine": "slow", "slowness": 5.0, "speed": {"thread_pool": speed}})
    assert found.unit is None
    assert found.is_inside == is_inside
    assert "of the reference build is" in found.words


@pytest.mark.parametrize(
    ("yours", "why"),
    [
        ({**YOURS, "build": build("3.13.7")}, "they are of two builds"),
        ({**YOURS, "status": {"thread_pool": "failed"}}, "second file: failed"),
        ({**YOURS, "machine": "other", "reference": build("3.11.2")}, "different reference builds"),
    ],
)
def test_what_is_of_another_build_or_has_no_common_reference_says_so(yours: dict[str, Any], why: str) -> None:
    assert str(told(OURS, yours)).startswith(why)


def test_two_runs_of_the_reference_build_are_placed_on_one_machine_alone() -> None:
    ours, yours = ({**side, "build": REFERENCE} for side in (OURS, YOURS))
    assert isinstance(told(ours, yours), Placed)
    assert str(told(ours, {**yours, "machine": "other"})).startswith("both are the reference build")


def test_the_last_line_counts_who_lies_inside() -> None:
    ours = make(SCENARIOS, Plan(**OURS))
    rows = compare(ours, ours, SCENARIOS)
    assert (
        lines(rows)[-1] == f"The second's value lies inside the first's interval in {len(rows)} of {len(rows)} series."
    )
    broken = compare(ours, make(SCENARIOS, Plan(**{**OURS, "status": {"thread_pool": "failed"}})), SCENARIOS)
    without = sum(isinstance(row.placed, str) for row in broken)
    assert without
    assert lines(broken)[-1].endswith(f"; {without} can't be placed.")
    other = compare(ours, make(SCENARIOS, Plan(**{**YOURS, "build": build("3.13.7")})), SCENARIOS)
    assert lines(other)[-1] == "No value is placed in the other's interval: they are of two builds."
