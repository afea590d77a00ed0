"""The rows of a case's tables."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from factory import REFERENCE, Plan, altered, make_record
from msgspec import structs
from sample_site import build_context, letters, write_results

from generate.charts.chart import in_order
from generate.data.estimates import RunRounds, fixed, pool
from generate.pages.pieces import RatioCell, Row, Table, tables
from generate.words import patterns
from generate.words.units import DURATION
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.record.codec import encode

AHEAD = {"a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.5})}


def make_tables(
    folder: Path, plans: Mapping[str, Plan], scenarios: Mapping[str, Scenario] | None = None
) -> list[Table]:
    write_results(folder, plans, scenarios or letters())
    site = build_context(folder, scenarios or letters()).site
    return tables(site, site.current["letters"][0], "letters", "published")


def read_rows(drawn: list[Table]) -> dict[str, Row]:
    return {row.summary.runner: row for row in drawn[0].rows}


def test_rows_without_a_value_are_last(tmp_path: Path) -> None:
    row = read_rows(make_tables(tmp_path, AHEAD))["sync_loop"].summary
    rows = [
        structs.replace(row, runner=name, value=fixed(value) if value else None, better="higher")
        for name, value in (("few", 1.0), ("none", None), ("many", 9.0))
    ]
    assert [each.runner for each in in_order(rows)] == ["many", "few", "none"]


def test_metric_with_one_value_throughout_is_constant(tmp_path: Path) -> None:
    known = letters()["letters"]
    counts = known.metrics[0]._replace(name="size", unit="count", compute=lambda _: 8)
    drawn = make_tables(tmp_path, AHEAD, {"letters": replace(known, metrics=(known.metrics[0], counts))})
    assert [table.is_constant for table in drawn] == [False, True]


def test_best_and_its_ties_are_by_their_own_pairs(tmp_path: Path) -> None:
    plans = {f"{n}.json": Plan(build=REFERENCE, run_id=f"r{n}", seed=n) for n in range(3)}
    assert all(row.is_best for row in read_rows(make_tables(tmp_path / "ties", plans)).values())
    ahead = read_rows(make_tables(tmp_path / "ahead", AHEAD))
    assert [runner for runner, row in ahead.items() if row.is_best] == ["thread_pool"]


def test_runner_that_does_something_else_is_never_the_best(tmp_path: Path) -> None:
    rows = read_rows(make_tables(tmp_path, AHEAD, {"letters": replace(letters()["letters"], apart=("thread_pool",))}))
    assert not rows["thread_pool"].is_best
    assert any(row.is_best for row in rows.values())


@pytest.mark.parametrize(
    ("ratios", "text", "is_quiet"),
    [
        ([0.5, 0.51, 0.5], "2.0 times as fast", False),
        ([2.0, 2.01, 2.0], "takes 2.0 times as long", False),
        ([1.0, 1.001, 0.999], "no difference", True),
        ([0.7, 1.4, 1.0], "undecided", True),
    ],
)
def test_ratio_has_three_outcomes(ratios: list[float], text: str, *, is_quiet: bool) -> None:
    estimate = pool([RunRounds(f"r{n}", [ratio] * 6, 1e-6) for n, ratio in enumerate(ratios)], 1e-6)
    cell = RatioCell.describe(estimate, DURATION)
    assert (cell.text, cell.is_quiet) == (text, is_quiet)
    assert RatioCell.describe(fixed(1.0), DURATION).text == patterns.THE_BASELINE
    assert RatioCell.describe(None, DURATION) == RatioCell()


def test_control_that_differs_is_said(tmp_path: Path) -> None:
    record = altered(make_record(letters(), Plan(build=REFERENCE)), lambda series: series.role == "control", slower)
    (tmp_path / "a.json").write_bytes(encode(record))
    check = make_tables(tmp_path, {})[0].check
    assert check.endswith(patterns.CONTROL_DIFFERS.partition("}")[2])
    assert " 3." in check


def slower(series: dict[str, Any]) -> None:
    values = series["samples"]["values"]
    values["elapsed_ns"] = [3 * value for value in values["elapsed_ns"]]
