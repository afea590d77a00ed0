"""What `show` prints of result files: who is faster by how much, and what has no value and why."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from factory import REFERENCE, Plan, build, make, some_scenarios
from rich.console import Console

from generate.checks.show import show
from runners.harness.errors import UserError
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

SCENARIOS = {"primes": some_scenarios()["primes"]}
NEW = build("3.14.0")


def shown(folder: Path, *plans: Plan, width: int = 80) -> str:
    for number, plan in enumerate(plans):
        (folder / f"{number}.json").write_bytes(encode(make(SCENARIOS, plan)))
    text = io.StringIO()
    show([folder], Console(file=text, width=width, highlight=False))
    return text.getvalue()


def line_of(text: str, runner: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(f"{runner} "))


def test_each_case_has_a_table_with_the_baseline_first_and_the_best_before_the_others(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE, speed={"process_pool": 0.5, "thread_pool": 2.0}))
    assert "primes, published: Time for all eight numbers\nbaseline: sync_loop; against itself: " in text
    table = text.partition("primes, published:")[2].partition("\n\n")[0]
    runners = [line.split()[0] for line in table.splitlines()[3:] if not line.startswith(" ")]
    assert (runners[0], runners[1], runners[-1]) == ("sync_loop", "process_pool", "thread_pool")
    assert "the baseline" in line_of(table, "sync_loop")
    assert "times as fast" in line_of(table, "process_pool")


def test_a_quick_run_says_that_it_is_one(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE, rounds=3, profile="quick", speed={"process_pool": 0.6}), width=120)
    assert "quick profile, 3 rounds" in text
    assert "quick run)" in line_of(text, "process_pool")


def test_what_has_no_value_says_why(tmp_path: Path) -> None:
    status = {"process_pool": "timed_out", "thread_pool": "unsupported"}
    text = shown(tmp_path, Plan(build=REFERENCE, status=status), width=120)  # type: ignore[arg-type]
    assert "ran out of time: fixture: timed_out" in line_of(text, "process_pool")
    assert "not supported: fixture: unsupported" in line_of(text, "thread_pool")


def test_files_of_one_run_stand_together_each_build_beside_the_reference(tmp_path: Path) -> None:
    slower = Plan(build=NEW, speed=dict.fromkeys(SCENARIOS["primes"].runners, 2.0))
    text = shown(tmp_path, Plan(build=REFERENCE), slower, width=120)
    assert text.count("primes, published: ") == 1
    assert text.index("\ncpython-3.12.8") < text.index("\ncpython-3.14.0")
    assert text.count("beside cpython-3.12.8: takes 2.0 times as long") >= len(SCENARIOS["primes"].runners)


def test_no_line_is_wider_than_the_terminal(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE), Plan(build=NEW), width=80)
    assert max(map(len, text.splitlines())) <= 80


def test_a_file_that_can_t_be_used_is_named_and_the_others_are_shown(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(UserError, match="there is no result file to show"):
        show([tmp_path], Console(file=io.StringIO()))
    assert shown(tmp_path, Plan(build=REFERENCE)).startswith("bad.json ")
