"""Verdicts on synthetic records, what is said of them, and what noise may not decide."""

from __future__ import annotations

import pytest
from factory import make
from judging import (
    COUNT,
    EVEN,
    FAST,
    FASTER,
    SCENARIOS,
    SLOW,
    STEPS,
    claim_parts,
    record_with,
    verdict_on,
    with_values,
)
from msgspec.structs import replace

from generate.claims.kinds import (
    ClaimKind,
    RatioAbove,
    RatioBelow,
    RatioWithin,
    ValueAtLeast,
    ValueAtMost,
    ValueWithin,
)
from generate.claims.model import Part, Printed
from generate.claims.sentences import contradiction, doubt, sentence


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("expect", "ratios", "verdict", "words"),
    [
        (RatioBelow(1), FAST, "holds", "1.24 times as fast (1.24 to 1.25)"),
        (RatioBelow(1), SLOW, "does not hold", "takes 1.21 times as long (1.20 to 1.21)"),
        (RatioBelow(1), EVEN, "too close to call", "no difference seen (0.985 to 1.02 times as fast)"),
        (RatioWithin(0.10), EVEN, "holds", "no difference beyond 10 % (0.985 to 1.02 times as fast)"),
        (RatioWithin(0.10), FAST, "does not hold", "1.24 times as fast (1.24 to 1.25)"),
        (RatioWithin(0.02), EVEN, "too close to call", "no difference seen (0.985 to 1.02 times as fast)"),
    ],
)
def test_a_ratio_is_judged_by_where_its_interval_lies_and_put_into_one_sentence(
    expect: ClaimKind, ratios: list[float], verdict: str, words: str
) -> None:
    judged = verdict_on(record_with(ratios), replace(FASTER, expect=expect))
    assert (judged.verdict, judged.leans) == (verdict, None)
    assert judged.evidence is not None
    assert judged.evidence.compared[0].count == 12
    text = plain(sentence(judged))
    assert text.startswith("On CPython 3.13.1, time for all eight numbers: ")
    assert " (thread pool) against 1.00 s (plain loop); " in text
    assert text.endswith(f"{words}.")


def test_a_part_can_say_what_its_baseline_is_where_the_name_of_that_leaves_it_out() -> None:
    judged = verdict_on(record_with(FAST), replace(FASTER, baseline_words="a plain loop, on one core"))
    assert " (thread pool) against 1.00 s (a plain loop, on one core); " in plain(sentence(judged))


@pytest.mark.parametrize(
    ("expect", "verdict"),
    [
        (ValueAtMost("1 s"), "holds"),
        (ValueAtLeast("700 ms"), "holds"),
        (ValueAtLeast("0.9 s"), "does not hold"),
        (ValueWithin(("700 ms", "900 ms")), "holds"),
        (ValueWithin(("850 ms", "900 ms")), "does not hold"),
        (ValueWithin(("805 ms", "900 ms")), "too close to call"),
    ],
)
def test_a_value_is_judged_by_where_its_interval_lies_and_printed_with_its_bounds(
    expect: ClaimKind, verdict: str
) -> None:
    judged = verdict_on(record_with(FAST), replace(FASTER, baseline="", expect=expect))
    assert judged.verdict == verdict
    words = "On CPython 3.13.1, time for all eight numbers (thread pool): 806 ms (802 to 809 ms)."
    assert plain(sentence(judged)) == words


@pytest.mark.parametrize(
    ("counts", "verdict"), [([5] * 12, "holds"), ([4] * 12, "does not hold"), ([5] * 11 + [4], "too close to call")]
)
def test_a_count_that_does_not_vary_is_judged_exactly_and_printed_without_bounds(
    counts: list[float], verdict: str
) -> None:
    record = with_values("unbounded", counts, column="depth_max_count")(make(SCENARIOS))
    judged = verdict_on(record, COUNT)
    assert judged.verdict == verdict
    assert judged.evidence is not None
    assert (judged.evidence.test is None) == (len({*counts}) == 1)
    assert (f"): {counts[0]} in every round." in sentence(judged)) == (len({*counts}) == 1)


@pytest.mark.parametrize(
    ("worst", "verdict"),
    [
        ((10, 20, 30), "holds"),
        ((10, 9.5, 30), "holds"),
        ((10, 20, 10), "does not hold"),
        ((20, 10, 30), "does not hold"),
    ],
)
def test_a_sweep_never_falls_unless_any_step_does(worst: tuple[float, ...], verdict: str) -> None:
    record = make(SCENARIOS)
    for case, value in zip(STEPS.cases, worst, strict=True):
        values = [round(value * (1e6 + n)) for n in range(12)]
        record = with_values("job_queue", values, column="heartbeat_worst_delay_ns", case=case)(record)
    assert verdict_on(record, STEPS).verdict == verdict


@pytest.mark.parametrize(
    ("expect", "ratios", "verdict"),
    [
        (RatioBelow(1), FAST, "holds"),
        (RatioAbove(1), FAST, "does not hold"),
        (RatioWithin(0.10), SLOW, "does not hold"),
    ],
)
def test_no_difference_is_decided_that_the_baseline_has_from_itself(
    expect: ClaimKind, ratios: list[float], verdict: str
) -> None:
    assert verdict_on(record_with(ratios, noise=0.1), replace(FASTER, expect=expect)).verdict == verdict
    judged = verdict_on(record_with(ratios, noise=0.3), replace(FASTER, expect=expect))
    assert (judged.verdict, judged.leans) == ("too close to call", verdict)
    assert judged.reason == "the interval reaches into the noise floor"
    assert "noise" in sentence(judged)
    assert not doubt(judged)  # the sentence has it


@pytest.mark.parametrize("expect", [RatioWithin(0.10), RatioAbove(0.5), RatioBelow(0.5)])
def test_noise_does_not_undo_what_claims_no_difference(expect: ClaimKind) -> None:
    quiet = verdict_on(record_with(EVEN), replace(FASTER, expect=expect))
    assert quiet.verdict in {"holds", "does not hold"}
    assert verdict_on(record_with(EVEN, noise=0.3), replace(FASTER, expect=expect)).verdict == quiet.verdict


def test_cases_that_differ_are_named_by_what_differs() -> None:
    part = Part(
        scenario="heartbeat",
        case="published, jobs that never await, 4 at once",
        candidate="semaphore",
        baseline="published, jobs that never await, no limit/task_burst",
        expect=RatioWithin(0.1),
        why="for a test",
    )
    assert " (all tasks at once, with a semaphore; 4 at once) against " in sentence(verdict_on(make(SCENARIOS), part))
    assert " (all tasks at once; no limit); " in sentence(verdict_on(make(SCENARIOS), part))


@pytest.mark.parametrize(
    ("printed", "expect", "words"),
    [
        (Printed("7.9 s", "31.4 s"), RatioBelow(0.2), "7.9 s against 31.4 s, a ratio of 0.252"),
        (Printed("7.22 s", "7.9 s"), RatioAbove(1), "7.22 s against 7.9 s, a ratio of 0.914"),
        (Printed("1.1 s", "4.2 s"), RatioBelow(1), ""),
    ],
)
def test_a_source_that_contradicts_itself_is_named(printed: Printed, expect: ClaimKind, words: str) -> None:
    text = contradiction(claim_parts(replace(FASTER, printed=printed, expect=expect))[0])
    assert bool(text) is bool(words)
    assert words in text


def test_a_part_of_ours_is_named_so() -> None:
    assert claim_parts(replace(FASTER, ours=True, name="faster"))[0].name == "faster (our question)"
    assert claim_parts(replace(FASTER, ours=True, name=""))[0].name == "our question"
