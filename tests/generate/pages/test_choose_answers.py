"""The answers of Choose, with the models they may name and what others cost; everyday work as examples."""

import json
from collections.abc import Callable
from html import unescape
from itertools import product
from pathlib import Path

import msgspec
import pytest
from factory import build
from map_factory import drawn, map_record
from sample_site import build_records_context, readable
from syrupy.assertion import SnapshotAssertion

from generate.data.work_map import Point, WorkMap, lower_bound
from generate.pages import choose
from generate.pages.choose import NEAREST, OPENS_WITH, Answer, Answers, ChooseFunctions, Direct
from generate.words import patterns
from generate.words.numbers import NO_BREAK
from runners.harness.catalogue.scenarios import find

FOUND = find()["crossover"]
RUNNERS = FOUND.runners
ALL_CASES = [name for name, case in FOUND.cases.items() if case.parameters["kind"] == "timers"]
SETTINGS = [
    Point("timers", *each)
    for each in product((1, 10, 100, 1_000, 10_000), (0, 100, 1_000, 10_000), (0, 1_000, 10_000, 100_000))
]
HOLES: dict[str, Callable[[Point], bool]] = {
    "every point": lambda _point: True,
    "no waits": lambda point: not point.wait_us,
    "10 tasks": lambda point: point.tasks == 10,
    "nothing long": lambda point: point.tasks * (point.compute_us + point.wait_us) < 1_000_000,
    "every other": lambda point: bool((point.tasks + point.compute_us // 100 + point.wait_us // 1_000) % 2),
    "nothing": lambda _point: False,
}


@pytest.fixture(scope="module")
def known() -> WorkMap:
    return drawn(map_record(cases=ALL_CASES))


def answer(of: WorkMap, point: Point) -> Answer:
    return Answers(of, RUNNERS).at(point)


def join_text(given: Answer) -> str:
    costs = [f"{each.model}: {each.words}" for each in given.costs]
    return " ".join([given.lead, given.perhaps, *costs, *given.more]).replace(NO_BREAK, " ")


@pytest.mark.parametrize("free_threaded", [False, True])
def test_excluded_models_never_lead_an_answer(known: WorkMap, *, free_threaded: bool) -> None:
    every = drawn(map_record(ALL_CASES, build("3.14.1", free_threaded=True))) if free_threaded else known
    for is_kept, point in product(HOLES.values(), SETTINGS):
        of = WorkMap(every.result, [at for at in every.points if is_kept(at.point)])
        given = answer(of, point)
        if not given.named:
            continue
        bound_ns = lower_bound(of, RUNNERS[given.named[0]], point).least_ns
        at, somewhere = of.at(point), every.at(point)
        estimates = [each.estimate.value for each in somewhere.measured if each.estimate] if somewhere else []
        others = [lower_bound(of, RUNNERS[name], point).least_ns for name in of.models]
        assert bound_ns <= min(estimates or [bound_ns]) * 1.000001, (point, given.named)
        assert at or bound_ns == min(others), (point, given.named)


def test_unmeasured_point_has_no_time(known: WorkMap) -> None:
    given = answer(known, Point("timers", 10_000, 100, 100_000))
    assert given.rows == ()
    text = join_text(given)
    assert text.startswith(patterns.CHOOSE_LEAVES.format(models="asyncio, gevent greenlets and threads"))
    assert patterns.CHOOSE_LEAST.format(time="1.1 s", cores="2 cores") in text
    assert "plain loop: at least 1,000 s" in text
    assert any("10,000 tasks that each wait 100 ms" in line for line in given.more)


@pytest.mark.parametrize("point", [Point("hashing", 10, 0, 1_000), Point("sockets", 10, 100, 0)])
def test_work_without_hashing_or_sockets_is_the_same_work(known: WorkMap, point: Point) -> None:
    assert answer(known, point) == answer(known, point._replace(kind="timers"))


def test_one_round_or_a_busy_machine_decides_nothing() -> None:
    record = map_record()
    busy = msgspec.structs.replace(record, machine=msgspec.structs.replace(record.machine, load_before=3.0))
    undecided = patterns.CHOOSE_UNDECIDED.partition("{")[0]
    for each in (map_record(rounds=1), busy):
        assert answer(drawn(each), OPENS_WITH).lead.startswith(undecided)


def test_memory_is_shown_where_it_was_measured() -> None:
    known = drawn(map_record(("1,000 tasks", "1,000 tasks, memory")))
    shown = answer(known, OPENS_WITH)
    assert shown.start == "crossover/asyncio_tasks"
    assert "threads: 1.3 times as long, 14 MB more" in join_text(shown)
    assert shown.has_memory
    assert "14 MB" not in join_text(answer(drawn(map_record(("1,000 tasks",))), OPENS_WITH))
    assert shown.rows[0]["cells"][-1][0].value == pytest.approx(2_000_000)
    assert not answer(known, OPENS_WITH._replace(wait_us=10_000)).has_memory
    assert {at.point.kind for at in known.points} == {"timers"}


def test_form_has_an_answer_and_addresses_of_the_others(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    context = build_records_context(tmp_path, map_record())
    form = ChooseFunctions(context, "choose.md").choose_form()
    assert readable(form.partition("data-answer")[2]) == snapshot
    ((path, made),) = choose.render_fetched(context)
    assert [*json.loads(unescape(form.partition('data-maps="')[2].partition('"')[0])).values()] == [
        {"cpython-3.13.1": path}
    ]
    kept = json.loads(made)
    assert len(kept["answers"]) == 2 * 4 * 4
    text, models = kept["answers"]["timers/1000/0/100000"]
    assert (text in form, models in form) == (True, True)
    assert "timers/1000/1000/100000" not in kept["measured"]


def test_everyday_work_has_its_nearest_point() -> None:
    assert NEAREST.keys() == find()["everyday"].cases.keys()


def test_answer_has_what_was_measured_of_everyday_work(known: WorkMap) -> None:
    given = Answers(known, RUNNERS, {OPENS_WITH: Direct("1,000 calls.", "trio_nursery")}).at(OPENS_WITH)
    assert given.start == "everyday/trio_nursery"
