"""What a scenario's page has folded: fetched when somebody begins to read, and where the address leads into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import FACTS, begin_to_read, choose, drawn_chart, families, fill_folds, hold, let_go, settle, show

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "scenarios/primes.html"
FOLDED = "-folded.json"
FOLD = "details[id^=case-]"
FIRST = f"{FOLD} >> nth=0"
LINK = "a:has-text('Every series of')"


def inside(page: Page, scenario: str = "primes") -> str:
    """Return the name of the table in the first fold, which the page does not have yet."""
    number = (page.locator(FIRST).get_attribute("id") or "").removeprefix("case-")
    name = f"table-{scenario}_{number}"
    assert page.locator(f"#{name}").count() == 0
    return name


def test_nothing_folded_is_fetched_until_somebody_reads(visit: Visit) -> None:
    page = visit.open(PAGE)
    page.locator("form.filters:not([hidden])").wait_for()
    settle(page)
    assert not visit.urls(FOLDED)
    assert page.locator(f"{FOLD} table").count() == 0
    fill_folds(page)
    assert len(visit.urls(FOLDED)) == 1
    assert page.locator(f"{FOLD} table").count() > 0


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_fold_that_is_opened_from_the_keyboard_has_its_tables_and_charts_dressed_as_the_others(
    page: Page, key: str
) -> None:
    fold = page.locator(FIRST)
    fold.locator("> summary").press(key)
    fold.locator("table.data").first.wait_for()
    assert fold.locator(LINK).count() == fold.locator(".builds > label").count() - 1  # of the other builds alone
    fold.locator("table.data").first.scroll_into_view_if_needed()
    fold.locator("button.sort").first.wait_for()
    drawn_chart(fold)


def test_a_fold_that_is_opened_by_a_script_is_filled(page: Page) -> None:
    page.evaluate("document.querySelector('details[id^=case-]').open = true")
    page.locator(f"{FIRST} >> table.data").first.wait_for()


def test_an_address_that_leads_into_a_fold_opens_it_and_lands_there(visit: Visit) -> None:
    name = inside(visit.open(PAGE))
    page = visit.open("glossary.html")
    page = visit.open(f"{PAGE}#{name}")
    landed = f"() => Math.abs(document.getElementById('{name}')?.getBoundingClientRect().top ?? 9999) < 300"
    page.wait_for_function(landed)
    assert page.locator(FIRST).evaluate("(one) => one.open")


def test_a_link_on_the_page_that_leads_into_a_fold_opens_it(page: Page) -> None:
    name = inside(page)
    page.evaluate(f"location.hash = '{name}'")
    page.locator(f"#{name}").wait_for()
    assert page.locator(FIRST).evaluate("(one) => one.open")


def test_a_link_to_a_fold_opens_it(page: Page) -> None:
    page.locator("a", has_text="Its ratios as a table").first.evaluate("(one) => one.click()")
    page.locator("#primes-1-ratios[open] table").wait_for()
    page.wait_for_function("() => document.querySelector('#primes-1-ratios').getBoundingClientRect().top < 200")


def test_an_address_that_changes_while_the_folds_are_fetched_is_followed(visit: Visit) -> None:
    page = visit.open("scenarios/heartbeat.html")
    name = inside(page, "heartbeat")
    held = hold(page, f"**/*{FOLDED}")
    other = page.locator(FOLD).last
    assert other.get_attribute("id") != page.locator(FIRST).get_attribute("id")
    with page.expect_request(f"**/*{FOLDED}"):
        other.evaluate("(one) => { one.open = true; }")
    page.evaluate(f"location.hash = '{name}'")
    settle(page)
    let_go(held[0])
    page.locator(f"#{name}").wait_for()
    assert page.locator(FIRST).evaluate("(one) => one.open")


def test_folds_follow_the_choice_of_a_build_and_come_back_with_their_own(page: Page) -> None:
    fold = page.locator(FIRST)
    fill_folds(page)
    fold.locator("> summary").click()
    show(page, "build", "cpython-3.12.8")
    assert "cpython-3.12.8" in fold.locator("p.facts").first.inner_text()
    show(page, "build", "cpython-3.13.1")
    assert "cpython-3.13.1" in fold.locator("p.facts").first.inner_text()
    assert fold.locator("table.data").first.is_visible()


def test_a_build_that_was_chosen_before_anybody_read_stays_when_the_folds_come(visit: Visit) -> None:
    page = visit.open(f"{PAGE}?build=cpython-3.12.8")
    page.wait_for_selector(f"{FACTS} >> text=cpython-3.12.8")
    begin_to_read(page)
    page.wait_for_function("() => document.querySelector('[data-piece^=builds-of-case-]:not(:empty)')")
    settle(page)
    fold = page.locator(FIRST)
    fold.locator("> summary").click()
    assert "cpython-3.12.8" in fold.locator("p.facts").first.inner_text()
    choose(page, "build", "cpython-3.13.1")
    fold.locator("p.facts", has_text="cpython-3.13.1").first.wait_for()


def test_folds_that_come_later_follow_the_family_that_is_chosen(visit: Visit) -> None:
    for family in ("threads", "sync"):
        page = visit.open(f"scenarios/download.html?family={family}")
        fill_folds(page)
        folds = page.locator(FOLD)
        folds.evaluate_all("all => all.forEach((each) => { each.open = true; })")
        assert families(folds) == {family}


def test_a_chart_without_a_row_of_the_chosen_family_is_drawn_empty(page: Page) -> None:
    choose(page, "family", "threads")
    fill_folds(page)
    fold = page.locator(f"{FOLD}:has(tbody):not(:has(tbody .family-threads))").first
    fold.locator("> summary").click()
    assert families(fold) == set()
    drawn_chart(fold)


def test_where_folds_do_not_load_a_link_stays_and_the_next_one_asks_again(visit: Visit) -> None:
    visit.refuse(f"**/*{FOLDED}", times=1)
    page = visit.open(PAGE)
    begin_to_read(page)
    fold = page.locator(FIRST)
    assert fold.locator(LINK).count() == 1
    fold.evaluate("(one) => { one.open = true; }")
    fold.locator("table.data").first.wait_for()


@pytest.mark.surroundings(java_script_enabled=False)
def test_without_javascript_a_fold_leads_to_the_page_that_has_its_series(page: Page) -> None:
    fold = page.locator(FIRST)
    fold.locator("> summary").click()
    fold.locator(LINK).click()
    page.locator("table", has_text="thread_pool").first.wait_for(state="attached")
    assert "/machines/" in page.url
