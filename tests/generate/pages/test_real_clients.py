"""How real HTTP clients did, as answers of Choose have it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from factory import Plan, build, make
from frames import files_of

from generate.data.between_runs import BetweenRuns
from generate.data.files import Listing
from generate.data.gate import check_records
from generate.data.results import Results
from generate.pages.real_clients import CASE, CLIENT_OF, NAMES, SCENARIO, Clients, clients_of
from runners.harness.catalogue.scenarios import find

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.record.model import Record, Status

DOWNLOAD = find()[SCENARIO]


def downloads(speed: Mapping[str, float] | None = None, status: Mapping[str, Status] | None = None) -> Record:
    full = replace(DOWNLOAD, cases={CASE: DOWNLOAD.cases[CASE]._replace(full=True)})
    return make({SCENARIO: full}, Plan(build=build(), speed=speed or {}, status=status or {}))


def clients(record: Record) -> Clients | None:
    files = files_of(record)
    listing = Listing([file.header for file in files], [], [])
    site = Results.of({SCENARIO: DOWNLOAD}, listing, check_records(files, {SCENARIO: DOWNLOAD}), BetweenRuns())
    return clients_of(site, site.current[SCENARIO][0])


@pytest.mark.parametrize(("speed", "gevent", "best"), [(0.4, "2.5 times as fast", True), (3.0, "takes 3.0", False)])
def test_clients_are_compared_with_threads(speed: float, gevent: str, *, best: bool) -> None:
    found = clients(downloads({"greenlets": speed}))
    assert found
    aiohttp, greenlets = found.against_threads.split("; ")
    assert aiohttp.startswith("aiohttp ")
    assert greenlets.startswith(f"gevent {gevent}")
    assert found.best["greenlets"] == best


def test_clients_that_were_not_measured_are_not_named() -> None:
    found = clients(downloads(status={"greenlets": "failed"}))
    assert found
    assert "gevent" not in found.against_threads
    assert "greenlets" not in found.best
    assert clients(downloads(status=dict.fromkeys(NAMES, "failed"))) is None


def test_all_names_are_models_of_the_map_or_of_downloads() -> None:
    assert {*NAMES, *CLIENT_OF.values()} <= DOWNLOAD.runners.keys()
    assert CLIENT_OF.keys() <= find()["crossover"].runners.keys()
    assert DOWNLOAD.baseline_of(DOWNLOAD.block_of(CASE)) == (CASE, "threads")
