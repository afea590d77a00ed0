"""The board of verdicts: every claim on every cell, on the page, in the terminal and as data."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from factory import Plan, build
from sample_site import book_of, put

from generate.articles.claim_functions import ClaimFunctions
from generate.claims.cards import cards_json
from generate.claims.read import read
from generate.claims.terminal import markdown
from runners.harness.catalogue.scenarios import ROOT, find

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


def test_each_source_has_a_table_of_its_own_with_every_claim_for_every_cell(context: SiteContext) -> None:
    page = ClaimFunctions(context, "index.md").board()
    groups = [group for group in CLAIMS.groups() if any(claim.source in group.sources for claim in CLAIMS.claims)]
    assert [group.id for group in groups] == ["S1", "S2", "S3", "S4", "S5", "W"]
    for group, table in zip(groups, page.split('<div class="source"')[1:], strict=True):
        one = f'<a href="claims/{group.id}.html">{group.id}</a>, {group.title}'
        many = '<a href="claims/index.html#widely-quoted">Widely quoted</a>'
        assert (many if group.id == "W" else one) in table
        squares = re.findall(r'<a class="square".*? data-claim="([^"]+)"', table)
        assert squares == [claim.id for claim in CLAIMS.claims if claim.source in group.sources for _ in range(2)]
    assert page.index("CPython 3.13.1") < page.index("CPython 3.14.0 free-threaded")


def test_every_square_leads_to_a_card_that_is_there(context: SiteContext) -> None:
    cards = {
        f"claims/{source}.html#{anchor}"
        for source in CLAIMS.sources
        for anchor in re.findall(r' id="([^"]+)"', ClaimFunctions(context, f"claims/{source}.md").verdicts(source))
    }
    links = re.findall(r'href="(claims/[^"]+#[^"]+)"', ClaimFunctions(context, "index.md").board())
    assert len(links) > len(CLAIMS.claims)
    assert set(links) <= cards | {"claims/index.html#widely-quoted"}


def test_a_square_has_symbol_and_word_and_not_colour_alone(context: SiteContext) -> None:
    page = ClaimFunctions(context, "index.md").board()
    square = r'<a class="square" data-verdict="([^"]+)".*? data-symbol="(.)".*?>([^<]+)</a>'
    found = re.findall(square, page)
    assert found
    for verdict, symbol, words in found:
        assert symbol.strip()
        assert words.split()[0] in verdict or words == "n/a"


def test_where_builds_differ_the_board_says_so_first(context: SiteContext, tmp_path: Path) -> None:
    page = ClaimFunctions(context, "index.md").board()
    assert page.index("Where the builds differ") < page.index("<table")
    differing = re.findall(r'<li><a href="[^"]+">([\w.]+)</a>', page)
    assert "S1.4" in differing
    alike = context_of(tmp_path, {"0.json": Plan()})
    assert "Where the builds differ" not in ClaimFunctions(alike, "index.md").board()


def test_a_quick_run_leans_in_hollow_squares(tmp_path: Path) -> None:
    quick = context_of(tmp_path, {"0.json": Plan(profile="quick", rounds=3)})
    page = ClaimFunctions(quick, "index.md").board()
    assert "data-leans" in page.partition("<tbody")[2].partition("</tbody>")[0]
    card = ClaimFunctions(quick, "claims/S1.md").verdicts("S1")
    assert "Not decided: a quick run decides directions alone." in card
    assert "python -m runners run --scenario primes" in card


def test_one_s_own_machine_is_a_table_of_its_own_and_comes_first(tmp_path: Path) -> None:
    both = context_of(tmp_path, {"0.json": Plan(), "local/1.json": Plan(run_id="mine")})
    page = ClaimFunctions(both, "index.md").board()
    assert re.findall(r'data-machine="([^"]+)"', page) == ["fixture-host-local", "fixture-host"]
    cards = ClaimFunctions(both, "claims/S1.md").verdicts("S1")
    anchors = re.findall(r'<div class="card" id="([^"]+)"', cards)
    of_source = [claim for claim in CLAIMS.claims if claim.source == "S1"]
    assert anchors == [f"{claim.id.lower()}-fixture-host-cpython-3.13.1-local" for claim in of_source]
    links = re.findall(r'data-cell="fixture-host-cpython-3.13.1" data-symbol="." href="claims/S1.html#([^"]+)"', page)
    assert links == re.findall(r'<h3 id="([^"]+)"', cards)


def test_a_card_has_what_a_verdict_is_worth(context: SiteContext) -> None:
    card = ClaimFunctions(context, "claims/S1.md").verdicts("S1")
    for fact in ("Expected", "Interval", "Noise floor", "Smallest difference it could see", "Samples"):
        assert f"<dt>{fact}</dt>" in card
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
    assert page.count('data-label="measured"') == len(rows)
    nothing = ClaimFunctions(context_of(tmp_path, {}), "claims/S1.md").remeasured("S1")
    assert nothing.count("not measured yet") == len(rows)


def test_the_cards_that_the_board_opens_say_what_the_page_says(context: SiteContext) -> None:
    page = unescape(ClaimFunctions(context, "claims/S1.md").verdicts("S1"))
    for cell in context.board.current_cells():
        cards = json.loads(cards_json(context.board, cell))
        assert f"<bdi>{cards['build']}</bdi>, <bdi>{cards['machine']}</bdi>" in page
        for claim in context.board.of_source("S1"):
            for part in cards["cards"][claim.id]["parts"]:
                assert part["sentence"] in page
                assert part["command"] in page
                assert all(f"<dt>{name}</dt><dd>{fact}</dd>" in page for name, fact in part["facts"].items())


def test_without_results_the_board_says_so(tmp_path: Path) -> None:
    nothing = context_of(tmp_path, {})
    assert "Not measured yet." in ClaimFunctions(nothing, "index.md").board()
    assert "S1.1" in ClaimFunctions(nothing, "claims/S1.md").verdicts("S1")


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
