"""The cards behind the squares of the board: opened in place, by link, from the keyboard, and closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import NARROW, hold, open_card

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "index.html"


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


@pytest.mark.surroundings(viewport=NARROW)
def test_a_card_fits_a_phone(page: Page) -> None:
    card = open_card(page)
    assert card.evaluate("(box) => box.scrollWidth <= box.clientWidth")
    card.get_by_role("button", name="Close").click()
    assert not card.is_visible()


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
