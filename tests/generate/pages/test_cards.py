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

from generate.claims.read import read
from generate.claims.terminal import markdown
from generate.pages.claim_functions import ClaimFunctions
from runners.harness.catalogue.scenarios import ROOT, find
from runners.harness.record.codec import encode
from runners.harness.record.model import Package

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Scenario

EVERY = find()
PRIMES, SERVERS = ({name: EVERY[name]} for name in ("primes", "blocking_server"))
CLAIMS = read(ROOT / "docs")
FREE = build("3.14.0", free_threaded=True)


def context_of(results: Path, plans: dict[str, Plan], scenarios: Mapping[str, Scenario] = PRIMES) -> SiteContext:
    """Make the context of some scenarios; claims about others have mistakes then."""
    put(results, plans, scenarios)
    return book_of(results, scenarios, ROOT / "docs")


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> SiteContext:
    without_gil = Plan(build=FREE, run_id="2", speed={"thread_pool": 0.5})
    plans = {"0.json": Plan(speed={"process_pool": 0.7}), "1.json": without_gil}
    return context_of(tmp_path_factory.mktemp("results"), plans, EVERY)


def test_each_build_has_a_fold_with_its_verdict(context: SiteContext) -> None:
    page = ClaimFunctions(context, "claims/S1.md").verdicts("S1")
    folds = page.split('<details class="more card-fold">')[1:]
    folds = [fold for fold in folds if '<div class="card"' in fold and "Not measured on" not in fold]
    assert folds
    for fold in folds:
        [build_name] = re.findall(r"<bdi>(.*?)</bdi>", fold.partition("</summary>")[0])
        assert re.search(r"</bdi>: (holds|does not hold|undecided)", fold)
        assert f"On {build_name}, " in fold


def test_builds_without_a_value_are_named_once(tmp_path: Path) -> None:
    plans = {
        "0.json": Plan(build=build("3.14.0")),
        "1.json": Plan(build=FREE, run_id="2"),
        "2.json": Plan(build=build("3.13.0"), run_id="3", status={"process_pool": "failed", "thread_pool": "failed"}),
    }
    context = context_of(tmp_path, plans, {name: EVERY[name] for name in ("primes", "cpu_beside_io")})

    def folded(source: str) -> list[str]:
        page = ClaimFunctions(context, f"claims/{source}.md").verdicts(source)
        return re.findall(r"<summary>((?:Not|Does not apply) .*?)</summary>", page)

    assert {*folded("S1")} == {"Not measured on <bdi>CPython 3.13.0</bdi>"}
    assert folded("W16")[0] == "Does not apply on <bdi>CPython 3.14.0 free-threaded</bdi>"


def test_build_that_answers_only_our_question_has_a_card(tmp_path: Path) -> None:
    context = context_of(tmp_path, {"0.json": Plan(build=build("3.14.0"))})
    page = ClaimFunctions(context, "claims/W7.md").verdicts("W7")
    (claim,) = page.split('<section class="claim">')[1:]
    assert "(our question was measured)" in re.findall(r"<summary>.*?</summary>", claim)[0]
    assert re.search(r"\(our question\): (?!not measured)", re.sub("<.*?>", "", claim))


def test_code_commands_and_numbers_are_given_once(context: SiteContext) -> None:
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


def test_own_machine_has_the_cards_of_the_source(tmp_path: Path) -> None:
    both = context_of(tmp_path, {"0.json": Plan(), "local/1.json": Plan(run_id="mine")})
    cards = ClaimFunctions(both, "claims/S1.md").verdicts("S1")
    assert both.board.cells[0].local
    assert '<span id="s1.1-fixture-host-cpython-3.13.1-local">' in cards  # as addresses were without the processor
    anchors = re.findall(r'<div class="card" id="([^"]+)"', cards)
    of_source = [claim for claim in CLAIMS.claims if claim.source == "S1"]
    assert anchors == [f"{claim.id.lower()}-{both.board.cells[0].key}" for claim in of_source]


def test_card_has_what_a_verdict_rests_on(context: SiteContext) -> None:
    card = ClaimFunctions(context, "claims/S1.md").verdicts("S1")
    assert "Expected: faster" in card
    assert re.search(r"Runs: 1 run \(12 rounds\): [\d.]+ times as fast", card)
    assert "../data/raw/0.json" in card
    assert "../scenarios/primes.html#code-process_pool" in card


def test_contradictions_are_next_to_the_claim(context: SiteContext) -> None:
    page = ClaimFunctions(context, "claims/S5.md").verdicts("S5")
    (claim,) = [each for each in page.split('<section class="claim">') if each.startswith('\n<h3 id="s5.4">')]
    assert claim.count("The source&#39;s own figures say otherwise") == 1


def test_source_table_has_printed_and_measured(context: SiteContext, tmp_path: Path) -> None:
    page = ClaimFunctions(context, "claims/S1.md").remeasured("S1")
    assert "4.2 s" in page
    rows = [row for table in CLAIMS.tables["S1"] for row in table.row]
    assert page.count(', measured"') == len(rows)
    nothing = ClaimFunctions(context_of(tmp_path, {}), "claims/S1.md").remeasured("S1")
    assert nothing.count("not measured") == len(rows)


def test_each_table_of_a_source_names_what_it_is_of(tmp_path: Path) -> None:
    put(tmp_path, {"0.json": Plan()}, {"power": EVERY["power"]})
    put(tmp_path, {"1.json": Plan(run_id="2", build=build("3.14.0"))}, {"download": EVERY["download"]})
    context = book_of(tmp_path, {name: EVERY[name] for name in ("power", "download")}, ROOT / "docs")
    page = ClaimFunctions(context, "claims/S5.md").remeasured("S5")
    (note,) = re.findall(r"Measured: .*?(?=</p>)", page)
    titles = [EVERY[name].title for name in ("power", "download")]
    assert re.search(rf"{titles[0]}: all runs on .*cpython-3.13.1.*; {titles[1]}: all runs on .*cpython-3.14.0", note)


def test_without_results_every_claim_is_there(tmp_path: Path) -> None:
    assert "S1.1" in ClaimFunctions(context_of(tmp_path, {}), "claims/S1.md").verdicts("S1")


def test_verdicts_json_has_every_part_on_every_cell(context: SiteContext) -> None:
    verdicts = json.loads(context.board.as_json())["verdicts"]
    parts = [part for claim in CLAIMS.claims for part in claim.parts]
    assert len(verdicts) == 2 * len(parts)
    decided = [one for one in verdicts if one["verdict"] == "holds"]
    assert decided
    for one in decided:
        for each in one["estimates"]:
            assert {run["file"] for run in each["runs"]} <= {"0.json", "1.json"}
            assert each["low"] <= each["estimate"] <= each["high"]


def test_the_page_of_a_run_shows_the_same_board(context: SiteContext) -> None:
    text = markdown(context.board)
    rows = [line for line in text.splitlines() if re.match(r"\| [A-Z]+\d+\.", line)]
    assert len(rows) == len(CLAIMS.claims)
    assert all(row.count("|") == 4 for row in rows)
    assert "<" not in text


@pytest.mark.parametrize(("version", "is_said"), [("6.5.10", True), ("6.6.1", False)])
def test_other_packages_are_named_once(tmp_path: Path, version: str, *, is_said: bool) -> None:
    def packages(of: str) -> dict[str, Package]:
        return {name: Package(version=of, reason=None, requires=()) for name in ("tornado", "gevent")}

    record = make(SERVERS, Plan(build=build("3.10.9"), packages=packages(version)))
    record = replace(record, reference_packages=packages("6.6.1"))
    (tmp_path / "0.json").write_bytes(encode(record))
    page = ClaimFunctions(book_of(tmp_path, SERVERS, ROOT / "docs"), "claims/S2.md").verdicts("S2")
    (claim,) = [each for each in page.split('<section class="claim">') if each.startswith('\n<h3 id="s2.1">')]
    assert claim.count("On CPython 3.10.9 packages differ too: tornado 6.5.10, not 6.6.1.") == is_said
