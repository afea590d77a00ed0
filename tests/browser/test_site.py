"""The built site in a real browser: every kind of page, narrow and wide, light and dark, with JavaScript or not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import pytest
from visiting import NARROW, PAGES, WIDE, Visit, come_to_chart, drawn_chart

from generate.site.families_css import families_css
from generate.site.pipeline import ASSETS
from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGE = "scenarios/primes.html"

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
    for size in (NARROW, WIDE):
        with Visit(browser, site, viewport=size) as visit:
            page = visit.open(path)
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                page.evaluate(SCROLL_THROUGH)
                page.wait_for_function(ALL_DRAWN, timeout=20_000)
                assert page.evaluate(SIDEWAYS) <= 0, (size, scheme)
            assert not visit.complaints, size
            assert not visit.foreign(), size


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.surroundings(java_script_enabled=False)
def test_a_page_is_complete_without_javascript(visit: Visit, path: str) -> None:
    page = visit.open(path)
    assert not visit.foreign()
    assert not page.locator(".chart__area:visible").count()
    captions = page.locator("figure.chart figcaption")
    assert captions.count() == page.locator("figure.chart").count()
    assert all(page.locator("main h1").all_inner_texts())
    for size in (NARROW, WIDE):
        page.set_viewport_size(size)
        assert page.evaluate(SIDEWAYS) <= 0, size


@pytest.mark.surroundings(viewport=NARROW, java_script_enabled=False)
def test_tables_have_every_row_without_javascript(page: Page) -> None:
    block = page.locator(".build").first
    runners = list(catalogue.find()["primes"].runners)
    for name in runners:
        assert block.locator("tbody tr", has_text=name).first.is_visible()
    assert block.locator(".track").count() >= len(runners)


@pytest.mark.surroundings(viewport=NARROW)
def test_a_page_is_no_wider_than_a_phone_before_the_theme_s_script_has_run(visit: Visit) -> None:
    visit.lose("**/bundle.*.js")
    for path in ("articles/a-server-that-blocks.html", "data.html", "index.html"):
        assert visit.open(path).evaluate(SIDEWAYS) <= 0, path


@pytest.mark.surroundings(java_script_enabled=False)
def test_builds_are_chosen_without_javascript(page: Page) -> None:
    second = page.locator(".builds").first.locator(".build").nth(1)
    assert not second.is_visible()
    page.locator(".builds > label", has_text="cpython-3.13.1").first.click()
    assert second.is_visible()
    assert "ran out of time" in second.inner_text()


@pytest.mark.surroundings(viewport={"width": 390, "height": 600})
def test_the_chart_library_is_fetched_only_when_a_chart_comes_near(visit: Visit, page: Page) -> None:
    page.wait_for_timeout(300)
    assert not visit.urls("plotly")
    drawn_chart(page).locator(".main-svg").first.wait_for()
    assert len(visit.urls("plotly")) == 1


def test_a_chart_whose_data_is_gone_says_so(visit: Visit) -> None:
    visit.refuse("**/assets/charts/*.json")
    page = visit.open(PAGE)
    area = come_to_chart(page)
    area.get_by_text("could not be drawn").wait_for()
    assert area.get_attribute("role") is None
    assert page.locator("figure.chart").first.get_by_role("link", name="Data of this chart").is_visible()


@pytest.mark.surroundings(color_scheme="dark")
def test_paper_is_light_and_has_what_was_folded(page: Page) -> None:
    page.wait_for_selector('body[data-md-color-scheme="slate"]')
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('main h1')).color") == "rgb(31, 36, 48)"
    folded = page.locator("details.more:not([open]) table")
    assert folded.count()
    assert all(folded.nth(each).bounding_box() for each in range(folded.count()))


@pytest.mark.surroundings(viewport=NARROW)
def test_a_folded_table_is_still_a_table(page: Page) -> None:
    table = page.get_by_role("table", name="published").first
    assert table.get_by_role("rowheader").count() >= len(catalogue.find()["primes"].runners)
    assert table.get_by_role("cell").count()


@pytest.mark.surroundings(viewport=NARROW)
def test_a_table_is_reached_from_the_keyboard(page: Page) -> None:
    page.locator(".scroller").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate("document.activeElement.matches('.scroller')")
    assert page.evaluate(outline) == "solid"


@pytest.mark.parametrize("words", ["S4.2", "semaphore", "process_pool"])
def test_the_search_finds_claims_and_runners(visit: Visit, words: str) -> None:
    page = visit.open("index.html")
    page.locator("input.md-search__input").fill(words)
    page.wait_for_selector(".md-search-result__item a")
    assert words.lower() in page.locator(".md-search-result").inner_text().lower()


@pytest.mark.surroundings(viewport=NARROW)
def test_the_search_s_index_is_fetched_when_a_reader_turns_to_the_search(visit: Visit) -> None:
    page = visit.open("index.html")
    page.wait_for_timeout(300)
    assert not visit.urls("search_index")
    page.locator("label.md-header__button[for=__search]").click()
    page.locator("input.md-search__input").fill("semaphore")
    page.wait_for_selector(".md-search-result__item a")
    assert len(visit.urls("search_index")) == 1


def test_an_address_with_a_search_is_answered(visit: Visit) -> None:
    page = visit.open("index.html?q=semaphore")
    page.wait_for_selector(".md-search-result__item a")
    assert "semaphore" in page.locator(".md-search-result").inner_text().lower()


@pytest.mark.surroundings(viewport=NARROW)
def test_a_page_that_is_not_there_leads_on(visit: Visit) -> None:
    page = visit.open("404.html")
    assert page.get_by_role("heading", name="There is no such page").is_visible()
    for name in ("Home", "Scenarios", "Claims", "Data"):
        assert page.locator("main").get_by_role("link", name=name).first.is_visible()


def test_a_page_says_what_it_is_to_those_who_show_links_and_readers_of_feeds(page: Page) -> None:
    assert page.locator("meta[property='og:title']").get_attribute("content")
    assert len(page.locator("meta[property='og:description']").get_attribute("content") or "") > 20
    feed = page.locator("link[type='application/atom+xml']").evaluate("(link) => link.href")
    assert "<feed" in page.request.get(feed).text()


@pytest.mark.parametrize("path", [*PAGES, "compare.html"])
@pytest.mark.surroundings(java_script_enabled=False)
def test_a_page_has_the_styles_of_all_that_stands_on_it(visit: Visit, path: str) -> None:
    page = visit.open(path)
    used = set(page.evaluate("[...document.querySelectorAll('article *')].flatMap((one) => [...one.classList])"))
    loaded = page.evaluate("[...document.querySelectorAll('link[rel=stylesheet]')].map((one) => one.href)")
    known = THEMES | set(CLASS.findall((ASSETS / "site.css").read_text() + families_css()))
    for sheet in ("tables.css", "board.css"):
        own = set(CLASS.findall((ASSETS / sheet).read_text())) - known
        known |= own
        assert any(sheet in link for link in loaded) == bool(used & own), used & own


@pytest.mark.surroundings(viewport=NARROW)
def test_the_first_table_costs_little(visit: Visit) -> None:
    sizes: list[int] = []
    visit.page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    visit.open(PAGE)
    visit.page.wait_for_timeout(300)
    assert sum(sizes) < 700_000  # uncompressed; a host compresses it to under 150 KB
