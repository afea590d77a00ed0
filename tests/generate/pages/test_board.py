"""The board of verdicts: a row a claim, a square a build, and what a page of it weighs."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING

import pytest
from factory import REFERENCE, Plan, build
from sample_site import book_of, put

from generate.claims.read import read
from generate.data.selection import MachineKey, ResultKey
from generate.pages.board import MOST_SHOWN, board, fetched, matrix
from generate.pages.claim_functions import ClaimFunctions
from runners.harness.catalogue.scenarios import ROOT, find

if TYPE_CHECKING:
    from pathlib import Path

    from generate.claims.marks import ClaimVerdict
    from generate.pages.context import SiteContext

EVERY = find()
FEW = {name: EVERY[name] for name in ("primes", "power", "queue_depth")}
CLAIMS = read(ROOT / "docs")
FREE = build("3.14.0", free_threaded=True)
THREE = {
    "0.json": Plan(build=REFERENCE, speed={"process_pool": 0.6}),
    "1.json": Plan(run_id="1", speed={"process_pool": 0.6}),
    "2.json": Plan(build=FREE, run_id="2", speed={"process_pool": 0.9, "thread_pool": 0.6}),
}


def context_of(results: Path, plans: dict[str, Plan]) -> SiteContext:
    """Make the context of some scenarios; claims about others have mistakes then."""
    put(results, plans, FEW)
    return book_of(results, FEW, ROOT / "docs")


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> SiteContext:
    results = tmp_path_factory.mktemp("results")
    put(results, THREE, EVERY)
    return book_of(results, EVERY, ROOT / "docs")


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


def test_every_claim_has_a_row_and_each_build_one_name(page: str) -> None:
    assert sorted(rows_of(page)) == sorted(claim.id for claim in CLAIMS.claims)
    (heads,) = re.findall(r'<div class="matrix__heads".*?</div>', page, re.DOTALL)
    assert re.findall(r">([^<]+)</span>", heads) == ["3.12.8", "3.13.1", "3.14.0t"]
    for row in rows_of(page).values():
        summary = row.partition("</summary>")[0].partition('<span class="row__answer">')[0]
        assert "3.13.1" not in summary


def test_what_differs_comes_first_and_the_rest_is_folded(page: str) -> None:
    headings = re.findall(r"(<summary>|<h3>)([\w ]+): <span data-count>", page)
    names = ["Not the same on all builds", "Not decided on every build", "All builds agree", "Not measured"]
    assert [name for _, name in headings] == names
    assert "S1.4" in rows_of(group_of(page, "Not the same on all builds"))
    folded = {name for tag, name in headings if tag == "<summary>"}
    assert folded >= {"All builds agree", "Not measured"}
    assert sum(len(rows_of(group_of(page, name))) for name in {*names} - folded) <= MOST_SHOWN


def test_folded_row_has_one_square_and_its_words(page: str) -> None:
    for heading in ("Not the same on all builds", "Not decided on every build"):
        for row in rows_of(group_of(page, heading)).values():
            assert len(squares_of(row)) == 3
    alike = rows_of(group_of(page, "All builds agree"))
    for row in alike.values():
        assert len(squares_of(row)) == 1
    of_parts = "“faster at all” holds. “by as much as printed” is not measured."
    assert f'<span class="row__answer">{of_parts}</span>' in alike["S1.1"]


def test_refuted_part_makes_its_square_red(page: str, context: SiteContext) -> None:
    refuted = 0
    for claim in CLAIMS.claims:
        row, squares = context.board.row(claim, context.board.current_cells()), squares_of(rows_of(page)[claim.id])
        for number, verdict in enumerate(row if len(squares) > 1 else []):
            has_refuted = any(part.verdict == "does not hold" for part in verdict.counting_parts)
            assert (squares[number][0] == "x") is has_refuted, claim.id
            refuted += has_refuted
    assert refuted


def test_filters_know_the_verdict_of_every_part(page: str, context: SiteContext) -> None:
    for claim in CLAIMS.claims:
        (letters,) = re.findall(r'data-letters="([^"]*)"', rows_of(page)[claim.id])
        words = letters.split(" ")
        given = [each.letters for each in context.board.row(claim, context.board.current_cells())]
        assert (words if len(words) > 1 else words * 3) == given


def test_row_opens_to_the_answer_of_each_part(page: str, context: SiteContext) -> None:
    cells = context.board.current_cells()
    for claim in CLAIMS.claims:
        row, parts = unescape(rows_of(page)[claim.id]), context.board.parts[claim.id]
        (answer,) = re.findall(r'<span class="row__answer">(.*?)</span>', row)
        assert answer[0].isupper() or answer[0] == "“"
        assert answer.endswith(".")
        answers = [(part.name, context.board.part_answer(part, cells)) for part in parts if len(parts) > 1]
        assert re.findall(r"<li>(.*?): <b>(.*?)</b>", row) == answers
        assert row.count("(depends on ") == sum(bool(part.written.depends_on) for part in parts if len(parts) > 1)
        assert f'href="claims/{claim.source}.html#{claim.id.lower()}"' in row


def test_card_begins_with_the_answer(context: SiteContext) -> None:
    made, source = dict(fetched(context)), ClaimFunctions(context, "claims/S1.md").verdicts("S1")
    assert {*made} == {f"assets/cards/{cell.key}.json" for cell in context.board.cells}
    for cell in context.board.cells:
        cards = json.loads(made[f"assets/cards/{cell.key}.json"])
        assert [*cards] == [claim.id for claim in CLAIMS.claims]
        for claim in context.board.claims_from("S1"):
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


def test_links_lead_to_what_is_there(page: str, context: SiteContext) -> None:
    anchors = {
        f"claims/{source}.html#{anchor}"
        for source in CLAIMS.sources
        for anchor in re.findall(r' id="([^"]+)"', ClaimFunctions(context, f"claims/{source}.md").verdicts(source))
    }
    links = set(re.findall(r'href="(claims/[^"]+#[^"]+)"', page))
    assert len(links) == len(CLAIMS.claims)
    assert links <= anchors


def test_few_builds_are_not_said_to_agree(tmp_path: Path) -> None:
    page = board(context_of(tmp_path, {"0.json": Plan()}), "index.md")
    assert "agree" not in page
    assert all(len(squares_of(row)) == 1 for row in rows_of(page).values())
    assert "Decided: <span data-count>" in page


def test_rows_of_another_machine_are_fetched(tmp_path: Path) -> None:
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


def test_board_without_results_says_so(tmp_path: Path) -> None:
    page = board(context_of(tmp_path, {}), "index.md")
    assert "Not measured." in page
    assert "<form" not in page


def test_differences_by_the_gil_are_told_from_others(context: SiteContext, tmp_path: Path) -> None:
    without = "On these, builds with the GIL agree"
    among = "These differ between builds that all have the GIL"
    page = ClaimFunctions(context, "index.md").differences()
    assert ">S1.4<" in page.partition(without)[2].partition(among)[0]
    faster = Plan(run_id="1", speed={"process_pool": 0.9, "thread_pool": 0.6})
    page = ClaimFunctions(context_of(tmp_path, {"0.json": THREE["0.json"], "1.json": faster}), "index.md").differences()
    assert ">S1.4<" in page.partition(among)[2]
    assert without not in page
    assert "No build without the GIL was measured." in page


def test_two_processors_are_two_machines(tmp_path: Path) -> None:
    faster = {"process_pool": 0.9, "thread_pool": 0.6}
    plans = {"0.json": THREE["1.json"], "1.json": Plan(run_id="2", speed=faster, cpu="Fixture CPU 2")}
    context = context_of(tmp_path, plans)
    assert [host.processor for host in context.board.machines()] == ["Fixture CPU", "Fixture CPU 2"]
    assert not context.board.differences(context.board.current_cells())
    assert board(context, "index.md").count('class="matrix__heads"') == 1


def of_many(context: SiteContext, machines: int, builds: int) -> SiteContext:
    """Return a context whose board has so many cells, each with the verdicts of one that was judged."""
    judged = context.board.cells
    cells = [
        ResultKey(
            MachineKey(f"host-{machine}", local=False, processor="CPU", cores=2), f"cpython-3.{10 + number}.{number}"
        )
        for machine in range(machines)
        for number in range(builds)
    ]
    verdicts = {
        (claim.id, cell): moved(context.board.verdicts[claim.id, judged[number % len(judged)]], cell)
        for claim in CLAIMS.claims
        for number, cell in enumerate(cells)
    }
    return replace(context, board=replace(context.board, cells=cells, verdicts=verdicts))


def moved(verdict: ClaimVerdict, cell: ResultKey) -> ClaimVerdict:
    return verdict._replace(cell=cell, parts=[replace(part, cell=cell) for part in verdict.parts])


def test_board_hardly_grows_with_machines(context: SiteContext) -> None:
    few, many = (len(board(of_many(context, machines, 7), "index.md")) for machines in (1, 8))
    assert few < many < 1.05 * few
