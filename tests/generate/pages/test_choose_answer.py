"""What Choose opens with, kept as the openings that the form in the browser is held to.

Written anew with UPDATE_GOLDEN=1.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from generate.analysis.work_map import Point
from generate.pages.choose_answer import MapData, Measured, Unmeasured, bound_words, opening, work_words
from generate.text.numbers import NO_BREAK
from runners.harness.catalogue.scenarios import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

OPENINGS = ROOT / "tests" / "javascript" / "openings.json"

LOOP = Measured("plain_loop", 104_000, 1, 1, 1, 1, 9_000, 0, 104_000)
ALIKE = Measured("tasks", 105_000, 1, 1.01, 0.99, 1.02, 9_100, 549, 104_000)
NEITHER = Measured("threads", 106_000, 2, 1.02, 0.9, 1.2, 9_200, None, None)
BEHIND = Measured("threads", 150_000, 0, 1.44, 1.4, 1.5, 12_345, 9_590, 150_000)
BOTH = Measured("both", 1_500_000, 0, 14.4, 14.2, 14.6, None, 45_000, 1_500_000)
RULED_OUT = Unmeasured("both", None, 16_700_000, None)
UNKNOWN = Unmeasured("new", None, None, 0)

POINTS: dict[Point, Sequence[Measured | Unmeasured]] = {
    Point("timers", 1_000, 100, 100_000): [LOOP, ALIKE, BEHIND, RULED_OUT, UNKNOWN],
    Point("sockets", 1_000, 100, 100_000): [ALIKE._replace(ratio=1, low=1, high=1), LOOP._replace(ratio=1.1), BEHIND],
    Point("timers", 1_000, 0, 0): [LOOP, BEHIND, BOTH],
    Point("timers", 1_000, 0, 100_000): [LOOP, NEITHER, RULED_OUT],
    Point("sockets", 1_000, 0, 100_000): [UNKNOWN],
    Point("timers", 1, 10_000, 0): [LOOP],
    Point("timers", 10, 0, 1_000): [LOOP, ALIKE, NEITHER],
    Point("sockets", 10, 0, 1_000): [LOOP, NEITHER],
    Point("timers", 100, 100, 0): [UNKNOWN, RULED_OUT],
}


def known(rounds: int = 9, why_nothing: str = "") -> MapData:
    names = {"plain_loop": "plain loop", "tasks": "asyncio tasks", "threads": "threads", "new": "interpreters"}
    names["both"] = "asyncio and a process pool"
    return {
        "models": {runner: {"words": words, "family": "threads"} for runner, words in names.items()},
        "machine": "a-machine",
        "build": "cpython-3.14.1",
        "cores": 2,
        "started": "2026-11-01",
        "rounds": rounds,
        "why_nothing": why_nothing,
        "reasons": ["needs Python 3.14 or later"],
        "points": {"/".join(map(str, point)): [*standings] for point, standings in POINTS.items()},
    }


MAPS = [known(), known(rounds=3), known(rounds=1, why_nothing="1 round, where 3 is the least")]


COMPUTES = Point("timers", 1_000, 100, 100_000)


def test_the_openings_are_what_the_page_says() -> None:
    openings = [
        {
            "map": each,
            "said": {
                "/".join(map(str, point)): (found.sentences, found.where)
                for point in POINTS
                if (found := opening(each, point))
            },
        }
        for each in MAPS
    ]
    bounds = [
        [bound_us, point.tasks, point.compute_us, point.wait_us, bound_words(bound_us, point)]
        for bound_us, point in (
            (16_700_000, Point("timers", 1_000, 0, 100_000)),
            (2.5e6, Point("timers", 7, 500_000, 0)),
        )
    ]
    said = json.dumps({"openings": openings, "bounds": bounds}, ensure_ascii=False, indent=1) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        OPENINGS.write_text(said, encoding="utf-8")
    assert OPENINGS.read_text(encoding="utf-8") == said


def test_the_fastest_the_noise_the_others_what_arithmetic_rules_out_and_sockets_are_said_in_this_order() -> None:
    found = opening(known(), COMPUTES)
    assert found
    assert " ".join(found.sentences).replace(NO_BREAK, " ") == (
        "In front: plain loop, 104 ms; within the noise of it: asyncio tasks. Behind it: threads (1.44 times as long)."
        " Ruled out by arithmetic, pools being of the default size, and not measured: asyncio and a process pool"
        " (6 at a time, at least 161 times as long)."
        " Waiting for a local server instead of a timer: asyncio tasks, 105 ms; within the noise of it: plain loop."
    )
    assert found.where == (
        "1,000 tasks that each compute 0.1 ms and wait 100 ms. cpython-3.14.1 on a-machine, 2 cores, 2026-11-01,"
        " 9 rounds; ratios are medians over them."
    )


def test_its_table_has_every_model_with_its_costs_or_why_it_has_none() -> None:
    found = opening(known(), COMPUTES)
    assert found
    first, alike, _, ruled_out, unknown = found.rows
    assert [cell.words.replace(NO_BREAK, " ") for cell in first.cells] == [
        "104 ms",
        "1",
        "104 ms",
        "9.00 ms",
        "under 1 MB",
    ]
    assert alike.cells[1][1:] == ("1.01", "0.990 to 1.02; within the noise")
    assert (ruled_out.cells, ruled_out.why) == ([], bound_words(16_700_000, Point("timers", 1_000, 100, 100_000)))
    assert unknown.why == "needs Python 3.14 or later"
    costs = opening(known())
    assert costs
    assert [cell.words for cell in costs.rows[1].cells[2:]] == ["not known", f"9.20{NO_BREAK}ms", "not known"]


def test_of_a_point_that_was_not_measured_the_page_opens_with_nothing() -> None:
    assert opening(known(), Point("timers", 10_000, 100, 100_000)) is None


@pytest.mark.parametrize(
    ("point", "words"),
    [
        (Point("timers", 1, 0, 1_000), "1 task that waits 1 ms"),
        (Point("timers", 10, 100, 10_000), "10 tasks that each compute 0.1 ms and wait 10 ms"),
        (Point("timers", 10_000, 0, 0), "10,000 tasks that each end at once"),
    ],
)
def test_work_is_named_by_what_each_task_does(point: Point, words: str) -> None:
    assert work_words(point) == words
