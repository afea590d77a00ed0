"""The board of verdicts and the cards behind its squares: by filter, link and keyboard, with no script or no colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import NARROW, WIDE, choose, hold, open_card

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "index.html"


def shown(page: Page) -> list[str]:
    page.locator("form.filters").wait_for()  # the script is there
    return page.locator("table.verdicts tr[data-source]:visible th > a").all_text_contents()


def builds(page: Page) -> set[str]:
    return {*page.locator("select[name=build] option").evaluate_all("all => all.map((one) => one.value)")}


def test_filters_narrow_the_board_and_live_in_the_address(page: Page) -> None:
    everything = shown(page)
    choose(page, "source", "S4")
    of_source = shown(page)
    assert 0 < len(of_source) < len(everything)
    assert all(claim.startswith("S4.") for claim in of_source)
    choose(page, "verdict", "holds")
    found = shown(page)
    assert set(found) <= set(of_source)
    assert "source=S4" in page.url
    assert "verdict=holds" in page.url
    page.reload()
    assert shown(page) == found
    choose(page, "source", "")
    choose(page, "verdict", "")
    assert shown(page) == everything
    assert "?" not in page.url


def test_one_build_is_shown_alone_and_other_filters_go_by_it(page: Page) -> None:
    squares = page.locator("table.verdicts a.square:visible")
    everything, count = squares.count(), len(builds(page)) - 1
    choose(page, "build", "cpython-3.13.1")
    for _load in range(2):
        assert squares.count() == everything / count
        heads = page.locator("table.verdicts th[data-build]:visible")
        assert {*heads.evaluate_all("all => all.map((one) => one.dataset.build)")} == {"cpython-3.13.1"}
        assert "build=cpython-3.13.1" in page.url
        page.reload()
    verdict = squares.first.get_attribute("data-verdict") or ""
    choose(page, "verdict", verdict)
    assert {*squares.evaluate_all("all => all.map((one) => one.dataset.verdict)")} == {verdict}
    assert squares.count() == len(shown(page)) < everything / count
    page.set_viewport_size(NARROW)
    assert squares.count() == len(shown(page))


def test_a_build_that_another_machine_has_not_is_let_go_with_the_machine(visit: Visit, page: Page) -> None:
    everything = shown(page)
    here = builds(page)
    choose(page, "machine", page.locator("select[name=machine] option").last.get_attribute("value") or "")
    (only_elsewhere,) = builds(page) - here
    choose(page, "build", only_elsewhere)
    assert shown(page) == everything
    choose(page, "machine", "fixture-host")
    assert "build" not in page.url
    assert shown(page) == everything
    assert shown(visit.open(f"index.html?build={only_elsewhere}")) == everything


def test_the_columns_of_a_filtered_board_are_explained_and_many_are_scrolled_and_not_the_page(visit: Visit) -> None:
    page = visit.open("index.html?source=S4")
    assert page.get_by_text("t is free-threaded").first.is_visible()
    scrollers = page.locator(".source:visible .scroller")
    assert scrollers.evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth)")
    scrollers.locator("table").evaluate_all("(all) => all.forEach((table) => { table.style.minWidth = '4000px'; })")
    assert scrollers.first.evaluate("(one) => one.scrollWidth") >= 4000
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDE["width"]


@pytest.mark.surroundings(viewport=NARROW, java_script_enabled=False)
def test_without_javascript_the_board_is_whole_and_a_square_leads_to_its_card(visit: Visit, page: Page) -> None:
    assert not page.locator("form.filters").is_visible()
    rows = page.locator("table.verdicts tr[data-source]")
    assert rows.locator("visible=true").count() == rows.count() > 20
    link = page.locator("a.square").first.get_attribute("href")
    assert link is not None
    page = visit.open(link)
    assert page.locator(f"[id='{link.partition('#')[2]}']").count() == 1


def test_verdicts_are_told_apart_without_colour_and_to_those_who_hear_them(page: Page) -> None:
    squares = page.eval_on_selector_all(
        "table.verdicts a.square",
        "all => all.map((one) => [one.dataset.verdict, one.dataset.symbol, one.ariaLabel, one.lastChild.textContent])",
    )
    by_verdict = {verdict: symbol for verdict, symbol, _, _ in squares}
    assert len({*by_verdict.values()}) == len(by_verdict) > 1
    assert all(label.startswith(("S", "W")) and " on CPython " in label for _, _, label, _ in squares)
    assert all(label.endswith(words.strip()) for _, _, label, words in squares)


def test_an_address_that_names_what_is_not_there_breaks_nothing(visit: Visit) -> None:
    everything = shown(visit.open(PAGE))
    page = visit.open("index.html?source=S9&verdict=%3Cscript%3E#%")
    assert shown(page) == everything
    choose(page, "source", "S4")
    assert len(shown(page)) < len(everything)
    assert open_card(page).is_visible()


def test_one_script_that_fails_at_its_start_keeps_no_other_from_it(visit: Visit) -> None:
    visit.page.add_init_script('window.IntersectionObserver = class { constructor() { throw Error("planted"); } };')
    page = visit.open("scenarios/primes.html")
    choose(page, "family", "processes")
    assert "family=processes" in page.url
    assert any("planted" in complaint for complaint in visit.complaints)
    visit.may_complain = True


@pytest.mark.parametrize(("path", "script"), [("index.html", "board.js"), ("compare.html", "numbers.js")])
def test_where_a_script_does_not_come_the_page_says_so(visit: Visit, path: str, script: str) -> None:
    visit.refuse(f"**/{script}")
    visit.open(path).get_by_text("did not load").wait_for()


def test_a_square_opens_its_card_from_the_keyboard_and_gives_the_focus_back(page: Page) -> None:
    square = page.locator("tr[data-source]", has_text="S1.2").locator("a.square").first
    square.focus()
    page.keyboard.press("Enter")
    card = page.get_by_role("dialog", name="Verdict")
    card.wait_for()
    assert "S1.2" in card.inner_text()
    assert card.get_by_text("Noise floor").first.is_visible()
    for link in card.get_by_role("link").evaluate_all("all => all.map((one) => one.href)"):
        assert page.request.get(link).status == 200
    page.keyboard.press("Escape")
    assert not card.is_visible()
    assert page.evaluate("document.activeElement.matches('a.square')")


def test_a_card_says_what_the_source_s_page_says(visit: Visit, page: Page) -> None:
    square = page.locator("tr[data-source]", has_text="S4.2").locator("a.square").first
    link = square.get_attribute("href")
    assert link is not None
    square.click()
    opened = page.get_by_role("dialog", name="Verdict").locator(".card")
    words = opened.inner_text().partition("\n\n")[2]
    links = opened.locator("a").evaluate_all("all => all.map((one) => one.href)")
    page = visit.open(link)
    card = page.locator(f"[id='{link.partition('#')[2]}']")
    assert words == card.inner_text()
    assert links == card.locator("a").evaluate_all("all => all.map((one) => one.href)")


def test_the_card_that_was_asked_for_last_is_shown(page: Page) -> None:
    slow, fast = (page.locator("a.square[data-cell]").nth(number) for number in (0, 1))
    held = hold(page, f"**/verdicts/{slow.get_attribute('data-cell')}.json")
    with page.expect_request("**/verdicts/*.json"):
        slow.click()
    fast.click()
    card = page.get_by_role("dialog", name="Verdict")
    card.wait_for()
    shown = card.inner_text()
    with page.expect_response("**/verdicts/*.json"):
        held[0].continue_()
    page.wait_for_load_state("networkidle")
    assert card.inner_text() == shown


def test_a_card_is_closed_beside_it_and_not_by_marking_its_words(page: Page) -> None:
    card = open_card(page)
    box = card.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] - 40, box["y"] + 40)
    page.mouse.up()
    assert card.is_visible()
    page.mouse.click(box["x"] + 5, box["y"] + 60)
    assert card.is_visible()
    page.mouse.click(box["x"] - 40, box["y"] + 40)
    assert not card.is_visible()
