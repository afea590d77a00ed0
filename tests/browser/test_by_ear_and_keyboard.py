"""What tables, forms and the theme tell those who hear a page, and where the keyboard comes to on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from visiting import (
    NARROW,
    choose,
    hold,
    lay_out_all,
    let_go,
    open_card,
    open_folds,
    settle,
    show,
    wait_until_filled,
)

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from visiting import Visit

PAGE = "scenarios/primes.html"
UNEVEN = """() => [...document.querySelectorAll("table.fold")].flatMap((table) => {
  const told = (cells) => [...cells].filter((cell) => getComputedStyle(cell).display !== "none").length;
  const heads = told(table.tHead.rows[0].cells);
  const rows = [...table.tBodies[0].rows].filter((row) => !row.querySelector("[colspan]"));
  return rows.filter((row) => told(row.cells) !== heads).map((row) => row.textContent);
})"""
"""Rows of tables that fold with fewer or more cells, for those who hear them, than heads."""
HIDDEN = """() => {
  const { top, left, height } = document.activeElement.getBoundingClientRect();
  return !document.activeElement.contains(document.elementFromPoint(left + 2, top + height / 2));
}"""

HAS_FOCUS = "(place) => Boolean(document.activeElement.closest(place))"


@pytest.mark.surroundings(viewport=NARROW)
@pytest.mark.parametrize("path", [PAGE, "compare.html", "data.html", "choose.html"])
def test_each_cell_of_a_narrow_table_has_its_own_head(visit: Visit, path: str) -> None:
    page = visit.open(path)
    wait_until_filled(page, path)
    open_folds(page)
    lay_out_all(page)
    assert page.locator("table.fold").count() > 0
    assert page.evaluate(UNEVEN) == []


@pytest.mark.parametrize("path", [PAGE, "choose.html", "choose.html?tasks=1"])
def test_a_row_says_its_family(visit: Visit, path: str) -> None:
    page = visit.open(path)
    heads = page.locator(".build, [data-chosen]").get_by_role("rowheader").filter(visible=True)
    heads.first.wait_for()
    assert heads.count() == heads.get_by_role("img", name=re.compile("^[a-z]+$")).count() > 0
    assert heads.get_by_role("img", name="asyncio").count() > 0


def test_what_the_keyboard_goes_back_to_is_not_behind_what_stays_at_the_top(visit: Visit) -> None:
    page = visit.open("index.html")
    wait_until_filled(page, "index.html")
    lay_out_all(page)
    rows = page.locator("details.row:visible > summary")
    assert rows.count() > 10
    rows.nth(rows.count() - 1).focus()
    for _step in range(rows.count() - 1):
        page.keyboard.press("Shift+Tab")
        assert not page.evaluate(HIDDEN), page.evaluate("document.activeElement.textContent")


def drawer_button(page: Page) -> Locator:
    """Return the button of the navigation once the script that makes it has run."""
    button = page.locator("button[aria-controls=site-navigation]")
    button.wait_for(state="attached")
    return button


@pytest.mark.surroundings(viewport=NARROW, reduced_motion="reduce")
def test_where_the_navigation_is_a_drawer_it_is_used_from_the_keyboard_and_else_out_of_the_way(page: Page) -> None:
    button = drawer_button(page)
    links = page.locator(".md-sidebar--primary a")
    assert links.count() > 10
    assert not links.filter(visible=True).count()
    page.get_by_role("button", name="Navigation", expanded=False).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Navigation", expanded=True).wait_for()
    assert page.evaluate(HAS_FOCUS, ".md-sidebar--primary")
    assert not page.evaluate(HIDDEN)
    page.keyboard.press("Tab")
    assert page.evaluate(HAS_FOCUS, ".md-sidebar--primary a")
    assert not page.evaluate(HIDDEN)
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "false")


@pytest.mark.surroundings(viewport=NARROW, reduced_motion="reduce")
def test_a_drawer_that_the_focus_leaves_is_closed(page: Page) -> None:
    button = drawer_button(page)
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Shift+Tab")
    expect(button).to_have_attribute("aria-expanded", "false")


def test_on_a_wide_screen_a_link_skips_to_the_navigation(page: Page) -> None:
    button = drawer_button(page)
    assert not button.is_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to navigation")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate(HAS_FOCUS, ".md-sidebar--primary a")


def test_no_single_letter_leaves_the_page_or_what_is_read_on_it(page: Page) -> None:
    drawer_button(page)
    page.wait_for_function("'document$' in window")  # the theme hears of keys
    for letter in ("n", ".", "p", ",", "f", "s"):
        page.keyboard.press(letter)
        settle(page)
        assert page.url.endswith(PAGE)
        assert page.evaluate("document.activeElement === document.body")


def test_what_the_search_has_found_is_announced(page: Page) -> None:
    drawer_button(page)
    field = page.get_by_role("textbox", name="Search (arrow keys move through the results)")
    field.fill("semaphore")
    field.press("End")
    page.get_by_role("status").filter(has_text="matching document").wait_for()
    assert page.locator(".md-dialog [role=status]").count() == 1


SAID = "form[data-page-filters] output"


def test_what_a_filter_changes_is_announced(page: Page) -> None:
    show(page, "build", "cpython-3.12.8")
    expect(page.locator(SAID)).to_have_text(re.compile(r"^Shown: .*cpython-3\.12\.8\.$"))
    choose(page, "family", "threads")
    expect(page.locator(SAID)).to_have_text("Rows and bars shown: threads alone.")
    choose(page, "family", "")
    expect(page.locator(SAID)).to_have_text("Rows and bars shown: all families.")
    assert page.locator(SAID).get_attribute("aria-live") == "polite"


def test_the_answer_of_another_build_s_card_is_announced(visit: Visit) -> None:
    page = visit.open("index.html")
    open_card(page)
    said = page.locator(".numbers > [role=status]")
    before = said.inner_text()
    page.locator(".numbers button[aria-pressed=false]").first.click()
    expect(said).not_to_have_text(before)
    assert said.inner_text() == page.locator(".numbers .card__answer").inner_text()


def test_where_an_address_leads_to_what_is_fetched_the_keyboard_goes_on_from_there(visit: Visit) -> None:
    page = visit.open(f"{PAGE}#table-primes_2")
    page.wait_for_function("() => document.activeElement.id === 'table-primes_2'")
    page.keyboard.press("Tab")
    assert page.evaluate("Boolean(document.activeElement.closest('#table-primes_2'))")


def test_who_stands_on_a_link_in_a_fold_stands_on_the_fold_once_it_is_filled(visit: Visit) -> None:
    held = hold(visit.page, "**/*-folded.json")
    page = visit.open(PAGE)
    fold = page.locator("details[id^=case-]").first
    with page.expect_request("**/*-folded.json"):
        fold.evaluate("(one) => { one.open = true; }")
    fold.locator("a").first.focus()
    let_go(held[0])
    fold.locator("table").first.wait_for()
    expect(fold.locator("> summary")).to_be_focused()


def test_a_heading_is_named_by_its_words_alone_and_a_link_to_a_table_says_so(page: Page) -> None:
    assert page.locator("main .headerlink").count() > 0
    assert page.get_by_role("heading", name="¶").count() == 0
    assert page.get_by_role("link", name="¶").count() == 0
    assert page.get_by_role("link", name="Link to this table").count() > 0
    assert page.get_by_role("link", name="Link", exact=True).count() == 0


@pytest.mark.surroundings(viewport=NARROW)
def test_the_heads_by_which_a_table_is_sorted_have_room_for_a_finger(page: Page) -> None:
    page.locator(".scroller").first.scroll_into_view_if_needed()
    buttons = page.locator("table.fold").first.locator("button.sort")
    buttons.first.wait_for()
    boxes = buttons.evaluate_all("all => all.map((one) => one.parentElement.getBoundingClientRect().height)")
    assert len(boxes) > 2
    assert min(boxes) >= 24
