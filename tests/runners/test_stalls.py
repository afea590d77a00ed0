"""The heart of stalls, its wrong answers, and what each cause does to the loop on a small job."""

import pytest
from apart import Parameters, take_rightly

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Span, Surroundings, peak_in_flight
from runners.stalls import workload as stalls
from runners.stalls._heart import Heart

SCENARIO = catalogue.find()["stalls"]
MS = 1_000_000


def small(case: str, **different: float) -> Parameters:
    return {**SCENARIO.cases[case].parameters, "requests": 4, "period_s": 0.015, **different}


def test_blocked_loop_is_as_late_as_a_request_takes() -> None:
    values, observed = take_rightly(SCENARIO, "logging_direct", small("a slow log"))
    assert values["delay_worst_ns"] >= values["requests_total_ns"] / 4 - MS
    assert (observed.peak_in_flight, values["beats_beside_count"]) == (1, 0)


@pytest.mark.parametrize("runner", ["json_process_pool", "json_to_thread"])
def test_loop_beats_while_another_parses(runner: str) -> None:
    values, observed = take_rightly(SCENARIO, runner, small("1 MB of JSON"))
    assert (observed.peak_in_flight, values["beats_beside_count"] > 0) == (2, True)


def test_collector_visits_everything_once_enough_has_survived() -> None:
    many = small("a million live objects", requests=150, period_s=0.0, amount=100_000)
    values, observed = take_rightly(SCENARIO, "gc_default", many)
    assert (values["full_collections_count"] >= 1) == observed.gil_after_run
    assert take_rightly(SCENARIO, "gc_disabled", many)[0]["full_collections_count"] == 0


def test_every_period_of_a_late_beat_was_due() -> None:
    heart = Heart()
    assert heart.values() == {"delay_worst_ns": None, "delay_99th_percentile_ns": None, "beats_due_count": 0}
    heart.note(0, 4 * MS)
    assert heart.lags_ns == [3 * MS, 2 * MS, MS, 0]
    heart.lags_ns = [*range(199)]
    assert heart.values()["delay_99th_percentile_ns"] is None
    heart.lags_ns = [*range(1, 201)]
    assert heart.values()["delay_99th_percentile_ns"] == 198


@pytest.mark.parametrize("case", SCENARIO.cases)
def test_missing_or_wrong_answers_are_wrong(case: str) -> None:
    job = stalls.prepare({**small(case), "amount": 10}, Surroundings(2, 1))
    job.heart.beats = [Span(5, 6, 1, 1)]
    right = job.expected()
    job.stream.lines = [f"request {number}\n" for number in range(4)] if job.cause == "log" else []
    job.spans = [Span(0, 9, 1, 1)]
    outcome = stalls.judge(job, right)
    assert (outcome.wrong, outcome.values["beats_beside_count"], peak_in_flight(outcome.spans)) == ("", 1, 2)
    assert stalls.judge(job, right[1:]).wrong == "4 requests are to be answered; 3 were"
    assert stalls.judge(job, [*right[1:], -1]).wrong == "a request was answered wrongly"
    job.stream.lines.append("another")
    assert "lines in order" in stalls.judge(job, right).wrong
