"""The machine that a scenario's page shows: chosen in place, in the address, with its own builds and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from visiting import Visit, hold

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
        page.locator(".chart__area:visible").first.scroll_into_view_if_needed()
        page.wait_for_selector('.chart__area[data-state="drawn"]')
        assert [url for url in visit.requested if f"machines/{OTHER}/primes-1-" in url]
        table = page.locator(".build:visible table.data").first
        table.scroll_into_view_if_needed()
        table.locator("button.sort").first.click()
        assert table.locator("th[aria-sort=ascending]").count() == 1
        assert not visit.complaints


def test_a_machine_whose_tables_do_not_load_says_so_and_leaves_the_others(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        visit.page.route("**/machines/*/*.json", lambda route: route.fulfill(status=404))
        page = visit.open(PAGE)
        choose(page, "machine", OTHER)
        page.wait_for_selector("form[data-page-filters] output >> text=did not load")
        assert machines(page) == {LEADING}
        assert page.locator("select[name=machine]").input_value() == LEADING
        assert "machine=" not in page.url
        choose(page, "family", "processes")
        shown = "table.data tbody tr:visible .mark"
        assert page.locator(shown).count()
        assert page.locator(f"{shown}:not(.family-processes)").count() == 0
        assert "did not load" in page.locator("form[data-page-filters] output").inner_text()


def test_without_the_script_of_the_machines_the_other_filters_work(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        visit.page.route("**/machines.js", lambda route: route.abort())
        page = visit.open(f"{PAGE}?machine={OTHER}&family=processes")
        page.wait_for_selector("form[data-page-filters] output >> text=did not load")
        assert machines(page) == {LEADING}
        assert page.locator("table.data tbody tr:visible .mark:not(.family-processes)").count() == 0
        assert page.locator("table.data tbody tr:visible .mark").count()


def test_the_script_of_the_machines_is_fetched_when_another_one_is_wanted(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open(PAGE)
        choose(page, "family", "processes")
        assert page.locator("tr[hidden]").count()
        assert not [url for url in visit.requested if "machines.js" in url]
        choose(page, "machine", OTHER)
        page.wait_for_selector(f"{FACTS} >> text={OTHER}")
        assert [url for url in visit.requested if "machines.js" in url]


def test_a_family_let_go_on_another_machine_is_let_go_on_the_first_one_too(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open(PAGE)
        choose(page, "family", "threads")
        assert page.locator("[data-piece] tr[hidden]").count()
        choose(page, "machine", OTHER)
        page.wait_for_selector(f"{FACTS} >> text={OTHER}")
        assert page.locator("[data-piece] tr[hidden]").count()
        choose(page, "family", "")
        choose(page, "machine", LEADING)
        page.wait_for_selector(f"{FACTS} >> text={LEADING}")
        assert page.locator("[data-piece] tr[hidden]").count() == 0
        assert not visit.complaints


def test_a_family_that_is_chosen_while_another_machine_loads_holds_for_it(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open(PAGE)
        held = hold(page, "**/machines/*/primes.json")
        with page.expect_request("**/machines/*/primes.json"):
            choose(page, "machine", OTHER)
        choose(page, "family", "processes")
        for route in held:
            route.continue_()
        page.wait_for_selector(f"{FACTS} >> text={OTHER}")
        shown = "[data-piece] table.data tbody tr:visible .mark"
        page.wait_for_function("() => document.documentElement.dataset.family === 'processes'")
        assert page.locator(shown).count()
        assert page.locator(f"{shown}:not(.family-processes)").count() == 0


def test_charts_that_come_back_have_the_colours_of_now(browser: Browser, site: str) -> None:
    drawn = '#primes-1-bars .chart__area[data-state="drawn"]'
    ink = "() => document.querySelector('#primes-1-bars .chart__area').layout.template.layout.font.color"
    with Visit(browser, site, viewport=WIDE, color_scheme="light") as visit:
        page = visit.open(PAGE)
        page.locator("#primes-1-bars").scroll_into_view_if_needed()
        page.wait_for_selector(drawn)
        light = page.evaluate(ink)
        choose(page, "machine", OTHER)
        page.wait_for_selector(f"{FACTS} >> text={OTHER}")
        page.emulate_media(color_scheme="dark")
        page.wait_for_selector('body[data-md-color-scheme="slate"]')
        choose(page, "machine", LEADING)
        page.wait_for_selector(f"{FACTS} >> text={LEADING}")
        page.locator("#primes-1-bars").scroll_into_view_if_needed()
        page.wait_for_selector(drawn)
        assert page.evaluate(ink) != light
        assert not visit.complaints
