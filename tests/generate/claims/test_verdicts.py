"""Verdicts on synthetic runs, and their sentences."""

from collections.abc import Callable
from typing import Any

import pytest
from factory import Plan, altered, build, make_record, with_facts
from frames import impossible, make_file, make_files
from judging import (
    COUNT,
    EVEN,
    FAST,
    FASTER,
    SCENARIOS,
    SLOW,
    STEPS,
    WHY,
    claim_parts,
    evidence,
    part_verdicts,
    record_with,
    verdict_on,
    with_values,
)
from msgspec.structs import replace

from generate.claims.kinds import ClaimKind, RatioAbove, RatioBelow, RatioWithin, ValueAtLeast, ValueAtMost, ValueWithin
from generate.claims.model import Needs, Part, Printed
from generate.claims.sentences import describe_contradiction, describe_printed, describe_verdict
from generate.words.numbers import describe, format_share, format_with_range
from generate.words.patterns import INCOMPLETE_RUNS, NO_DIFFERENCE_BEYOND, ONE_EXACT_RUN
from generate.words.units import DURATION
from runners.harness.record.model import Record

NO_DIFFERENCE = NO_DIFFERENCE_BEYOND.format(format_share(0.25))


@pytest.mark.parametrize(
    ("expect", "ratios", "verdict", "words"),
    [
        (RatioBelow(1), FAST, "holds", ""),
        (RatioBelow(1), SLOW, "does not hold", ""),
        (RatioBelow(1), EVEN, "undecided", ""),
        (RatioWithin(0.25), EVEN, "holds", NO_DIFFERENCE),
        (RatioWithin(0.05), FAST, "does not hold", ""),
        (RatioWithin(0.02), EVEN, "undecided", ""),
    ],
)
def test_ratio_is_judged_by_its_range(expect: ClaimKind, ratios: list[float], verdict: str, words: str) -> None:
    judged = verdict_on(record_with(ratios), part=replace(FASTER, expect=expect))
    assert judged.verdict == verdict
    text = describe_verdict(judged)
    assert (words or describe(evidence(judged).compared[0], DURATION)) in text


@pytest.mark.parametrize(
    ("expect", "verdict"),
    [
        (ValueAtMost("2 s"), "holds"),
        (ValueAtLeast("2 s"), "does not hold"),
        (ValueWithin(("805 ms", "900 ms")), "undecided"),
    ],
)
def test_value_is_judged_by_its_range(expect: ClaimKind, verdict: str) -> None:
    judged = verdict_on(record_with(FAST), part=replace(FASTER, baseline="", expect=expect))
    assert judged.verdict == verdict
    assert format_with_range(evidence(judged).candidate, "ns") in describe_verdict(judged)


@pytest.mark.parametrize(("counts", "verdict"), [((5, 5), "holds"), ((4, 4), "does not hold"), ((5, 4), "undecided")])
def test_count_is_judged_exactly_from_two_runs(counts: tuple[int, int], verdict: str) -> None:
    records = [
        with_values("unbounded", [count] * 12, column="depth_max_count")(
            make_record(SCENARIOS, Plan(run_id=f"{number}"))
        )
        for number, count in enumerate(counts)
    ]
    assert verdict_on(*records, part=COUNT).verdict == verdict
    single = verdict_on(records[0], part=COUNT)
    assert (single.verdict, single.reason) == ("undecided", ONE_EXACT_RUN)


def steps(*delays: float) -> Record:
    record = make_record(SCENARIOS)
    for case, delay in zip(STEPS.cases, delays, strict=True):
        values = [round(delay * (1e6 + n)) for n in range(12)]
        record = with_values("job_queue", values, column="heartbeat_worst_delay_ns", case=case)(record)
    return record


@pytest.mark.parametrize(
    ("delays", "verdict"), [((10, 20, 40), "holds"), ((10, 40, 20), "does not hold"), ((10, 20, 19), "undecided")]
)
def test_all_steps_have_to_hold(delays: tuple[float, ...], verdict: str) -> None:
    assert verdict_on(steps(*delays), part=STEPS).verdict == verdict


def fail(series: dict[str, Any]) -> None:
    series["samples"]["status"][2], series["samples"]["reason"][2] = "timed_out", "slow"


def test_doubtful_step_leaves_a_refuted_one_undecided() -> None:
    refuted, last = steps(40, 10, 20), ("job_queue", STEPS.cases[-1], "subject")
    assert verdict_on(refuted, part=STEPS).verdict == "does not hold"
    doubtful = altered(refuted, lambda series: (series.runner, series.case, series.role) == last, fail)
    judged = verdict_on(doubtful, part=STEPS)
    assert (judged.verdict, judged.reason) == ("undecided", INCOMPLETE_RUNS)


def record_where(runner: str, change: Callable[[dict[str, Any]], None]) -> Record:
    return altered(record_with(FAST), lambda series: (series.runner, series.role) == (runner, "subject"), change)


def measured_while(**machine: float) -> Record:
    return with_facts(record_with(FAST), machine=machine)


def reject(series: dict[str, Any]) -> None:
    series["samples"]["values"]["cpu_us"][3] = 10**10


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        pytest.param(record_where("thread_pool", fail), INCOMPLETE_RUNS, id="a failed round"),
        pytest.param(record_where("thread_pool", reject), INCOMPLETE_RUNS, id="a rejected round"),
        pytest.param(measured_while(load_before=3.1), "3.1", id="a load above all cores"),
        pytest.param(measured_while(steal_share=0.012), "1.2", id="a host that others use"),
    ],
)
def test_disturbed_run_decides_nothing_unless_others_do(record: Record, reason: str) -> None:
    judged = verdict_on(record)
    assert judged.verdict == "undecided"
    assert reason in judged.reason
    again = verdict_on(record, record_with(FAST, run_id="calm"))
    assert (again.verdict, again.reason) == ("holds", "")


UNSUPPORTED = make_record(SCENARIOS, Plan(status={"thread_pool": "unsupported"}))
QUICK = make_record(SCENARIOS, Plan(profile="quick", rounds=3))
OLD_RUNNER = record_where("sync_loop", lambda series: series.update(source_sha256="0" * 64))
OLD_SCENARIO = replace(record_with(FAST), scenario_sha256={"primes": "0" * 64})


@pytest.mark.parametrize(
    ("record", "part", "named"),
    [
        pytest.param(UNSUPPORTED, FASTER, "fixture: unsupported", id="unsupported"),
        pytest.param(QUICK, STEPS, "tasks in “200 jobs that await, 4 at once”", id="left out of a quick run"),
        pytest.param(
            make_record({"primes": SCENARIOS["primes"]}), COUNT, "measured Queue depth", id="no such scenario"
        ),
        pytest.param(
            record_where("thread_pool", impossible), FASTER, "thread pool in “eight numbers”: ", id="rejected"
        ),
        pytest.param(OLD_RUNNER, FASTER, "plain loop has changed", id="another version of a runner"),
        pytest.param(OLD_SCENARIO, FASTER, "Primes has changed", id="another version of a scenario"),
        pytest.param(record_with(FAST), Part(not_measured="needs a grid"), "needs a grid", id="never measured"),
        pytest.param(record_with(FAST), replace(FASTER, needs=Needs(cores=4)), "4 cores", id="too few cores"),
    ],
)
def test_unmeasured_part_has_its_reason(record: Record, part: Part, named: str) -> None:
    judged = verdict_on(record, part=part)
    assert judged.verdict == "not measured"
    assert named in judged.reason
    assert judged.reason in describe_verdict(judged)


@pytest.mark.parametrize(
    ("part", "named"),
    [
        (Part(not_applicable="ten overlap by design"), "ten overlap by design"),
        (replace(FASTER, needs=Needs(python="3.14")), "3.14"),
        (replace(FASTER, needs=Needs(gil=False)), "without the GIL"),
    ],
)
def test_inapplicable_part_has_its_reason(part: Part, named: str) -> None:
    judged = verdict_on(record_with(FAST), part=part)
    assert judged.verdict == "does not apply"
    assert named in judged.reason


def test_build_machine_and_processor_are_judged_apart() -> None:
    records = [
        record_with(SLOW),
        record_with(FAST, build=build("3.14.0", free_threaded=True), machine="other", run_id="2"),
        record_with(FAST, cpu="Fixture CPU 2", run_id="3"),
    ]
    judged = part_verdicts([make_file(record_with(FAST), "local/0.json"), *make_files(*records)], FASTER)
    assert {(each.result.machine_key[:3], each.verdict) for each in judged} == {
        (("fixture-host", True, "Fixture CPU"), "holds"),
        (("fixture-host", False, "Fixture CPU"), "does not hold"),
        (("fixture-host", False, "Fixture CPU 2"), "holds"),
        (("other", False, "Fixture CPU"), "holds"),
    }


def test_different_cases_are_named_by_their_difference() -> None:
    never = "published, jobs that never await"
    part = Part(
        scenario="heartbeat",
        case=f"{never}, 4 at once",
        candidate="semaphore",
        baseline=f"{never}, no limit/task_burst",
        expect=RatioWithin(0.1),
        why=WHY,
    )
    text = describe_verdict(verdict_on(make_record(SCENARIOS), part=part))
    assert "; 4 at once) " in text
    assert "; no limit); " in text
    assert "never await" not in text


@pytest.mark.parametrize(
    ("printed", "expect", "contradicts"),
    [
        (Printed("7.9 s", "31.4 s"), RatioBelow(0.2), True),
        (Printed("7.22 s", "7.9 s"), RatioAbove(1), True),
        (Printed("1.1 s", "4.2 s"), RatioBelow(1), False),
    ],
)
def test_source_that_contradicts_itself_is_named(printed: Printed, expect: ClaimKind, *, contradicts: bool) -> None:
    (part,) = claim_parts(replace(FASTER, printed=printed, expect=expect))
    assert (describe_printed(part) in describe_contradiction(part)) is contradicts
    assert f"{printed.candidate} against {printed.baseline}, " in describe_printed(part)
