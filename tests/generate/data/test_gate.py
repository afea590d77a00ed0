"""Each rule of the sanity gate catches the fault that is planted for it, in its sample; clean data passes."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import pytest
from factory import Plan, altered, build, make, some_scenarios

from generate.data.gate import Fault, faults, rejections
from generate.data.gate_rules import SAMPLE_RULES, Sample, rules_for
from generate.data.record_view import RecordView
from generate.words.numbers import NO_BREAK
from runners.harness.contract import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from runners.harness.contract import Parameters
    from runners.harness.record.model import Record, Series, Value

SCENARIOS = some_scenarios()
ROUND = 4


def record(**plan: Any) -> Record:  # noqa: ANN401 - of a Plan
    return make(SCENARIOS, Plan(**plan))


def is_of(scenario: str, runner: str, role: str = "subject") -> Callable[[Series], bool]:
    return lambda series: (series.scenario, series.runner, series.role) == (scenario, runner, role)


is_pool = is_of("primes", "process_pool")


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


def latencies(steps: list[int]) -> Any:  # noqa: ANN401 - a function for `altered`
    def change(series: dict[str, Any]) -> None:
        set_to("latency_steps_us", steps)(series)
        set_to("latency_all_us", sum(accumulate(steps)))(series)

    return change


def column(record_: Record, name: str) -> Any:  # noqa: ANN401 - a value
    return next(series for series in record_.series if is_server(series)).samples.values[name][ROUND - 1]


@pytest.mark.parametrize(
    "plan",
    [
        {},
        {"rounds": 1},
        {"build": build("3.14.0", free_threaded=True)},
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
        ("elapsed_ns", 0, "clock", "it took 0 ns"),
        ("latency_steps_us", [10, 20, -5, *[1] * 117], "percentiles in order", "fall by 5 us"),
        ("latency_all_us", 10**9, "mean inside", "a mean latency of 8.33333e+06 us, of latencies from"),
        ("latency_all_us", 1, "mean inside", "a mean latency of 0.00833333 us"),
        ("latency_steps_us", [25_000] + [1] * 59, "Little's law", "throughput times mean latency"),
    ],
)
def test_a_planted_fault_is_found_in_its_sample(name: str, value: object, rule: str, message: str) -> None:
    broken = altered(record(), is_server, set_to(name, value))
    found = [fault for fault in faults(broken, SCENARIOS) if fault.rule == rule]
    assert [(fault.key.runner, fault.key.role, fault.round) for fault in found] == [
        ("aiohttp_awaiting", "subject", ROUND)
    ]
    assert message in found[0].message


def test_more_in_flight_than_there_are_slots_break_little_s_law() -> None:
    (found,) = faults(altered(record(), is_server, latencies([90_000] + [0] * 119)), SCENARIOS)
    assert (found.rule, found.round) == ("Little's law", ROUND)
    assert "in flight on average, but at most 12" in found.message


def test_a_wrong_sum_of_latencies_breaks_littles_law() -> None:
    total_us = column(record(), "latency_all_us")
    broken = altered(record(), is_server, set_to("latency_all_us", round(1.1 * total_us)))
    assert [fault.rule for fault in faults(broken, SCENARIOS)] == ["Little's law"]
    within_slack = altered(record(), is_server, set_to("latency_all_us", round(1.01 * total_us)))
    assert faults(within_slack, SCENARIOS) == []


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
    found = SAMPLE_RULES[rule][1](Sample({**PERCENTILES, name: value}, parameters, 2))
    assert found is not None
    assert message in found


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
    columns: dict[str, Value] = {"elapsed_ns": 10**9, "load_cpu_ns": load_share * 1e9, "cpu_us": server_share * 1e6}
    found = SAMPLE_RULES["load generator"][1](Sample(columns, CLOSED, 2))
    assert (found is None) == (limit is None)
    assert limit is None or limit in str(found).replace(NO_BREAK, " ")


def test_failed_requests_have_no_mean_latency() -> None:
    failing = {**PERCENTILES, "completed_count": 1, "failed_count": 299, "latency_all_us": 30_001}
    assert SAMPLE_RULES["percentiles in step"][1](Sample(failing, OPEN, 2)) is None


def test_every_rule_of_a_sample_has_a_planted_fault() -> None:
    of_records = test_a_planted_fault_is_found_in_its_sample.pytestmark[0].args[1]  # type: ignore[attr-defined]
    kept = test_a_fault_planted_in_percentiles_is_found.pytestmark[0].args[1]  # type: ignore[attr-defined]
    assert {case[2] for case in of_records} | {case[3] for case in kept} == set(SAMPLE_RULES)


def test_in_an_open_loop_requests_may_queue_beyond_the_slots() -> None:
    server = SCENARIOS["blocking_server"]
    tenth = server.cases["tenth"]
    open_loop = {"tenth": Case({**tenth.parameters, "rate_per_s": 40.0}, tenth.warm_up)}
    scenarios = {"blocking_server": replace(server, cases=open_loop)}
    broken = altered(record(), is_server, latencies([90_000] + [0] * 119))
    assert faults(broken, scenarios) == []


def test_processor_time_may_exceed_the_wall_by_a_tick() -> None:
    without_ideal = {"primes": replace(SCENARIOS["primes"], ideal=SCENARIOS["primes"].ideal._replace(compute=None))}
    short = altered(record(), is_pool, all_set(elapsed_ns=1_000_000, longest_job_ns=1, all_jobs_ns=1))
    assert faults(altered(short, is_pool, all_set(cpu_us=17_000)), without_ideal) == []
    found = faults(altered(short, is_pool, all_set(cpu_us=19_000)), without_ideal)
    assert {fault.rule for fault in found} == {"processor time"}
    assert len(found) == 12


def test_samples_that_are_not_ok_are_not_judged() -> None:
    def fail(series: dict[str, Any]) -> None:
        set_to("cpu_us", 10**9)(series)
        series["samples"]["status"][ROUND - 1] = "failed"

    assert faults(altered(record(), is_server, fail), SCENARIOS) == []


def test_one_sample_that_beats_a_fixed_ideal_is_at_fault() -> None:
    broken = altered(record(), is_server, set_to("elapsed_ns", 200_000_000))
    found = [fault for fault in faults(broken, SCENARIOS) if fault.rule == "ideal"]
    assert [fault.round for fault in found] == [ROUND]
    assert "40% better than the ideal" in found[0].message


def scaled(factor: float, rounds: range) -> Any:  # noqa: ANN401 - a function for `altered`
    def change(series: dict[str, Any]) -> None:
        values = series["samples"]["values"]["elapsed_ns"]
        for number in rounds:
            values[number - 1] = round(values[number - 1] * factor)

    return change


def test_beating_a_measured_ideal_takes_the_complete_range() -> None:
    clean = altered(record(), is_pool, all_set(cpu_us=1_000))
    lucky = altered(clean, is_pool, scaled(0.4, range(1, 3)))
    impossible = altered(clean, is_pool, scaled(0.3, range(1, 13)))
    assert faults(lucky, SCENARIOS) == []
    (found,) = faults(impossible, SCENARIOS)
    assert (found.rule, found.round, found.key.runner) == ("ideal", None, "process_pool")


def test_a_measured_ideal_needs_three_rounds() -> None:
    def quicker(series: dict[str, Any]) -> None:
        values = series["samples"]["values"]
        values["elapsed_ns"] = [value // 3 for value in values["elapsed_ns"]]
        values["cpu_us"] = [value // 3 for value in values["cpu_us"]]

    assert faults(altered(record(rounds=1), is_pool, quicker), SCENARIOS) == []
    assert faults(altered(record(rounds=2), is_pool, quicker), SCENARIOS) == []
    assert [fault.rule for fault in faults(altered(record(rounds=3), is_pool, quicker), SCENARIOS)] == ["ideal"]


def test_a_measured_ideal_is_as_uncertain_as_its_control() -> None:
    quicker = altered(altered(record(), is_pool, all_set(cpu_us=1_000)), is_pool, scaled(0.3, range(1, 13)))
    is_control = is_of("primes", "sync_loop", "control")
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
    found = faults(altered(record(), is_of("primes", "sync_loop"), nonsense), SCENARIOS)
    assert {fault.rule for fault in found} == {"processor time"}
    assert {(fault.key.runner, fault.key.role) for fault in found} == {("sync_loop", "subject")}


def observed(**facts: object) -> Any:  # noqa: ANN401 - a function for `altered`
    def change(series: dict[str, Any]) -> None:
        series["observed"].update(facts)

    return change


def test_more_at_once_than_asked_for_is_a_fault() -> None:
    assert faults(altered(record(), is_pool, observed(peak_in_flight=2, asked_at_once=2)), SCENARIOS) == []
    (found,) = faults(altered(record(), is_pool, observed(peak_in_flight=8, asked_at_once=2)), SCENARIOS)
    assert found.rule == "peak in flight"
    assert "8 ran at once, but at most 2" in found.message


@pytest.mark.parametrize(("free_threaded", "label"), [(True, "without the GIL"), (False, "with the GIL")])
def test_a_gil_that_contradicts_the_label_is_a_fault(*, free_threaded: bool, label: str) -> None:
    clean = record(build=build("3.14.0", free_threaded=free_threaded))
    (found,) = faults(altered(clean, is_pool, observed(gil_after_run=free_threaded)), SCENARIOS)
    assert (found.rule, found.key.runner) == ("GIL state", "process_pool")
    assert label in found.message
    assert faults(altered(clean, is_pool, observed(gil_after_run=None)), SCENARIOS) == []


def test_a_series_that_failed_over_its_gil_is_no_fault() -> None:
    def fail(series: dict[str, Any]) -> None:
        observed(gil_after_run=True)(series)
        series["samples"]["status"] = ["failed"] * len(series["samples"]["round"])

    clean = record(build=build("3.14.0", free_threaded=True))
    assert faults(altered(clean, is_pool, fail), SCENARIOS) == []


def test_the_reference_s_series_is_held_to_the_reference_s_label() -> None:
    clean = record(build=build("3.14.0", free_threaded=True))

    (found,) = faults(
        altered(clean, is_of("primes", "process_pool", "reference"), observed(gil_after_run=False)), SCENARIOS
    )
    assert found.key.role == "reference"


def test_fault_of_a_series_rejects_it() -> None:
    view = RecordView(record(), SCENARIOS)
    key = next(filter(is_pool, view.record.series)).key
    whole, of_round = Fault(key, None, "GIL state", "on"), Fault(key, 3, "clock", "it took 0 ns")
    assert rejections(view, [of_round, whole]) == (
        {key: "rejected by the sanity gate: round 3: it took 0 ns (and 1 more)"},
        {},
    )
    assert rejections(view, [whole])[0] == {key: "rejected by the sanity gate: on"}
    assert str(of_round) == f"{' / '.join(key[:3])} (subject): clock in round 3: it took 0 ns"


@pytest.mark.parametrize(
    ("at_fault", "rounds", "is_rejected"), [(1, 12, False), (5, 12, False), (6, 12, True), (1, 2, True)]
)
def test_half_of_its_rounds_at_fault_reject_a_series(at_fault: int, rounds: int, *, is_rejected: bool) -> None:
    view = RecordView(record(rounds=rounds), SCENARIOS)
    key = next(filter(is_pool, view.record.series)).key
    found = [Fault(key, number, "clock", "it took 0 ns") for number in range(1, at_fault + 1)]
    rejected, rounds_rejected = rejections(
        view, [*found, Fault(key, 1, "processor time", "a second fault of one round")]
    )
    assert (key in rejected) == is_rejected
    if not is_rejected:
        assert rounds_rejected == {key: dict.fromkeys(range(1, at_fault + 1), "it took 0 ns")}
