"""Where full runs of one build decide a part differently, or most of them do not, nothing is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from frames import files_of
from judging import EVEN, FAST, FASTER, SCENARIOS, SLOW, claim_parts, record_with, with_values
from msgspec.structs import replace

from generate.analysis.gated import apply_gate
from generate.claims.by_run import FurtherRun, judge
from generate.claims.cards import PartCard
from generate.claims.sentences import doubt, sentence
from generate.text.numbers import CLOSE_IN_RUN
from runners.harness.record.model import Package

if TYPE_CHECKING:
    from collections.abc import Collection

    from generate.claims.verdicts import PartVerdict
    from runners.harness.record.model import Record


def judged(current: Record, *others: Record, beside_in: Collection[str] = SCENARIOS) -> PartVerdict:
    first, *further = apply_gate(files_of(current, *others), SCENARIOS)
    (verdict,) = judge(claim_parts(FASTER), [first], [FurtherRun(gated, beside_in) for gated in further])
    return verdict


def run(name: str, ratios: list[float], **plan: Any) -> Record:  # noqa: ANN401 - fields of a Plan
    return record_with(ratios, run_id=name, **plan)


def test_runs_that_decide_differently_are_too_close_to_call_and_both_are_named() -> None:
    verdict = judged(run("new", FAST), run("old", SLOW))
    assert (verdict.verdict, verdict.leans) == ("too close to call", "holds")
    assert verdict.reason == "two runs decide differently: new holds, old does not"
    assert [(each.run, each.verdict) for each in verdict.runs] == [("new", "holds"), ("old", "does not hold")]


def test_the_one_that_holds_is_named_first_whichever_is_current() -> None:
    verdict = judged(run("new", SLOW), run("old", FAST))
    assert (verdict.verdict, verdict.leans) == ("too close to call", "does not hold")
    assert verdict.reason == "two runs decide differently: old holds, new does not"


def test_of_several_runs_one_that_decides_otherwise_is_enough() -> None:
    verdict = judged(run("new", FAST), run("old", FAST), run("older", SLOW))
    assert verdict.reason == "two runs decide differently: new holds, older does not"
    assert len(verdict.runs) == 3


def test_runs_that_decide_alike_leave_the_verdict_as_it_is_and_stand_beside_it() -> None:
    verdict = judged(run("new", FAST), run("old", FAST))
    assert (verdict.verdict, verdict.reason, verdict.leans) == ("holds", "", None)
    assert [each.file for each in verdict.runs] == ["0.json", "1.json"]


NEARLY_EVEN = [0.99, 0.93, 1.02, 0.95, 1.01, 0.97, 1.03, 0.96, 0.98, 1.01, 0.94, 1.02]


@pytest.mark.parametrize(
    ("current", "others", "said"),
    [
        (FAST, [], "1.24 times as fast (1.24 to 1.25)"),
        (FAST, [SLOW], "1.24 times as fast (1.24 to 1.25; 0.830 to 1.24 in 2 runs)"),
        (
            NEARLY_EVEN,
            [FAST, FAST],
            f"{CLOSE_IN_RUN} (0.980 to 1.05 times as fast; faster in each of 3 runs, 1.02 to 1.24)",
        ),
    ],
)
def test_a_sentence_says_where_the_number_lay_in_several_runs(
    current: list[float], others: list[list[float]], said: str
) -> None:
    further = [run(f"old-{number}", ratios) for number, ratios in enumerate(others)]
    assert sentence(judged(run("new", current), *further)).endswith(f"; {said}.")


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ([], ""),
        ([EVEN, EVEN], "Only 1 of 3 runs decides."),
        ([SLOW], "Two runs decide differently."),
    ],
)
def test_why_an_interval_that_decides_is_no_verdict_is_said_in_short_beside_it(
    others: list[list[float]], said: str
) -> None:
    assert doubt(judged(run("new", FAST), *(run(f"{place}", ratios) for place, ratios in enumerate(others)))) == said


@pytest.mark.parametrize(
    ("others", "verdict", "reason"),
    [
        ([EVEN], "holds", ""),
        ([EVEN, EVEN], "too close to call", "only 1 of 3 runs decides: holds"),
        ([EVEN, FAST, EVEN], "holds", ""),
        ([EVEN, FAST, EVEN, EVEN], "too close to call", "only 2 of 5 runs decide: holds"),
        ([EVEN, SLOW, EVEN], "too close to call", "two runs decide differently: run holds, 1 does not"),
    ],
)
def test_what_fewer_than_half_of_the_runs_decide_is_too_close_to_call(
    others: list[list[float]], verdict: str, reason: str
) -> None:
    beside = judged(run("run", FAST), *(run(str(number), ratios) for number, ratios in enumerate(others)))
    assert (beside.verdict, beside.reason) == (verdict, reason)
    assert beside.leans == (None if verdict == "holds" else "holds")
    assert len(beside.runs) != 1


@pytest.mark.parametrize(("beside_in", "runs"), [({"primes"}, ["new", "old"]), ({"gather_tree"}, [])])
def test_a_run_that_stands_beside_in_another_scenario_alone_is_not_asked(
    beside_in: Collection[str], runs: list[str]
) -> None:
    verdict = judged(run("new", FAST), run("old", FAST), beside_in=beside_in)
    assert [each.run for each in verdict.runs] == runs


def busy(record: Record) -> Record:
    return replace(record, machine=replace(record.machine, load_before=9.0))


def of_another_runner(record: Record) -> Record:
    return replace(record, series=[replace(series, source_sha256="0" * 64) for series in record.series])


@pytest.mark.parametrize(
    "other",
    [
        of_another_runner(run("old", SLOW)),
        run("old", SLOW, profile="quick"),
        run("old", SLOW, complete=False),
        run("old", SLOW[:5]),
        run("old", EVEN),
        busy(run("old", SLOW)),
        run("new", SLOW),
        replace(run("old", SLOW), scenario_sha256=dict.fromkeys(SCENARIOS, "0" * 64)),
    ],
)
def test_a_run_that_may_not_decide_or_does_not_changes_nothing(other: Record) -> None:
    verdict = judged(run("new", FAST), other)
    assert (verdict.verdict, verdict.reason, verdict.runs) == ("holds", "", ())


@pytest.mark.parametrize(("older", "runs"), [("25.9.1", ["new", "old"]), ("24.11.1", [])])
def test_runs_with_other_versions_of_a_package_that_was_judged_say_nothing_of_each_other(
    older: str, runs: list[str]
) -> None:
    def with_gevent(name: str, version: str) -> Record:
        record = run(name, FAST, packages={"gevent": Package(version, None, requires=())})
        return with_values("gevent_threadpool", [round(1e9 * ratio) for ratio in FAST])(record)

    files = apply_gate(files_of(with_gevent("new", "25.9.1"), with_gevent("old", older)), SCENARIOS)
    beside = [FurtherRun(gated, SCENARIOS) for gated in files[1:]]
    (verdict,) = judge(claim_parts(replace(FASTER, candidate="gevent_threadpool")), files[:1], beside)
    assert [each.run for each in verdict.runs] == runs


@pytest.mark.parametrize("current", [run("new", EVEN), run("new", FAST, profile="quick"), busy(run("new", FAST))])
def test_a_current_run_that_does_not_decide_is_not_decided_by_another(current: Record) -> None:
    alone, beside = judged(current), judged(current, run("old", SLOW))
    assert (beside.verdict, beside.reason, beside.runs) == (alone.verdict, alone.reason, ())


def test_a_card_says_what_each_run_decides_and_nothing_of_one_run() -> None:
    card = PartCard.of(judged(run("new", FAST), run("old", SLOW)))
    assert card.facts["Runs"] == "holds: new; does not hold: old"
    assert card.reason == "two runs decide differently: new holds, old does not"
    agreed = PartCard.of(judged(run("new", FAST), run("old", FAST)))
    assert agreed.facts["Runs"] == "2 runs, each: holds"
    assert "Runs" not in PartCard.of(judged(run("new", FAST))).facts


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ((run("old", EVEN),), "1 of 2 runs decides: holds; 1 decides nothing"),
        ((run("old", FAST), run("older", EVEN)), "2 of 3 runs decide: holds; 1 decides nothing"),
        ((run("old", EVEN), run("older", EVEN)), "1 of 3 runs decides: holds; 2 decide nothing"),
        ((run("old", SLOW), run("older", EVEN)), "holds: new; does not hold: old; 1 decides nothing"),
        ((run("old", SLOW, profile="quick"), busy(run("older", EVEN)), run("new", EVEN)), None),
    ],
)
def test_a_card_counts_the_runs_that_decide_nothing_and_no_other(others: tuple[Record, ...], words: str | None) -> None:
    assert PartCard.of(judged(run("new", FAST), *others)).facts.get("Runs") == words
