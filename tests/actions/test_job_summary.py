"""The summary of a collected run: short enough, with nothing that acts, and never a reason to lose the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifacts import collected, put

from actions import job_summary
from actions.collect import Collected
from actions.safe_text import plain
from runners.harness.record.cells_file import Outcomes

if TYPE_CHECKING:
    from pathlib import Path

NOTHING = Outcomes("run", "https://example.org", "", "quick", [])


def cells(found: Collected) -> str:
    return job_summary.cells(found.outcomes.cells, found.refused, found.impossible)


def test_the_summary_quotes_nothing_that_could_act(tmp_path: Path) -> None:
    put(tmp_path, **{"::error::x": b""})
    (tmp_path / "<img src=x>|`id`").mkdir()
    text = cells(collected(tmp_path))
    assert "| ubuntu-24.04 | 3.14t | measured |" in text
    assert "<img" not in text
    assert "`" not in text
    assert "::" not in text


def test_a_name_in_bytes_that_are_no_text_can_be_reported() -> None:
    assert plain("run-\udcff\n::set-output name=x::y").encode() == b"run- : :set-output name=x: :y"


def test_of_many_refusals_fifty_are_listed_and_the_rest_is_counted() -> None:
    found = Collected([], NOTHING, [f"file {number}: why" for number in range(60)], ["file: fault"] * 51)
    lines = cells(found).splitlines()
    assert lines.count("- and 10 more") == 1
    assert lines.count("- and 1 more") == 1
    assert len([line for line in lines if line.startswith("- file ")]) == 50
    assert len([line for line in lines if line.startswith("- file:")]) == 50


def test_what_the_sanity_gate_refuses_is_listed_apart() -> None:
    text = cells(Collected([], NOTHING, [], ["a/a.json: primes / full / sync_loop: clock: it took 0 ns"]))
    assert "## Refused by the sanity gate\n\n- a/a.json: primes / full / sync_loop: clock: it took 0 ns" in text
    assert "## Refused\n" not in text
