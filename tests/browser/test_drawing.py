"""Charts that fail, that are printed, and how they are painted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import INK, choose_scheme, come_to_chart, drawn_chart, hold, show

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "scenarios/primes.html"
AREA = "#primes-1-bars .chart__area"


@pytest.mark.surroundings(color_scheme="dark")
def test_paper_is_light_with_charts_in_ink(page: Page) -> None:
    choose_scheme(page, "dark")
    drawn_chart(page)
    fill = f"getComputedStyle(document.querySelector('{AREA} .xtick text')).fill"
    light_ink = page.evaluate(fill)
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('main h1')).color") == "rgb(31, 36, 48)"
    assert page.evaluate(fill) == "rgb(31, 36, 48)"
    page.wait_for_function(f"{INK} === '#1f2430'")
    page.emulate_media(media="screen")
    page.wait_for_function(f"() => {fill} === '{light_ink}'")


def test_after_the_library_failed_once_the_next_chart_asks_again(visit: Visit) -> None:
    visit.refuse("**/plotly*", times=1)
    areas = visit.open("scenarios/heartbeat.html").locator(".chart__area:visible")
    areas.first.scroll_into_view_if_needed()
    areas.first.filter(has_text="the chart library did not load").wait_for()
    areas.last.scroll_into_view_if_needed()
    areas.last.locator(".main-svg").first.wait_for()


@pytest.mark.parametrize(
    ("lost", "reason"),
    [("**/charts.js", "its script did not load"), ("**/assets/charts/*.json", "its data did not load (404)")],
)
def test_a_chart_that_can_t_be_drawn_says_why(visit: Visit, lost: str, reason: str) -> None:
    visit.refuse(lost)
    page = visit.open(PAGE)
    area = come_to_chart(page)
    area.get_by_text(f"could not be drawn: {reason}").wait_for()
    assert area.get_attribute("role") is None
    assert page.locator("figure.chart").first.get_by_role("link", name="Data of this chart").is_visible()


@pytest.mark.parametrize(
    ("name", "away", "back"),
    [("build", "cpython-3.13.1", "cpython-3.12.8"), ("machine", "other-host", "fixture-host")],
)
def test_a_chart_that_comes_back_has_the_colours_of_now(page: Page, name: str, away: str, back: str) -> None:
    drawn_chart(page).evaluate("(area) => { window.left = area; }")
    light = page.evaluate(INK)
    show(page, name, away)
    assert page.evaluate("'data' in left") == (name == "build")  # what is put away is let go, what is hidden stays
    choose_scheme(page, "dark")
    show(page, name, back)
    drawn_chart(page)
    page.wait_for_function(f"{INK} !== '{light}'")


def test_a_chart_that_arrives_after_its_machine_was_left_is_not_drawn(visit: Visit) -> None:
    held = hold(visit.page, "**/assets/charts/primes-1-bars.json")
    page = visit.open(PAGE)
    page.evaluate(f"window.left = document.querySelector('{AREA}')")
    with page.expect_request("**/plotly*"):
        come_to_chart(page)
    show(page, "machine", "other-host")
    drawn_chart(page)
    with page.expect_response("**/assets/charts/primes-1-bars.json"):
        held[0].continue_()
    page.wait_for_function("() => !left.hasAttribute('aria-busy')")
    assert page.evaluate("left.querySelector('svg')") is None


def test_a_sweep_has_a_band_and_a_line_for_each_runner(visit: Visit) -> None:
    page = visit.open("scenarios/heartbeat.html#code-task_burst")
    figure = page.locator("figure.chart[id*='-sweep']:visible").first
    traces = drawn_chart(figure).evaluate(
        "(area) => area._fullData.map(({ name, fill, fillcolor, line, marker }) => [name, fill, fillcolor ?? '',"
        " line.dash ?? '', marker?.symbol ?? ''])"
    )
    bands = {name: colour for name, fill, colour, _, _ in traces if fill == "toself"}
    lines = {name: (dash, symbol) for name, fill, _, dash, symbol in traces if fill != "toself"}
    assert bands.keys() == lines.keys()
    assert all(len(colour) == 9 for colour in bands.values())
    assert "solid" in {dash for dash, _ in lines.values()}
    assert all(symbol for _, symbol in lines.values())
