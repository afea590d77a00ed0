"""The board of verdicts: a row a claim, a square a build, and what a page of it weighs."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING

import pytest
from factory import REFERENCE, Plan, build
from msgspec import structs
from sample_site import book_of, put

from generate.analysis.selection import Cell
from generate.articles.claim_functions import ClaimFunctions
from generate.articles.render import render
from generate.claims.read import read
from generate.pages.board import MOST_SHOWN, board, fetched, matrix
from runners.harness.catalogue.scenarios import ROOT, find
from runners.harness.record import codec

if TYPE_CHECKING:
    from pathlib import Path

    from generate.claims.marks import ClaimVerdict
    from generate.pages.context import SiteContext

SCENARIOS = find()
CLAIMS = read(ROOT / "docs")
FREE = build("3.14.0", free_threaded=True)
THREE = {
    "0.json": Plan(build=REFERENCE, speed={"process_pool": 0.6}),
    "1.json": Plan(run_id="1", speed={"process_pool": 0.6}),
    "2.json": Plan(build=FREE, run_id="2", speed={"process_pool": 0.9, "thread_pool": 0.6}),
}


def context_of(results: Path, plans: dict[str, Plan]) -> SiteContext:
    put(results, plans, SCENARIOS)
    return book_of(results, SCENARIOS, ROOT / "docs")


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> SiteContext:
    return context_of(tmp_path_factory.mktemp("results"), THREE)


@pytest.fixture(scope="module")
def page(context: SiteContext) -> str:
    return board(context, "index.md")


def rows_of(page: str) -> dict[str, str]:
    """Return the rows by claim."""
    parts = re.split(r'<details class="row[^"]*" data-claim="', page)[1:]
    return {part.partition('"')[0]: part for part in parts}


def squares_of(row: str) -> list[list[str]]:
    """Return what is drawn in each square of a row: one letter, or two."""
    inside = row.partition('<span class="squares" aria-hidden="true">')[2].partition("</span>")[0]
    return [re.findall(r'data-[vw]="(.)"', square) for square in inside.split("</b>")[:-1]]


def group_of(page: str, heading: str) -> str:
    """Return what stands under a heading, up to the next."""
    return page.partition(f"{heading}: <span data-count>")[2].partition("matrix__group")[0]


def test_every_claim_has_one_row_and_each_build_is_named_once(page: str) -> None:
    assert sorted(rows_of(page)) == sorted(claim.id for claim in CLAIMS.claims)
    (heads,) = re.findall(r'<div class="matrix__heads".*?</div>', page, re.DOTALL)
    assert re.findall(r">([^<]+)</span>", heads) == ["3.12.8", "3.13.1", "3.14.0t"]
    for row in rows_of(page).values():
        summary = row.partition("</summary>")[0].partition('<span class="row__answer">')[0]
        assert "3.13.1" not in summary


def test_what_differs_between_builds_comes_first_and_what_is_the_same_is_folded(page: str) -> None:
    headings = re.findall(r"(<summary>|<h3>)([\w ]+): <span data-count>", page)
    names = ["Not the same on all builds", "Not decided on every build", "All builds agree", "Not measured"]
    assert [name for _, name in headings] == names
    assert "S1.4" in rows_of(group_of(page, "Not the same on all builds"))
    folded = {name for tag, name in headings if tag == "<summary>"}
    assert folded >= {"All builds agree", "Not measured"}
    assert sum(len(rows_of(group_of(page, name))) for name in {*names} - folded) <= MOST_SHOWN


def test_an_open_row_has_a_square_a_build_and_a_folded_one_a_single_square_and_its_words(page: str) -> None:
    for heading in ("Not the same on all builds", "Not decided on every build"):
        for row in rows_of(group_of(page, heading)).values():
            assert len(squares_of(row)) == 3
    alike = rows_of(group_of(page, "All builds agree"))
    for row in alike.values():
        assert len(squares_of(row)) == 1
    of_parts = "Of its two parts one holds and one is not measured."
    assert f'<span class="row__answer">{of_parts}</span>' in alike["S1.1"]


def test_a_claim_of_which_a_part_is_refuted_has_red_in_its_square(page: str, context: SiteContext) -> None:
    refuted = 0
    for claim in CLAIMS.claims:
        row, squares = context.board.row(claim, context.board.current_cells()), squares_of(rows_of(page)[claim.id])
        for number, verdict in enumerate(row if len(squares) > 1 else []):
            has_refuted = any(part.verdict == "does not hold" for part in verdict.counted)
            assert (squares[number][0] == "x") is has_refuted, claim.id
            refuted += has_refuted
    assert refuted


def test_filters_are_given_the_verdict_of_every_part_that_counts(page: str, context: SiteContext) -> None:
    for claim in CLAIMS.claims:
        (letters,) = re.findall(r'data-letters="([^"]*)"', rows_of(page)[claim.id])
        words = letters.split(" ")
        given = [each.letters for each in context.board.row(claim, context.board.current_cells())]
        assert (words if len(words) > 1 else words * 3) == given


def test_a_row_opens_to_its_answer_and_the_answer_of_each_part(page: str, context: SiteContext) -> None:
    cells = context.board.current_cells()
    for claim in CLAIMS.claims:
        row, parts = unescape(rows_of(page)[claim.id]), context.board.parts[claim.id]
        (answer,) = re.findall(r'<span class="row__answer">(.*?)</span>', row)
        assert answer[0].isupper()
        assert answer.endswith(".")
        said = [(part.name, context.board.part_answer(part, cells)) for part in parts if len(parts) > 1]
        assert re.findall(r"<li>(.*?): <b>(.*?)</b></li>", row) == said
        assert f'href="claims/{claim.source}.html#{claim.id.lower()}"' in row


def test_the_card_of_a_build_begins_with_the_answer_and_says_what_the_source_s_page_says(context: SiteContext) -> None:
    made, source = dict(fetched(context)), ClaimFunctions(context, "claims/S1.md").verdicts("S1")
    assert {*made} == {f"assets/cards/{cell.key}.json" for cell in context.board.cells}
    for cell in context.board.cells:
        cards = json.loads(made[f"assets/cards/{cell.key}.json"])
        assert [*cards] == [claim.id for claim in CLAIMS.claims]
        for claim in context.board.of_source("S1"):
            card = cards[claim.id].removeprefix('<div class="card">').removesuffix("</div>")
            article = re.match(
                r'<p class="card__answer">[A-Z].*\.( <a href="articles/[^"]+\.html">[^<]+</a>)</p>', card
            )
            assert article
            sentences = re.findall(r"<p>(On .*?)(?:<|$)", card)
            assert sentences or cell.build.endswith("t") or "Not measured" in card
            assert all(sentence.strip() in source for sentence in sentences)
            parts = card.count('<div class="part">')
            folds = card.count("<summary>Bounds, code, commands</summary>")
            assert folds == (card.count(">Repeat it</a>") if parts > 1 else 0)
            raw = re.findall(r'href="(data/raw/[^"]+)"', card)
            assert all(f'href="../{address}"' in source for address in raw)


def test_links_of_rows_and_cards_lead_to_what_is_there(page: str, context: SiteContext) -> None:
    anchors = {
        f"claims/{source}.html#{anchor}"
        for source in CLAIMS.sources
        for anchor in re.findall(r' id="([^"]+)"', ClaimFunctions(context, f"claims/{source}.md").verdicts(source))
    }
    links = set(re.findall(r'href="(claims/[^"]+#[^"]+)"', page))
    assert len(links) == len(CLAIMS.claims)
    assert links <= anchors


def test_of_few_builds_nothing_is_said_to_agree(tmp_path: Path) -> None:
    page = board(context_of(tmp_path, {"0.json": Plan()}), "index.md")
    assert "agree" not in page
    assert all(len(squares_of(row)) == 1 for row in rows_of(page).values())
    assert "Decided: <span data-count>" in page


def test_a_quick_run_leans_in_dashed_squares_and_nothing_that_leans_counts_as_decided(tmp_path: Path) -> None:
    quick = board(context_of(tmp_path, {"0.json": Plan(profile="quick", rounds=3)}), "index.md")
    leaning = [row for row in rows_of(quick).values() if "leans" in row.partition("</summary>")[0]]
    assert leaning
    assert all("l" in re.findall(r'data-letters="([^"]*)"', row)[0] for row in leaning)


def test_another_machine_s_rows_come_when_it_is_chosen_and_stand_on_its_own_page(tmp_path: Path) -> None:
    both = context_of(tmp_path, {"0.json": Plan(), "1.json": Plan(machine="other-host", run_id="1", build=FREE)})
    own, other = both.board.machines()
    page, made = board(both, "index.md"), dict(fetched(both))
    assert page.count('class="matrix__heads"') == 1
    assert f'<option value="{other.key}">' in page
    assert 'href="machines/index.html"' in page
    piece = json.loads(made[f"assets/machines/{other.key}/board.json"])["pieces"]["board"]
    assert piece == matrix(both, other, "index.md")
    assert f"assets/machines/{own.key}/board.json" not in made
    assert 'href="../claims/S1.html#s1.1"' in matrix(both, other, f"machines/{other.key}.md")


def test_without_results_the_board_says_so(tmp_path: Path) -> None:
    page = board(context_of(tmp_path, {}), "index.md")
    assert "Not measured." in page
    assert "<form" not in page


def moved(verdict: ClaimVerdict, cell: Cell) -> ClaimVerdict:
    return verdict._replace(cell=cell, parts=[replace(part, cell=cell) for part in verdict.parts])


def test_what_differs_by_the_gil_is_told_from_what_differs_otherwise(context: SiteContext, tmp_path: Path) -> None:
    without = "Of the builds that decide these, those with the GIL agree"
    among = "These differ between builds that all have the GIL"
    said = ClaimFunctions(context, "index.md").differences()
    assert ">S1.4<" in said.partition(without)[2].partition(among)[0]
    faster = Plan(run_id="1", speed={"process_pool": 0.9, "thread_pool": 0.6})
    said = ClaimFunctions(context_of(tmp_path, {"0.json": THREE["0.json"], "1.json": faster}), "index.md").differences()
    assert ">S1.4<" in said.partition(among)[2]
    assert without not in said
    assert "No build without the GIL was measured." in said
    assert "another processor" not in said


def test_a_difference_between_builds_on_two_processors_names_the_rarer_one(tmp_path: Path) -> None:
    faster = Plan(run_id="1", speed={"process_pool": 0.9, "thread_pool": 0.6}, cpu="Fixture CPU 2")
    said = ClaimFunctions(context_of(tmp_path, {"0.json": THREE["0.json"], "1.json": faster}), "index.md").differences()
    assert "on another processor, Fixture CPU" in said


def of_runs(results: Path, plans: dict[str, Plan]) -> SiteContext:
    """Put the files as runs write them: the reference build's series stand in its own alone."""
    put(results, plans, SCENARIOS)
    for path in results.rglob("*.json"):
        record = codec.decode(path.read_bytes())
        own = [series for series in record.series if series.role != "reference"]
        path.write_bytes(codec.encode(structs.replace(record, series=own)))
    return book_of(results, SCENARIOS, ROOT / "docs")


def test_what_the_reference_build_decides_alike_on_that_processor_is_no_difference_of_builds(tmp_path: Path) -> None:
    beaten, elsewhere = {"process_pool": 0.9, "thread_pool": 0.6}, "Fixture CPU 2"
    usual = {f"0/{minor}.json": Plan(build=build(f"3.{minor}.0"), run_id="0") for minor in (10, 11)}
    plans = {
        **{name: replace(plan, speed={"process_pool": 0.6}) for name, plan in usual.items()},
        "0/reference.json": Plan(build=REFERENCE, run_id="0", speed={"process_pool": 0.6}),
        "1/reference.json": Plan(build=REFERENCE, run_id="1", speed=beaten, cpu=elsewhere),
        "1/13.json": Plan(build=build("3.13.0"), run_id="1", speed=beaten, cpu=elsewhere),
    }
    among, of_processors = "These differ between builds", "These differ between processors and not between builds"

    def differing(context: SiteContext) -> tuple[bool, bool]:
        said = ClaimFunctions(context, "index.md").differences()
        of_builds, _, processors = said.partition(of_processors)
        return ">S1.4<" in of_builds.partition(among)[2], ">S1.4<" in processors

    context = of_runs(tmp_path / "alike", plans)
    assert differing(context) == (False, True)
    page = ClaimFunctions(context, "claims/S1.md").verdicts("S1")
    words = "was measured on another processor than most (Fixture CPU 2), on which"
    assert f"CPython 3.13.0 {words} CPython {REFERENCE.version} decides the same: the builds need not differ." in page
    plans["1/reference.json"] = replace(plans["1/reference.json"], speed={"process_pool": 0.6})
    assert differing(of_runs(tmp_path / "unlike", plans)) == (True, False)


def test_where_the_reference_build_is_close_on_the_usual_processor_a_part_says_that_builds_need_not_differ(
    tmp_path: Path,
) -> None:
    beaten, elsewhere = {"process_pool": 0.9, "thread_pool": 0.6}, "Fixture CPU 2"
    close = {"process_pool": 0.601, "thread_pool": 0.6}
    plans = {
        "0/10.json": Plan(build=build("3.10.0"), run_id="0", speed={"process_pool": 0.6}),
        "0/11.json": Plan(build=build("3.11.0"), run_id="0", speed={"process_pool": 0.6}),
        "0/reference.json": Plan(build=REFERENCE, run_id="0", speed=close),
        "1/reference.json": Plan(build=REFERENCE, run_id="1", speed=beaten, cpu=elsewhere),
        "1/13.json": Plan(build=build("3.13.0"), run_id="1", speed=beaten, cpu=elsewhere),
    }

    def said(context: SiteContext) -> tuple[bool, bool]:
        functions = ClaimFunctions(context, "claims/S1.md")
        alike = f"on which CPython {REFERENCE.version} decides the same: the builds need not differ."
        return ">S1.4<" in functions.differences().partition("between processors")[2], alike in functions.verdicts("S1")

    assert said(of_runs(tmp_path / "close", plans)) == (False, True)
    plans["0/reference.json"] = replace(plans["0/reference.json"], speed=beaten)
    assert said(of_runs(tmp_path / "same", plans)) == (False, False)


def test_where_the_reference_build_decides_nothing_elsewhere_a_difference_is_not_laid_to_the_processor(
    tmp_path: Path,
) -> None:
    beaten = {"process_pool": 0.9, "thread_pool": 0.6}
    plans = {
        "0/10.json": Plan(build=build("3.10.0"), run_id="0", speed={"process_pool": 0.6}),
        "0/11.json": Plan(build=build("3.11.0"), run_id="0", speed={"process_pool": 0.6}),
        "0/reference.json": Plan(build=REFERENCE, run_id="0", status={"process_pool": "failed"}),
        "1/reference.json": Plan(build=REFERENCE, run_id="1", speed=beaten, cpu="Fixture CPU 2"),
        "1/13.json": Plan(build=build("3.13.0"), run_id="1", speed=beaten, cpu="Fixture CPU 2"),
    }
    said = ClaimFunctions(of_runs(tmp_path, plans), "index.md").differences()
    assert ">S1.4<" in said.partition("These differ between processors")[0]


def of_many(context: SiteContext, machines: int, builds: int) -> SiteContext:
    """Return a context whose board has so many cells, each with the verdicts of one that was judged."""
    judged = context.board.cells
    cells = [
        Cell(f"host-{machine}", local=False, build=f"cpython-3.{10 + number}.{number}")
        for machine in range(machines)
        for number in range(builds)
    ]
    verdicts = {
        (claim.id, cell): moved(context.board.verdicts[claim.id, judged[number % len(judged)]], cell)
        for claim in CLAIMS.claims
        for number, cell in enumerate(cells)
    }
    return replace(context, board=replace(context.board, cells=cells, verdicts=verdicts))


def test_home_grows_by_no_more_than_a_twentieth_from_7_cells_to_60(context: SiteContext) -> None:
    few, many = (
        len(str(render(of_many(context, machines, builds), ROOT / "docs")["index.md"]).encode())
        for machines, builds in ((1, 7), (6, 10))
    )
    assert few < many < 1.05 * few
