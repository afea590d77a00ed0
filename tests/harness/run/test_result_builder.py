"""Samples so far, as series."""

from dataclasses import replace
from typing import Any

import pytest
from planted import prepared, scenarios

from runners.harness.process.launcher import SampleResult
from runners.harness.record.model import Observed, Status
from runners.harness.run.plan import Entry, Step
from runners.harness.run.result_builder import ResultBuilder

ENTRY = Entry("misbehaving", "tiny", "doubles", "subject", 0)
OBSERVED = Observed(gil_before=True, pool_sizes=[2])


def sample(status: Status = "ok", reason: str | None = None, **values: Any) -> SampleResult:  # noqa: ANN401 - any column
    phases = {"warm_up": 7_000, "measured": 10}
    return SampleResult(status, reason, values, OBSERVED if status == "ok" else None, phases, 7_023)


def filled(*samples: SampleResult, entry: Entry = ENTRY) -> ResultBuilder:
    builder = ResultBuilder(prepared("3.13.0"), scenarios("misbehaving"), {entry: 3})
    for number, each in enumerate(samples, start=1):
        builder.add(Step(entry, number, 4), each)
    return builder


@pytest.mark.parametrize(
    ("samples", "status", "reason"),
    [
        ((), "not_reached", "the run ended before it"),
        ((sample(), sample(), sample()), "ok", None),
        ((sample(), sample()), "partial", "2 of 3 samples were reached"),
        ((sample(), sample("failed", "why"), sample()), "partial", "1 of 3 samples: why"),
        ((sample("failed", "why"), sample("timed_out", "late")), "failed", "why"),
        ((sample("timed_out", "late"), sample("timed_out", "late")), "timed_out", "late"),
    ],
)
def test_status_of_a_series_follows_from_its_samples(
    samples: tuple[SampleResult, ...], status: str, reason: str | None
) -> None:
    series = filled(*samples).series(ENTRY)
    assert (series.status, series.reason) == (status, reason)


@pytest.mark.parametrize("observed", [None, Observed(peak_in_flight=9)])
def test_failed_sample_never_replaces_observations(observed: Observed | None) -> None:
    wrong = SampleResult("failed", "ran 9 at once", observed=observed)
    assert filled(sample(), wrong).series(ENTRY).observed == OBSERVED
    assert filled(wrong).series(ENTRY).observed == observed


def test_wall_time_is_split_by_phase_and_the_rest_is_the_harness() -> None:
    phases = {"interpreter_start": 0, "imports": 0, "warm_up": 14_000, "measured": 20, "harness": 26}
    assert filled(sample(), sample()).wall_ns == phases


def test_first_trace_is_kept_and_no_list_of_a_control() -> None:
    first = sample(depth_trace_count=[1, 2], latency_steps_us=[1])
    interrupted = filled(sample("failed", "why"), first, sample(depth_trace_count=[3]))
    series = interrupted.series(ENTRY)
    assert series.samples.values == {"depth_trace_count": [None, [1, 2], None], "latency_steps_us": [None, [1], None]}
    again = filled()
    again.rows[ENTRY].extend(series.samples.rows())
    again.forget(Step(ENTRY, 2, 4))
    again.add(Step(ENTRY, 2, 4), sample(depth_trace_count=[2]))
    assert again.series(ENTRY).samples.values == {"depth_trace_count": [None, None, [2]]}
    control = replace(ENTRY, role="control")
    numbers = filled(sample(elapsed_ns=1, latency_steps_us=[1, 2]), entry=control).series(control)
    assert numbers.samples.values == {"elapsed_ns": [1]}
