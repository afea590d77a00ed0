"""A server's figures in the format of Apache Bench."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import Plan, make_record

from generate.pages.apache_bench import report
from runners.harness.catalogue.scenarios import find

if TYPE_CHECKING:
    from runners.harness.record.model import Series

SCENARIOS = {"blocking_server": find()["blocking_server"]}


def make_server(plan: Plan) -> Series:
    return next(each for each in make_record(SCENARIOS, plan).series if each.runner == "threading_server")


def test_both_means_come_from_the_total() -> None:
    ab = report(make_server(Plan(rounds=2)), at_once=12)
    assert ab
    assert ab.answered == 240
    assert ab.mean_across_ms == pytest.approx(1e3 / ab.per_second, rel=0.05)
    assert ab.mean_ms == pytest.approx(12 * ab.mean_across_ms)
    assert ab.times[-1].maximum == ab.percentiles[-1]


def test_parts_of_a_request_add_up() -> None:
    series = make_server(Plan(rounds=1))
    values = {**series.samples.values, "connect_steps_us": [[100, *[0] * 119]], "receive_all_us": [120 * 50]}
    ab = report(msgspec.structs.replace(series, samples=msgspec.structs.replace(series.samples, values=values)), 12)
    assert ab
    means = {times.name: times.mean for times in ab.times}
    assert list(means) == ["connect", "processing", "waiting", "total"]
    assert means["connect"] == pytest.approx(0.1)
    assert means["connect"] + means["processing"] == pytest.approx(means["total"])
    assert means["waiting"] == pytest.approx(means["processing"] - 0.05)


def test_server_that_never_answered_has_no_figures() -> None:
    assert report(make_server(Plan(rounds=2, status={"threading_server": "timed_out"})), at_once=12) is None
