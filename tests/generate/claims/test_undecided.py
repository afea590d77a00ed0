"""What may not decide, what does not apply, and which of several results speaks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import Plan, altered, build, make
from judging import (
    COUNT,
    FAST,
    FASTER,
    SCENARIOS,
    SLOW,
    STEPS,
    changed,
    claim_parts,
    files_of,
    part_verdicts,
    record_with,
    verdict_on,
)

from generate.analysis.gated import apply_gate
from generate.claims.kinds import RatioBelow, ValueAtMost
from generate.claims.model import Needs, Part
from generate.claims.verdicts import verdicts

if TYPE_CHECKING:
    from runners.harness.record.model import Record


def test_a_control_that_failed_in_a_round_leaves_a_ratio_undecided_and_a_value_not() -> None:
    def fail(series: dict[str, Any]) -> None:
        series["samples"]["status"][2] = "failed"
        series["samples"]["reason"][2] = "lost"

    record = altered(record_with(FAST), lambda series: (series.runner, series.role) == ("sync_loop", "control"), fail)
    judged = verdict_on(record, FASTER)
    assert (judged.verdict, judged.leans) == ("not measured", "holds")
    assert judged.reason.startswith("the control of “published” failed in a round")
    assert verdict_on(record, changed(FASTER, baseline="", expect=ValueAtMost("900 ms"))).verdict == "holds"


def test_a_version_that_is_none_is_not_judged() -> None:
    judged = verdict_on(record_with(FAST, build=build("3.x.1")), FASTER)
    assert (judged.verdict, judged.reason) == ("not measured", "“3.x.1” is no version of a Python")


def test_what_the_newest_run_left_out_is_taken_from_the_one_before() -> None:
    whole = record_with(FAST)
    partial = msgspec.structs.replace(
        record_with(SLOW, run_id="later"),
        series=[series for series in record_with(SLOW).series if series.runner != "thread_pool"],
    )
    newer = replace_started(partial, "2026-02-02T00:00:00Z")
    (judged,) = verdicts(claim_parts(FASTER), apply_gate(files_of(whole, newer), SCENARIOS))
    assert judged.verdict == "holds"


def test_a_quick_run_decides_nothing_and_says_which_way_it_leans() -> None:
    judged = verdict_on(record_with(FAST[:3], profile="quick"), FASTER)
    assert (judged.verdict, judged.leans, judged.reason) == ("not measured", "holds", "a quick run decides nothing")


def test_fewer_than_nine_pairs_decide_nothing() -> None:
    assert verdict_on(record_with(FAST[:9]), FASTER).verdict == "holds"
    judged = verdict_on(record_with(FAST[:8]), FASTER)
    assert (judged.verdict, judged.leans, judged.reason) == ("not measured", "holds", "8 rounds; at least 9 decide")


def test_a_round_that_failed_decides_nothing() -> None:
    def fail(series: dict[str, Any]) -> None:
        series["samples"]["status"][2] = "timed_out"
        series["samples"]["reason"][2] = "slow"

    record = altered(record_with(FAST), lambda series: series.runner == "thread_pool", fail)
    judged = verdict_on(record, FASTER)
    assert (judged.verdict, judged.leans) == ("not measured", "holds")
    assert judged.reason.startswith("thread_pool in “published” failed in a round")


def test_what_is_not_there_is_not_measured_with_the_reason() -> None:
    record = make(SCENARIOS, Plan(status={"thread_pool": "unsupported"}))
    assert verdict_on(record, FASTER).reason == "thread_pool in “published”: unsupported: fixture: unsupported"
    quick = make(SCENARIOS, Plan(profile="quick", rounds=3))
    assert verdict_on(quick, STEPS).reason == "a quick run has no job_queue in “published, jobs that await, 4 at once”"
    without = make({"primes": SCENARIOS["primes"]})
    assert verdict_on(without, COUNT).reason == "no run here has the scenario queue_depth"


def test_a_series_that_the_gate_refuses_takes_no_part() -> None:
    record = altered(record_with(FAST), lambda series: series.runner == "thread_pool", _impossible)
    judged = verdict_on(record, FASTER)
    assert judged.verdict == "not measured"
    assert "refused by the sanity gate" in judged.reason


def _impossible(series: dict[str, Any]) -> None:
    series["samples"]["values"]["cpu_us"] = [10**12] * 12


def test_what_another_version_of_a_runner_measured_is_not_judged() -> None:
    def older(series: dict[str, Any]) -> None:
        series["source_sha256"] = "0" * 64

    record = altered(record_with(FAST), lambda series: series.runner == "sync_loop", older)
    assert verdict_on(record, FASTER).reason == "sync_loop has changed since it was measured; measure again"


@pytest.mark.parametrize(
    ("needs", "verdict", "reason"),
    [
        (Needs(cores=4), "not applicable", "needs 4 cores; here are 2"),
        (Needs(python="3.14"), "not applicable", "needs Python 3.14 or later"),
        (Needs(gil=False), "not applicable", "is about a build without the GIL"),
        (Needs(cores=2, python="3.13", gil=True), "holds", ""),
    ],
)
def test_a_claim_about_another_kind_of_machine_or_build_does_not_apply(needs: Needs, verdict: str, reason: str) -> None:
    judged = verdict_on(record_with(FAST), changed(FASTER, needs=needs))
    assert (judged.verdict, judged.reason) == (verdict, reason)


def test_a_claim_that_is_never_measured_says_why() -> None:
    judged = verdict_on(record_with(FAST), Part(not_measured="needs a grid"))
    assert (judged.verdict, judged.reason) == ("not measured", "needs a grid")


def test_wrong_decisions_are_held_down_over_all_claims_of_a_cell() -> None:
    """Ten of twelve on one side decide alone; beside many claims on which nothing is decided they do not."""
    barely = [0.8] * 10 + [1.2] * 2
    record = record_with(barely)
    assert verdict_on(record, FASTER).verdict == "holds"
    undecided = changed(FASTER, expect=RatioBelow(0.8))
    first, *_ = part_verdicts(record, FASTER, *[undecided] * 5)
    assert (first.verdict, first.leans) == ("too close to call", "holds")
    assert "too likely" in first.reason


def test_the_newest_full_run_speaks_and_not_a_newer_quick_one() -> None:
    full, quick = record_with(FAST), record_with(SLOW[:3], profile="quick", run_id="later")
    newer = replace_started(quick, "2026-02-02T00:00:00Z")
    (judged,) = verdicts(claim_parts(FASTER), apply_gate(files_of(full, newer), SCENARIOS))
    assert judged.verdict == "holds"
    (newest,) = verdicts(
        claim_parts(FASTER),
        apply_gate(files_of(full, replace_started(record_with(SLOW, run_id="b"), "2026-03-03T00:00:00Z")), SCENARIOS),
    )
    assert newest.verdict == "does not hold"


def replace_started(record: Record, started: str) -> Record:
    return msgspec.structs.replace(record, run=msgspec.structs.replace(record.run, started=started))


def test_every_build_and_machine_is_judged_by_itself() -> None:
    there = record_with(FAST, build=build("3.14.0", free_threaded=True), machine="other", run_id="2")
    both = verdicts(claim_parts(FASTER), apply_gate(files_of(record_with(SLOW), there), SCENARIOS))
    assert {(each.cell.machine, each.cell.build): each.verdict for each in both} == {
        ("fixture-host", "cpython-3.13.1"): "does not hold",
        ("other", "cpython-3.14.0t"): "holds",
    }
    own = [replace(file, path="local/0.json", local=True) for file in files_of(record_with(FAST))]
    both = verdicts(claim_parts(FASTER), apply_gate([*own, *files_of(record_with(SLOW))], SCENARIOS))
    assert [(each.cell.local, each.verdict) for each in both] == [
        (True, "holds"),
        (False, "does not hold"),
    ]
