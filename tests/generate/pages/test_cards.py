"""The cards behind the board: what a verdict rests on; the board in the terminal, and the data."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from factory import Plan, build, make
from msgspec.structs import replace
from sample_site import book_of, put

from generate.articles.claim_functions import ClaimFunctions
from generate.claims.read import read
from generate.claims.terminal import markdown
from runners.harness.catalogue.scenarios import ROOT, find
from runners.harness.record.codec import encode
from runners.harness.record.model import Package

if TYPE_CHECKING:
    from pathlib import Path

    from generate.pages.context import SiteContext

SCENARIOS = find()
CLAIMS = read(ROOT / "docs")
FREE = build("3.14.0", free_threaded=True)


def context_of(results: Path, plans: dict[str, Plan]) -> SiteContext:
    put(results, plans, SCENARIOS)
    return book_of(results, SCENARIOS, ROOT / "docs")


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> SiteContext:
    without_gil = Plan(build=FREE, run_id="2", speed={"thread_pool": 0.5})
    plans = {"0.json": Plan(speed={"process_pool": 0.7}), "1.json": without_gil}
    return context_of(tmp_path_factory.mktemp("results"), plans)


def test_each_build_of_a_claim_has_a_fold_that_names_it_and_its_verdict(context: SiteContext) -> None:
    page = ClaimFunctions(context, "claims/S1.md").verdicts("S1")
    folds = page.split('<details class="more card-fold">')[1:]
    folds = [fold for fold in folds if '<div class="card"' in fold and "Not measured on" not in fold]
    assert folds
    for fold in folds:
        [build_name] = re.findall(r"<bdi>(.*?)</bdi>", fold.partition("</summary>")[0])
        assert re.search(r"</bdi>: (leans to: )?(holds|does not hold|too close)", fold)
        assert f"On {build_name}, " in fold
    assert page.lower().count("in part") == page.lower().count("refuted in part")


def test_builds_of_which_no_part_of_a_claim_has_a_value_are_named_once_with_why(tmp_path: Path) -> None:
    plans = {
        "0.json": Plan(build=build("3.14.0")),
        "1.json": Plan(build=FREE, run_id="2"),
        "2.json": Plan(build=build("3.13.0"), run_id="3", status={"process_pool": "failed", "thread_pool": "failed"}),
    }
    context = context_of(tmp_path, plans)

    def folded(source: str) -> list[str]:
        page = ClaimFunctions(context, f"claims/{source}.md").verdicts(source)
        return re.findall(r"<summary>(Not .*?)</summary>", page)

    assert {*folded("S1")} == {"Not measured on <bdi>CPython 3.13.0</bdi>"}
    assert folded("W16")[0] == "Not applicable on <bdi>CPython 3.14.0 free-threaded</bdi>"


def test_a_build_that_answers_only_a_question_of_ours_about_a_claim_has_a_card_of_it(tmp_path: Path) -> None:
    record = make(SCENARIOS, Plan())
    of_source = "closed loop, nothing to do"
    answering = replace(record, series=[series for series in record.series if series.case != of_source])
    assert len(answering.series) < len(record.series)
    (tmp_path / "0.json").write_bytes(encode(answering))
    context = book_of(tmp_path, SCENARIOS, ROOT / "docs")
    page = ClaimFunctions(context, "claims/W1.md").verdicts("W1")
    (claim,) = page.split('<section class="claim">')[1:]
    assert "Not measured on" not in re.findall(r"<summary>.*?</summary>", claim)[0]
    assert re.search(r"\(our question\): (?!not measured)", re.sub("<.*?>", "", claim))


def test_code_and_commands_of_a_claim_stand_once_and_what_was_measured_is_said_once(context: SiteContext) -> None:
    page = ClaimFunctions(context, "claims/S1.md").verdicts("S1")
    several = 0
    for claim in page.split('<section class="claim">')[1:]:
        cards = re.findall(r'<div class="card" id="[^"]+">(.*?)</div></details>', claim, re.DOTALL)
        assert claim.count("<summary>Code, and how to repeat it</summary>") == (1 if cards else 0)
        commands = re.findall(r"Repeat it</a>: (<code.*?</code>)", claim.partition("Code, and how")[2])
        assert len({*commands}) == len(commands)
        assert bool(commands) == bool(cards)
        for card in cards:
            said = re.findall(r"On .*?(?=<|$)", card)
            several += len(said) > 1
            assert all(one != other for one, other in pairwise(said))
    assert several


def test_a_quick_run_leans_and_the_card_says_why(tmp_path: Path) -> None:
    quick = context_of(tmp_path, {"0.json": Plan(profile="quick", rounds=3)})
    card = ClaimFunctions(quick, "claims/S1.md").verdicts("S1")
    assert "Not decided: a quick run decides directions alone." in card
    assert "python -m runners run --scenario primes" in re.sub(r"</?span>", "", card)


def test_one_s_own_machine_has_the_cards_of_the_source_s_page(tmp_path: Path) -> None:
    both = context_of(tmp_path, {"0.json": Plan(), "local/1.json": Plan(run_id="mine")})
    cards = ClaimFunctions(both, "claims/S1.md").verdicts("S1")
    anchors = re.findall(r'<div class="card" id="([^"]+)"', cards)
    of_source = [claim for claim in CLAIMS.claims if claim.source == "S1"]
    assert anchors == [f"{claim.id.lower()}-fixture-host-cpython-3.13.1-local" for claim in of_source]


def test_a_card_has_what_a_verdict_is_worth(context: SiteContext) -> None:
    card = ClaimFunctions(context, "claims/S1.md").verdicts("S1")
    for fact in ("Expects ", "Noise floor: ", "Decided by nine in ten runs: a difference of ", "Samples: "):
        assert fact in card
    assert "../data/raw/0.json" in card
    assert "../scenarios/primes.html#code-process_pool" in card


def test_contradictions_of_a_source_stand_beside_the_claim(context: SiteContext) -> None:
    page = ClaimFunctions(context, "claims/S5.md").verdicts("S5")
    (claim,) = [each for each in page.split('<section class="claim">') if each.startswith('\n<h3 id="s5.4">')]
    assert claim.count("The source&#39;s own figures say otherwise") == 1


def test_a_source_s_table_has_what_was_printed_and_what_was_measured(context: SiteContext, tmp_path: Path) -> None:
    page = ClaimFunctions(context, "claims/S1.md").remeasured("S1")
    assert "4.2 s" in page
    rows = [row for table in CLAIMS.tables["S1"] for row in table.row]
    assert page.count(', measured"') == len(rows)
    nothing = ClaimFunctions(context_of(tmp_path, {}), "claims/S1.md").remeasured("S1")
    assert nothing.count("not measured") == len(rows)


def measured_notes(results: Path, source: str, *scenarios: str) -> list[str]:
    """Return what is said of the runs that a source's tables have figures of, each scenario of a run of its own."""
    for number, name in enumerate(scenarios):
        plan = Plan(run_id=f"run-{number}", rounds=10 + number)
        put(results, {f"{number}.json": plan}, {name: SCENARIOS[name]})
    page = ClaimFunctions(book_of(results, SCENARIOS, ROOT / "docs"), f"claims/{source}.md").remeasured(source)
    return re.findall(r"Measured: .*?(?=</p>)", page)


def test_each_table_of_a_source_names_the_run_that_its_own_figures_are_of(tmp_path: Path) -> None:
    of_heartbeat, of_queue = measured_notes(tmp_path / "two", "S4", "heartbeat", "queue_depth")
    assert ("of 10 rounds" in of_heartbeat, "of 11 rounds" in of_heartbeat) == (True, False)
    assert ("of 10 rounds" in of_queue, "of 11 rounds" in of_queue) == (False, True)
    (of_both,) = measured_notes(tmp_path / "one", "S5", "power", "download")
    titles = [SCENARIOS[name].title for name in ("power", "download")]
    assert re.search(rf"{titles[0]}: .*of 10 rounds.*; {titles[1]}: .*of 11 rounds", of_both)


def test_without_results_every_claim_is_there(tmp_path: Path) -> None:
    assert "S1.1" in ClaimFunctions(context_of(tmp_path, {}), "claims/S1.md").verdicts("S1")


def test_verdicts_json_has_every_part_on_every_cell(context: SiteContext) -> None:
    verdicts = json.loads(context.board.as_json())["verdicts"]
    parts = [part for claim in CLAIMS.claims for part in claim.parts]
    assert len(verdicts) == 2 * len(parts)
    decided = [one for one in verdicts if one["verdict"] == "holds" and one["sign_test"] is not None]
    assert decided
    for one in decided:
        assert one["file"] in {"0.json", "1.json"}
        assert all(interval["low"] <= interval["median"] <= interval["high"] for interval in one["intervals"])
        assert one["sign_test"] <= 0.05


def test_the_page_of_a_run_shows_the_same_board(context: SiteContext) -> None:
    text = markdown(context.board)
    rows = [line for line in text.splitlines() if re.match(r"\| [A-Z]+\d+\.", line)]
    assert len(rows) == len(CLAIMS.claims)
    assert all(row.count("|") == 4 for row in rows)
    assert "<" not in text


@pytest.mark.parametrize(("version", "is_said"), [("6.5.10", True), ("6.6.1", False)])
def test_a_claim_says_once_on_which_builds_other_packages_were_measured_too(
    tmp_path: Path, version: str, *, is_said: bool
) -> None:
    def packages(of: str) -> dict[str, Package]:
        return {name: Package(version=of, reason=None, requires=()) for name in ("tornado", "gevent")}

    record = make(SCENARIOS, Plan(build=build("3.10.9"), packages=packages(version)))
    record = replace(record, reference_packages=packages("6.6.1"))
    (tmp_path / "0.json").write_bytes(encode(record))
    page = ClaimFunctions(book_of(tmp_path, SCENARIOS, ROOT / "docs"), "claims/S2.md").verdicts("S2")
    (claim,) = [each for each in page.split('<section class="claim">') if each.startswith('\n<h3 id="s2.1">')]
    assert claim.count("On CPython 3.10.9 packages differ too: tornado 6.5.10, not 6.6.1.") == is_said
    assert ("packages differ" in claim) == is_said
