"""The page Choose: its form, its answers, the map as pictures and tables, everyday work."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import Plan, build, make
from map_factory import map_record
from sample_site import book_of

from generate.data.work_map import MapPoint, Standing
from generate.pages import choose, everyday, maps
from generate.words.numbers import NO_BREAK
from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from pathlib import Path

    from generate.data.work_map import State
    from generate.pages.context import SiteContext
    from runners.harness.record.model import Record


def context_of(tmp_path: Path, *records: Record) -> SiteContext:
    results, docs = tmp_path / "results", tmp_path / "docs"
    results.mkdir(parents=True)
    docs.mkdir()
    for number, record in enumerate(records):
        (results / f"{number}.json").write_bytes(encode(record))
    return book_of(results, find(), docs)


def attribute(form: str, name: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(unescape(form.partition(f'{name}="')[2].partition('"')[0]))
    return found


def test_the_form_comes_with_an_answer_and_finds_the_others(tmp_path: Path) -> None:
    context = context_of(tmp_path, map_record())
    form = choose.form(context, "choose.md").replace(NO_BREAK, " ")
    assert "Fastest: asyncio (120 ms).<small>Perhaps as fast: gevent greenlets.</small>" in form.replace("\n", "")
    assert '<a href="data/raw/0.json">Every sample (JSON)</a>: times are <code>c0_w100000_elapsed_ns</code>' in form
    ((path, made),) = choose.fetched(context)
    assert [*attribute(form, "data-maps").values()] == [{"cpython-3.13.1": path}]
    kept = json.loads(made)
    settings = {"/".join(map(str, point)) for point in choose.offered(context).settings()}
    assert kept["answers"].keys() == settings
    assert len(settings) == 2 * 4 * 4
    said, models = kept["answers"]["timers/1000/0/100000"]
    assert (said.replace(NO_BREAK, " ") in form, models.replace(NO_BREAK, " ") in form) == (True, True)
    unmeasured, _ = kept["answers"]["timers/1000/1000/100000"]
    assert unmeasured.startswith("Not measured. Arithmetic leaves ")
    assert "timers/1000/1000/100000" not in kept["measured"]


def test_selects_offer_measured_values_first(tmp_path: Path) -> None:
    form = choose.form(context_of(tmp_path, map_record()), "choose.md")
    computing = form.partition('name="compute"')[2].partition("</select>")[0]
    groups = re.findall(r'<optgroup label="(.*?)">(.*?)</optgroup>', computing)
    offered = {label: re.findall('value="([0-9]+)"', options) for label, options in groups}
    assert offered == {"Measured": ["0", "100"], "Not measured": ["1000", "10000"]}


@pytest.mark.parametrize("name", ["no map", "one round"])
def test_little_or_nothing_measured_is_no_error(tmp_path: Path, name: str) -> None:
    records = {"no map": [], "one round": [map_record(rounds=1)]}[name]
    context = context_of(tmp_path, *records)
    pictures = maps.pictures(context, "choose.md")
    tables = "".join(
        made(context, "choose.md") for made in (choose.form, choose.one_model, choose.rules, everyday.everyday_table)
    )
    small = choose.small_form(context, "index.md")
    if records:
        assert "This map decides nothing: one round: no range." in pictures
        assert "Undecided: one round: no range." in tables
        assert small
    else:
        assert "make report PROFILE=map" in pictures
        assert tables.count("No map was measured yet.") == 2
        assert small == ""


def test_maps_with_and_without_the_gil_are_next_to_each_other(tmp_path: Path) -> None:
    version = "3.14.1"
    context = context_of(tmp_path, map_record(of=build(version)), map_record(of=build(version, free_threaded=True)))
    drawn = maps.pictures(context, "choose.md")
    headings = [heading.split(" ")[0] for heading in re.findall("<h3[^>]*>(.*)</h3>", drawn)]
    assert headings == [f"cpython-{version}", f"cpython-{version}t"]
    assert maps.pages(context) == {}
    ids = re.findall(r'\bid="([^"]+)"', drawn)
    assert len(ids) == len({*ids})


def test_each_map_that_choose_does_not_show_has_a_page(tmp_path: Path) -> None:
    versions = ("3.11.9", "3.12.14", "3.13.1")
    context = context_of(tmp_path, *(map_record(of=build(version)) for version in versions))
    shown, *others = (cell.build for cell, _ in choose.measured_maps(context))
    assert {shown, *others} == {f"cpython-{version}" for version in versions}
    pages = maps.pages(context)
    assert {path.rpartition("/")[2] for path in pages} == {f"{name}.md" for name in others}
    assert all("As fast as the best" in text and "<svg " in text for text in pages.values())
    linked = {cell.build: maps.page_of(context, cell) for cell in context.site.cells()}
    assert linked == {shown: "choose.md", **dict(zip(others, pages, strict=True))}
    drawn = maps.pictures(context, "choose.md")
    assert [f"{each}.md" for each in re.findall(r'<li><a href="(.*?)\.html">', drawn)] == [*pages]


def test_a_map_of_a_build_without_the_gil_alone_is_shown_once(tmp_path: Path) -> None:
    context = context_of(tmp_path, map_record(of=build("3.14.7", free_threaded=True)))
    assert maps.pictures(context, "choose.md").count("<h3 ") == 1
    assert choose.one_model(context, "choose.md").count("<table") == 1


@pytest.mark.parametrize("turns", [15_000, 16_788])
def test_maps_of_other_amounts_of_work_are_not_compared_by_times(tmp_path: Path, turns: int) -> None:
    first = map_record()
    counterpart = map_record(of=build(first.build.version, free_threaded=True))
    run = msgspec.structs.replace(counterpart.run, id="other", name="other", calibration={"turns_per_ms": turns})
    text = maps.pictures(context_of(tmp_path, msgspec.structs.replace(counterpart, run=run), first), "choose.md")
    assert text.count("<h3 ") == 2
    assert ("turns per ms 15,000 and 16,788" in text) == (turns != 15_000)


def test_each_everyday_piece_of_work_has_a_nearest_point() -> None:
    assert everyday.NEAREST.keys() == find()["everyday"].cases.keys()


def of_everyday(run_id: str, **speed: float) -> Record:
    return make({"everyday": find()["everyday"]}, Plan(run_id=run_id, seed=len(run_id), speed=speed))


def row_of(text: str, work: str) -> str:
    rows = re.split("<tr[^>]*>", text.replace(NO_BREAK, " "))
    return next(row for row in rows if work in row)


def test_models_slower_at_everyday_work_are_in_order(tmp_path: Path) -> None:
    context = context_of(tmp_path, of_everyday("run-1", thread_per_task=3.0, thread_pool_200=2.0))
    row = row_of(everyday.everyday_table(context, "choose.md"), "1,000 API calls")
    assert re.search(r"thread pool of 200 2\.\d, .*thread per task 3\.\d", row)


def test_a_nearest_point_that_computes_far_more_says_how_much(tmp_path: Path) -> None:
    text = everyday.everyday_table(context_of(tmp_path, of_everyday("run-1", sync_loop=0.01)), "choose.md")
    assert "<small>1.0 s of computing in all; this work takes " in row_of(text, "40 loops")
    assert "of computing in all" not in row_of(text, "20 requests") + row_of(text, "read 500 small files")


def standing(name: str, state: State) -> Standing:
    return Standing(SeriesKey("everyday", "a case", name, "subject"), state=state)


@pytest.mark.parametrize(
    ("advised", "said"),
    [
        (["asyncio_uvloop", "asyncio_tasks"], "yes (1 of 1)"),
        (["asyncio_processes", "asyncio_tasks"], "yes (2 of 2)"),
        (["thread_pool", "asyncio_uvloop", "asyncio_tasks"], "in part (1 of 2)"),
        (["thread_pool"], "no (0 of 1)"),
        (["asyncio_uvloop", "threads"], "not tried"),
        (["asyncio_to_thread"], "undecided"),
    ],
)
def test_advice_is_right_if_its_models_are_as_fast_as_the_best(advised: list[str], said: str) -> None:
    at = MapPoint(everyday.NEAREST["read 500 small files"]._replace(compute_us=1), "", ())
    at = replace(at, standings=[standing(advised[0], "fastest"), *(standing(name, "as fast") for name in advised[1:])])
    found = [
        standing("asyncio_tasks", "fastest"),
        standing("asyncio_processes", "as fast"),
        standing("asyncio_to_thread", "undecided"),
        standing("thread_pool", "behind"),
    ]
    assert everyday._agrees(at, found) == said
    assert everyday._agrees(at, found[:2]) == "any would do"
    assert everyday._agrees(None, found) == ""


def test_names_in_everyday_work_exist() -> None:
    assert {*everyday.AS_TRIED} <= find()["crossover"].runners.keys() - find()["everyday"].runners.keys()
    assert {*everyday.AS_TRIED.values()} <= find()["everyday"].runners.keys()
