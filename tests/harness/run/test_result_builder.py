"""What has been measured so far, as series."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from planted import prepared, scenarios

from runners.harness.process.launcher import SampleResult
from runners.harness.record.model import Observed
from runners.harness.run.plan import Entry, Step
from runners.harness.run.result_builder import ResultBuilder

if TYPE_CHECKING:
    from runners.harness.record.model import Status

ENTRY = Entry("misbehaving", "tiny", "doubles", "subject", 0)
OBSERVED = Observed(gil_before=True, pool_sizes=[2])


def taken(status: Status = "ok", reason: str | None = None, **values: Any) -> SampleResult:  # noqa: ANN401 - any cell
    return SampleResult(
        status, reason, values, OBSERVED if status == "ok" else None, {"warm_up": 7_000, "measured": 10}, 7_023
    )


def filled(*samples: SampleResult) -> ResultBuilder:
    made = ResultBuilder(prepared("3.13.0"), scenarios("misbehaving"), {ENTRY: 3})
    for number, sample in enumerate(samples, start=1):
        made.add(Step(ENTRY, number, 4), sample)
    return made


def test_samples_become_columns() -> None:
    series = filled(taken(elapsed_ns=1), taken("failed", "why"), taken(elapsed_ns=3, cpu_us=2)).series(ENTRY)
    assert series.source_sha256 == scenarios("misbehaving")["misbehaving"].runners["doubles"].source_sha256
    samples = series.samples
    assert samples.round == [1, 2, 3]
    assert samples.position == [4, 4, 4]
    assert samples.status == ["ok", "failed", "ok"]
    assert samples.reason == [None, "why", None]
    assert samples.warm_up_us == [7, 7, 7]
    assert samples.values == {"cpu_us": [None, None, 2], "elapsed_ns": [1, None, 3]}


@pytest.mark.parametrize(
    ("samples", "status", "reason"),
    [
        ((), "not_reached", "the run ended before it"),
        ((taken(), taken(), taken()), "ok", None),
        ((taken(), taken()), "partial", "2 of 3 samples were reached"),
        ((taken(), taken("failed", "why"), taken()), "partial", "1 of 3 samples: why"),
        ((taken("failed", "why"), taken("timed_out", "late")), "failed", "why"),
        ((taken("timed_out", "late"), taken("timed_out", "late")), "timed_out", "late"),
    ],
)
def test_the_status_of_a_series_follows_from_its_samples(
    samples: tuple[SampleResult, ...], status: str, reason: str | None
) -> None:
    series = filled(*samples).series(ENTRY)
    assert (series.status, series.reason) == (status, reason)


@pytest.mark.parametrize(
    ("statuses", "given_up"),
    [
        (["timed_out"], False),
        (["timed_out", "timed_out"], True),
        (["timed_out", "ok", "timed_out"], False),
        (["ok", "timed_out", "timed_out"], True),
        (["failed", "failed", "failed"], False),
    ],
)
def test_two_time_outs_in_a_row_are_enough(statuses: list[Status], given_up: bool) -> None:  # noqa: FBT001 - a table
    made = filled(*(taken(status) for status in statuses))
    assert made.given_up(ENTRY) is given_up


def test_the_trace_kept_is_that_of_the_first_sample_that_has_one() -> None:
    first = taken(depth_trace_count=[1, 2], latency_steps_us=[1])
    values = filled(taken("failed", "why"), first, taken(depth_trace_count=[3])).series(ENTRY).samples.values
    assert values == {"depth_trace_count": [None, [1, 2], None], "latency_steps_us": [None, [1], None]}


def test_a_trace_that_is_measured_again_after_a_cut_is_kept_though_an_earlier_sample_has_none() -> None:
    cut = filled(taken("failed", "why"), taken(depth_trace_count=[1]))
    again = filled()
    again.rows[ENTRY].extend(cut.series(ENTRY).samples.rows())
    again.forget(Step(ENTRY, 2, 4))
    again.add(Step(ENTRY, 2, 4), taken(depth_trace_count=[2]))
    assert again.series(ENTRY).samples.values == {"depth_trace_count": [None, [2]]}


def test_a_control_keeps_no_lists() -> None:
    scenario = scenarios("misbehaving")
    control = replace(ENTRY, role="control")
    made = ResultBuilder(prepared("3.13.0"), scenario, {control: 3})
    made.add(Step(control, 1, 0), taken(elapsed_ns=1, latency_steps_us=[1, 2]))
    assert made.series(control).samples.values == {"elapsed_ns": [1]}


@pytest.mark.parametrize("seen", [None, Observed(peak_in_flight=9)])
def test_a_sample_that_went_wrong_does_not_take_the_place_of_what_was_observed(seen: Observed | None) -> None:
    wrong = SampleResult("failed", "ran 9 at once", observed=seen)
    assert filled(taken(), wrong).series(ENTRY).observed == OBSERVED
    assert filled(wrong).series(ENTRY).observed == seen


def test_the_wall_time_is_told_by_phase_and_the_rest_is_the_harness() -> None:
    assert filled(taken(), taken()).wall_ns == {
        "interpreter_start": 0,
        "imports": 0,
        "warm_up": 14_000,
        "measured": 20,
        "harness": 26,
    }
