"""How real HTTP clients did, as the answer of Choose says it: by what was measured on the build of the map."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from factory import Plan, build, make
from map_factory import map_record
from sample_site import book_of

from generate.pages import choose
from generate.pages.real_clients import CASE, CLIENT_OF, NAMES, SCENARIO, clients_of
from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from generate.pages.context import SiteContext
    from generate.pages.real_clients import Clients
    from runners.harness.record.model import Build, Record, Status

DOWNLOAD = find()[SCENARIO]


def downloads(
    speed: Mapping[str, float] | None = None,
    of: Build | None = None,
    status: Mapping[str, Status] | None = None,
    run_id: str = "run-1",
) -> Record:
    full = replace(DOWNLOAD, cases={CASE: DOWNLOAD.cases[CASE]._replace(full=True)})
    return make({SCENARIO: full}, Plan(build=of or build(), run_id=run_id, speed=speed or {}, status=status or {}))


def context_of(tmp_path: Path, *records: Record) -> SiteContext:
    for number, record in enumerate(records):
        (tmp_path / f"{number}.json").write_bytes(encode(record))
    return book_of(tmp_path, find(), tmp_path)


def found_in(context: SiteContext, version: str) -> Clients | None:
    cells = {cell.record.build.version: cell for cell, _ in choose.measured_maps(context)}
    return clients_of(context, cells[version])


@pytest.mark.parametrize(
    ("speed", "gevent", "front"),
    [
        (
            {"greenlets": 0.5},
            "1.99 times as fast",
            {"asyncio_tasks": False, "asyncio_uvloop": False, "greenlets": True, "threads": False},
        ),
        (
            {"greenlets": 3.0},
            "takes 3.",
            {"asyncio_tasks": True, "asyncio_uvloop": True, "greenlets": False, "threads": True},
        ),
    ],
)
def test_what_is_said_follows_from_what_was_measured(
    tmp_path: Path, speed: dict[str, float], gevent: str, front: dict[str, bool]
) -> None:
    found = found_in(context_of(tmp_path, map_record(), downloads(speed)), build().version)
    assert found
    aiohttp, greenlets = found["said"].split("; ")
    assert aiohttp.startswith("aiohttp: ")
    assert greenlets.startswith(f"gevent: {gevent}")
    assert found["front"] == front
    assert not found["on"]


def test_what_several_runs_had_is_said_with_each_client(tmp_path: Path) -> None:
    runs = [downloads({"greenlets": speed}, run_id=f"run-{speed}") for speed in (0.5, 0.6)]
    found = found_in(context_of(tmp_path, map_record(), *runs), build().version)
    assert found
    said = r"gevent: [\d.]+ times as fast \([^)]*; 1\.[67]\d to [12]\.\d+ in 2 runs\)"
    assert re.search(said, found["said"]), found["said"]


def test_a_map_has_the_clients_of_its_own_build_named_where_the_page_speaks_of_another(tmp_path: Path) -> None:
    builds = [build("3.13.1"), build("3.14.7")]
    records = [
        each for of in builds for each in (map_record(of=of), downloads({"greenlets": 0.5}, of, run_id=of.version))
    ]
    context = context_of(tmp_path, *records)
    found = {version: found_in(context, version) for version in ("3.13.1", "3.14.7")}
    first = context.site.first(SCENARIO)
    assert first
    said = {version: each["on"] for version, each in found.items() if each}
    assert said.pop(first.record.build.version) == ""
    ((other, on),) = said.items()
    assert on == f", on CPython {other}"


def test_nothing_is_said_where_clients_were_not_measured_there(tmp_path: Path) -> None:
    for folder in ("none", "elsewhere", "failed"):
        (tmp_path / folder).mkdir()
    failed: dict[str, Status] = dict.fromkeys(NAMES, "failed")
    assert found_in(context_of(tmp_path / "none", map_record()), build().version) is None
    other = downloads(of=build("3.14.7"))
    assert found_in(context_of(tmp_path / "elsewhere", map_record(), other), build().version) is None
    assert found_in(context_of(tmp_path / "failed", map_record(), downloads(status=failed)), build().version) is None


def test_a_client_that_failed_is_neither_compared_nor_in_front(tmp_path: Path) -> None:
    record = downloads(status={"greenlets": "failed"})
    found = found_in(context_of(tmp_path, map_record(), record), build().version)
    assert found
    assert found["said"].startswith("aiohttp: ")
    assert "gevent" not in found["said"]
    assert "greenlets" not in found["front"]


def test_all_that_it_names_are_models_of_the_map_and_of_downloads_which_has_threads_as_its_baseline() -> None:
    assert {*NAMES, *CLIENT_OF.values()} <= DOWNLOAD.runners.keys()
    assert CLIENT_OF.keys() <= find()["crossover"].runners.keys()
    assert DOWNLOAD.baseline_of(DOWNLOAD.block_of(CASE)) == (CASE, "threads")


def test_the_page_says_it_below_the_answer_and_leads_to_its_paragraph_and_to_the_samples(tmp_path: Path) -> None:
    context = context_of(tmp_path, map_record(), downloads({"threads": 0.3}))
    form = choose.form(context, "choose.md")
    answer = form.partition("<output")[2].partition("</output>")[0]
    assert (
        '<small>A thousand downloads with <a href="#with-real-clients">real HTTP clients</a> came out otherwise'
        in answer
    )
    assert '<a href="data/raw/0.json">Every sample (JSON)</a>: times are <code>c0_w100000_elapsed_ns</code>' in form
    ((_, made),) = choose.fetched(context)
    assert '"raw":"0.json"' in made.replace(" ", "")
