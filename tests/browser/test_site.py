"""The built site in a real browser: every kind of page, narrow and wide, light and dark, with JavaScript or not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import pytest
from visiting import PAGES, Visit

from generate.site.families_css import families_css
from generate.site.pipeline import ASSETS
from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WIDTHS = (390, 1280)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SCROLL_THROUGH = """async () => {
  for (let y = 0; y < document.body.scrollHeight; y += 500) {
    scrollTo(0, y); await new Promise((done) => setTimeout(done, 15));
  }
}"""
ALL_DRAWN = """() => [...document.querySelectorAll(".chart__area")].every(
  (area) => area.dataset.state === "drawn" || !area.offsetParent,
)"""
"""Those of builds that are not chosen are not."""
CLASS = re.compile(r"\.([a-z][\w-]+)")
THEMES = {"highlight"}
"""Classes of the theme's own, which our styles touch."""
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_draws_without_a_complaint_at_any_width_and_scheme(browser: Browser, site: str, path: str) -> None:
    for width in WIDTHS:
        with Visit(browser, site, viewport={"width": width, "height": 900}) as visit:
            page = visit.open(path)
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                page.evaluate(SCROLL_THROUGH)
                page.wait_for_function(ALL_DRAWN, timeout=20_000)
                assert page.evaluate(SIDEWAYS) <= 0, (width, scheme)
            assert not visit.complaints, width
            assert not visit.foreign(), width


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_complete_without_javascript(browser: Browser, site: str, path: str) -> None:
    for width in WIDTHS:
        surroundings: dict[str, Any] = {"viewport": {"width": width, "height": 900}, "java_script_enabled": False}
        with Visit(browser, site, **surroundings) as visit:
            page = visit.open(path)
            assert not visit.complaints
            assert not visit.foreign()
            assert not page.locator(".chart__area:visible").count()
            captions = page.locator("figure.chart figcaption")
            assert captions.count() == page.locator("figure.chart").count()
            assert all(page.locator("main h1").all_inner_texts())
            assert page.evaluate(SIDEWAYS) <= 0, width


def test_tables_have_every_row_without_javascript(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 900}, java_script_enabled=False) as visit:
        page = visit.open("scenarios/primes.html")
        block = page.locator(".build").first
        runners = list(catalogue.find()["primes"].runners)
        for name in runners:
            assert block.locator("tbody tr", has_text=name).first.is_visible()
        assert block.locator(".track").count() >= len(runners)


def test_a_page_is_no_wider_than_a_phone_before_the_theme_s_script_has_run(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 900}) as visit:
        visit.page.route("**/bundle.*.js", lambda route: route.abort())
        for path in ("articles/a-server-that-blocks.html", "data.html", "index.html"):
            assert visit.open(path).evaluate(SIDEWAYS) <= 0, path


def test_builds_are_chosen_without_javascript(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 1280, "height": 900}, java_script_enabled=False) as visit:
        page = visit.open("scenarios/primes.html")
        second = page.locator(".builds").first.locator(".build").nth(1)
        assert not second.is_visible()
        page.locator(".builds > label", has_text="cpython-3.13.1").first.click()
        assert second.is_visible()
        assert "ran out of time" in second.inner_text()


def test_the_chart_library_is_fetched_only_when_a_chart_comes_near(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 600}) as visit:
        page = visit.open("scenarios/primes.html")
        page.wait_for_timeout(300)
        assert not [url for url in visit.requested if "plotly" in url]
        page.locator(".chart__area").first.scroll_into_view_if_needed()
        page.wait_for_selector('.chart__area[data-state="drawn"] .main-svg')
        assert len([url for url in visit.requested if "plotly" in url]) == 1


def test_a_chart_takes_the_colours_of_the_scheme(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 1280, "height": 900}, color_scheme="light") as visit:
        page = visit.open("scenarios/primes.html")
        page.locator(".chart__area").first.scroll_into_view_if_needed()
        page.wait_for_selector('.chart__area[data-state="drawn"]')
        ink = "() => document.querySelector('.chart__area').layout.template.layout.font.color"
        light = page.evaluate(ink)
        page.emulate_media(color_scheme="dark")
        page.wait_for_function(f"({ink})() !== '{light}'")
        assert not visit.complaints


def test_a_chart_whose_data_is_gone_says_so(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 1280, "height": 900}) as visit:
        visit.page.route("**/assets/charts/*.json", lambda route: route.fulfill(status=404))
        page = visit.open("scenarios/primes.html")
        page.locator(".chart__area").first.scroll_into_view_if_needed()
        page.wait_for_selector('.chart__area[data-state="failed"]')
        area = page.locator(".chart__area").first
        assert "could not be drawn" in area.inner_text()
        assert area.get_attribute("role") is None
        assert page.locator("figure.chart").first.get_by_role("link", name="Data of this chart").is_visible()


def test_paper_is_light_and_has_what_was_folded(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 1280, "height": 900}, color_scheme="dark") as visit:
        page = visit.open("scenarios/primes.html")
        page.wait_for_selector('body[data-md-color-scheme="slate"]')
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.evaluate("getComputedStyle(document.querySelector('main h1')).color") == "rgb(31, 36, 48)"
        folded = page.locator("details.more:not([open]) table")
        assert folded.count()
        assert all(folded.nth(each).bounding_box() for each in range(folded.count()))


def test_a_folded_table_is_still_a_table(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 900}) as visit:
        page = visit.open("scenarios/primes.html")
        table = page.get_by_role("table", name="published").first
        assert table.get_by_role("rowheader").count() >= len(catalogue.find()["primes"].runners)
        assert table.get_by_role("cell").count()


def test_a_table_is_reached_from_the_keyboard(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 900}) as visit:
        page = visit.open("scenarios/primes.html")
        page.locator(".scroller").first.focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Shift+Tab")
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate("document.activeElement.matches('.scroller')")
        assert page.evaluate(outline) == "solid"


@pytest.mark.parametrize("words", ["S4.2", "semaphore", "process_pool"])
def test_the_search_finds_claims_and_runners(browser: Browser, site: str, words: str) -> None:
    with Visit(browser, site, viewport={"width": 1280, "height": 900}) as visit:
        page = visit.open("index.html")
        page.locator("input.md-search__input").fill(words)
        page.wait_for_selector(".md-search-result__item a")
        assert words.lower() in page.locator(".md-search-result").inner_text().lower()
        assert not visit.complaints


def test_the_search_s_index_is_fetched_when_a_reader_turns_to_the_search(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 900}) as visit:
        page = visit.open("index.html")
        page.wait_for_timeout(300)
        assert not [url for url in visit.requested if "search_index" in url]
        page.locator("label.md-header__button[for=__search]").click()
        page.locator("input.md-search__input").fill("semaphore")
        page.wait_for_selector(".md-search-result__item a")
        assert len([url for url in visit.requested if "search_index" in url]) == 1


def test_an_address_with_a_search_is_answered(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 1280, "height": 900}) as visit:
        page = visit.open("index.html?q=semaphore")
        page.wait_for_selector(".md-search-result__item a")
        assert "semaphore" in page.locator(".md-search-result").inner_text().lower()


def test_a_page_that_is_not_there_leads_on(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 900}) as visit:
        page = visit.open("404.html")
        assert page.get_by_role("heading", name="There is no such page").is_visible()
        for name in ("Home", "Scenarios", "Claims", "Data"):
            assert page.locator("main").get_by_role("link", name=name).first.is_visible()


def test_a_page_says_what_it_is_to_those_who_show_links_and_readers_of_feeds(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 1280, "height": 900}) as visit:
        page = visit.open("scenarios/primes.html")
        told = page.evaluate(
            """() => Object.fromEntries(
                [...document.querySelectorAll("meta[property]")].map((m) => [m.getAttribute("property"), m.content])
            )"""
        )
        assert told["og:title"]
        assert len(told["og:description"]) > 20
        feed = page.locator("link[type='application/atom+xml']").evaluate("(link) => link.href")
        assert "<feed" in page.request.get(feed).text()


@pytest.mark.parametrize("path", [*PAGES, "compare.html"])
def test_a_page_has_the_styles_of_all_that_stands_on_it(browser: Browser, site: str, path: str) -> None:
    with Visit(browser, site, java_script_enabled=False) as visit:
        page = visit.open(path)
        used = set(page.evaluate("[...document.querySelectorAll('article *')].flatMap((one) => [...one.classList])"))
        loaded = page.evaluate("[...document.querySelectorAll('link[rel=stylesheet]')].map((one) => one.href)")
    known = THEMES | set(CLASS.findall((ASSETS / "site.css").read_text() + families_css()))
    for sheet in ("tables.css", "board.css"):
        own = set(CLASS.findall((ASSETS / sheet).read_text())) - known
        known |= own
        assert any(sheet in link for link in loaded) == bool(used & own), used & own


def test_the_first_table_costs_little(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 844}, java_script_enabled=True) as visit:
        sizes: list[int] = []
        visit.page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
        visit.open("scenarios/primes.html")
        visit.page.wait_for_timeout(300)
        assert sum(sizes) < 700_000  # uncompressed; a host compresses it to under 150 KB
