"""A server's figures as Apache Bench prints them."""

import msgspec
import pytest
from factory import Plan, make_record

from generate.pages.data import apache_bench_figures
from runners.harness.catalogue.scenarios import find
from runners.harness.record.model import Series


def make_server(plan: Plan, **columns: list[object]) -> Series:
    record = make_record({"blocking_server": find()["blocking_server"]}, plan)
    series = next(each for each in record.series if each.runner == "threading_server")
    samples = msgspec.structs.replace(series.samples, values=series.samples.values | columns)
    return msgspec.structs.replace(series, samples=samples)


def test_parts_of_a_request_add_up() -> None:
    figures = apache_bench_figures(
        make_server(Plan(rounds=1), connect_steps_us=[[100, *[0] * 119]], receive_all_us=[120 * 50])
    )
    connect, total = (figures["spreads"][part][1] for part in ("connect", "total"))
    assert connect == pytest.approx(0.1)
    assert connect + figures["means"]["processing"] == pytest.approx(total)
    assert figures["means"]["waiting"] == pytest.approx(figures["means"]["processing"] - 0.05)


def test_samples_are_counted_together() -> None:
    figures = apache_bench_figures(make_server(Plan(rounds=2)))
    assert figures["answered"] == 240
    assert figures["across"] * 120 == pytest.approx(1e3 * figures["sample_s"], rel=0.05)
    assert figures["spreads"]["total"][-1] >= figures["percentiles"][-1]


def test_server_that_never_answered_has_no_figures() -> None:
    assert apache_bench_figures(make_server(Plan(rounds=2, status={"threading_server": "timed_out"}))) == {}
