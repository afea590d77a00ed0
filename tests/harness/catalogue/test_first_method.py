"""What was measured before scenarios were split stays current; nothing else passes for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from runners.harness.catalogue import first_method
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record import codec

if TYPE_CHECKING:
    from pathlib import Path

SCENARIOS = catalogue.find()
FIRST = sorted(path for path in (catalogue.ROOT / "results").glob("20*/*/*.json") if path.name != "cells.json")
LISTED = first_method._read()
UNKNOWN = "0" * 64


@pytest.mark.parametrize("path", FIRST, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_series_of_a_published_file_counts_as_of_the_current_code(path: Path) -> None:
    record = codec.decode(path.read_bytes())
    for series in record.series:
        scenario = SCENARIOS[series.scenario]
        assert scenario.is_current(record.schema_version, record.scenario_sha256[series.scenario])
        assert scenario.runners[series.runner].is_current(record.schema_version, series.source_sha256)


def test_files_of_the_first_method_are_published_and_the_list_names_what_they_measured() -> None:
    records = [codec.decode(path.read_bytes()) for path in FIRST]
    first = [record for record in records if record.schema_version == first_method.SCHEMA_VERSION]
    hashes = {pair for record in first for pair in record.scenario_sha256.items()}
    hashes |= {(f"{each.scenario}/{each.runner}", each.source_sha256) for record in first for each in record.series}
    listed = {*LISTED.scenarios.items()}
    listed |= {(f"{name}/{runner}", sha256) for name, of in LISTED.runners.items() for runner, sha256 in of.items()}
    assert listed == hashes


def test_the_files_of_now_are_current_in_any_version() -> None:
    for scenario in SCENARIOS.values():
        for version in (1, 2):
            assert scenario.is_current(version, scenario.scenario_sha256)
            assert all(runner.is_current(version, runner.source_sha256) for runner in scenario.runners.values())


def test_a_hash_of_the_first_method_is_refused_in_a_later_version_and_under_another_name() -> None:
    primes, power = SCENARIOS["primes"], SCENARIOS["power"]
    assert not primes.is_current(2, LISTED.scenarios["primes"])
    assert not primes.is_current(1, LISTED.scenarios["power"])
    assert not primes.is_current(1, LISTED.runners["primes"]["sync_loop"])
    assert not primes.runners["sync_loop"].is_current(1, LISTED.runners["primes"]["thread_pool"])
    assert not primes.runners["sync_loop"].is_current(2, LISTED.runners["primes"]["sync_loop"])
    assert not power.runners["sync_loop"].is_current(1, LISTED.runners["primes"]["sync_loop"])


@pytest.mark.parametrize("unknown", [UNKNOWN, None, ""])
def test_an_unknown_hash_is_refused(unknown: str | None) -> None:
    assert not SCENARIOS["primes"].is_current(1, unknown)
    assert not SCENARIOS["primes"].runners["sync_loop"].is_current(1, unknown or "")


def test_a_scenario_that_the_first_method_did_not_have_needs_its_own_hash() -> None:
    assert not first_method.counts_as_current("a", "b", 1, "later")
    assert not first_method.counts_as_current("a", "b", 1, "later", "runner")
    assert not first_method.counts_as_current("a", "b", 1, "primes", "later")
    assert first_method.counts_as_current("a", "a", 1, "later")
