"""Verdicts on synthetic runs, and the sentence for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pytest
from factory import Plan, altered, build, make
from frames import file_of, files_of, impossible
from judging import (
    COUNT,
    EVEN,
    FAST,
    FASTER,
    SCENARIOS,
    SLOW,
    STEPS,
    claim_parts,
    part_verdicts,
    record_with,
    verdict_on,
    with_values,
)
from msgspec.structs import replace

from generate.claims.kinds import ClaimKind, RatioAbove, RatioBelow, RatioWithin, ValueAtLeast, ValueAtMost, ValueWithin
from generate.claims.model import Needs, Part, Printed
from generate.claims.sentences import describe_contradiction, describe_verdict
from generate.words.numbers import NO_BREAK
from generate.words.patterns import INCOMPLETE_RUNS, ONE_EXACT_RUN

if TYPE_CHECKING:
    from collections.abc import Callable

    from runners.harness.record.model import Record

LARGER, SMALLER = "published, jobs that await, 4 at once", "quarter, jobs that await, 4 at once"


def plain(text: str) -> str:
    return text.replace(NO_BREAK, " ")


@pytest.mark.parametrize(
    ("expect", "ratios", "verdict", "words"),
    [
        (RatioBelow(1), FAST, "holds", "1.2 times as fast (1.1 to 1.4)"),
        (RatioBelow(1), SLOW, "does not hold", "takes 1.2 times as long (1.1 to 1.4)"),
        (RatioBelow(1), EVEN, "undecided", "undecided (1.1 times as long to 1.1 times as fast)"),
        (RatioWithin(0.25), EVEN, "holds", "no difference beyond 25 % (1.1 times as long to 1.1 times as fast)"),
        (RatioWithin(0.05), FAST, "does not hold", "1.2 times as fast (1.1 to 1.4)"),
        (RatioWithin(0.02), EVEN, "undecided", "undecided (1.1 times as long to 1.1 times as fast)"),
    ],
)
def test_ratio_is_judged_by_its_range(expect: ClaimKind, ratios: list[float], verdict: str, words: str) -> None:
    judged = verdict_on(record_with(ratios), part=replace(FASTER, expect=expect, baseline_words="plain loop, one core"))
    assert judged.verdict == verdict
    text = plain(describe_verdict(judged))
    assert text.startswith("On CPython 3.13.1, time for all eight numbers: ")
    assert " (thread pool) against 1.0 s (plain loop, one core); " in text
    assert text.endswith(f"{words}.")


@pytest.mark.parametrize(
    ("expect", "verdict"),
    [
        (ValueAtMost("2 s"), "holds"),
        (ValueAtLeast("300 ms"), "holds"),
        (ValueAtLeast("2 s"), "does not hold"),
        (ValueWithin(("300 ms", "2 s")), "holds"),
        (ValueWithin(("805 ms", "900 ms")), "undecided"),
    ],
)
def test_value_is_judged_by_its_range(expect: ClaimKind, verdict: str) -> None:
    judged = verdict_on(record_with(FAST), part=replace(FASTER, baseline="", expect=expect))
    assert judged.verdict == verdict
    assert (
        plain(describe_verdict(judged))
        == "On CPython 3.13.1, time for all eight numbers (thread pool): 810 ms (510 ms to 1.3 s)."
    )


def test_more_runs_decide_what_one_leaves_open() -> None:
    ratios = [0.93] * 12
    assert verdict_on(record_with(ratios)).verdict == "undecided"
    several = [record_with(ratios, run_id=f"run-{number}") for number in range(4)]
    judged = verdict_on(*several)
    assert judged.verdict == "holds"
    assert judged.evidence is not None
    assert len(judged.evidence.compared[0].runs) == 4


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [(([5] * 12, [5] * 12), "holds"), (([4] * 12, [4] * 12), "does not hold"), (([5] * 12, [4] * 12), "undecided")],
)
def test_count_is_judged_exactly_from_two_runs(counts: tuple[list[float], ...], verdict: str) -> None:
    records = [
        with_values("unbounded", each, column="depth_max_count")(make(SCENARIOS, Plan(run_id=f"{number}")))
        for number, each in enumerate(counts)
    ]
    assert verdict_on(*records, part=COUNT).verdict == verdict
    single = verdict_on(records[0], part=COUNT)
    assert (single.verdict, single.reason) == ("undecided", ONE_EXACT_RUN)


@pytest.mark.parametrize(
    ("worst", "verdict"), [((10, 20, 40), "holds"), ((10, 40, 20), "does not hold"), ((10, 20, 19), "undecided")]
)
def test_all_steps_have_to_hold(worst: tuple[float, ...], verdict: str) -> None:
    record = make(SCENARIOS)
    for case, value in zip(STEPS.cases, worst, strict=True):
        values = [round(value * (1e6 + n)) for n in range(12)]
        record = with_values("job_queue", values, column="heartbeat_worst_delay_ns", case=case)(record)
    judged = verdict_on(record, part=STEPS)
    assert judged.verdict == verdict
    assert ", each case against the one before: " in describe_verdict(judged)


def record_where(runner: str, change: Callable[[dict[str, Any]], None]) -> Record:
    return altered(record_with(FAST), lambda series: (series.runner, series.role) == (runner, "subject"), change)


def fail(series: dict[str, Any]) -> None:
    series["samples"]["status"][2] = "timed_out"
    series["samples"]["reason"][2] = "slow"


def measured_while(**machine: float | None) -> Record:
    record = record_with(FAST)
    return replace(record, machine=replace(record.machine, **machine))


def reject(series: dict[str, Any]) -> None:
    series["samples"]["values"]["cpu_us"][3] = 10**10


UNDECIDED: dict[str, tuple[Callable[[], Record], str]] = {
    "a failed round": (lambda: record_where("thread_pool", fail), INCOMPLETE_RUNS),
    "a rejected round": (lambda: record_where("thread_pool", reject), INCOMPLETE_RUNS),
    "a load above all cores": (lambda: measured_while(load_before=3.1), "the machine was busy: load 3.1 on 2 cores"),
    "a host that others use": (lambda: measured_while(steal_share=0.012), "the machine was busy: its host kept 1.2"),
}


@pytest.mark.parametrize(("make_record", "reason"), UNDECIDED.values(), ids=UNDECIDED)
def test_disturbed_runs_decide_nothing_and_say_why(make_record: Callable[[], Record], reason: str) -> None:
    judged = verdict_on(make_record())
    assert judged.verdict == "undecided"
    assert judged.reason.startswith(reason)
    again = verdict_on(make_record(), record_with(FAST, run_id="calm"))
    assert (again.verdict, again.reason) == ("holds", "")


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
        "no run has job_queue in “published, jobs that await, 4 at once”",
    ),
    "no such scenario": (
        lambda: make({"primes": SCENARIOS["primes"]}),
        COUNT,
        "no run here has the scenario queue_depth",
    ),
    "refused by the gate": (
        lambda: record_where("thread_pool", impossible),
        FASTER,
        "thread_pool in “published”: ",
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
    "too few cores": (
        lambda: record_with(FAST),
        replace(FASTER, needs=Needs(cores=4)),
        "needs 4 cores; this machine has 2",
    ),
}


@pytest.mark.parametrize(("make_record", "part", "reason"), NOT_MEASURED.values(), ids=NOT_MEASURED)
def test_what_is_not_measured_has_its_reason(make_record: Callable[[], Record], part: Part, reason: str) -> None:
    judged = verdict_on(make_record(), part=part)
    assert judged.verdict == "not measured"
    assert f", not measured: {reason}" in describe_verdict(judged)


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (Part(not_applicable="ten overlap by design"), "ten overlap by design"),
        (replace(FASTER, needs=Needs(python="3.14")), "needs Python 3.14 or later"),
        (replace(FASTER, needs=Needs(gil=False)), "the claim is about builds without the GIL"),
    ],
)
def test_what_does_not_apply_has_its_reason(part: Part, reason: str) -> None:
    judged = verdict_on(record_with(FAST), part=part)
    assert (judged.verdict, judged.reason) == ("does not apply", reason)


@pytest.mark.parametrize(
    ("profile", "rounds", "case"), [("quick", 3, SMALLER), ("full", 12, LARGER)], ids=["quick", "full"]
)
def test_quick_case_is_judged_if_only_it_was_measured(
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
    evidence = verdict_on(make(SCENARIOS, Plan(profile=profile, rounds=rounds)), part=part).evidence
    assert evidence is not None
    assert {key.case for key in evidence.hypothesis.series} == {case}


def test_build_machine_and_processor_are_judged_apart() -> None:
    records = [
        record_with(SLOW),
        record_with(FAST, build=build("3.14.0", free_threaded=True), machine="other", run_id="2"),
        record_with(FAST, cpu="Fixture CPU 2", run_id="3"),
    ]
    judged = part_verdicts([file_of(record_with(FAST), "local/0.json"), *files_of(*records)], FASTER)
    verdicts = {(each.cell.machine, each.cell.local, each.cell.machine_key.processor): each.verdict for each in judged}
    assert verdicts == {
        ("fixture-host", True, "Fixture CPU"): "holds",
        ("fixture-host", False, "Fixture CPU"): "does not hold",
        ("fixture-host", False, "Fixture CPU 2"): "holds",
        ("other", False, "Fixture CPU"): "holds",
    }


def test_cases_that_differ_are_named_by_what_differs() -> None:
    part = Part(
        scenario="heartbeat",
        case="published, jobs that never await, 4 at once",
        candidate="semaphore",
        baseline="published, jobs that never await, no limit/task_burst",
        expect=RatioWithin(0.1),
        why="for a test",
    )
    text = describe_verdict(verdict_on(make(SCENARIOS), part=part))
    assert " (all tasks at once, with a semaphore; 4 at once) against " in text
    assert " (all tasks at once; no limit); " in text


@pytest.mark.parametrize(
    ("printed", "expect", "words"),
    [
        (Printed("7.9 s", "31.4 s"), RatioBelow(0.2), "7.9 s against 31.4 s, 3.97 times as fast. "),
        (Printed("7.22 s", "7.9 s"), RatioAbove(1), "7.22 s against 7.9 s, 1.09 times as fast. "),
        (Printed("1.1 s", "4.2 s"), RatioBelow(1), ""),
    ],
)
def test_source_that_contradicts_itself_is_named(printed: Printed, expect: ClaimKind, words: str) -> None:
    text = describe_contradiction(claim_parts(replace(FASTER, printed=printed, expect=expect))[0])
    assert bool(text) is bool(words)
    assert words in text
