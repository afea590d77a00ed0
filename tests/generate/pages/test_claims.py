"""The board, the pages of sources, and the effect of an added claim or source."""

import dataclasses
import re
import shutil
from collections.abc import Mapping
from html import unescape
from pathlib import Path

import pytest
from factory import Plan, build
from judging import claim_row
from msgspec.structs import replace
from sample_site import build_context, readable, write_results
from syrupy.assertion import SnapshotAssertion

from generate.claims.changes import list_steps
from generate.claims.marks import ClaimVerdict
from generate.claims.model import Printed
from generate.claims.read import read
from generate.claims.sentences import describe_answer, describe_part
from generate.pages.claims import ClaimFunctions, board, matrix, most_refuted, source_page
from generate.pages.pieces import SiteContext
from runners.harness.catalogue.scenarios import ROOT, Scenario, find

EVERY = find()
PRIMES = {"primes": EVERY["primes"]}
CLAIMS = read(ROOT / "docs")
FREE = build("3.14.0", free_threaded=True)
THREE = {
    "0.json": Plan(speed={"process_pool": 0.7}),
    "1.json": Plan(build=build("3.12.9"), run_id="1", speed={"process_pool": 0.7}),
    "2.json": Plan(build=FREE, run_id="2", speed={"thread_pool": 0.5}),
}


def make_context(results: Path, plans: dict[str, Plan], scenarios: Mapping[str, Scenario] = PRIMES) -> SiteContext:
    """Make the context of some scenarios; claims about others have mistakes then."""
    write_results(results, plans, scenarios)
    return build_context(results, scenarios, ROOT / "docs")


def verdicts_page(context: SiteContext, source: str) -> str:
    return str(ClaimFunctions(context, f"claims/{source}.md").verdicts(source))


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> SiteContext:
    return make_context(tmp_path_factory.mktemp("results"), THREE, EVERY)


def read_rows(page: str) -> dict[str, str]:
    rows = re.split(r"(?=<details class=\"row)", page)[1:]
    return {re.findall(r'data-claim="(.*?)"', row)[0]: row for row in rows}


def test_row_opens_from_question_to_source(context: SiteContext) -> None:
    rows, cells = read_rows(board(context, "index.md")), context.board.current_results()
    assert {*rows} == {claim.id for claim in CLAIMS.claims}
    for claim in CLAIMS.claims:
        row, parts = unescape(rows[claim.id]), context.board.parts[claim.id]
        answers = [(part.name, describe_part(context.board.part_row(part, cells))) for part in parts if part.name]
        assert re.findall(r"<li>(.*?): <b>(.*?)</b>", row) == answers
        order = [row.index(each) for each in (claim.question, claim.says, context.board.claims.citation(claim.source))]
        assert order == sorted(order)


def test_builds_are_only_shown_if_they_differ(context: SiteContext) -> None:
    rows = read_rows(board(context, "index.md"))
    assert re.findall(r'data-badge="(\w+)">(3[^<]+)', rows["S1.4"]) == [
        *(("holds", "3.12"), ("holds", "3.13"), ("refuted", "3.14t"))
    ]
    assert "strip" not in rows["S1.2"]


def test_each_machine_has_its_own_verdicts(tmp_path: Path) -> None:
    plans = {"0.json": Plan(), "1.json": Plan(machine="other-host", run_id="1", build=FREE)}
    both = make_context(tmp_path, plans)
    _, other = both.board.machines()
    assert 'href="machines/index.html"' in board(both, "index.md")
    assert 'href="../claims/S1.html#s1.1"' in matrix(both, other, f"machines/{other.key}.md")


def test_claim_that_the_first_machine_lacks_is_shown_of_another(tmp_path: Path) -> None:
    others = {name: scenario for name, scenario in EVERY.items() if name != "primes"}
    write_results(tmp_path, {"0.json": Plan()}, others)
    both = make_context(tmp_path, {"1.json": Plan(machine="other-host", run_id="1")}, EVERY)
    first, other = both.board.machines()
    claim, shared = both.board.claims_named(["S1.1", "S2.1"])
    assert [key.machine_key for key in both.board.results_for(shared)] == [first]
    assert [key.machine_key for key in both.board.results_for(claim)] == [other]
    verdict = both.board.row(claim, both.board.results_on(other))[0]
    assert both.board.answer("S1.1") == describe_answer([verdict])
    assert both.board.finding(both.board.parts["S1.1"][0]) == verdict.parts[0]
    page = verdicts_page(both, "S1")
    assert f'id="{verdict.anchor}"' in page
    assert f"<bdi>{both.site.machine_name(other)}</bdi>.</span></p>" in page
    assert f"<bdi>{both.site.machine_name(first)}</bdi>.</span></p>" not in page


def test_claim_is_judged_on_the_machine_with_most_parts(tmp_path: Path) -> None:
    most, few = {name: each for name, each in EVERY.items() if name != "heartbeat"}, ("queue_depth", "heartbeat")
    write_results(tmp_path, {"0.json": Plan()}, most)
    write_results(tmp_path, {"1.json": Plan(machine="other-host", run_id="1")}, {name: EVERY[name] for name in few})
    both = build_context(tmp_path, EVERY, ROOT / "docs")
    (claim,) = both.board.claims_named(["S4.8"])  # a queue's depth and a heartbeat
    _, other = both.board.machines()
    assert {key.machine_key for key in both.board.results_for(claim)} == {other}


def test_board_without_results_lists_the_claims(tmp_path: Path) -> None:
    page = board(make_context(tmp_path, {}), "claims/index.md")
    assert {*read_rows(page)} == {claim.id for claim in CLAIMS.claims}
    assert {*re.findall(r'data-badge="(.*?)"', page)} == {"not measured"}


def test_change_of_a_verdict_is_found_by_release(tmp_path: Path) -> None:
    faster = Plan(run_id="1", speed={"process_pool": 0.9, "thread_pool": 0.6})
    changed = make_context(tmp_path, {"0.json": THREE["1.json"], "1.json": faster})
    (step,) = list_steps(changed.board)
    assert (step.older, step.newer) == ("3.12", "3.13")
    assert "S1.4" in {each.after.part.claim.id for each in step.changed}
    assert "S1.4" in str(ClaimFunctions(changed, "claims/index.md").what_changed()).replace("s1.4", "S1.4")


def test_page_of_a_source(context: SiteContext, snapshot: SnapshotAssertion) -> None:
    assert readable(verdicts_page(context, "W2")) == snapshot


def claimed(word: str, *numbers: int, **written: object) -> ClaimVerdict:
    """Return a claim with a part for each letter; *written* belongs to some of them."""
    (row,) = claim_row(word)
    parts = []
    for number, each in enumerate(row.parts):
        changed = replace(each.part.written, **(written if number in numbers else {}))
        parts.append(dataclasses.replace(each, part=dataclasses.replace(each.part, written=changed)))
    return row._replace(parts=parts)


PRINTED = {"printed": Printed("1 s")}


@pytest.mark.parametrize(
    ("row", "first"),
    [
        *((claimed("x", 0, **written), None) for written in ({"rule": "r"}, {"depends_on": "b"}, {"ours": True})),
        *((claimed("xhx", 0, **written), 2) for written in ({"rule": "r"}, {"depends_on": "b"}, {"ours": True})),
        (claimed("hx", 0, **PRINTED), None),
        (claimed("xx", 0, **PRINTED), 0),
        (claimed("hxx", 0, 2, **PRINTED), 2),
        (claimed("hx"), 1),
    ],
)
def test_surprise_depends_on_the_source_only(row: ClaimVerdict, first: int | None) -> None:
    assert [each.first for each in most_refuted([[row]])] == ([] if first is None else [row.parts[first]])


def test_refutation_that_leaves_open_who_is_ahead_is_no_surprise(context: SiteContext) -> None:
    (claim,) = context.board.claims_named(["W2.1"])
    row = context.board.best_row(claim)
    assert "does not hold" in {part.verdict for each in row for part in each.parts}
    assert most_refuted([row]) == []


CLAIM = """
[{}]
says = "A process pool is faster than a loop."
scenario = "primes"
case = "published"
candidate = "process_pool"
baseline = "sync_loop"
expect = {{ ratio_below = 1 }}
why = "Faster means a ratio below 1."
"""
SOURCE = """
[source]
title = "“Primes everywhere”"
author = "A. Author"
subject = "primes, quoted"
year = "2026"
address = "https://example.org/primes?in=pools"
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    (tmp_path / "docs" / "claims" / "W98.toml").write_text(SOURCE + CLAIM.format("W98.1"), encoding="utf-8")
    write_results(tmp_path / "results", {"a.json": Plan(speed={"process_pool": 0.5})}, EVERY)
    return tmp_path


def test_added_claims_and_source_have_rows_pages_and_verdicts(place: Path) -> None:
    for source in ("S1", "Q1", "W98"):
        with (place / "docs" / "claims" / f"{source}.toml").open("a", encoding="utf-8") as file:
            file.write(CLAIM.format(f"{source}.99"))
    context = build_context(place / "results", EVERY, place / "docs")
    rows, functions = board(context, "index.md"), ClaimFunctions(context, "claims/index.md")
    verdicts = {each.part.claim.id: each.verdict for row in context.board.verdicts.values() for each in row.parts}
    for source in ("S1", "Q1", "W98"):
        assert f'href="claims/{source}.html#{source.lower()}.99"' in rows
        assert f'id="{source.lower()}.99"' in functions.verdicts(source)
        assert verdicts[f"{source}.99"] == "holds"
    page = source_page(context, "W98")
    assert "A. Author, “Primes everywhere” (2026). [Read it](https://example.org/primes?in=pools)." in page


def test_mistake_in_a_claims_file_is_shown_on_the_board(place: Path) -> None:
    (place / "docs" / "claims" / "S1.toml").write_bytes(b"\xff")
    context = build_context(place / "results", EVERY, place / "docs")
    for page in (board(context, "index.md"), verdicts_page(context, "S1")):
        assert "A claim could not be read: docs/claims/S1.toml: " in page
    other = verdicts_page(context, "W98")
    assert 'id="w98.1"' in other
    assert "A claim could not be read" not in other


def test_unknown_name_in_a_source_table_is_reported(place: Path) -> None:
    cell = '{ printed = "4.2 s", scenario = "primes", case = "published", runner = "loop" }'
    with (place / "docs" / "claims" / "W98.toml").open("a", encoding="utf-8") as file:
        file.write(f'[[table]]\ntitle = "t"\ncolumns = ["time"]\nrow = [{{ name = "x", cells = [{cell}] }}]\n')
    context = build_context(place / "results", EVERY, place / "docs")
    (fault,) = context.board.faults
    assert str(fault).startswith("docs/claims/W98.toml: t, x: no runner is called 'loop'")
    assert "not measured" in ClaimFunctions(context, "claims/W98.md").remeasured("W98")
