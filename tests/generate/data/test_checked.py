"""A file reduced to what pages need: baselines, ideals, ratios, what the gate takes away, whether its run counts."""

from collections.abc import Mapping
from dataclasses import replace
from statistics import fmean, variance
from typing import Any

import numpy as np
import pytest
from factory import Plan, altered, make_record, with_facts
from frames import SCENARIOS, impossible, is_subject, make_file

from generate.data.checked import CheckedRecord, CheckedSeries, efficiency_by_round, reduce_series, required_versions
from generate.data.gate import check_records
from runners.harness.contract import Ideal, Metric
from runners.harness.record.model import Package, Record, Role, SeriesKey

PRIMES = {"primes": SCENARIOS["primes"]}
TIME, LONGEST = SCENARIOS["primes"].metrics[:2]
POOL = SeriesKey("primes", "published", "process_pool", "subject")


def checked(record: Record) -> CheckedRecord:
    (only,) = check_records([make_file(record)], SCENARIOS)
    return only


def series(record: CheckedRecord, runner: str, role: Role = "subject") -> CheckedSeries:
    return record.series[SeriesKey("primes", "published", runner, role)]


def reduced(scenarios: Mapping[str, Any] = PRIMES, **plan: Any) -> dict[SeriesKey, CheckedSeries]:  # noqa: ANN401
    return reduce_series(make_record(PRIMES, Plan(**plan)), scenarios)


def with_ideal(compute: Any, *metrics: Metric) -> dict[str, Any]:  # noqa: ANN401 - a function
    known = PRIMES["primes"]
    return {"primes": replace(known, ideal=Ideal("made up", compute), metrics=(*known.metrics, *metrics))}


@pytest.mark.parametrize(
    ("part", "facts", "reason"),
    [
        ("machine", {"load_before": 2.0, "steal_share": 0.01}, ""),
        ("machine", {"load_before": 2.6}, "the machine was busy: load 2.6 on 2 cores before the first sample"),
        ("run", {"finished": "2025-12-31T23:59:59Z"}, "its clock ran backwards: begun 2026-01-01"),
        ("run", {"finished": None}, ""),
        ("build", {"flags": "--with-pydebug"}, "a debug or instrumented build"),
    ],
)
def test_only_a_disturbed_run_is_excluded_with_its_reason(part: str, facts: dict[str, Any], reason: str) -> None:
    why = checked(with_facts(make_record(PRIMES, Plan(rounds=1)), **{part: facts})).why_excluded
    assert why.startswith(reason)
    assert bool(why) == bool(reason)


def test_a_rejected_round_is_missing_from_values_and_ratios() -> None:
    def spoil(of: dict[str, Any]) -> None:
        of["samples"]["values"]["cpu_us"][2] = 10**10

    record = checked(altered(make_record(SCENARIOS), is_subject("thread_pool"), spoil))
    pool, base = series(record, "thread_pool"), series(record, "sync_loop")
    values, bases = pool.by_round(TIME), base.by_round(TIME)
    assert [*values] == [1, 2, *range(4, 13)]
    assert pool.ratios(base, TIME) == [values[number] / bases[number] for number in values]
    assert len(base.ratios(pool, TIME)) == 11


def test_rounds_in_another_order_are_paired_by_number() -> None:
    def swap(of: dict[str, Any]) -> None:
        of["samples"]["round"][:2] = [2, 1]

    record = checked(altered(make_record(SCENARIOS), is_subject("thread_pool"), swap))
    pool, base = series(record, "thread_pool"), series(record, "sync_loop")
    values, bases = pool.by_round(TIME), base.by_round(TIME)
    assert pool.ratios(base, TIME) == [values[number] / bases[number] for number in values]


def test_a_baseline_of_zero_has_no_ratios() -> None:
    def stop(of: dict[str, Any]) -> None:
        of["samples"]["values"][TIME.name][4] = 0

    seen = reduce_series(altered(make_record(PRIMES), is_subject("sync_loop"), stop), PRIMES)
    base = seen[POOL._replace(runner="sync_loop")]
    assert seen[POOL].ratios(base, TIME) == []
    assert len(base.ratios(seen[POOL], TIME)) == 12
    assert seen[POOL].ratios(None, TIME) == []


def test_block_variance_is_a_mean_over_its_series() -> None:
    record = checked(make_record(PRIMES, Plan(rounds=5)))
    pool, base = series(record, "thread_pool"), series(record, "sync_loop")
    own = [each for key, each in record.series.items() if key.role != "reference" and each.block == "published"]
    values = [variance(np.log([*each.by_round(TIME).values()])) for each in own]
    assert record.block_variance(pool, TIME, "value") == pytest.approx(fmean(values))
    ratios = [variance(np.log(each.ratios(base, TIME))) for each in own if each is not base]
    assert record.block_variance(pool, TIME, "within") == pytest.approx(fmean(ratios))
    assert record.block_variance(pool, TIME, "across") is not None
    single = checked(make_record(PRIMES, Plan(rounds=1)))
    assert single.block_variance(series(single, "thread_pool"), TIME, "value") is None


def test_a_rejected_baseline_gives_no_ideal() -> None:
    record = checked(altered(make_record(SCENARIOS), is_subject("sync_loop"), impossible))
    assert series(record, "thread_pool").ideals.by_round == {}
    assert len(series(checked(make_record(SCENARIOS)), "thread_pool").ideals.by_round) == 12


def test_a_case_may_name_a_baseline_of_its_own() -> None:
    threads = SeriesKey("primes", "published, with a timer", "asyncio_threads", "subject")
    assert reduced()[threads].baseline == threads._replace(runner="asyncio_naive")


def test_ideal_gets_the_runners_limit_and_each_rounds_baseline() -> None:
    seen = []

    def compute(parameters: Any, cores: int, baseline: Any) -> float:  # noqa: ANN401 - as in the contract
        seen.append((parameters["limit"], cores))
        return float(baseline["elapsed_ns"])

    every = reduced(with_ideal(compute), rounds=3)
    assert every[POOL].ideals == (every[POOL._replace(runner="sync_loop")].by_round(TIME), False)
    assert (2, 2) in seen


def test_a_limit_by_waiting_needs_no_baseline() -> None:
    every = reduced(with_ideal(lambda parameters, *_: parameters["limit"]), status={"sync_loop": "failed"})
    assert set(every[POOL].ideals.by_round.values()) == {2.0}
    assert every[POOL].ideals.is_fixed
    assert not reduced(rounds=1)[POOL].ideals.is_fixed


@pytest.mark.parametrize(("better", "shares"), [("lower", {1: 0.5}), ("higher", {1: 2.0, 3: 0.0}), ("neither", {})])
def test_efficiency_is_the_share_of_the_ideal_that_was_reached(better: str, shares: dict[int, float]) -> None:
    assert efficiency_by_round({1: 2.0, 2: 1.0, 3: 1.0}, {3: 0.0, 1: 4.0}, better) == shares


def stumble(*arguments: Any) -> float:  # noqa: ANN401 - as in the contract
    return float(arguments[-1]["gone_ns"])


@pytest.mark.parametrize(
    "compute", [stumble, *(lambda *_, made=made: made for made in (None, float("nan"), float("inf")))]
)
def test_a_limit_or_metric_that_is_no_number_is_absent(compute: Any) -> None:  # noqa: ANN401 - as in the contract
    made_up = Metric("made_up", "", "ns", "lower", compute)
    pool = reduced(with_ideal(compute, made_up))[POOL]
    assert pool.ideals.by_round == pool.by_round(made_up) == {}
    assert reduced(with_ideal(lambda *_: 0))[POOL].ideals.by_round == {}


@pytest.mark.parametrize("name", ["scenario", "case", "runner"])
def test_series_that_the_catalogue_lost_are_left_out(name: str) -> None:
    record = make_record(PRIMES)
    lost = altered(record, lambda each: each.key == POOL, lambda each: each.update({name: "gone_by_now"}))
    assert reduce_series(lost, PRIMES).keys() == {each.key for each in record.series} - {POOL}


def test_packages_are_known_under_each_spelling_of_a_name() -> None:
    needs = {"gevent": ("zope-interface",), "zope.interface": ("typing-extensions",), "typing_extensions": ()}
    packages = {name: Package(version=name[0], reason=None, requires=needs.get(name)) for name in (*needs, "tornado")}
    assert required_versions(packages, ["gevent"]) == {"gevent": "g", "zope-interface": "z", "typing-extensions": "t"}
