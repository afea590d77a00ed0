"""The home page's matrix and findings: what docs/home.toml may name, times the best, and other builds in pairs."""

import dataclasses
import re
from pathlib import Path

import msgspec
import pytest
from factory import REFERENCE, Plan, build
from map_factory import map_record
from sample_site import build_context, build_records_context, letters, write_results

from generate.data.work_map import COLUMN
from generate.pages.home import Column, HomeFunctions, choose_findings, read_columns
from generate.pages.home_file import REASONS, Finding, HomeFile, Question, Row, read
from generate.pages.pieces import SiteContext
from runners.harness.catalogue.scenarios import ROOT, find
from runners.harness.errors import UserError

DOCS = ROOT / "docs"
FILE = read(DOCS)
ROWS = {name: Row(name, "threads", "x.html", name == "free") for name in ("loop", "pool", "asyncio", "free")}
CELLS = {"loop": "sync_loop", "pool": "thread_pool", "asyncio": "can't: why", "free": "thread_pool"}
LETTERS = Question("Letters", "Time", "x.html", "letters", "published", "elapsed_ns", CELLS)
WITH_GIL, FREE = Plan(REFERENCE, speed={"thread_pool": 1.8}), Plan(build("3.12.8", free_threaded=True))


def make_context(folder: Path, *plans: Plan, findings: tuple[Finding, ...] = ()) -> SiteContext:
    write_results(folder, {f"{number}.json": plan for number, plan in enumerate(plans)}, letters())
    return dataclasses.replace(build_context(folder, letters()), home=HomeFile(ROWS, {"q": LETTERS}, findings))


@pytest.mark.parametrize("question", FILE.question.values(), ids=FILE.question)
def test_every_cell_is_an_existing_series_or_a_reason(question: Question) -> None:
    scenario = find()[question.scenario]
    assert COLUMN.fullmatch(question.metric) or question.metric in {metric.name for metric in scenario.metrics}
    for row in FILE.row:
        runner = scenario.runners.get(question.runner(row))
        assert runner.takes_part(scenario.cases[question.case]) if runner else question.reason(row)[0] in REASONS


def test_pages_exist_and_titles_are_short() -> None:
    addresses = [*(row.page for row in FILE.row.values()), *(each.page for each in FILE.question.values())]
    pages = {address.partition(".html")[0] for address in addresses}
    written = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    assert pages <= written | {f"scenarios/{name}" for name in find()}


def test_row_of_another_build_is_compared_in_pairs(tmp_path: Path) -> None:
    column = read_columns(make_context(tmp_path, WITH_GIL, Plan(FREE.build, speed={"thread_pool": 0.6})))["q"]
    loop, pool, asyncio, free = column.cells(ROWS)
    assert (column.best, free.text, asyncio.text, asyncio.note) == ("free", "1", "can't", "why")
    assert [(round(cell.times), cell.step) for cell in (loop, pool)] == [(2, 3), (3, 4)]


def test_only_builds_without_the_gil_fill_their_row(tmp_path: Path) -> None:
    cells = read_columns(make_context(tmp_path, FREE))["q"].cells(ROWS)
    assert cells[1].times == cells[3].times != 0


def test_row_of_another_release_is_marked_and_in_no_finding(tmp_path: Path) -> None:
    free = Plan(build("3.11.9", free_threaded=True), reference=REFERENCE, speed={"thread_pool": 1.8 * 3})
    columns = read_columns(make_context(tmp_path, WITH_GIL, free))
    *_, cell = columns["q"].cells(ROWS)
    assert (cell.text[-1], round(float(cell.text[:-1]) / 1.8), cell.value[-8:]) == ("*", 3, "on 3.11t")
    assert choose_findings(columns, [Finding("Title", "q", "free", "pool", is_better=False)]) == []


def test_findings_are_the_first_that_are_decided(tmp_path: Path) -> None:
    order = [("free", "loop", True), ("pool", "loop", True), ("pool", "loop", False), ("loop", "pool", True)]
    context = make_context(tmp_path, WITH_GIL, FREE, findings=tuple(Finding("Title", "q", *each) for each in order))
    (chosen,) = choose_findings(read_columns(context), context.home.finding)
    assert (chosen.row, chosen.is_better) == ("pool", False)
    page = HomeFunctions(context, "index.md")
    assert re.search(r"Pool against loop: takes [12]\.\d times as long", page.home_findings())
    table, _, folds = page.home_matrix().partition("<ol>")
    assert 'class="n heat-3"' in table
    assert re.findall(r'"heat-(\d)', folds.partition("</ol>")[0]) == ["1", "1", "3"]
    assert "Can&#39;t: asyncio (why)." in folds


def test_matrix_without_results_has_the_command(tmp_path: Path) -> None:
    page = HomeFunctions(make_context(tmp_path), "index.md").home_matrix()
    assert "Letters: <code>python -m runners run" in page
    assert "<table" not in page


def test_model_that_arithmetic_rules_out_has_a_bound(tmp_path: Path) -> None:
    context = dataclasses.replace(build_records_context(tmp_path, map_record()), home=FILE)
    loop, processes, asyncio = Column(context, FILE.question["calls"]).cells(["loop", "processes", "asyncio"])
    assert (loop.text, processes.text, asyncio.text) == ("≥ 830", "≥ 420", "1")


def test_unknown_row_is_reported_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "home.toml").write_text('finding = [{title="", question="q", row="a", against="b", is_better=true}]')
    with pytest.raises(UserError, match=r"home\.toml: no row or question is called 'a'"):
        read(tmp_path)


def test_long_title_and_unknown_name_are_reported(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="more than 6 words: 'a a a a a a a '"):
        HomeFile(ROWS, {"q": LETTERS}, (Finding("a " * 7, "q", "free", "loop", is_better=True),))
    question = msgspec.structs.replace(LETTERS, case="another")
    context = dataclasses.replace(build_context(tmp_path, letters()), home=HomeFile(ROWS, {"q": question}))
    with pytest.raises(UserError, match=r"home\.toml, question\.q: no case of letters"):
        read_columns(context)
