"""The loop in another thread: what threads with a GIL must beat as well before they are faster."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from factory import Plan, altered, build, make
from frames import file_of, impossible

from generate.analysis.gated import apply_gate
from generate.analysis.series import bounded_runners
from generate.analysis.summaries import summarise
from generate.statistics.noise import Finding, beyond_noise, finding_of
from runners.harness.catalogue import scenarios
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Callable

FOUND = scenarios.find()
KEPT = ("sync_loop", "one_thread", "thread_pool", "process_pool")
PRIMES = replace(FOUND["primes"], runners={name: FOUND["primes"].runners[name] for name in KEPT})
CASE = "published"


def findings(*, free_threaded: bool = False, rounds: int = 12, **speed: float) -> dict[str, Finding]:
    """Return what each runner shows against the plain loop, where tables and verdicts say the same."""
    planned = Plan(speed=speed, rounds=rounds, build=build("3.14.0", free_threaded=free_threaded))
    [gated] = apply_gate([file_of(make({"primes": PRIMES}, planned))], {"primes": PRIMES})
    rows = [row for row in summarise([gated]) if (row.case, row.role, row.metric) == (CASE, "subject", "elapsed_ns")]
    found = {row.runner: finding_of(row.against_baseline, row.noise) for row in rows if row.against_baseline}
    for row in rows:
        series = gated.view.series[SeriesKey("primes", CASE, row.runner, "subject")]
        baseline, metric = gated.view.baseline(series), gated.view.metrics(series)[0]
        compared = gated.compared(series, baseline, metric) if baseline else None
        assert compared is not None
        assert beyond_noise(compared, gated.noise(series, metric)) == (found[row.runner] is Finding.BEYOND)
    return found


def test_threads_that_beat_the_plain_loop_by_no_more_than_one_thread_does_have_gained_nothing() -> None:
    found = findings(one_thread=0.85, thread_pool=0.85, process_pool=0.85)
    assert found["thread_pool"] is Finding.INSIDE
    assert found["process_pool"] is found["one_thread"] is Finding.BEYOND


@pytest.mark.parametrize("rounds", [3, 8])
def test_of_few_rounds_threads_have_to_go_beyond_the_median_of_one_thread(rounds: int) -> None:
    found = findings(rounds=rounds, one_thread=0.7, thread_pool=0.8, process_pool=0.8)
    assert found["thread_pool"] is Finding.INSIDE
    assert found["process_pool"] is found["one_thread"] is Finding.BEYOND


@pytest.mark.parametrize("rounds", [3, 12])
def test_threads_that_beat_both_loops_are_faster(rounds: int) -> None:
    assert findings(rounds=rounds, one_thread=0.95, thread_pool=0.5)["thread_pool"] is Finding.BEYOND


def test_without_a_gil_threads_need_beat_the_plain_loop_alone() -> None:
    assert findings(free_threaded=True, one_thread=0.85, thread_pool=0.85)["thread_pool"] is Finding.BEYOND


def fail(series: dict[str, Any]) -> None:
    series["samples"]["status"][2] = "timed_out"
    series["samples"]["reason"][2] = "slow"


@pytest.mark.parametrize("change", [fail, impossible])
@pytest.mark.parametrize(
    ("control", "undecided"),
    [
        (("sync_loop", "control"), {"thread_pool", "process_pool", "one_thread"}),
        (("one_thread", "subject"), {"thread_pool"}),
    ],
)
def test_what_a_control_bounds_is_undecided_where_that_failed_in_a_round_or_is_refused(
    control: tuple[str, str], undecided: set[str], change: Callable[[dict[str, Any]], None]
) -> None:
    record = altered(make({"primes": PRIMES}, Plan()), lambda series: (series.runner, series.role) == control, change)
    [gated] = apply_gate([file_of(record)], {"primes": PRIMES})
    others = [
        series
        for series in gated.view.in_block("primes", CASE)
        if series.role == "subject" and series.runner not in {"sync_loop", control[0]}
    ]
    for series in others:
        baseline, metric = gated.view.baseline(series), gated.view.metrics(series)[0]
        compared = gated.compared(series, baseline, metric) if baseline else None
        assert compared is not None
        assert compared.decided is (series.runner not in undecided)
    rows = [row for row in summarise([gated]) if (row.case, row.role, row.metric) == (CASE, "subject", "elapsed_ns")]
    assert {row.runner: row.ratio_decided for row in rows if row.runner not in {"sync_loop", control[0]}} == {
        series.runner: series.runner not in undecided for series in others
    }


def test_without_the_first_control_the_noise_is_not_known_whatever_the_second_shows() -> None:
    is_control = ("sync_loop", "control")
    record = altered(
        make({"primes": PRIMES}, Plan()), lambda series: (series.runner, series.role) == is_control, impossible
    )
    rows = summarise(apply_gate([file_of(record)], {"primes": PRIMES}))
    assert {row.noise for row in rows if row.case == CASE} == {None}


def test_it_bounds_what_runs_in_threads_of_one_process() -> None:
    bounded = bounded_runners(FOUND["primes"])
    assert {"thread_pool", "sync_loop"} <= {*bounded}
    assert not {"one_thread", "process_pool", "interpreter_pool"} & {*bounded}
    assert bounded_runners(FOUND["queue_depth"]) == []


def test_the_scenarios_that_compute_have_a_second_control_and_it_is_of_threads() -> None:
    assert {name for name, scenario in FOUND.items() if scenario.second_control} == {"power", "primes"}
    assert all(FOUND[name].runners[FOUND[name].second_control].family == "threads" for name in ("power", "primes"))


@pytest.mark.parametrize("runner", KEPT)
def test_no_runner_of_another_build_s_control_is_taken(runner: str) -> None:
    [gated] = apply_gate([file_of(make({"primes": PRIMES}, Plan()))], {"primes": PRIMES})
    series = gated.view.series[SeriesKey("primes", CASE, runner, "reference")]
    second = gated.view.second_control(series)
    assert second is None or second.role == "reference"
