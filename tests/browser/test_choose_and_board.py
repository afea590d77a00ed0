"""Choose with its form, and the board of verdicts with its filters, rows and cards."""

import json

import pytest
from playwright.sync_api import Locator, Page, Route
from visiting import NARROW, Visit, choose

from generate.claims.read import read
from runners.harness.catalogue.scenarios import ROOT

CHOOSE = "choose.html"
BOARD = PAGE = "index.html"
SHOWN = "details.row:visible"
HERE = "fixture-host"


def answer(page: Page, work: str) -> str:
    page.locator("[data-chosen] .note", has_text=work).wait_for()
    return page.locator("form[data-choose] output").inner_text()


def models(page: Page) -> list[str]:
    return page.locator("[data-chosen] tbody th a").all_inner_texts()


def shown_claims(page: Page) -> list[str]:
    """Unfold the board, and return the claims whose rows are visible."""
    page.locator("[data-found]:not(:empty)").wait_for(state="attached")
    page.evaluate("document.querySelectorAll('details.matrix__group').forEach((each) => { each.open = true; })")
    return [*page.locator(SHOWN).evaluate_all("all => all.map((one) => one.dataset.claim)")]


def heads(page: Page) -> list[str]:
    return page.locator(".matrix__heads span:visible").all_text_contents()


def squares(row: Locator) -> Locator:
    return row.locator(".squares > b:visible")


def row_with_all_builds(page: Page) -> Locator:
    shown_claims(page)
    count = len(heads(page))
    index = page.locator(SHOWN).evaluate_all(
        f"all => all.findIndex((r) => r.querySelectorAll('.squares > b').length === {count})"
    )
    return page.locator(SHOWN).nth(index)


def test_answer_follows_the_form_and_lives_in_the_address(visit: Visit) -> None:
    page = visit.open(CHOOSE)
    page.locator("form[data-choose]").wait_for()
    first = answer(page, "1,000 tasks that each wait 100 ms")
    assert len(models(page)) > 3
    assert not visit.urls("/maps/")  # the page comes with its first answer
    for name, value in {"tasks": "10", "compute": "10000", "wait": "0"}.items():
        choose(page, name, value)
    work = "10 tasks that each compute 10 ms."
    other = answer(page, work)
    assert other != first
    assert answer(visit.open(f"{CHOOSE}{page.evaluate('location.search')}"), work) == other
    for name, value in {"tasks": "1000", "compute": "1000", "wait": "100000"}.items():
        choose(page, name, value)
    answer(page, "1,000 tasks that each compute 1 ms and wait 100 ms.")
    assert models(page) == []  # not measured
    page.locator("optgroup[label='Not measured'] > option").first.wait_for(state="attached")


def test_old_link_names_a_machine_by_its_label(visit: Visit) -> None:
    page = visit.open(f"{CHOOSE}?tasks=10&compute=0&wait=1000&kind=timers&machine=other-host&build=cpython-3.13.1")
    answer(page, "10 tasks that each wait 1 ms.")
    assert page.locator("select[name=machine]").input_value().startswith("other-host")


def test_board_filters_narrow_count_and_live_in_the_address(visit: Visit) -> None:
    entries = json.loads(visit.page.request.get(f"{visit.site}data/verdicts.json").text())["verdicts"]
    extra = {(claim.id, part.name) for claim in read(ROOT / "docs").claims for part in claim.parts if part.ours}
    refuted = [
        each
        for each in entries
        if each["machine"] == HERE and each["verdict"] == "does not hold" and (each["claim"], each["name"]) not in extra
    ]
    page = visit.open(f"{BOARD}?verdict=does+not+hold")
    assert {*shown_claims(page)} == {each["claim"] for each in refuted}
    assert page.locator("[data-found]").inner_text().startswith(f"{len({each['claim'] for each in refuted})} claim")
    choose(page, "source", "S4")
    narrowed = shown_claims(page)
    assert {*narrowed} == {each["claim"] for each in refuted if each["claim"].startswith("S4.")}
    page.reload()
    assert shown_claims(page) == narrowed
    choose(page, "source", "")
    choose(page, "verdict", "")
    assert "?" not in page.url
    everything = shown_claims(page)
    choose(page, "family", "tornado")
    assert 0 < len(shown_claims(page)) < len(everything)


def test_board_shows_one_build_below_its_name(page: Page) -> None:
    row = row_with_all_builds(page)
    positions = "all => all.map((one) => Math.round(one.getBoundingClientRect().x))"
    assert squares(row).evaluate_all(positions) == page.locator(".matrix__heads span").evaluate_all(positions)
    choose(page, "build", "cpython-3.13.1")
    shown_claims(page)
    assert heads(page) == ["3.13.1"]
    assert squares(page.locator(SHOWN).first).count() == 1


def test_row_opens_to_its_answer_and_the_card_of_each_build(page: Page) -> None:
    row = row_with_all_builds(page)
    row.locator("summary").click(position={"x": 5, "y": 5})
    row.locator(".card").wait_for()
    names = row.locator(".numbers button").all_inner_texts()
    held: list[Route] = []
    page.route(f"**/assets/cards/*{names[0]}.json", lambda route: held.append(route))  # noqa: PLW0108 - Playwright
    squares(row).nth(0).click()
    squares(row).nth(1).click()
    row.locator("button[aria-pressed=true]", has_text=names[1]).wait_for()
    row.locator(".card__answer", has_text=names[1].removesuffix("t")).wait_for()
    for route in held:
        route.continue_()
    status = row.locator("[role=status]", has_text=names[1].removesuffix("t"))
    status.wait_for(state="attached")  # the last choice stays


def test_lost_answer_is_reported_and_retried(visit: Visit) -> None:
    visit.refuse("**/maps/*.json", times=1)
    page = visit.open(CHOOSE)
    choose(page, "tasks", "10")
    page.locator("output", has_text="404").wait_for()
    choose(page, "tasks", "1000")
    answer(page, "1,000 tasks that")


@pytest.mark.parametrize("lost", ["**/assets/cards/*.json", "**/board.js"])
def test_lost_card_or_script_is_reported(visit: Visit, lost: str) -> None:
    visit.refuse(lost)
    page = visit.open(BOARD)
    page.locator("details.row").first.locator("summary").click(position={"x": 5, "y": 5})
    page.get_by_text("did not load").first.wait_for()


@pytest.mark.context(viewport=NARROW, java_script_enabled=False)
def test_rows_and_first_answer_need_no_javascript(visit: Visit) -> None:
    page = visit.open(BOARD)
    row = page.locator("details.row").first
    row.locator("summary").click()
    assert row.locator(".row__answer").is_visible()
    page = visit.open(CHOOSE)
    answer(page, "1,000 tasks that each wait 100 ms")
    assert len(models(page)) > 3
