"""The answers of Choose: what they name, and what they may not."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import build
from map_factory import drawn, map_record

from generate.data.work_map import Point, WorkMap, lower_bound
from generate.pages.choose_answer import LONGER, OPENS_WITH, answer, list_models, work_words
from generate.pages.real_clients import Clients
from generate.words.numbers import NO_BREAK
from runners.harness.catalogue import scenarios

if TYPE_CHECKING:
    from collections.abc import Callable

    from generate.pages.choose_answer import Answer

FOUND = scenarios.find()["crossover"]
RUNNERS = FOUND.runners
ALL_CASES = [name for name, case in FOUND.cases.items() if case.parameters["kind"] == "timers"]
SETTINGS = [
    Point("timers", *each)
    for each in product((1, 10, 100, 1_000, 10_000), (0, 100, 1_000, 10_000), (0, 1_000, 10_000, 100_000))
]


@pytest.fixture(scope="module")
def known() -> WorkMap:
    return drawn(map_record(cases=ALL_CASES))


def with_holes(known: WorkMap, is_kept: Callable[[Point], bool]) -> WorkMap:
    return WorkMap(known.result, [at for at in known.points if is_kept(at.point)])


HOLES: dict[str, Callable[[Point], bool]] = {
    "every point": lambda _point: True,
    "no waits": lambda point: not point.wait_us,
    "10 tasks": lambda point: point.tasks == 10,
    "nothing that is long": lambda point: point.tasks * (point.compute_us + point.wait_us) < 1_000_000,
    "every other": lambda point: bool((point.tasks + point.compute_us // 100 + point.wait_us // 1_000) % 2),
    "nothing": lambda _point: False,
}


@pytest.mark.parametrize("free_threaded", [False, True])
@pytest.mark.parametrize("holes", HOLES)
def test_no_answer_names_first_what_arithmetic_excludes(known: WorkMap, holes: str, *, free_threaded: bool) -> None:
    whole = drawn(map_record(ALL_CASES, build("3.14.1", free_threaded=True))) if free_threaded else known
    of = with_holes(whole, HOLES[holes])
    for point in SETTINGS:
        found = answer(of, point, RUNNERS)
        if not found.named:
            continue
        bound_ns = lower_bound(of, RUNNERS[found.named[0]], point).least_ns
        at, somewhere = of.at(point), whole.at(point)
        estimates = [each.estimate.value for each in somewhere.measured if each.estimate] if somewhere else []
        others = [lower_bound(of, RUNNERS[name], point).least_ns for name in of.models]
        assert bound_ns <= min(estimates or [bound_ns]) * 1.000001, (point, found.named)
        assert at or bound_ns == min(others), (point, found.named)


def words_of(found: Answer) -> str:
    return " ".join([found.lead, *(line.words for line in found.more), *found.near]).replace(NO_BREAK, " ")


def test_a_measured_point_names_fastest_slower_and_excluded(known: WorkMap) -> None:
    found = answer(known, OPENS_WITH, RUNNERS)
    assert found.named == ["asyncio_tasks", "greenlets"]
    assert words_of(found) == (
        "Fastest: asyncio and gevent greenlets (120 ms). Slower: threads (takes 1.3 times as long)."
        f" Too small by default: process pool (2 processes here). Too slow by arithmetic: plain loop (at least 100 s)."
        f" {LONGER}"
    )
    assert [row.runner for row in found.rows][:3] == ["asyncio_tasks", "greenlets", "threads"]
    rows = {row.runner: row for row in found.rows}
    assert [words for _, words, _ in rows["asyncio_tasks"].cells][1] == "1"
    assert rows["sync_loop"].why.replace(NO_BREAK, " ") == "at least 100 s: one after the other"
    assert rows["trio_nursery"].why == "fixture: failed"


def test_a_point_that_was_not_measured_has_no_time(known: WorkMap) -> None:
    found = answer(known, Point("timers", 10_000, 100, 100_000), RUNNERS)
    assert found.rows == ()
    said = words_of(found)
    assert said.startswith("Not measured. Arithmetic leaves asyncio, gevent greenlets and threads.")
    assert "No model takes less than 1.1 s on 2 cores." in said
    assert "plain loop (1,000 s)" in said or "plain loop (at least 1,000 s)" in said
    assert any(line.startswith("Less work: 10,000 tasks that each wait 100 ms: ") for line in found.near)


def test_the_pool_of_threads_may_be_made_larger(known: WorkMap) -> None:
    names = {"threads": "thread_pool"}
    points = [
        replace(
            at, standings=[replace(s, key=s.key._replace(runner=names.get(s.runner, s.runner))) for s in at.standings]
        )
        for at in known.points
    ]
    found = answer(WorkMap(known.result, points), Point("timers", 10_000, 1_000, 10_000), RUNNERS)
    (line,) = (line for line in found.more if line.words.startswith("Too small"))
    assert line.words == "Too small by default: thread pool (6 threads here), process pool (2)."
    assert line.link == "How many threads?"


def test_more_than_three_that_are_as_fast_need_no_choice(known: WorkMap) -> None:
    at = known.at(OPENS_WITH)
    assert at
    runners = ["asyncio_tasks", "greenlets", "threads", "trio_nursery"]
    alike = [replace(at.measured[0], key=at.measured[0].key._replace(runner=name), state="as fast") for name in runners]
    point = replace(at, standings=[replace(alike[0], state="fastest"), *alike[1:]])
    found = answer(WorkMap(known.result, [point]), OPENS_WITH, RUNNERS)
    assert found.lead.replace(NO_BREAK, " ") == (
        "Any of these: asyncio, gevent greenlets, threads and trio tasks (120 ms). Take the simplest."
    )


def test_asyncio_on_both_loops_is_one_name() -> None:
    assert list_models(["asyncio_uvloop", "asyncio_tasks"], RUNNERS) == "asyncio, with or without uvloop"
    both = list_models(["asyncio_uvloop", "asyncio_tasks", "threads"], RUNNERS)
    assert both == "asyncio with or without uvloop and threads"
    assert list_models(["asyncio_uvloop"], RUNNERS) == "asyncio on uvloop"


def test_tasks_that_do_not_hash_after_all_are_the_same_work(known: WorkMap) -> None:
    timers = answer(known, Point("timers", 10, 0, 1_000), RUNNERS)
    assert answer(known, Point("hashing", 10, 0, 1_000), RUNNERS) == timers
    assert answer(known, Point("sockets", 10, 100, 0), RUNNERS) == answer(known, Point("timers", 10, 100, 0), RUNNERS)


def test_sockets_that_were_not_measured_name_what_timers_have(known: WorkMap) -> None:
    found = answer(known, Point("sockets", 10, 0, 1_000), RUNNERS)
    assert found.lead == "Not measured."
    assert found.near[-1].startswith("With timers: 10 tasks that each wait 1 ms: ")


def test_one_round_decides_nothing_and_is_said_so() -> None:
    found = answer(drawn(map_record(rounds=1)), OPENS_WITH, RUNNERS)
    assert found.lead.startswith("Undecided: one round: no range. Lowest: asyncio (")


def test_a_busy_machine_decides_nothing() -> None:
    record = map_record()
    busy = msgspec.structs.replace(record, machine=msgspec.structs.replace(record.machine, load_before=3.0))
    assert answer(drawn(busy), OPENS_WITH, RUNNERS).lead.startswith("Undecided: the machine was busy: ")


AGAINST = "gevent 1.6 times as fast (1.5 to 1.7)"


@pytest.mark.parametrize(
    ("point", "is_best", "begins"),
    [
        (OPENS_WITH, False, "The order differs with real HTTP clients, "),
        (OPENS_WITH, True, "With real HTTP clients, "),
        (Point("timers", 10, 0, 100_000), True, ""),
    ],
)
def test_work_that_may_be_calls_has_real_clients(known: WorkMap, point: Point, begins: str, *, is_best: bool) -> None:
    found = answer(known, point, RUNNERS, Clients(AGAINST, {"asyncio_tasks": is_best}))
    lines = [line for line in found.more if "clients" in line.words]
    assert [line.words for line in lines] == ([f"{begins}compared with threads: {AGAINST}."] if begins else [])
    assert all(line.href == "#with-real-clients" for line in lines)


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
