"""What frames hold of what was not measured, failed, was refused, or is not known any more: it is never dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from factory import Plan, altered, make
from frames import PRIMES, SCENARIOS, file_of, frame_of, impossible, is_subject, row

from generate.analysis.gated import apply_gate
from generate.analysis.summaries import sample_frame
from runners.harness.measure import GIL_IS_BACK

if TYPE_CHECKING:
    from runners.harness.record.model import Series


def test_a_series_that_was_not_measured_is_kept_with_its_reason_and_no_numbers() -> None:
    frame = frame_of(make(SCENARIOS, Plan(status={"process_pool": "unsupported", "thread_pool": "timed_out"})))
    for runner, status in (("process_pool", "unsupported"), ("thread_pool", "timed_out")):
        found = row(frame, runner)
        assert (found.status, found.reason) == (status, f"fixture: {status}")
        assert (found.rounds, found.ratio_pairs, found.ratio_decided) == (0, 0, False)
        assert found[["median", "low", "high", "coverage", "minimum", "ratio", "ideal", "efficiency"]].isna().all()


@pytest.mark.parametrize(("reason", "status"), [(GIL_IS_BACK[0], "unsupported"), (GIL_IS_BACK[1], "failed")])
def test_what_older_records_call_failed_since_its_imports_turned_the_gil_on_is_not_supported(
    reason: str, status: str
) -> None:
    def fail(series: dict[str, Any]) -> None:
        count = len(series["samples"]["round"])
        series["samples"].update(status=["failed"] * count, reason=[reason] * count)
        series.update(status="failed", reason=reason)

    found = row(frame_of(altered(make(SCENARIOS), is_subject("thread_pool"), fail)), "thread_pool")
    assert (found.status, found.reason) == (status, reason)


def test_only_samples_that_are_ok_count_and_only_rounds_that_both_have_are_paired() -> None:
    def lose_two(series: dict[str, Any]) -> None:
        series["samples"]["status"][:2] = ["failed", "timed_out"]
        series["samples"]["values"]["elapsed_ns"][0] = 1
        series["samples"]["values"]["elapsed_ns"][2] = None
        series["status"] = "partial"

    frame = frame_of(altered(make(SCENARIOS), is_subject("sync_loop"), lose_two))
    assert (row(frame, "sync_loop").rounds, row(frame, "sync_loop").status) == (9, "partial")
    assert row(frame, "thread_pool").ratio_pairs == 9
    assert row(frame, "thread_pool").rounds == 12


def test_a_refused_series_is_failed_with_the_gate_s_reason_and_compared_with_nothing() -> None:
    broken = altered(make(SCENARIOS), is_subject("thread_pool"), impossible)
    found = row(frame_of(broken), "thread_pool")
    assert found.status == "failed"
    assert found.reason.startswith("refused by the sanity gate: round 1: 1e+04 s of processor time")
    assert found.rounds == 0
    assert found[["median", "ratio", "efficiency", "reference_ratio"]].isna().all()
    assert row(frame_of(broken), "process_pool").ratio_pairs == 12


def test_nothing_is_compared_with_a_refused_baseline() -> None:
    frame = frame_of(altered(make(SCENARIOS), is_subject("sync_loop"), impossible))
    found = row(frame, "thread_pool")
    assert found[["ratio", "ideal", "efficiency", "noise_low"]].isna().all()
    assert found["median"] > 0
    assert found.reference_ratio_pairs == 12


def test_what_the_catalogue_does_not_know_any_more_is_kept_with_a_note() -> None:
    def rename(what: str) -> Any:  # noqa: ANN401 - a function for `altered`
        return lambda series: series.update({what: "gone_by_now"})

    record = make(SCENARIOS)
    frame = frame_of(altered(record, is_subject("thread_pool"), rename("runner")))
    found = row(frame, "gone_by_now")
    assert (found.note, found.is_current, found.family) == ("runner unknown to this version", False, None)
    assert found.ratio_pairs == 12

    found = row(frame_of(altered(record, is_subject("thread_pool"), rename("case"))), "thread_pool", case="gone_by_now")
    assert (found.note, found.block, found.rounds) == ("case unknown to this version", "gone_by_now", 12)
    assert np.isnan(found.ratio)

    frame = frame_of(altered(record, is_subject("thread_pool"), rename("scenario")))
    found = row(frame, "thread_pool")
    assert (found.note, found.title, found.unit) == ("scenario unknown to this version", "elapsed_ns", "ns")
    assert found.better == "neither"
    assert found["median"] > 0


def test_a_file_whose_code_is_another_than_today_s_is_not_current() -> None:
    record = altered(make(SCENARIOS), is_subject("thread_pool"), lambda series: series.update(source_sha256="a" * 64))
    assert not row(frame_of(record), "thread_pool").is_current
    assert row(frame_of(record), "process_pool").is_current


def test_a_metric_whose_raw_columns_are_missing_has_no_value() -> None:
    def shorten(series: dict[str, Any]) -> None:
        del series["samples"]["values"]["latency_steps_us"]

    def where(series: Series) -> bool:
        return (series.case, series.runner, series.role) == ("tenth", "tornado_awaiting", "subject")

    frame = frame_of(altered(make(SCENARIOS), where, shorten))
    assert row(frame, "tornado_awaiting", metric="median_latency_us", case="tenth").rounds == 0
    assert row(frame, "tornado_awaiting", metric="requests_per_s", case="tenth").rounds == 12


def test_a_sample_that_failed_has_a_row_with_its_reason_and_a_refused_series_has_no_values() -> None:
    def fail_first(series: dict[str, Any]) -> None:
        series["samples"]["status"][0], series["samples"]["reason"][0] = "failed", "it broke"

    record = altered(make(SCENARIOS), is_subject("thread_pool"), fail_first)
    record = altered(record, is_subject("process_pool"), impossible)
    rows: list[Any] = [*sample_frame(apply_gate([file_of(record)], SCENARIOS), "primes").itertuples()]
    of = {
        runner: [row for row in rows if (row.runner, row.role, row.metric) == (runner, "subject", "elapsed_ns")]
        for runner in ("thread_pool", "process_pool")
    }
    first = of["thread_pool"][0]
    assert (first.sample_status, first.sample_reason) == ("failed", "it broke")
    assert np.isnan(first.value)
    refused = [row for row in of["process_pool"] if row.case == PRIMES]
    assert {row.status for row in refused} == {"failed"}
    assert all(np.isnan(row.value) for row in refused)
