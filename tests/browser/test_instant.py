"""Pages that are changed without being loaded anew: what scripts do on one page they do on the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from visiting import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LAID_OUT = "getComputedStyle(document.querySelector('.chart__area .main-svg')).position"
"""By the chart library's own styles, which it puts into the head once."""
WIDE = {"width": 1280, "height": 900}


def follow(page: Page, link: str, heading: str) -> None:
    """Follow a link of the page, and make sure that the page was not loaded anew."""
    page.evaluate("window.stays = true")
    page.locator(f"a[href$='{link}']:visible").first.click()
    page.wait_for_selector(f"h1:has-text('{heading}')")
    assert page.evaluate("window.stays")


def test_charts_tables_and_filters_begin_anew_on_the_page_that_follows(browser: Browser, instant_site: str) -> None:
    with Visit(browser, instant_site, viewport=WIDE) as visit:
        page = visit.open("scenarios/index.html")
        follow(page, "primes.html", "Primes")
        for _time in range(2):
            page.locator(".chart__area").first.scroll_into_view_if_needed()
            page.wait_for_selector('.chart__area[data-state="drawn"] .main-svg')
            assert page.evaluate(LAID_OUT) == "absolute"
            table = page.locator(".build:visible table.data").first
            table.scroll_into_view_if_needed()
            table.locator("button.sort").first.click()
            assert table.locator("th[aria-sort=ascending]").count() == 1
            page.locator("form[data-page-filters] select[name=family]").select_option("processes")
            assert "family=processes" in page.url
            follow(page, "power.html", "Power")
            assert page.evaluate("document.documentElement.dataset.family") in {None, ""}
            assert page.locator("table.data tbody tr[hidden]").count() == 0
            follow(page, "primes.html", "Primes")
        assert len([url for url in visit.requested if "plotly" in url]) == 1
        assert not visit.complaints


def test_tables_of_another_build_come_as_on_a_page_that_was_loaded(browser: Browser, instant_site: str) -> None:
    with Visit(browser, instant_site, viewport=WIDE) as visit:
        visit.page.clock.set_fixed_time("2026-02-11T12:00:00Z")
        page = visit.open("scenarios/index.html")
        follow(page, "primes.html", "Primes")
        page.wait_for_selector("form[data-page-filters]:not([hidden])")
        page.locator(".builds > label", has_text="cpython-3.13.1").first.click()
        block = page.locator(".builds").first.locator(".build").nth(1)
        assert block.locator("p.facts").inner_text().count("ago)") == 1
        block.locator(".chart__area").first.scroll_into_view_if_needed()
        block.locator('.chart__area[data-state="drawn"]').first.wait_for()
        assert not visit.complaints


def test_the_board_opens_one_card_after_any_number_of_visits(browser: Browser, instant_site: str) -> None:
    with Visit(browser, instant_site, viewport=WIDE) as visit:
        page = visit.open("index.html")
        for _time in range(2):
            follow(page, "data.html", "Data")
            page.locator("a.md-logo:visible").first.click()
            page.wait_for_selector("table.verdicts")
        page.locator("form.filters select[name=source]").select_option("S4")
        assert "source=S4" in page.url
        page.locator("a.square:visible").first.click()
        page.get_by_role("dialog", name="Verdict").wait_for()
        assert page.locator("dialog").count() == 1
        assert not visit.complaints


def test_two_cells_are_compared_on_a_page_that_was_not_loaded_anew(browser: Browser, instant_site: str) -> None:
    with Visit(browser, instant_site, viewport=WIDE) as visit:
        page = visit.open("data.html")
        follow(page, "compare.html", "Compare")
        page.wait_for_selector("[data-compared] table tbody tr")
        assert not visit.complaints
