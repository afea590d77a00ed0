"""A record seen through the catalogue: baselines, ideals, and metrics whose columns are missing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from factory import Plan, altered, make_record, some_scenarios

from generate.data.record_view import RecordView, efficiency_by_round, required_versions
from runners.harness.contract import Ideal, Metric
from runners.harness.record.model import Package, SeriesKey

if TYPE_CHECKING:
    from collections.abc import Mapping

SCENARIOS = some_scenarios()
PRIMES = {"primes": SCENARIOS["primes"]}
POOL = SeriesKey("primes", "published", "process_pool", "subject")


def view(scenarios: Mapping[str, Any] = PRIMES, **plan: Any) -> RecordView:  # noqa: ANN401 - of a Plan
    return RecordView(make_record(PRIMES, Plan(**plan)), scenarios)


def with_ideal(compute: Any) -> dict[str, Any]:  # noqa: ANN401 - a function
    return {"primes": replace(PRIMES["primes"], ideal=Ideal("made up", compute))}


def test_a_case_may_name_a_baseline_of_its_own() -> None:
    seen = view()
    threads = SeriesKey("primes", "published, with a timer", "asyncio_threads", "subject")
    assert seen.baseline(seen.series[threads]) is seen.series[threads._replace(runner="asyncio_naive")]


def test_ideal_gets_the_runners_limit_and_each_rounds_baseline() -> None:
    asked = []

    def compute(parameters: Any, cores: int, baseline: Any) -> float:  # noqa: ANN401 - as in the contract
        asked.append((parameters["limit"], cores))
        return float(baseline["elapsed_ns"])

    seen = view(with_ideal(compute), rounds=3)
    base = seen.series[POOL._replace(runner="sync_loop")].samples
    assert [*seen.ideals(seen.series[POOL]).by_round.values()] == base.values["elapsed_ns"]
    assert {*asked} == {(2, 2)}


def test_a_limit_by_waiting_alone_needs_no_baseline() -> None:
    seen = view(with_ideal(lambda parameters, _cores, _baseline: parameters["limit"]), status={"sync_loop": "failed"})
    assert set(seen.ideals(seen.series[POOL]).by_round.values()) == {2.0}
    assert seen.ideals(seen.series[POOL]).is_fixed
    measured = view(rounds=1)
    assert not measured.ideals(measured.series[POOL]).is_fixed


@pytest.mark.parametrize(("better", "shares"), [("lower", {1: 0.5}), ("higher", {1: 2.0, 3: 0.0}), ("neither", {})])
def test_efficiency_is_the_share_of_the_ideal_that_was_reached(better: str, shares: dict[int, float]) -> None:
    assert efficiency_by_round({1: 2.0, 2: 1.0, 3: 1.0}, {3: 0.0, 1: 4.0}, better) == shares


def stumble(*arguments: Any) -> float:  # noqa: ANN401 - as in the contract
    return float(arguments[-1]["gone_ns"])


@pytest.mark.parametrize(
    "compute", [stumble, *(lambda *_, made=made: made for made in (None, float("nan"), float("inf")))]
)
def test_a_limit_or_metric_that_is_no_number_is_absent(compute: Any) -> None:  # noqa: ANN401 - as in the contract
    seen = view(with_ideal(compute))
    assert seen.ideals(seen.series[POOL]).by_round == {}
    assert seen.by_round(seen.series[POOL], Metric("made_up", "", "ns", "lower", compute)) == {}


def test_a_limit_of_zero_is_no_ideal() -> None:
    seen = view(with_ideal(lambda *_: 0))
    assert seen.ideals(seen.series[POOL]).by_round == {}


@pytest.mark.parametrize("name", ["scenario", "case", "runner"])
def test_series_that_the_catalogue_lost_are_left_out(name: str) -> None:
    record = make_record(PRIMES)
    lost = altered(record, lambda series: series.key == POOL, lambda series: series.update({name: "gone_by_now"}))
    assert RecordView(lost, PRIMES).series.keys() == {series.key for series in record.series} - {POOL}


def test_packages_are_known_under_each_spelling_of_a_name() -> None:
    needs = {"gevent": ("zope-interface",), "zope.interface": ("typing-extensions",), "typing_extensions": ()}
    packages = {name: Package(version=name[0], reason=None, requires=needs.get(name)) for name in (*needs, "tornado")}
    assert required_versions(packages, ["gevent"]) == {"gevent": "g", "zope-interface": "z", "typing-extensions": "t"}
