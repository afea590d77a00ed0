"""What Choose opens with, kept as the openings that the form in the browser is held to.

Written anew with UPDATE_GOLDEN=1.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from generate.analysis.work_map import Point
from generate.pages.choose_answer import (
    LONGER,
    MapData,
    Measured,
    Model,
    Said,
    Unmeasured,
    bound_words,
    on_clients,
    opening,
    work_words,
)
from generate.text.numbers import NO_BREAK
from runners.harness.catalogue.scenarios import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.pages.choose_answer import Opening
    from generate.pages.real_clients import Clients

OPENINGS = ROOT / "tests" / "javascript" / "openings.json"

LOOP = Measured("plain_loop", 104_000, 1, 1, 1, 1, 9_000, 0, 104_000, 0, 970)
ALIKE = Measured("tasks", 105_000, 1, 1.01, 0.99, 1.02, 9_100, 930, 104_000, 0, 4_700)
NEITHER = Measured("threads", 106_000, 2, 1.02, 0.9, 1.2, 9_200, None, None)
BEHIND = Measured("threads", 150_000, 0, 1.44, 1.4, 1.5, 12_345, 9_590, 150_000, 3_400, 20_400)
BOTH = Measured("both", 1_500_000, 0, 14.4, 14.2, 14.6, None, 45_000, 1_500_000, 45_000, 45_000)
AS_TASKS = Measured("both", 105_500, 1, 1.01, 1, 1.02, 9_100, 930, 104_000, 0, 4_700)
RULED_OUT = Unmeasured("both", None, 16_700_000, None)
POOL = Unmeasured("thread_pool", None, 16_700_000, None)
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
    Point("timers", 100, 0, 10_000): [ALIKE._replace(ratio=1, low=1, high=1), AS_TASKS, BEHIND, POOL],
    Point("sockets", 100, 0, 10_000): [ALIKE._replace(ratio=1, low=1, high=1), AS_TASKS, BEHIND],
    Point("timers", 100, 100, 10_000): [BEHIND._replace(at_front=1), ALIKE._replace(at_front=0)],
    Point("timers", 10, 0, 0): [AS_TASKS._replace(ratio=1, low=1, high=1), LOOP],
    Point("hashing", 100, 100, 10_000): [ALIKE],
}


CLIENTS: Clients = {
    "said": "aiohttp: no difference seen in this run; gevent: 1.61 times as fast",
    "on": "",
    "front": {"tasks": False, "greenlets": True, "threads": False},
}


def known(rounds: int = 9, why_nothing: str = "", clients: Clients | None = CLIENTS) -> MapData:
    names = {"plain_loop": "plain loop", "tasks": "asyncio tasks", "threads": "threads", "new": "interpreters"}
    names["thread_pool"] = "thread pool"
    models = {runner: Model(words=words, family="threads") for runner, words in names.items()}
    models["both"] = {"words": "asyncio and a process pool", "family": "asyncio", "works_as": "asyncio tasks"}
    return {
        "models": models,
        "machine": "a-machine",
        "build": "cpython-3.14.1",
        "cores": 2,
        "started": "2026-11-01",
        "rounds": rounds,
        "raw": "a-machine/a-run.json",
        "why_nothing": why_nothing,
        "clients": clients,
        "reasons": ["needs Python 3.14 or later"],
        "points": {"/".join(map(str, point)): [*standings] for point, standings in POINTS.items()},
    }


MAPS = [
    known(),
    known(rounds=3, clients=None),
    known(rounds=1, why_nothing="1 round, where 3 is the least", clients={**CLIENTS, "on": ", on CPython 3.13.1"}),
]


COMPUTES = Point("timers", 1_000, 100, 100_000)


def test_the_openings_are_what_the_page_says() -> None:
    openings = [
        {
            "map": each,
            "said": {
                "/".join(map(str, point)): {
                    "sentences": found.sentences,
                    "clients": found.clients,
                    "where": found.where,
                    "column": found.column,
                    "memory": [each.cells[-1] for each in found.rows if each.cells],
                }
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


def words_of(found: Opening) -> str:
    return " ".join(each.words for each in found.sentences).replace(NO_BREAK, " ")


def test_the_fastest_the_noise_the_others_what_arithmetic_rules_out_and_sockets_are_said_in_this_order() -> None:
    found = opening(known(), COMPUTES)
    assert found
    assert words_of(found) == (
        "In front: plain loop, 104 ms; within the noise of it: asyncio tasks. Behind it: threads (1.44 times as long)."
        " Ruled out by arithmetic, pools being of the default size, and not measured: asyncio and a process pool"
        " (6 at a time, at least 161 times as long)."
        " Waiting for a local server instead of a timer: asyncio tasks, 105 ms; within the noise of it: plain loop."
        f" {LONGER}"
    )
    assert found.where == (
        "1,000 tasks that each compute 0.1 ms and wait 100 ms. cpython-3.14.1 on a-machine, 2026-11-01,"
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
    assert {each.aside for each in found.rows} == {""}
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


WAITS = Point("timers", 100, 0, 10_000)


def test_memory_that_may_be_less_than_is_believed_is_not_resolved_and_sorts_as_unknown() -> None:
    found = opening(known(), COMPUTES)
    assert found
    cells = [
        (each.cells[-1].key, *(words.replace(NO_BREAK, " ") for words in each.cells[-1][1:])) for each in found.rows[:3]
    ]
    assert cells == [
        (0, "under 1 MB", ""),
        (None, "not resolved", "0 to 4.81 MB"),
        (9_590, "9.82 MB", "3.48 to 20.9 MB"),
    ]


def test_a_model_that_has_nothing_to_hand_over_is_not_named_beside_the_one_that_it_works_as_and_its_row_says_so() -> (
    None
):
    found = opening(known(), WAITS)
    assert found
    assert "process pool" not in words_of(found)
    assert words_of(found).startswith("Fastest: asyncio tasks, 105 ms. Behind it: threads (1.44 times as long).")
    assert "Waiting for a local server instead of a timer: asyncio tasks, 105 ms." in words_of(found)
    assert [each.aside for each in found.rows] == ["", "as asyncio tasks: nothing to compute", "", ""]
    alone = opening(known(), Point("timers", 10, 0, 0))
    assert alone
    assert words_of(alone).startswith(
        "In front: asyncio and a process pool (as asyncio tasks: nothing to compute), 106 ms;"
    )


def test_that_a_pool_of_threads_is_ruled_out_leads_to_how_large_it_may_be() -> None:
    said = [opening(known(), point) for point in (WAITS, COMPUTES)]
    pools, others = (next(each for each in found.sentences if "Ruled out" in each.words) for found in said if found)
    assert pools.words.endswith(". A larger pool of threads takes fewer turns: how many threads?")
    assert pools[1:] == ("how many threads?", "threads")
    assert others[1:] == ("", "")


SAID = "Against threads, aiohttp: no difference seen in this run; gevent: 1.61 times as fast."


@pytest.mark.parametrize(
    ("point", "given", "said"),
    [
        (WAITS, known(), f"A thousand downloads with real HTTP clients came out otherwise. {SAID}"),
        (COMPUTES, known(), f"A thousand downloads with real HTTP clients came out otherwise. {SAID}"),
        (
            WAITS,
            MAPS[2],
            f"A thousand downloads were measured with real HTTP clients as well, on CPython 3.13.1. {SAID}",
        ),
        (
            WAITS,
            known(clients={**CLIENTS, "front": {"tasks": True}}),
            f"A thousand downloads were measured with real HTTP clients as well. {SAID}",
        ),
        (WAITS, known(clients=None), ""),
        (Point("timers", 10, 0, 1_000), known(), ""),
        (Point("hashing", 100, 100, 10_000), known(), ""),
    ],
)
def test_work_that_may_be_calls_is_told_at_once_how_real_clients_did(point: Point, given: MapData, said: str) -> None:
    found = on_clients(given["points"]["/".join(map(str, point))], given, point)
    assert found == ([Said(said, "real HTTP clients", "clients")] if said else [])


def test_only_the_longest_wait_says_what_a_longer_one_would_change() -> None:
    longest, shorter, none = (opening(known(), point) for point in (COMPUTES, WAITS, Point("timers", 1, 10_000, 0)))
    assert longest
    assert shorter
    assert none
    assert longest.sentences[-1].words == LONGER
    assert LONGER not in words_of(shorter) + words_of(none)
