"""Choose: what it says of a map that decides nothing, only what is plain, or all."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import Plan, build, make
from map_factory import map_record
from sample_site import book_of

from generate.analysis.work_map import MapPoint, Standing
from generate.pages import choose, everyday, maps
from generate.text.numbers import NO_BREAK
from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from generate.pages.context import SiteContext
    from runners.harness.record.model import Record

PLAIN = "3 rounds decide only what is plain"
NOTHING = "This map decides nothing: 1 round, where 3 is the least that decides anything."


def context_of(tmp_path: Path, *records: Record) -> SiteContext:
    results, docs = tmp_path / "results", tmp_path / "docs"
    results.mkdir(parents=True)
    docs.mkdir()
    for number, record in enumerate(records):
        (results / f"{number}.json").write_bytes(encode(record))
    return book_of(results, find(), docs)


@pytest.mark.parametrize(("rounds", "said"), [(1, NOTHING), (3, PLAIN), (9, "")])
def test_what_few_rounds_decide_is_said_above_the_map_and_above_the_table_of_models(
    tmp_path: Path, rounds: int, said: str
) -> None:
    context = context_of(tmp_path, map_record(rounds=rounds))
    for text in (maps.pictures(context, "choose.md"), choose.one_model(context, "choose.md")):
        assert ('class="caution"' in text) == bool(said)
        assert said in text.replace(NO_BREAK, " ")
    assert ("At the front" in choose.one_model(context, "choose.md")) == (rounds > 1)
    assert (">not decided</text>" in maps.pictures(context, "choose.md")) == (rounds == 1)


def test_all_that_is_said_of_a_build_is_of_one_run_with_and_without_the_gil_though_a_newer_is_current(
    tmp_path: Path,
) -> None:
    newest = map_record()
    run = msgspec.structs.replace(newest.run, id="newer", started="2026-03-01T00:00:00Z")
    newer = msgspec.structs.replace(newest, run=run)
    older, free = (
        msgspec.structs.replace(each, run=msgspec.structs.replace(each.run, runners=["named_by_the_command"]))
        for each in (newest, map_record(of=build(newest.build.version, free_threaded=True)))
    )
    context = context_of(tmp_path, older, free, newer)
    assert context.site.current["crossover"][0].record.run.id == "newer"
    assert choose.measured_maps(context)[0][0].record.run.id == older.run.id
    pair = [choose.beside_each_other(context, gil=gil) for gil in (True, False)]
    assert [(each[0].record.run.id, each[0].record.build.free_threaded) for each in pair if each] == [
        (older.run.id, False),
        (older.run.id, True),
    ]
    drawn = maps.pictures(context, "choose.md")
    assert [heading.split(" ")[0] for heading in re.findall("<h3[^>]*>(.*)</h3>", drawn)] == [
        f"cpython-{older.build.version}",
        f"cpython-{older.build.version}t",
    ]
    assert "other builds" not in drawn
    assert maps.pages(context) == {}
    ids = re.findall(r'\bid="([^"]+)"', drawn)
    assert len(ids) == len({*ids})


def test_each_map_that_choose_does_not_show_has_a_page_of_its_own(tmp_path: Path) -> None:
    versions = ("3.11.9", "3.12.14", "3.13.1")
    alone = context_of(tmp_path / "alone", map_record())
    context = context_of(tmp_path / "all", *(map_record(of=build(version)) for version in versions))
    shown, *others = (cell.build for cell, _ in choose.measured_maps(context))
    assert {shown, *others} == {f"cpython-{version}" for version in versions}
    pages = maps.pages(context)
    assert {path.rpartition("/")[2] for path in pages} == {f"{name}.md" for name in others}
    for name, text in zip(others, pages.values(), strict=True):
        assert text.count("<svg ") == maps.pictures(alone, "choose.md").count("<svg ")
        assert "At most a tenth behind" in text
        assert f"with {name} (" in text
    linked = {cell.build: maps.page_of(context, cell) for cell in context.site.cells()}
    assert linked == {shown: "choose.md", **dict(zip(others, pages, strict=True))}
    drawn = maps.pictures(context, "choose.md")
    assert [f"{each}.md" for each in re.findall(r'<li><a href="(.*?)\.html">', drawn)] == [*pages]
    assert choose.one_model(context, "choose.md").count("<table") == 1
    assert len(drawn) - len(maps.pictures(alone, "choose.md")) < 250 * len(others)  # a line a map


def test_a_map_of_a_build_without_the_gil_alone_is_shown_once(tmp_path: Path) -> None:
    context = context_of(tmp_path, map_record(of=build("3.14.7", free_threaded=True)))
    assert maps.pictures(context, "choose.md").count("<h3 ") == 1
    assert choose.one_model(context, "choose.md").count("<table") == 1


@pytest.mark.parametrize(
    ("rounds", "doubt"), [(1, "2-core x86-64 machine: 1 round, "), (3, "2-core x86-64 machine: 3 rounds."), (9, "")]
)
def test_a_rule_is_not_decided_by_few_rounds(tmp_path: Path, rounds: int, doubt: str) -> None:
    text = choose.rules(context_of(tmp_path, map_record(rounds=rounds)), "choose.md")
    assert ("Not decided on" in text) == bool(doubt)
    assert (">not decided<" in text) == (rounds == 3)
    assert ("<td" in text) == (rounds > 1)  # of a map that decides nothing there is no share to give
    assert doubt in text


@pytest.mark.parametrize(("rounds", "kinds"), [(1, {0, 1, 2}), (3, {0, 1, 2}), (9, {0, 1})])
def test_the_form_is_given_who_is_not_told_apart_and_why_nothing_is_decided(
    tmp_path: Path, rounds: int, kinds: set[int]
) -> None:
    context = context_of(tmp_path, map_record(rounds=rounds))
    ((path, made),) = choose.fetched(context)
    (machine,) = json.loads(
        unescape(choose.form(context, "choose.md").partition('data-known="')[2].partition('"')[0])
    ).values()
    assert [f"{choose.MAPS}/{each}.json" for each in machine.values()] == [path]
    drawn = json.loads(made)
    standings = [one for point in drawn["points"].values() for one in point if one[1] is not None]
    places = {one[2] for one in standings}
    assert places <= kinds
    assert (2 in places) == (rounds < 9)
    assert (0 in places) == (rounds > 1)
    assert bool(drawn["why_nothing"]) == (rounds == 1)
    assert drawn["rounds"] == rounds


@pytest.mark.parametrize("turns", [15_000, 16_788])
def test_two_maps_whose_tasks_computed_other_amounts_are_not_to_be_compared_by_their_times(
    tmp_path: Path, turns: int
) -> None:
    first = map_record()
    twin = map_record(of=build(first.build.version, free_threaded=True))
    run = msgspec.structs.replace(twin.run, id="other", name="other", calibration={"turns_per_ms": turns})
    text = maps.pictures(context_of(tmp_path, msgspec.structs.replace(twin, run=run), first), "choose.md")
    assert text.count("<h3 ") == 2
    assert ("Compare who is at the front on each, not the times." in text) == (turns != 15_000)
    assert ("turns per ms 15,000 and 16,788" in text) == (turns != 15_000)


def test_a_map_of_a_busy_machine_says_that_it_decides_nothing(tmp_path: Path) -> None:
    record = map_record()
    busy = msgspec.structs.replace(record, machine=msgspec.structs.replace(record.machine, load_before=3.0))
    context = context_of(tmp_path, busy)
    text = maps.pictures(context, "choose.md").replace(NO_BREAK, " ")
    assert "This map decides nothing: the machine was busy: load 3.0 on 2 cores" in text
    assert ", 2-core x86-64 machine: the machine was busy" in choose.rules(context, "choose.md").replace(NO_BREAK, " ")


def test_each_everyday_piece_of_work_has_a_nearest_point() -> None:
    assert everyday.NEAREST.keys() == find()["everyday"].cases.keys()


def of_everyday(run_id: str, **speed: float) -> Record:
    return make({"everyday": find()["everyday"]}, Plan(run_id=run_id, seed=len(run_id), speed=speed))


def row_of(text: str, work: str) -> str:
    rows = re.split("<tr[^>]*>", text.replace(NO_BREAK, " "))
    return next(row for row in rows if work in row)


def test_the_models_behind_an_everyday_piece_of_work_stand_in_order_with_what_several_runs_have(tmp_path: Path) -> None:
    slow, slower = {"thread_per_task": 3.0, "thread_pool_200": 2.0}, {"thread_per_task": 5.0, "thread_pool_200": 2.0}
    context = context_of(tmp_path, of_everyday("run-1", **slow), of_everyday("run-22", **slower))
    row = row_of(everyday.everyday_table(context, "choose.md"), "1,000 API calls")
    pool, threads = r"pool of 200 2\.\d+ times", r"thread per task \d\.\d+ times \([23]\.\d+ to [45]\.\d+ in 2 runs\)"
    expected = rf"{pool}.*, {threads}"
    assert re.search(expected, row)


def test_a_nearest_point_that_computes_far_more_says_by_how_much(tmp_path: Path) -> None:
    text = everyday.everyday_table(context_of(tmp_path, of_everyday("run-1", sync_loop=0.01)), "choose.md")
    assert "<small>1.00 s of computing in all; this work takes " in row_of(text, "40 images")
    assert "of computing in all" not in row_of(text, "20 web requests") + row_of(text, "read 500 small files")


def test_an_everyday_piece_of_work_is_not_said_to_agree_where_the_map_decides_nothing(tmp_path: Path) -> None:
    text = everyday.everyday_table(context_of(tmp_path, map_record(rounds=1)), "choose.md")
    assert "not decided" not in text  # it was not measured itself: then nobody looks at the map
    assert everyday.Front(["asyncio"], is_undecided=False).words == "asyncio"
    assert everyday.Front(["asyncio"], is_undecided=True).words == "not decided"
    assert everyday.Front([], is_undecided=False).words == "not measured"


REQUESTS = "20 requests of 20 ms and 10 ms of JSON"


def agreement_of(tmp_path: Path, speed: Mapping[str, float], *advised: str, is_undecided: bool = False) -> str:
    """Return what is said of a map that has these models at its front, where the work itself has those speeds."""
    site = context_of(tmp_path, of_everyday("run-1", **speed)).site
    cell = site.first("everyday", REQUESTS)
    assert cell
    point = everyday.NEAREST[REQUESTS]
    front = [Standing(name, 1e6, at_front=True, is_undecided=is_undecided) for name in advised]
    ranked = everyday._ranked(cell, REQUESTS, site.scenarios["everyday"].metrics[0])
    others = [] if is_undecided else [Standing("asyncio_to_thread", 9e9)]
    at = MapPoint(point, "10 tasks", [*front, *others])
    return everyday._agreement(at, ranked, everyday._front(ranked, point, {each.series.runner: "" for each in ranked}))


BEHIND = {"thread_pool": 1.5, "asyncio_processes": 1.04}


@pytest.mark.parametrize(
    ("advised", "said"),
    [
        (["asyncio_uvloop", "asyncio_tasks"], "yes (1 of 1)"),
        (["asyncio_processes", "asyncio_tasks"], "yes (2 of 2)"),  # a tenth longer is as good
        (["thread_pool", "asyncio_uvloop", "asyncio_tasks"], "in part (1 of 2)"),
        (["thread_pool"], "no (0 of 1)"),
        (["asyncio_uvloop", "threads"], "not tried"),
        ([], ""),
    ],
)
def test_the_maps_advice_is_right_where_each_of_its_models_that_was_tried_is_as_good_as_the_best(
    tmp_path: Path, advised: list[str], said: str
) -> None:
    assert agreement_of(tmp_path, BEHIND, *advised) == said


def test_of_work_where_nothing_falls_behind_any_advice_would_do(tmp_path: Path) -> None:
    assert agreement_of(tmp_path, {}, "thread_pool") == "any would do"


def test_a_map_that_decides_nothing_is_not_held_against_the_work(tmp_path: Path) -> None:
    assert agreement_of(tmp_path, BEHIND, "asyncio_tasks", "thread_pool", is_undecided=True) == ""


def test_what_everyday_work_calls_a_model_of_the_map_is_one_that_it_tries() -> None:
    assert {*everyday.AS_TRIED} <= find()["crossover"].runners.keys() - find()["everyday"].runners.keys()
    assert {*everyday.AS_TRIED.values()} <= find()["everyday"].runners.keys()
