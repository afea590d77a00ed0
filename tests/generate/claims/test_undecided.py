"""What may not decide, what does not apply, and which of several results speaks."""

from __future__ import annotations

import dataclasses
import math
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import pytest
from factory import Plan, altered, build, make
from frames import file_of, files_of, impossible
from judging import (
    COUNT,
    FAST,
    FASTER,
    SCENARIOS,
    SLOW,
    STEPS,
    part_verdicts,
    record_with,
    verdict_on,
    with_values,
)
from msgspec.structs import replace

from generate.analysis.gated import apply_gate
from generate.analysis.summaries import summarise
from generate.claims.kinds import NeverFalls, RatioAbove, RatioBelow, RatioWithin, ValueAtMost
from generate.claims.model import Needs, Part
from generate.claims.sentences import sentence
from generate.claims.terminal import how_to_decide
from runners.harness.catalogue import first_method

if TYPE_CHECKING:
    from collections.abc import Callable

    from runners.harness.record.model import Record

LARGER, SMALLER = "published, jobs that await, 4 at once", "quarter, jobs that await, 4 at once"


def record_where(runner: str, change: Callable[[dict[str, Any]], None], role: str = "subject") -> Record:
    return altered(record_with(FAST), lambda series: (series.runner, series.role) == (runner, role), change)


def fail(series: dict[str, Any]) -> None:
    series["samples"]["status"][2] = "timed_out"
    series["samples"]["reason"][2] = "slow"


def measured_while(record: Record, **machine: float | None) -> Record:
    return replace(record, machine=replace(record.machine, **machine))


LEANS: dict[str, tuple[Callable[[], Record], str]] = {
    "a failed control": (lambda: record_where("sync_loop", fail, "control"), "a control of “published” failed in a"),
    "a refused control": (
        lambda: record_where("sync_loop", impossible, "control"),
        "a control of “published” failed in a round or was refused",
    ),
    "a second control that failed": (lambda: record_where("one_thread", fail), "a control of “published” failed in a"),
    "a failed round": (lambda: record_where("thread_pool", fail), "thread_pool in “published” failed in a round"),
    "a load above all cores": (
        lambda: measured_while(record_with(FAST), load_before=3.1),
        "the machine was busy: load 3.1 on 2 cores before the first sample",
    ),
    "a busy quick run": (
        lambda: measured_while(record_with(FAST[:3], profile="quick"), load_before=2.1),
        "the machine was busy: load 2.1 on 2 cores before the first sample",
    ),
    "a host that others use": (
        lambda: measured_while(record_with(FAST), steal_share=0.012),
        "the machine was busy: its host kept 1.2\N{NO-BREAK SPACE}% of the processor time for others",
    ),
    "fewer than three pairs": (lambda: record_with(FAST[:2], profile="quick"), "2 rounds; at least 3 decide"),
}


@pytest.mark.parametrize(("make_record", "reason"), LEANS.values(), ids=LEANS)
def test_what_decides_nothing_says_which_way_it_leans(make_record: Callable[[], Record], reason: str) -> None:
    judged = verdict_on(make_record(), FASTER)
    assert (judged.verdict, judged.leans) == ("not measured", "holds")
    assert judged.reason.startswith(reason)


@pytest.mark.parametrize("machine", [{"load_before": 2.0}, {"load_before": None}, {"steal_share": 0.01}])
def test_a_load_of_all_cores_or_one_that_nobody_reports_decides(machine: dict[str, float | None]) -> None:
    assert verdict_on(measured_while(record_with(FAST), **machine), FASTER).verdict == "holds"


@pytest.mark.parametrize(("rounds", "profile"), [(3, "quick"), (12, "quick"), (8, "full")])
def test_a_quick_run_and_one_of_few_rounds_decide_directions_alone(rounds: int, profile: str) -> None:
    few = record_with(FAST[:rounds], profile=profile)
    assert (verdict_on(few, FASTER).verdict, verdict_on(few, FASTER).is_quick) == ("holds", True)
    assert verdict_on(record_with(SLOW[:rounds], profile=profile), FASTER).verdict == "does not hold"
    for part in (replace(FASTER, expect=RatioWithin(0.5)), COUNT):
        judged = verdict_on(few, part)
        few_rounds = "a quick run decides" if profile == "quick" else "8 rounds decide"
        assert (judged.verdict, judged.reason) == ("not measured", f"{few_rounds} directions alone")
    close = verdict_on(few, replace(FASTER, expect=RatioBelow(fmean(FAST[:rounds]))))
    of_what = "a quick run" if profile == "quick" else "so few rounds"
    assert (close.verdict, close.reason) == ("not measured", f"too close for {of_what}")


def test_nine_pairs_decide_and_a_failed_control_leaves_a_value_decided() -> None:
    assert verdict_on(record_with(FAST[:9]), FASTER).verdict == "holds"
    value = replace(FASTER, baseline="", expect=ValueAtMost("900 ms"))
    assert verdict_on(record_where("sync_loop", fail, "control"), value).verdict == "holds"


NOT_MEASURED: dict[str, tuple[Callable[[], Record], Part, str]] = {
    "no version": (lambda: record_with(FAST, build=build("3.x.1")), FASTER, "“3.x.1” is no version of a Python"),
    "unsupported": (
        lambda: make(SCENARIOS, Plan(status={"thread_pool": "unsupported"})),
        FASTER,
        "thread_pool in “published”: not supported: fixture: unsupported",
    ),
    "left out of a quick run": (
        lambda: make(SCENARIOS, Plan(profile="quick", rounds=3)),
        STEPS,
        "a quick run has no job_queue in “published, jobs that await, 4 at once”",
    ),
    "no such scenario": (
        lambda: make({"primes": SCENARIOS["primes"]}),
        COUNT,
        "no run here has the scenario queue_depth",
    ),
    "refused by the gate": (
        lambda: record_where("thread_pool", impossible),
        FASTER,
        "thread_pool in “published”: refused by the sanity gate",
    ),
    "another version of a runner": (
        lambda: record_where("sync_loop", lambda series: series.update(source_sha256="0" * 64)),
        FASTER,
        "sync_loop has changed since it was measured; measure again",
    ),
    "another version of a scenario": (
        lambda: replace(record_with(FAST), scenario_sha256={"primes": "0" * 64}),
        FASTER,
        "the scenario primes has changed since it was measured; measure again",
    ),
    "never measured": (lambda: record_with(FAST), Part(not_measured="needs a grid"), "needs a grid"),
}


@pytest.mark.parametrize(("make_record", "part", "reason"), NOT_MEASURED.values(), ids=NOT_MEASURED)
def test_what_is_not_measured_has_its_reason(make_record: Callable[[], Record], part: Part, reason: str) -> None:
    judged = verdict_on(make_record(), part)
    assert (judged.verdict, judged.leans) == ("not measured", None)
    assert f": not measured, {reason}" in sentence(judged)


def test_what_could_be_answered_in_one_way_only_is_not_applicable_with_its_reason() -> None:
    judged = verdict_on(record_with(FAST), Part(not_applicable="ten overlap by design"))
    assert (judged.verdict, judged.leans, judged.reason) == ("not applicable", None, "ten overlap by design")


@pytest.mark.parametrize(
    ("profile", "rounds", "case"), [("quick", 3, SMALLER), ("full", 12, LARGER)], ids=["quick", "full"]
)
def test_a_quick_run_judges_the_smaller_case_that_a_claim_names_and_a_full_run_its_own(
    profile: Literal["quick", "full"], rounds: int, case: str
) -> None:
    part = Part(
        scenario="heartbeat",
        case=LARGER,
        quick_case=SMALLER,
        candidate="semaphore",
        baseline="job_queue",
        expect=RatioAbove(1),
        why="more",
    )
    record = make(SCENARIOS, Plan(profile=profile, rounds=rounds))
    evidence = verdict_on(record, part).evidence
    assert evidence is not None
    assert {key.case for key in evidence.hypothesis.series} == {case}


def of_the_first_method(record: Record) -> Record:
    listed = first_method._read()

    def take_hash(series: dict[str, Any]) -> None:
        of_scenario = listed.runners[series["scenario"]]
        series["source_sha256"] = of_scenario.get(series["runner"], series["source_sha256"])

    mended = altered(record, lambda _: True, take_hash)
    return replace(mended, schema_version=first_method.SCHEMA_VERSION, scenario_sha256=listed.scenarios)


def test_what_the_first_method_measured_decides_as_before() -> None:
    record = of_the_first_method(record_with(FAST))
    pool = next(series for series in record.series if series.runner == "thread_pool")
    assert pool.source_sha256 != SCENARIOS["primes"].runners["thread_pool"].source_sha256
    assert verdict_on(record, FASTER).verdict == "holds"
    rows = summarise(apply_gate([file_of(record)], SCENARIOS))
    assert all(row.is_current and row.scenario_is_current for row in rows)


@pytest.mark.parametrize(
    ("needs", "verdict", "reason"),
    [
        (Needs(cores=4), "not measured", "needs 4 cores; this machine has 2"),
        (Needs(python="3.14"), "not applicable", "needs Python 3.14 or later"),
        (Needs(gil=False), "not applicable", "is about a build without the GIL"),
        (Needs(cores=2, python="3.13", gil=True), "holds", ""),
    ],
)
def test_a_claim_about_another_kind_of_build_does_not_apply_and_one_that_needs_more_cores_is_not_measured(
    needs: Needs, verdict: str, reason: str
) -> None:
    judged = verdict_on(record_with(FAST), replace(FASTER, needs=needs))
    assert (judged.verdict, judged.reason) == (verdict, reason)


def test_wrong_decisions_are_held_down_over_all_claims_of_a_cell() -> None:
    """Ten of twelve on one side decide alone; beside many claims on which nothing is decided they do not."""
    barely = [0.8] * 10 + [1.2] * 2
    record = record_with(barely)
    assert verdict_on(record, FASTER).verdict == "holds"
    undecided = replace(FASTER, expect=RatioBelow(0.8))
    first, *_ = part_verdicts(files_of(record), FASTER, *[undecided] * 5)
    assert (first.verdict, first.leans) == ("too close to call", "holds")
    assert "too many would then be wrong" in first.reason


def later(record: Record) -> Record:
    return msgspec.structs.replace(record, run=msgspec.structs.replace(record.run, started="2026-02-02T00:00:00Z"))


def test_the_newest_full_run_speaks_and_of_what_it_left_out_the_one_before() -> None:
    quick, newer = record_with(SLOW[:3], profile="quick", run_id="later"), record_with(SLOW, run_id="later")
    partial = msgspec.structs.replace(newer, series=[one for one in newer.series if one.runner != "thread_pool"])
    assert verdict_on(quick, FASTER).verdict == "does not hold"
    for record, verdict in ((quick, "holds"), (partial, "holds"), (newer, "does not hold")):
        (judged,) = part_verdicts(files_of(record_with(FAST), later(record)), FASTER)
        assert judged.verdict == verdict


def test_every_build_and_machine_is_judged_by_itself() -> None:
    there = record_with(FAST, build=build("3.14.0", free_threaded=True), machine="other", run_id="2")
    both = part_verdicts(files_of(record_with(SLOW), there), FASTER)
    assert {(each.cell.machine, each.cell.build): each.verdict for each in both} == {
        ("fixture-host", "cpython-3.13.1"): "does not hold",
        ("other", "cpython-3.14.0t"): "holds",
    }
    own = file_of(record_with(FAST), "local/0.json")
    both = part_verdicts([own, *files_of(record_with(SLOW))], FASTER)
    assert [(each.cell.local, each.verdict) for each in both] == [(True, "holds"), (False, "does not hold")]


@pytest.mark.parametrize(("share", "is_marginal"), [(1.2, False), (1.05, True), (0.95, True), (0.8, False)])
def test_what_clears_or_misses_its_noise_by_less_than_a_tenth_of_it_is_to_be_measured_for_longer(
    share: float, *, is_marginal: bool
) -> None:
    evidence = verdict_on(record_with(FAST), FASTER).evidence
    assert evidence is not None
    assert evidence.noise is not None
    reach = -math.log(evidence.compared[0].high) / share
    noise = dataclasses.replace(evidence.noise, low=math.exp(-reach), high=math.exp(reach))
    assert dataclasses.replace(evidence, noise=noise).is_marginal == is_marginal


@pytest.mark.parametrize(
    ("free_threaded", "is_paired", "words"),
    [
        (False, False, "measure primes there with --rounds 20"),
        (False, True, "measure primes there, in one run with the same Python without the GIL, with --rounds 20"),
        (True, True, "measure primes there, in one run with the same Python with the GIL, with --rounds 20"),
    ],
)
def test_what_is_to_be_measured_for_longer_is_named_with_what_has_to_be_in_the_same_run(
    *, free_threaded: bool, is_paired: bool, words: str
) -> None:
    record = record_with(FAST, build=build("3.14.0", free_threaded=free_threaded))
    (judged,) = part_verdicts([dataclasses.replace(file_of(record), is_paired=is_paired)], FASTER)
    assert judged.evidence is not None
    assert how_to_decide(judged.evidence) == words


@pytest.mark.parametrize(("second", "is_noise"), [(10.2, True), (20, False)])
def test_what_holds_by_several_steps_has_to_leave_the_noise_by_each(second: float, *, is_noise: bool) -> None:
    record = make(SCENARIOS)
    for case, value in zip(STEPS.cases, (10, second, 60), strict=True):
        values = [round(value * (1e6 + n)) for n in range(12)]
        record = with_values("job_queue", values, column="heartbeat_worst_delay_ns", case=case)(record)
    evidence = verdict_on(record, replace(STEPS, expect=NeverFalls(0))).evidence
    assert evidence is not None
    assert evidence.decision == "holds"
    assert evidence.noise is not None
    noisy = dataclasses.replace(evidence, noise=dataclasses.replace(evidence.noise, low=0.9, high=1.1))
    assert noisy.is_noise is is_noise


@pytest.mark.parametrize(("median", "is_marginal"), [(0.62, True), (0.65, True), (0.8, False), (0.5, False)])
def test_of_few_rounds_it_is_the_medians_that_come_within_a_tenth(median: float, *, is_marginal: bool) -> None:
    evidence = verdict_on(record_with([median] * 3, profile="quick"), FASTER).evidence
    assert evidence is not None
    assert evidence.noise is not None
    for far in (1.7, 10.0):
        noise = dataclasses.replace(evidence.noise, ratio=1 / 0.635, low=1 / far, high=far)
        assert dataclasses.replace(evidence, noise=noise).is_marginal == is_marginal


def test_no_difference_and_a_value_have_no_noise_to_clear() -> None:
    for part in (COUNT, replace(FASTER, expect=RatioWithin(0.5))):
        evidence = verdict_on(record_with([1.0] * 12), part).evidence
        assert evidence is not None
        assert not evidence.is_marginal
