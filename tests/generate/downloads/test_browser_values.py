"""What the page that compares two cells fetches: values, and the noise to judge them by."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import REFERENCE, Plan, altered, make, some_scenarios
from frames import by_round
from map_factory import map_record
from sample_site import book_of

from generate.downloads.browser_values import current_cells, values_json
from generate.statistics.intervals import compare
from generate.statistics.noise import noise_band
from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Record

SCENARIOS = some_scenarios()


def told(folder: Path, record: Record) -> list[dict[str, Any]]:
    (folder / "a.json").write_bytes(encode(record))
    site = book_of(folder, SCENARIOS).site
    (cells,) = current_cells(site).values()
    return [series for run in json.loads(values_json(site, cells)) for series in run["series"]]


def test_each_scenario_of_a_cell_is_of_the_run_that_pages_quote(tmp_path: Path) -> None:
    every = make(SCENARIOS, Plan(run_id="every"))
    one = make({"primes": SCENARIOS["primes"]}, Plan(run_id="one"))
    one = msgspec.structs.replace(one, run=msgspec.structs.replace(one.run, started="2026-02-01T00:00:00Z"))
    for name, record in (("every", every), ("one", one)):
        (tmp_path / f"{name}.json").write_bytes(encode(record))
    site = book_of(tmp_path, SCENARIOS).site
    assert site.current["primes"][0].record.run.id == "one"
    (cells,) = current_cells(site).values()
    runs = json.loads(values_json(site, cells))
    told_of = {run["run"]: {series["name"][0] for series in run["series"]} for run in runs}
    assert told_of == {"one": {"primes"}, "every": {*SCENARIOS} - {"primes"}}


def test_each_series_has_the_reach_of_its_block_s_noise(tmp_path: Path) -> None:
    record = make(SCENARIOS)
    for told_of in told(tmp_path, record):
        scenario, case, _ = told_of["name"]
        of_case, baseline = SCENARIOS[scenario].baseline_of(SCENARIOS[scenario].block_of(case))
        named = {
            each.role: each
            for each in record.series
            if (each.scenario, each.case, each.runner) == (scenario, of_case, baseline)
        }
        metric = SCENARIOS[scenario].metrics[0].name
        if metric in named["control"].samples.values:
            found = compare(by_round(named["control"], metric), by_round(named["subject"], metric))
            assert found is not None
            assert told_of["noise"] == pytest.approx(noise_band(found)[1], abs=1e-5)
        assert 1 <= told_of["noise"] < 1.2


def test_values_have_no_digits_far_below_the_noise(tmp_path: Path) -> None:
    record = make(SCENARIOS)
    of_primes = next(each for each in told(tmp_path, record) if each["name"][0] == "primes")
    series = next(
        each
        for each in record.series
        if ([each.scenario, each.case, each.runner], each.role) == (of_primes["name"], "subject")
    )
    exact = {str(number): pytest.approx(value, rel=5e-5) for number, value in by_round(series).items()}
    assert of_primes["values"] == exact
    assert all(value == float(f"{value:.5g}") for value in of_primes["values"].values())


def test_beside_the_reference_build_itself_no_values_are_written_twice(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir()
    other.mkdir()
    assert {len(each["reference"]) for each in told(own, make(SCENARIOS, Plan(build=REFERENCE)))} == {0}
    assert any(each["reference"] for each in told(other, make(SCENARIOS)))


def fail_a_round(series: dict[str, Any]) -> None:
    series["samples"]["status"] = ["failed", *["ok"] * 11]
    series["samples"]["reason"] = ["fell over", *[None] * 11]
    series.update(status="partial", reason="fell over")


def test_noise_that_is_not_known_is_told_so(tmp_path: Path) -> None:
    spoilt = altered(make(SCENARIOS), lambda series: series.role == "control", fail_a_round)
    assert {each["noise"] for each in told(tmp_path, spoilt)} == {None}
    assert {each["noise"] for each in told(tmp_path, make(SCENARIOS, Plan(profile="quick", rounds=12)))} == {None}


def test_why_a_series_has_no_values_is_told_whole_and_turns_no_text_around(tmp_path: Path) -> None:
    def fail(series: dict[str, Any]) -> None:
        count = len(series["samples"]["round"])
        series["samples"].update(status=["failed"] * count, reason=["x"] * count)
        series.update(status="failed", reason="20 % \u202eof <b>it</b>")

    failed = altered(make(SCENARIOS), lambda series: series.role == "subject", fail)
    assert {each["why"] for each in told(tmp_path, failed)} == {"failed: 20 % of <b>it</b>"}


def test_what_its_work_was_fitted_to_is_told_of_the_map_alone(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(encode(map_record()))
    site = book_of(tmp_path, {"crossover": find()["crossover"]}).site
    (cells,) = current_cells(site).values()
    (run,) = json.loads(values_json(site, cells))
    series = run["series"]
    assert series
    assert all(each["calibration"] == {"turns_per_ms": 15_000} for each in series)
    (tmp_path / "others").mkdir()
    assert not any("calibration" in each for each in told(tmp_path / "others", make(SCENARIOS)))


def test_through_the_reference_its_series_has_a_say_too(tmp_path: Path) -> None:
    spoilt = altered(make(SCENARIOS), lambda series: series.role == "reference", fail_a_round)
    assert {(each["decides"], each["reference_decides"]) for each in told(tmp_path, spoilt)} == {(True, False)}
    assert {each["reference_decides"] for each in told(tmp_path, make(SCENARIOS))} == {True}
