"""Each rule of the sanity gate catches the fault that is planted for it, in its sample; clean data passes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from factory import Plan, altered, build, make_record, some_scenarios

from generate.data.checked import reduce_series
from generate.data.gate import Fault, faults, reject
from generate.data.gate_rules import SAMPLE_RULES, Sample, rules_for
from generate.words.numbers import NO_BREAK
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Callable

    from runners.harness.contract import Parameters
    from runners.harness.record.model import Record, Series, Value

SCENARIOS = some_scenarios()
FREE = build("3.14.0", free_threaded=True)
ROUND = 4
POOL = SeriesKey("primes", "published", "process_pool", "subject")


def record(**plan: Any) -> Record:  # noqa: ANN401 - of a Plan
    return make_record(SCENARIOS, Plan(**plan))


def belongs_to(scenario: str, runner: str, role: str = "subject") -> Callable[[Series], bool]:
    return lambda series: (series.scenario, series.runner, series.role) == (scenario, runner, role)


is_pool = belongs_to("primes", "process_pool")


def is_server(series: Series) -> bool:
    return series.key == ("blocking_server", "tenth", "aiohttp_awaiting", "subject")


def set_to(name: str, value: object) -> Any:  # noqa: ANN401 - a function for `altered`
    def change(series: dict[str, Any]) -> None:
        series["samples"]["values"][name][ROUND - 1] = value

    return change


def all_set(**values: int) -> Any:  # noqa: ANN401 - a function for `altered`
    def change(series: dict[str, Any]) -> None:
        series["samples"]["values"].update({name: [value] * 12 for name, value in values.items()})

    return change


@pytest.mark.parametrize(
    "plan",
    [
        {},
        {"rounds": 1},
        {"build": FREE},
        {"build": build("3.12.8")},
        {"cores": 16, "seed": 5},
        {"status": {"process_pool": "timed_out", "gevent_pywsgi": "unsupported"}},
    ],
)
def test_clean_data_passes(plan: dict[str, Any]) -> None:
    assert faults(record(**plan), SCENARIOS) == []


@pytest.mark.parametrize(
    ("name", "value", "rule", "message"),
    [
        ("completed_count", 119, "completed is requested", "119 requests ended of 120"),
        ("failed_count", 1, "completed is requested", "121 requests ended of 120"),
        ("load_cpu_ns", 10**12, "load generator", f"more than the 60{NO_BREAK}% allowed if the server leaves"),
        ("load_peak_in_flight_count", 13, "load in flight", "13 requests were in flight, but at most 12"),
        ("load_peak_in_flight_count", 3, "load in flight", "at most 3 requests were in flight, not the 12"),
        ("cpu_us", 10**9, "processor time", "1e+03 s of processor time"),
        ("tree_cpu_us", 10**9, "processor time of all processes", "1e+03 s of processor time"),
        ("elapsed_ns", 0, "clock", "it took 0 ns"),
        ("latency_steps_us", [10, 20, -5, *[1] * 117], "percentiles in order", "fall by 5 us"),
        ("latency_all_us", 10**9, "mean inside", "a mean latency of 8.33333e+06 us, of latencies from"),
        ("latency_all_us", 1, "mean inside", "a mean latency of 0.00833333 us"),
        ("latency_steps_us", [25_000] + [1] * 59, "Little's law", "throughput times mean latency"),
        ("elapsed_ns", 200_000_000, "ideal", "40% better than the ideal"),
    ],
)
def test_a_planted_fault_is_found_in_its_sample(name: str, value: object, rule: str, message: str) -> None:
    broken = altered(record(), is_server, set_to(name, value))
    seen = [fault for fault in faults(broken, SCENARIOS) if fault.rule == rule]
    assert [(fault.key.runner, fault.key.role, fault.round) for fault in seen] == [
        ("aiohttp_awaiting", "subject", ROUND)
    ]
    assert message in seen[0].message


PERCENTILES: dict[str, Value] = {
    "elapsed_ns": 300_000_000,
    "completed_count": 300,
    "failed_count": 0,
    "latency_all_us": 300 * 8_000,
    "latency_median_us": 7_000,
    "latency_p99_us": 20_000,
    "latency_worst_us": 30_000,
    "load_start_late_us": 90,
    "load_peak_in_flight_count": 16,
}
OPEN: Parameters = {"requests": 300, "rate_per_s": 1_000, "at_once": 500}
CLOSED: Parameters = {"requests": 300, "at_once": 16}


@pytest.mark.parametrize("parameters", [OPEN, CLOSED])
def test_consistent_percentiles_pass(parameters: Parameters) -> None:
    sample = Sample(PERCENTILES, parameters, 2)
    assert [broken(sample) for _, broken in rules_for({name: [] for name in PERCENTILES}, 2)] == [None] * 8


@pytest.mark.parametrize(
    ("parameters", "name", "value", "rule", "message"),
    [
        (OPEN, "latency_p99_us", 6_999, "percentiles in step", "of 7000, 6999, 30000 us"),
        (CLOSED, "latency_worst_us", 19_999, "percentiles in step", "of 7000, 20000, 19999 us"),
        (CLOSED, "latency_all_us", 300 * 30_001, "percentiles in step", "a mean latency of 30001 us, and a worst of"),
        (CLOSED, "latency_all_us", 300 * 17_000, "slots", "17 in flight on average, but at most 16"),
        (OPEN, "elapsed_ns", 298_000_000, "schedule", "over after 298 ms, but the last request was due after 299"),
        (
            OPEN,
            "load_start_late_us",
            5_001,
            "lateness",
            "the load did not keep its schedule: 1 of 100 requests was sent",
        ),
    ],
)
def test_a_fault_planted_in_percentiles_is_found(
    parameters: Parameters, name: str, value: Value, rule: str, message: str
) -> None:
    seen = SAMPLE_RULES[rule][1](Sample({**PERCENTILES, name: value}, parameters, 2))
    assert seen is not None
    assert message in seen


@pytest.mark.parametrize(
    ("parameters", "columns"),
    [
        (OPEN, {"load_start_late_us": 5_000}),
        (OPEN, {"elapsed_ns": 331_000_000}),  # the server fell behind, and took the processor from the load
        (OPEN, {"failed_count": 1}),
        (CLOSED, {}),  # it has no schedule
    ],
)
def test_a_load_may_be_a_little_late_or_behind_its_server(parameters: Parameters, columns: dict[str, Value]) -> None:
    sample = Sample({**PERCENTILES, "load_start_late_us": 9_000, **columns}, parameters, 2)
    assert SAMPLE_RULES["lateness"][1](sample) is None


@pytest.mark.parametrize(
    ("load_share", "server_share", "limit"),
    [
        (0.59, 0.3, None),
        (0.61, 0.94, "61.0 % of a core, more than the 60 % allowed if the server leaves"),
        (0.61, 0.96, None),
        (0.94, 1.0, None),
        (0.96, 1.0, "96.0 % of a core, more than the 95 % allowed if the server takes"),
    ],
)
def test_load_may_use_more_if_the_server_is_busy(load_share: float, server_share: float, limit: str | None) -> None:
    columns: dict[str, Value] = {
        "elapsed_ns": 10**9,
        "load_cpu_ns": int(load_share * 1e9),
        "cpu_us": int(server_share * 1e6),
    }
    seen = SAMPLE_RULES["load generator"][1](Sample(columns, CLOSED, 2))
    assert (seen is None) == (limit is None)
    assert limit is None or limit in str(seen).replace(NO_BREAK, " ")


def test_every_rule_of_a_sample_has_a_planted_fault() -> None:
    in_records = test_a_planted_fault_is_found_in_its_sample.pytestmark[0].args[1]  # type: ignore[attr-defined]
    kept = test_a_fault_planted_in_percentiles_is_found.pytestmark[0].args[1]  # type: ignore[attr-defined]
    assert {case[2] for case in in_records if case[2] != "ideal"} | {case[3] for case in kept} == set(SAMPLE_RULES)


def test_processor_time_may_exceed_the_wall_by_a_tick() -> None:
    without_ideal = {"primes": replace(SCENARIOS["primes"], ideal=SCENARIOS["primes"].ideal._replace(compute=None))}
    short = altered(record(), is_pool, all_set(elapsed_ns=1_000_000, longest_job_ns=1, all_jobs_ns=1))
    assert faults(altered(short, is_pool, all_set(cpu_us=17_000)), without_ideal) == []
    seen = faults(altered(short, is_pool, all_set(cpu_us=19_000)), without_ideal)
    assert {fault.rule for fault in seen} == {"processor time"}
    assert len(seen) == 12


def scaled(factor: float, rounds: range) -> Any:  # noqa: ANN401 - a function for `altered`
    def change(series: dict[str, Any]) -> None:
        values = series["samples"]["values"]["elapsed_ns"]
        for number in rounds:
            values[number - 1] = round(values[number - 1] * factor)

    return change


def test_a_measured_ideal_is_as_uncertain_as_its_control() -> None:
    quicker = altered(altered(record(), is_pool, all_set(cpu_us=1_000)), is_pool, scaled(0.3, range(1, 13)))
    is_control = belongs_to("primes", "sync_loop", "control")
    noisy = altered(quicker, is_control, scaled(3, range(1, 13)))
    assert [fault.key.runner for fault in faults(quicker, SCENARIOS)] == ["process_pool"]
    assert faults(noisy, SCENARIOS) == []
    nonsense = altered(noisy, is_control, all_set(cpu_us=10**12))
    assert {(fault.rule, fault.key.role) for fault in faults(nonsense, SCENARIOS)} == {
        ("processor time", "control"),
        ("ideal", "subject"),
    }


def test_a_faulty_baseline_gives_no_ideal() -> None:
    nonsense = all_set(cpu_us=10**9, all_jobs_ns=10**12)
    seen = faults(altered(record(), belongs_to("primes", "sync_loop"), nonsense), SCENARIOS)
    assert {fault.rule for fault in seen} == {"processor time"}
    assert {(fault.key.runner, fault.key.role) for fault in seen} == {("sync_loop", "subject")}


@pytest.mark.parametrize(
    ("at_fault", "rounds", "is_rejected"), [(1, 12, False), (5, 12, False), (6, 12, True), (1, 2, True)]
)
def test_half_of_its_rounds_at_fault_reject_a_series(at_fault: int, rounds: int, *, is_rejected: bool) -> None:
    seen = [Fault(POOL, number, "clock", "it took 0 ns") for number in range(1, at_fault + 1)]
    seen.append(Fault(POOL, 1, "processor time", "a second fault of one round"))
    series = reject(reduce_series(record(rounds=rounds), SCENARIOS)[POOL], seen)
    left = [*series.by_round(SCENARIOS["primes"].metrics[0])]
    assert bool(series.rejected) == is_rejected
    assert left == ([] if is_rejected else [*range(at_fault + 1, rounds + 1)])
    assert series.rejected_rounds == ({} if is_rejected else dict.fromkeys(range(1, at_fault + 1), "it took 0 ns"))


def observed(**facts: object) -> Any:  # noqa: ANN401 - a function for `altered`
    return lambda series: series["observed"].update(facts)


@pytest.mark.parametrize(
    ("plan", "facts", "rule"),
    [
        ({}, {"peak_in_flight": 2, "asked_at_once": 2}, None),
        ({}, {"peak_in_flight": 8, "asked_at_once": 2}, "peak in flight"),
        ({"build": FREE}, {"gil_after_run": True}, "GIL state"),
        ({"build": build("3.14.0")}, {"gil_after_run": False}, "GIL state"),
        ({"build": FREE}, {"gil_after_run": None}, None),
    ],
)
def test_observed_gil_must_match_the_build(plan: dict[str, Any], facts: dict[str, object], rule: str | None) -> None:
    seen = faults(altered(record(**plan), is_pool, observed(**facts)), SCENARIOS)
    assert [fault.rule for fault in seen] == ([rule] if rule else [])


def test_samples_that_failed_are_not_judged() -> None:
    def fail(series: dict[str, Any]) -> None:
        series["observed"]["gil_after_run"] = True
        all_set(cpu_us=10**9)(series)
        series["samples"]["status"] = ["failed"] * 12

    assert faults(altered(record(build=FREE), is_pool, fail), SCENARIOS) == []


@pytest.mark.parametrize(
    ("rounds", "factor", "slower", "is_fault"),
    [(1, 0.3, 1, False), (2, 0.3, 2, False), (3, 0.3, 3, True), (12, 0.4, 2, False), (12, 0.3, 12, True)],
)
def test_beating_a_measured_ideal_takes_a_range_for_rounds(
    rounds: int, factor: float, slower: int, *, is_fault: bool
) -> None:
    clean = altered(record(rounds=rounds), is_pool, lambda each: each["samples"]["values"].update(cpu_us=[1] * rounds))
    seen = faults(altered(clean, is_pool, scaled(factor, range(1, slower + 1))), SCENARIOS)
    assert [(fault.rule, fault.round) for fault in seen] == ([("ideal", None)] if is_fault else [])


def test_fault_of_a_series_rejects_it_with_every_reason() -> None:
    for_series, for_round = Fault(POOL, None, "GIL state", "on"), Fault(POOL, 3, "clock", "it took 0 ns")
    reason = "rejected by the sanity gate: round 3: it took 0 ns (and 1 more)"
    assert reject(reduce_series(record(), SCENARIOS)[POOL], [for_round, for_series]).rejected == reason
    assert str(for_round) == f"{' / '.join(POOL[:3])} (subject): clock in round 3: it took 0 ns"
