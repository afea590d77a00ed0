"""Runs that predict each other, and the table of how much they differ."""

import math

import pytest
from committed_runs import (
    POINT,
    SeriesRuns,
    between_runs_table,
    excess,
    halves_differ,
    hold_out,
    series_runs,
    windows,
    without_series,
)
from factory import REFERENCE, Plan, build, make_record, some_scenarios
from frames import make_files
from map_factory import drawn, map_record
from msgspec import structs

from generate.data.between_runs import BetweenRuns, Block
from generate.data.estimates import RunRounds
from generate.data.files import relate
from generate.data.gate import check_records
from generate.data.selection import pool_results
from runners.harness.record.model import Build, SeriesKey

SCENARIOS = some_scenarios()
BLOCK = Block("within", "primes", "published", "elapsed_ns")
POOL = SeriesKey("primes", "published", "thread_pool", "subject")


def read(*plans: Plan) -> list[SeriesRuns]:
    """Return the series of `primes` in records of both scenarios."""
    records = check_records(relate(make_files(*(make_record(SCENARIOS, plan) for plan in plans))), SCENARIOS)
    results = pool_results(SCENARIOS["primes"], records, BetweenRuns()).values()
    return [each for result in results for each in series_runs("primes", result)]


def thread_pools(every: list[SeriesRuns], compared: str) -> list[SeriesRuns]:
    return [each for each in every if each.key == POOL and each.is_first and each.block.compared == compared]


def series(*middles: float, role: str = "subject") -> SeriesRuns:
    runs = [RunRounds(str(n), [middle * x for x in (0.99, 1, 1, 1.01)]) for n, middle in enumerate(middles)]
    return SeriesRuns("host", POOL._replace(role=role), BLOCK, is_first=True, runs=runs)  # type: ignore[arg-type]


def test_each_series_is_counted_once() -> None:
    every = read(*(Plan(run_id=f"r{n}", seed=n, build=REFERENCE) for n in range(3)))
    keys = [(each.result, each.key, each.block) for each in every]
    assert len(keys) == len({*keys})
    assert {(each.block.scenario, each.block.compared) for each in every} == {("primes", "value"), ("primes", "within")}
    assert [[run.run for run in each.runs] for each in thread_pools(every, "within")] == [["r2", "r1", "r0"]]


@pytest.mark.parametrize(("others", "count"), [((), 1), ((REFERENCE,), 2)])
def test_a_counterpart_that_is_the_reference_counts_once(others: tuple[Build, ...], count: int) -> None:
    plain, free = build("3.14.0"), build("3.14.0", free_threaded=True)
    builds = (plain, free, *others)
    every = read(*(Plan(run_id="r", build=each, reference=builds[-1] if others else plain) for each in builds))
    assert len([each for each in thread_pools(every, "across") if each.result.endswith("t")]) == count


def test_controls_are_evidence_of_values_only() -> None:
    assert not series(1, 1.1, role="control").is_evidence
    table = between_runs_table([series(1, 1.1), series(1, 9, role="control")])
    assert table.blocks[BLOCK].series == 1
    assert table.blocks[BLOCK].mean == pytest.approx(excess(series(1, 1.1).runs))


def test_a_run_or_a_series_can_be_left_out_of_the_table() -> None:
    longer, first, second = series(1, 1.1, 1.5), series(1, 1.1), series(1, 1.5)
    assert between_runs_table([longer, first], without="2").blocks[BLOCK].mean == pytest.approx(excess(first.runs))
    assert between_runs_table([longer, first], without="1").blocks[BLOCK].series == 1
    left = without_series(between_runs_table([first, second]), second)
    assert left.blocks[BLOCK].mean == pytest.approx(first.excess)
    assert left.blocks[BLOCK].series == 1
    assert without_series(left, series(1, 1.5, role="control")) == left


def test_a_run_is_held_against_the_others() -> None:
    alike, apart = series(1, 1.01, 1.02), series(1, 1.01, 5)
    inside, outside = (hold_out(each, each.runs[2], 0.05**2) for each in (alike, apart))
    assert (inside and inside.is_inside, outside and outside.is_inside) == (True, False)
    assert inside
    assert 0.05 < inside.half_width < 0.4
    single = series(1)
    assert hold_out(single, single.runs[0], 0.05**2) is None
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
    records = [structs.replace(each, run=structs.replace(each.run, id=run)) for run in "ab" for each in [map_record()]]
    every = [*series_runs("crossover", drawn(*records).result)]
    assert every
    assert all(POINT.match(each.block.metric) and each.is_first and len(each.runs) == 2 for each in every)


def test_excess_is_the_variance_rounds_do_not_explain() -> None:
    assert excess(series(1, 1.2, 1.44).runs) == pytest.approx(math.log(1.2) ** 2, rel=0.01)
    assert excess(series(1, 1).runs) == pytest.approx(-1.57 * 2 * 0.01**2 / 3 / 4, rel=0.01)
    assert excess(series(1).runs) is None
