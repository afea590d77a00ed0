"""Every unit and every metric has its words."""

import re
from pathlib import Path
from typing import get_args

import pytest

from generate.words.units import (
    AMOUNT,
    DURATION,
    KINDS,
    LATE,
    UNITS,
    Kind,
    axis_scale,
    find_kind,
    is_speed,
)
from runners.harness import contract
from runners.harness.catalogue.scenarios import find
from runners.harness.contract import Metric
from runners.harness.record import model

METRICS = [metric for scenario in find().values() for metric in scenario.metrics]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_words_fit_the_direction_of_a_metric(metric: Metric) -> None:
    assert metric.unit in UNITS
    kind = find_kind(metric)
    assert kind.better in {"", metric.better}
    assert (kind is AMOUNT) == (metric.better == "neither" and metric.unit != "count")


@pytest.mark.parametrize(
    ("metric", "kind"),
    [
        (Metric("worst_delay_ns", "", "ns", "lower"), DURATION),
        (Metric("worst_wait_ns", "", "ns", "lower", kind="delay"), LATE["delay"]),
        (Metric("worst_wait_ns", "", "ns", "higher", kind="duration"), AMOUNT),
    ],
)
def test_metric_has_the_kind_of_its_scenario_or_unit(metric: Metric, kind: Kind) -> None:
    assert find_kind(metric) is kind
    assert {"", *KINDS} == {*contract.KINDS}


def test_only_working_times_and_rates_are_speeds() -> None:
    speeds = [Metric("elapsed_ns", "", "ns", "lower"), Metric("requests_per_s", "", "per_s", "higher")]
    others = [Metric("spent_ns", "", "ns", "neither"), Metric("peak_bytes", "", "bytes", "lower")]
    late = Metric("worst_ns", "", "ns", "lower", kind="delay")
    assert [metric for metric in [*others, *speeds, late] if is_speed(metric)] == speeds


@pytest.mark.parametrize(
    ("unit", "amounts", "sign"),
    [
        ("bytes", [900, 1_200, 2_000_000], "kB"),
        ("ns", [1.2e9, 1.3e9], "s"),
        ("ns", [0, 400], "ns"),
        ("ns", [], "s"),
        ("per_s", [0.2], "per second"),
        ("parsecs", [3], "parsecs"),
    ],
)
def test_axis_has_the_unit_of_its_middle_value(unit: str, amounts: list[float], sign: str) -> None:
    assert axis_scale(unit, amounts).sign == sign


def test_columns_of_the_record_end_in_known_units() -> None:
    units = re.findall(r"_\(([a-z|]+)\)", get_args(model.Column)[1].pattern)
    assert set(units[0].split("|")) <= UNITS.keys()


def test_the_contract_names_every_unit() -> None:
    named = re.findall(r'unit: str\n +"""(.+)\."""', Path(contract.__file__).read_text(encoding="utf-8"))
    assert set(re.split(", | or ", named[0])) == UNITS.keys()
