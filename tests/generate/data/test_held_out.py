"""Runs that predict each other, and the table of what differs between them."""

from __future__ import annotations

import pytest
from factory import REFERENCE, Plan, build, make, some_scenarios
from frames import files_of
from map_factory import map_record
from msgspec import structs

from generate.data.between_runs import POINT, BetweenRuns, Block
from generate.data.estimates import RunRounds, excess
from generate.data.files import add_counterparts
from generate.data.gate import check_records
from generate.data.selection import pool_results
from generate.data.validation import (
    SeriesRuns,
    between_runs_table,
    halves_differ,
    hold_out,
    series_runs,
    windows,
    without_series,
)
from runners.harness.catalogue.scenarios import find
from runners.harness.record.model import SeriesKey

SCENARIOS = some_scenarios()
BLOCK = Block("within", "primes", "published", "elapsed_ns")
POOL = SeriesKey("primes", "published", "thread_pool", "subject")


def found(*plans: Plan) -> list[SeriesRuns]:
    """Return the series of `primes` in records of both scenarios."""
    records = check_records(add_counterparts(files_of(*(make(SCENARIOS, plan) for plan in plans))), SCENARIOS)
    results = pool_results(SCENARIOS["primes"], records, BetweenRuns())
    return [*series_runs("primes", results.values())]


def of_pool(every: list[SeriesRuns], compared: str) -> list[SeriesRuns]:
    return [each for each in every if each.key == POOL and each.is_first and each.block.compared == compared]


def series(*middles: float, role: str = "subject") -> SeriesRuns:
    runs = [RunRounds(str(n), [middle * x for x in (0.99, 1, 1, 1.01)]) for n, middle in enumerate(middles)]
    return SeriesRuns("host", POOL._replace(role=role), BLOCK, is_first=True, runs=runs)  # type: ignore[arg-type]


def test_each_series_is_counted_once() -> None:
    every = found(*(Plan(run_id=f"r{n}", seed=n, build=REFERENCE) for n in range(3)))
    keys = [(each.result, each.key, each.block) for each in every]
    assert len(keys) == len({*keys})
    assert {each.block.scenario for each in every} == {"primes"}
    assert {each.block.compared for each in every} == {"value", "within"}
    (pool,) = of_pool(every, "within")
    assert [run.run for run in pool.runs] == ["r2", "r1", "r0"]
    assert not [
        each
        for each in every
        if each.key.runner == "sync_loop" and each.key.role == "subject" and each.block.compared == "within"
    ]


def test_a_counterpart_that_is_the_reference_counts_once() -> None:
    plain, free = build("3.14.0"), build("3.14.0", free_threaded=True)
    every = found(*(Plan(run_id=f"r{n}", build=each, reference=plain) for n in range(2) for each in (plain, free)))
    free_ones = [each for each in of_pool(every, "across") if each.result.endswith("t")]
    assert len(free_ones) == 1
    with_another = found(*(Plan(run_id="r", build=each, reference=REFERENCE) for each in (plain, free, REFERENCE)))
    assert len([each for each in of_pool(with_another, "across") if each.result.endswith("t")]) == 2


def test_controls_are_evidence_of_values_only() -> None:
    assert not series(1, 1.1, role="control").is_evidence
    table = between_runs_table([series(1, 1.1), series(1, 9, role="control")])
    assert table.blocks[BLOCK].series == 1
    assert table.blocks[BLOCK].mean == pytest.approx(excess(series(1, 1.1).runs))


def test_a_run_can_be_left_out_of_the_table() -> None:
    every = [series(1, 1.1, 1.5), series(1, 1.1)]
    table = between_runs_table(every, without="2")
    assert table.blocks[BLOCK].mean == pytest.approx(excess(series(1, 1.1).runs))
    assert between_runs_table(every, without="1").blocks[BLOCK].series == 1


def test_a_series_can_be_left_out_of_the_table() -> None:
    first, second = series(1, 1.1), series(1, 1.5)
    left = without_series(between_runs_table([first, second]), second)
    assert left.blocks[BLOCK].mean == pytest.approx(first.excess)
    assert left.blocks[BLOCK].series == 1
    control = series(1, 1.5, role="control")
    assert without_series(left, control) == left


def test_a_run_is_held_against_the_others() -> None:
    alike, apart = series(1, 1.01, 1.02), series(1, 1.01, 5)
    inside = hold_out(alike, alike.runs[2], 0.05**2)
    assert inside is not None
    assert inside.is_inside
    assert 0.05 < inside.half_width < 0.4
    outside = hold_out(apart, apart.runs[2], 0.05**2)
    assert outside is not None
    assert not outside.is_inside
    alone = series(1)
    assert hold_out(alone, alone.runs[0], 0.05**2) is None


def test_differing_halves_are_found() -> None:
    assert halves_differ(series(1, 1.01, 1.02, 1), 0.05**2) is False
    assert halves_differ(series(1, 3, 1.01, 3.02), 0.001**2) is True
    assert halves_differ(series(1), 0.05**2) is None


def test_windows_cut_runs_into_quick_ones() -> None:
    first, second = series(1, 2), series(3)
    cut = [*windows([first, second], 2)]
    assert [{index: list(run.values) for index, run in window.items()} for window in cut] == [
        {0: [0.99, 1], 1: [3 * 0.99, 3]},
        {0: [1, 1.01], 1: [3, 3 * 1.01]},
        {0: [2 * 0.99, 2]},
        {0: [2, 2 * 1.01]},
    ]
    assert all(run.block_variance for window in cut for run in window.values())


def test_the_map_is_held_out_point_by_point() -> None:
    scenario = {"crossover": find()["crossover"]}
    records = [
        structs.replace(each, run=structs.replace(each.run, id=f"r{n}")) for n, each in enumerate([map_record()] * 2)
    ]
    results = pool_results(scenario["crossover"], check_records(files_of(*records), scenario), BetweenRuns())
    every = [*series_runs("crossover", results.values())]
    assert every
    assert all(POINT.match(each.block.metric) for each in every)
    assert all(each.is_first and len(each.runs) == 2 for each in every)
