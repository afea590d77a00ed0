"""Descriptions of columns and formulas of metrics, held against published results."""

import functools
import re
from statistics import geometric_mean
from typing import Any

import msgspec
import pytest

from generate.data.cells_file import FILE
from runners.harness.catalogue.columns import find_undescribed, matches
from runners.harness.catalogue.scenarios import ROOT, Scenario, find

SCENARIOS = find()
RECENT = "tree_"
"""Begins the names of columns that results before 28 November 2026 lack."""
NOT_YET = "not measured yet as it is; tests/runners/test_every_runner.py tries it on samples of its own"


@functools.cache
def records() -> list[dict[str, Any]]:
    """Return all published results, newest first."""
    paths = sorted((ROOT / "results").glob("20*/*/*.json"), reverse=True)
    return [msgspec.json.decode(path.read_bytes()) for path in paths if path.name != FILE]


def current_columns(scenario: Scenario) -> dict[str, None]:
    """Return the columns of published results with the current code."""
    names: dict[str, None] = {}
    for record in records():
        if record["scenario_sha256"].get(scenario.name) == scenario.scenario_sha256:
            for series in (series for series in record["series"] if series["scenario"] == scenario.name):
                names |= dict.fromkeys(series["samples"]["values"])
    return names


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_described_columns_are_those_published(scenario: Scenario) -> None:
    described, published = scenario.columns, current_columns(scenario)
    if not published:
        pytest.skip(NOT_YET)
    assert find_undescribed(described, published) == []
    older = [name for name in described if not name.startswith(RECENT)]
    assert [name for name in older if not any(matches(name, column) for column in published)] == []
    assert all(text.endswith(".") for text in described.values())
    assert {name.rpartition("_")[2] for name in described} <= {"ns", "us", "bytes", "count"}


def test_map_formula_in_words_matches_the_metric() -> None:
    (compute,) = (metric.compute for metric in SCENARIOS["crossover"].metrics if metric.compute)
    measured = next(record for record in records() if "crossover" in record["scenario_sha256"])["series"]
    for values in (series["samples"]["values"] for series in measured if series["scenario"] == "crossover"):
        sample = {name: column[0] for name, column in values.items()}
        shares = []
        for column, taken_ns in sample.items():
            point = re.fullmatch(r"c(\d+)_w(\d+)_(?:elapsed|bound)_ns", column)
            if not point or taken_ns is None:
                continue
            compute_us, wait_us = map(int, point.groups())
            c = round(compute_us * sample["compute_1ms_taken_ns"] / 1e6)
            ideal_us = max(sample["tasks_count"] * c / sample["cores_count"], c + wait_us)
            shares += [ideal_us * 1e3 / taken_ns] if ideal_us else []
        assert compute(sample) == pytest.approx(geometric_mean(shares))
