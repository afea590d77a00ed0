"""The built site in a real browser: every kind of page, narrow and wide, light and dark, with JavaScript or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import NARROW, PAGES, WIDE, choose_scheme, drawn_chart, open_folds, settle, wait_until_filled

from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize
    from visiting import Visit

PAGE = "scenarios/primes.html"

COME_TO_EACH_CHART = """async () => {
  for (const area of document.querySelectorAll(".chart__area")) {
    while (area.checkVisibility() && area.dataset.state === "waiting") {
      area.scrollIntoView(); // again, where what is laid out meanwhile has moved it away
      await new Promise(requestAnimationFrame);
    }
  }
}"""
ALL_DRAWN = """() => [...document.querySelectorAll(".chart__area")].every(
  (area) => area.dataset.state === "drawn" || !area.checkVisibility(),
)"""
"""Those of builds that are not chosen, and in folds, are not."""
STOPS_AT_WHAT_IS_SCROLLED = """() => {
  const boxes = [...document.querySelectorAll(".scroller")].filter((box) => box.checkVisibility() && box.clientWidth);
  const isScrolled = (box) => box.scrollWidth > box.clientWidth;
  return new Set(boxes.map(isScrolled)).size === 2 && boxes.every((box) => isScrolled(box) === (box.tabIndex === 0));
}"""
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_draws_without_a_complaint_at_any_width_and_scheme(visit: Visit, path: str, size: ViewportSize) -> None:
    visit.page.set_viewport_size(size)
    page = visit.open(path)
    wait_until_filled(page, path)
    page.mouse.move(5, 5)
    page.evaluate(COME_TO_EACH_CHART)
    page.wait_for_function(ALL_DRAWN)
    assert page.evaluate(SIDEWAYS) <= 0
    choose_scheme(page, "dark")
    assert page.evaluate(ALL_DRAWN)
    assert page.evaluate(SIDEWAYS) <= 0
    assert not visit.foreign()


@pytest.mark.parametrize("path", [*PAGES, "compare.html"])
@pytest.mark.surroundings(java_script_enabled=False)
def test_a_page_is_complete_without_javascript(visit: Visit, path: str) -> None:
    page = visit.open(path)
    assert not visit.foreign()
    pictures = page.locator(".chart__area:visible > svg")
    assert pictures.count() == page.locator(".chart__area:visible").count()
    assert page.locator("figure.chart figcaption").count() == page.locator("figure.chart").count()
    assert all(page.locator("main h1").all_inner_texts())
    for size in (NARROW, WIDE):
        page.set_viewport_size(size)
        assert page.evaluate(SIDEWAYS) <= 0, size


@pytest.mark.surroundings(viewport=NARROW, java_script_enabled=False)
def test_tables_have_every_row_and_a_link_to_those_of_other_builds_without_javascript(page: Page) -> None:
    second, first = (page.locator(".builds").first.locator(".build").nth(number) for number in (0, 1))
    runners = list(catalogue.find()["primes"].runners)
    for name in runners:
        assert first.locator("tbody tr", has_text=name).first.is_visible()
    measured = first.locator("table").first.locator("tbody tr", has=page.locator("td[data-sort]"))
    assert first.locator("svg.rows rect").count() == measured.count() > 9
    assert not second.is_visible()
    page.locator(".builds > label", has_text="3.12.8").first.click()
    second.locator("a").click()
    page.wait_for_url("**/machines/fixture-host-2-cores-fixture-cpu/cpython-3.12.8.html")
    primes = page.locator("details", has=page.locator("summary", has_text="primes"))
    primes.locator("summary").click()
    primes.locator("td.status", has_text="rejected by the sanity gate").first.wait_for()


@pytest.mark.surroundings(viewport=NARROW)
def test_a_page_is_no_wider_than_a_phone_before_the_theme_s_script_has_run(visit: Visit) -> None:
    visit.refuse("**/bundle.*.js")
    for path in ("articles/a-server-that-blocks.html", "data.html", "index.html"):
        assert visit.open(path).evaluate(SIDEWAYS) <= 0, path


@pytest.mark.surroundings(viewport={"width": 390, "height": 600})
def test_the_first_table_costs_little_and_charts_are_fetched_when_one_comes_near(visit: Visit) -> None:
    sizes: list[int] = []
    visit.page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    page = visit.open(PAGE)
    settle(page)
    assert 100_000 < sum(sizes) < 700_000  # uncompressed; a host compresses it to under 150 KB
    assert page.locator(".chart__area:visible").first.get_attribute("data-state") == "waiting"
    assert not visit.urls("plotly")
    drawn_chart(page).locator(".main-svg").first.wait_for()
    assert len(visit.urls("plotly")) == 1


@pytest.mark.surroundings(viewport=NARROW)
def test_a_folded_table_is_still_a_table(page: Page) -> None:
    table = page.get_by_role("table", name="published").first
    assert table.get_by_role("rowheader").count() >= len(catalogue.find()["primes"].runners)
    assert table.get_by_role("cell").count()


@pytest.mark.surroundings(viewport={"width": 320, "height": 800})
def test_a_table_that_is_scrolled_sideways_is_reached_from_the_keyboard_and_others_are_no_stop(page: Page) -> None:
    open_folds(page)
    page.keyboard.press("Shift")
    page.wait_for_function(STOPS_AT_WHAT_IS_SCROLLED)
    box = page.locator(".scroller[tabindex]:visible").first
    box.focus()
    box.locator("button.sort").first.wait_for()  # it is given them when it comes near
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate("document.activeElement.matches('.scroller')")
    assert page.evaluate(outline) == "solid"


@pytest.mark.surroundings(viewport=NARROW)
def test_a_page_that_is_not_there_leads_on(visit: Visit) -> None:
    page = visit.open("404.html")
    assert page.get_by_role("heading", name="There is no such page").is_visible()
    for name in ("Home", "Choose", "Claims checked", "Pythons", "Downloads", "Scenarios"):
        assert page.locator("main").get_by_role("link", name=name).first.is_visible()


def test_a_page_says_what_it_is_to_those_who_show_links_and_readers_of_feeds(page: Page) -> None:
    assert page.locator("meta[property='og:title']").get_attribute("content")
    assert len(page.locator("meta[property='og:description']").get_attribute("content") or "") > 20
    feed = page.locator("link[type='application/atom+xml']").evaluate("(link) => link.href")
    assert "<feed" in page.request.get(feed).text()
