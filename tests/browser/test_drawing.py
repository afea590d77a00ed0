"""Charts: the pictures that pages come with, what takes their place, and what a reader may switch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import INK, NARROW, choose_scheme, come_to_chart, drawn_chart, fill_folds, hold, open_folds, settle, show

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "scenarios/primes.html"
AREA = "#primes-1-bars .chart__area"
SIZE = "({ offsetWidth, offsetHeight }) => [offsetWidth, offsetHeight]"
NAMES_IN_ORDER = """({ data }) => data
  .filter(({ textposition, meta }) => textposition === "middle right" && !meta.is_number)
  .sort((a, b) => a.y[0] - b.y[0]).map(({ text }) => text[0].trim())"""


@pytest.mark.surroundings(color_scheme="dark")
def test_paper_is_light_with_charts_in_ink(page: Page) -> None:
    choose_scheme(page, "dark")
    drawn_chart(page)
    fill = f"getComputedStyle(document.querySelector('{AREA} .xtick text')).fill"
    light_ink = page.evaluate(fill)
    assert page.evaluate(fill.replace("xtick", "textpoint")) == "rgb(228, 231, 236)"
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('main h1')).color") == "rgb(31, 36, 48)"
    assert page.evaluate(fill) == "rgb(31, 36, 48)"
    assert page.evaluate(fill.replace("xtick", "textpoint")) == "rgb(31, 36, 48)"
    page.wait_for_function(f"{INK} === '#1f2430'")
    page.emulate_media(media="screen")
    page.wait_for_function(f"() => {fill} === '{light_ink}'")


def test_after_a_failed_load_the_next_chart_asks_again(visit: Visit) -> None:
    visit.refuse("**/plotly*", times=1)
    page = visit.open("scenarios/heartbeat.html")
    come_to_chart(page)
    page.get_by_text("the chart library did not load").first.wait_for()
    fill_folds(page)
    fold = page.locator("details[id^=case-]:has(.chart__area)").last
    fold.locator("> summary").click()
    drawn_chart(fold).locator(".main-svg").first.wait_for()


@pytest.mark.parametrize(
    ("lost", "reason"),
    [("**/charts.js", "its script did not load"), ("**/assets/charts/*.json", "its data did not load (404)")],
)
def test_a_chart_that_fails_keeps_its_picture_and_says_why(visit: Visit, lost: str, reason: str) -> None:
    visit.refuse(lost)
    page = visit.open(PAGE)
    area = come_to_chart(page)
    page.locator("figure.chart").first.get_by_text(f"could not be drawn: {reason}").wait_for()
    assert area.locator("svg.rows rect").first.is_visible()
    assert page.locator("figure.chart").first.get_by_role("link", name="Data of this chart").is_visible()


def test_a_table_that_comes_back_has_the_order_of_now(page: Page) -> None:
    table = page.locator(".build:visible table.data").first
    table.scroll_into_view_if_needed()
    table.locator("button.sort").first.wait_for()
    families = "(table) => [...table.tBodies[0].rows].map((row) => row.cells[0].dataset.sort)"
    by_value = table.evaluate(families)
    assert by_value != sorted(by_value, key=int)
    show(page, "build", "cpython-3.12.8")
    page.get_by_role("button", name="Family by family").first.press("Enter")
    show(page, "build", "cpython-3.13.1")
    by_family = page.locator(".build:visible table.data").first.evaluate(families)
    assert by_family == sorted(by_family, key=int)
    assert sorted(by_value) == sorted(by_family)


@pytest.mark.parametrize(
    ("name", "away", "back"),
    [
        ("build", "cpython-3.12.8", "cpython-3.13.1"),
        ("machine", "other-host-2-cores-fixture-cpu", "fixture-host-2-cores-fixture-cpu"),
    ],
)
def test_a_chart_that_comes_back_has_the_colours_of_now(page: Page, name: str, away: str, back: str) -> None:
    drawn_chart(page).evaluate("(area) => { window.left = area; }")
    light = page.evaluate(INK)
    show(page, name, away)
    assert not page.evaluate("'data' in left")  # what is put away is let go
    choose_scheme(page, "dark")
    show(page, name, back)
    drawn_chart(page)
    page.wait_for_function(f"{INK} !== '{light}'")


def test_a_chart_of_a_machine_left_meanwhile_is_not_drawn(visit: Visit) -> None:
    held = hold(visit.page, "**/assets/charts/primes-1-bars.json")
    page = visit.open(PAGE)
    page.evaluate(f"window.left = document.querySelector('{AREA}')")
    with page.expect_request("**/plotly*"):
        come_to_chart(page)
    show(page, "machine", "other-host-2-cores-fixture-cpu")
    drawn_chart(page)
    with page.expect_response("**/assets/charts/primes-1-bars.json"):
        held[0].continue_()
    page.wait_for_function("() => !left.hasAttribute('aria-busy')")
    assert page.evaluate("left.querySelector('.main-svg')") is None


def test_each_line_of_a_sweep_looks_as_its_legend_shows(visit: Visit) -> None:
    page = visit.open("scenarios/heartbeat.html")
    open_folds(page)
    figure = page.locator("figure.chart[id*='-sweep']:visible").first
    key = "(all) => all.map((one) => [getComputedStyle(one).stroke, one.getAttribute('stroke-dasharray')].join())"
    pictured = figure.locator(".keys path").evaluate_all(key)
    assert pictured == figure.locator(".chart__area g[class^=family] > path:first-child").evaluate_all(key)
    assert len(set(pictured)) == len(pictured) > 1
    traces = drawn_chart(figure).evaluate(
        "(area) => area._fullData.filter(({ meta }) => !meta.is_run)"
        ".map(({ name, line, marker }) => [name, line.color, line.dash, marker.symbol])"
    )
    assert len({(colour, dash) for _, colour, dash, _ in traces}) == len(traces) == len(pictured)
    assert all(symbol and colour for _, colour, _, symbol in traces)


@pytest.mark.surroundings(viewport=NARROW)
def test_a_chart_takes_the_place_and_size_of_its_picture(visit: Visit) -> None:
    page = visit.open(PAGE)
    settle(page)
    area = page.locator(AREA)
    names = area.locator("svg.rows g > text:first-child").all_text_contents()
    assert "plain loop" in names
    size = area.evaluate(SIZE)
    assert not visit.urls("plotly")
    drawn_chart(page)
    assert area.locator("svg.rows").count() == 0
    assert area.evaluate(SIZE) == size
    assert area.evaluate(NAMES_IN_ORDER) == names


def test_a_chart_and_its_table_change_to_families_together(visit: Visit) -> None:
    page = visit.open(PAGE)
    drawn_chart(page)
    table = page.locator(".build:visible table.data").first
    table.scroll_into_view_if_needed()
    table.locator("button.sort").first.wait_for()
    rows = table.locator("tbody tr:not(.control) th > a")
    by_value = rows.all_inner_texts()
    switch = page.get_by_role("button", name="Family by family").first
    for order in ("family", None):
        switch.press("Enter")
        assert switch.get_attribute("aria-pressed") == str(order is not None).lower()
        assert ("order=family" in page.url) == (order is not None)
        drawn = page.locator(AREA).evaluate(NAMES_IN_ORDER)
        assert drawn == [name for name in rows.all_inner_texts() if name in drawn]
        assert (rows.all_inner_texts() == by_value) == (order is None)
    switch.press("Enter")
    page.reload()
    assert page.get_by_role("button", name="Family by family").first.get_attribute("aria-pressed") == "true"
