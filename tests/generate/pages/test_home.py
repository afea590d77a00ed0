"""The pictures of home, their answers, and what would surprise a reader."""

from __future__ import annotations

import dataclasses
import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from factory import Plan, build, make
from judging import claim_row
from msgspec.structs import replace
from sample_site import book_of, put

from generate.claims.model import Printed
from generate.data.estimates import Estimate, fixed
from generate.pages.home import PICTURES, Bars, pictures
from generate.pages.home_sentences import computes, shares, waits
from generate.pages.surprises import ranked, surprises
from generate.words.numbers import NO_BREAK
from runners.harness.catalogue import scenarios
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from generate.claims.marks import ClaimVerdict

INDEX = Path(__file__).parents[3] / "docs" / "index.md"
OF_OURS = re.compile(r"\b(?:baseline|cell|profile|runner|scenario|full run)s?\b", re.IGNORECASE)
OUTCOMES = {"less": (0.4, 0.6), "same": (0.99, 1.01), "more": (1.9, 2.1), "undecided": (0.8, 1.25), "none": None}


def estimate(low: float, high: float) -> Estimate:
    return Estimate((low * high) ** 0.5, low, high, low, high)


def of_outcome(name: str) -> Estimate | None:
    ends = OUTCOMES[name]
    return estimate(*ends) if ends else None


def shown(tmp_path: Path, *plans: Plan) -> str:
    put(tmp_path, {f"{number}/a.json": plan for number, plan in enumerate(plans)}, scenarios.find())
    found = pictures(book_of(tmp_path, scenarios.find()), "index.md")
    return re.sub(r"<[^>]*>", " ", found).replace(NO_BREAK, " ")


@pytest.mark.parametrize("wanted", PICTURES, ids=lambda wanted: wanted.title)
def test_every_picture_is_of_series_that_there_are(wanted: Bars) -> None:
    scenario = scenarios.find()[wanted.scenario]
    assert wanted.metric in {metric.name for metric in scenario.metrics}
    for _, case, runner in wanted.places:
        assert scenario.runners[runner].takes_part(scenario.cases[case])
        quick = wanted.quick.get(case, case)
        assert scenario.runners[runner].takes_part(scenario.cases[quick])
        assert scenario.cases[quick].quick


def test_whatever_is_measured_there_is_an_answer() -> None:
    for names in product(OUTCOMES, repeat=3):
        one, two, three = map(of_outcome, names)
        answers = [*computes(one, two, [three, one, two]), *waits([one, two], three), *shares(one, two, three, one)]
        assert all(answer[0].isupper() and answer.endswith(".") for answer in answers)


def test_answers_say_which_way_it_is() -> None:
    less, same, more = map(of_outcome, ("less", "same", "more"))
    assert computes(less, same, [less, more, more]) == [
        "Processes, against a plain loop: 2.0 times as fast (1.7 to 2.5).",
        "Threads: no difference.",
        "Threads without the GIL: 2.0 times as fast, no faster than processes with it.",
        "Single-threaded code without the GIL takes 2.0 times as long.",
    ]
    assert computes(same, more, [less, less, None])[2].endswith("2.0 times as fast, faster than processes with it.")
    assert waits([fixed(10.2), fixed(11.3)], same) == [
        "Threads or coroutines that await, against one request at a time: 10 to 11 times as many per second.",
        "Coroutines with a blocking call: no difference.",
    ]
    assert "no difference; 2.0 times as many" in waits([same, more], same)[0]


def test_a_burst_stops_the_loop_as_long_as_it_lasts() -> None:
    whole, part = ([*shares(fixed(2e9), fixed(jobs), fixed(2e7), estimate(0.009, 0.011))] for jobs in (2.1e9, 4e9))
    assert whole[0].replace(NO_BREAK, " ") == "Without a queue the loop stops for 2.00 s: as long as the whole burst."
    assert part[0].replace(NO_BREAK, " ") == "Without a queue the loop stops for 2.00 s."
    assert whole[1].replace(NO_BREAK, " ") == "With a queue and four workers, for 20.0 ms."
    assert [*shares(fixed(1e9), None, fixed(2e9), estimate(1.9, 2.1))][1].endswith("no shorter.")


def test_a_newcomer_s_first_run_has_answers_with_numbers(tmp_path: Path) -> None:
    plan = Plan(profile="quick", rounds=3, speed={"process_pool": 0.6})
    put(tmp_path, {"local/r/a.json": plan}, scenarios.find())
    found = re.sub(r"<[^>]*>", "", pictures(book_of(tmp_path, scenarios.find()), "index.md")).replace(NO_BREAK, " ")
    assert re.search(r"Processes, against a plain loop: 1\.\d times as fast \([\d.]+ to [\d.]+\)\.", found)
    assert re.search(r"against one request at a time: [\d.]+( to [\d.]+)? times as many per second", found)


def test_threads_without_the_gil_are_compared_by_pairs(tmp_path: Path) -> None:
    gil, free = build("3.14.0"), build("3.14.0", free_threaded=True)
    plan = Plan(build=gil, reference=gil)
    slow = dataclasses.replace(plan, build=free, slowness=2.0, speed={"thread_pool": 0.6})
    put(tmp_path, {"b/free.json": slow}, scenarios.find())
    assert "Threads without the GIL take 1.2 times as long" in shown(tmp_path, plan)
    apart = tmp_path / "apart"
    put(apart, {"b/free.json": dataclasses.replace(slow, run_id="another")}, scenarios.find())
    assert "Threads without the GIL" not in shown(apart, plan)


def test_home_has_no_word_of_ours(tmp_path: Path) -> None:
    written = shown(tmp_path, Plan()) + INDEX.read_text(encoding="utf-8")
    visible = re.sub(r"\]\([^)]*\)|\{\{.*?\}\}", " ", written)
    assert "plain loop" in visible
    assert OF_OURS.findall(visible) == []


def test_a_picture_that_lacks_a_value_says_which(tmp_path: Path) -> None:
    primes = {"primes": scenarios.find()["primes"]}
    (tmp_path / "a.json").write_bytes(encode(make(primes, Plan(status={"process_pool": "failed"}))))
    found = pictures(book_of(tmp_path, scenarios.find()), "index.md")
    assert 'Nothing to draw: <a href="scenarios/primes.html">processes: failed</a>. Again: <code>python' in found
    assert "Not measured yet: <code>python -m runners run --scenario heartbeat" in found


def test_without_results_nobody_is_said_to_be_unrefuted(tmp_path: Path) -> None:
    assert "Not measured yet." in surprises(book_of(tmp_path, scenarios.find()), "index.md")


def test_a_claim_that_fails_as_a_whole_comes_first() -> None:
    rows = [claim_row(parts)[0] for parts in ("hxx", "hc", "x")]
    found = ranked(rows)
    assert [(each.in_part, each.first) for each in found] == [(False, rows[2].parts[0]), (True, rows[0].parts[1])]


def claimed(word: str, *of_parts: int, **written: object) -> ClaimVerdict:
    """Return a claim with a part for each letter, of some of which something more is *written*."""
    (row,) = claim_row(word)
    parts = tuple(
        replace(part.part.written, **(written if number in of_parts else {})) for number, part in enumerate(row.parts)
    )
    claim = row.claim._replace(parts=parts)
    verdicts = [dataclasses.replace(part, part=dataclasses.replace(part.part, claim=claim)) for part in row.parts]
    return row._replace(claim=claim, parts=verdicts)


@pytest.mark.parametrize("written", [{"rule": "computing: processes"}, {"depends_on": "our bound"}, {"ours": True}])
def test_what_depends_on_us_leads_nothing(written: dict[str, object]) -> None:
    assert ranked([claimed("x", 0, **written)]) == []
    in_part = claimed("xhx", 0, **written)
    assert [(each.in_part, each.first) for each in ranked([in_part])] == [(True, in_part.parts[2])]


def test_what_holds_as_printed_is_not_refuted_by_another_set_up() -> None:
    def with_printed(word: str, *printed: int) -> ClaimVerdict:
        return claimed(word, *printed, printed=Printed("1 s"))

    of_another, of_own, of_both = with_printed("hx", 0), with_printed("xx", 0), with_printed("hxx", 0, 2)
    assert ranked([of_another]) == []
    assert [each.first for each in ranked([of_own])] == [of_own.parts[0]]
    assert [each.first for each in ranked([of_both])] == [of_both.parts[2]]
    assert len(ranked([with_printed("hx")])) == 1
