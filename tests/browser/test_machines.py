"""The machine that a scenario's page shows: chosen in place, in the address, with its own builds and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from visiting import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDE = {"width": 1280, "height": 900}
PAGE = "scenarios/primes.html"
LEADING, OTHER = "fixture-host", "other-host"
FACTS = "[data-piece] p.facts:visible"


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f"form[data-page-filters] select[name={name}]").select_option(value)


def machines(page: Page) -> set[str]:
    return set(page.locator(f"{FACTS} a[href*='machines/']").all_text_contents())


def builds(page: Page) -> list[str]:
    return page.locator("select[name=build] option").all_inner_texts()


def test_another_machine_takes_the_place_of_the_leading_one_on_the_whole_page(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open(PAGE)
        own = builds(page)
        assert machines(page) == {LEADING}
        choose(page, "machine", OTHER)
        page.wait_for_selector(f"{FACTS} >> text={OTHER}")
        for load in (lambda: None, page.reload):
            load()
            page.wait_for_selector(f"{FACTS} >> text={OTHER}")
            assert machines(page) == {OTHER}
            assert f"machine={OTHER}" in page.url
            assert builds(page) == ["cpython-3.11.9", "cpython-3.13.1"]
            assert OTHER in page.locator(".answer").inner_text()
        choose(page, "machine", LEADING)
        page.wait_for_selector(f"{FACTS} >> text={LEADING}")
        assert machines(page) == {LEADING}
        assert builds(page) == own
        assert "machine=" not in page.url
        assert not visit.complaints


def test_its_builds_and_families_are_chosen_as_those_of_the_leading_one(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open(f"{PAGE}?machine={OTHER}&build=cpython-3.11.9&family=processes")
        page.wait_for_selector(f"{FACTS} >> text={OTHER}")
        page.wait_for_selector(f"{FACTS} >> text=cpython-3.11.9")
        assert page.locator(f"{FACTS} >> text=cpython-3.13.1").count() == 0
        shown = "[data-piece] table.data tbody tr:visible .mark"
        assert page.locator(shown).count()
        assert page.locator(f"{shown}:not(.family-processes)").count() == 0
        assert not visit.complaints


def test_its_charts_are_drawn_of_its_own_data_and_its_tables_sorted(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open(f"{PAGE}?machine={OTHER}")
        page.wait_for_selector(f"{FACTS} >> text={OTHER}")
        page.locator(".chart__area").first.scroll_into_view_if_needed()
        page.wait_for_selector('.chart__area[data-state="drawn"]')
        assert [url for url in visit.requested if f"data/machines/{OTHER}/primes-1-" in url]
        table = page.locator(".tabbed-block:visible table.data").first
        table.scroll_into_view_if_needed()
        table.locator("button.sort").first.click()
        assert table.locator("th[aria-sort=ascending]").count() == 1
        assert not visit.complaints


def test_a_machine_whose_tables_do_not_load_says_so_and_leaves_the_others(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        visit.page.route("**/data/machines/**", lambda route: route.fulfill(status=404))
        page = visit.open(PAGE)
        choose(page, "machine", OTHER)
        page.wait_for_selector("form[data-page-filters] output >> text=did not load")
        assert machines(page) == {LEADING}
