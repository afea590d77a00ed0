"""Charts that fail, that are printed, and how they are painted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import INK, choose, come_to_chart, drawn_chart, hold

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "scenarios/primes.html"
AREA = "#primes-1-bars .chart__area"


@pytest.mark.surroundings(color_scheme="dark")
def test_a_chart_in_the_dark_is_printed_in_ink(page: Page) -> None:
    drawn_chart(page)
    fill = f"getComputedStyle(document.querySelector('{AREA} .xtick text')).fill"
    light_ink = page.evaluate(fill)
    page.emulate_media(media="print")
    assert page.evaluate(fill) == "rgb(31, 36, 48)"
    page.wait_for_function(f"{INK} === '#1f2430'")
    page.emulate_media(media="screen")
    page.wait_for_function(f"() => {fill} === '{light_ink}'")


def test_after_the_library_failed_once_the_next_chart_asks_again(visit: Visit) -> None:
    visit.lose("**/plotly*", times=1)
    areas = visit.open("scenarios/heartbeat.html").locator(".chart__area:visible")
    areas.first.scroll_into_view_if_needed()
    areas.first.filter(has_text="the chart library did not load").wait_for()
    areas.last.scroll_into_view_if_needed()
    areas.last.locator(".main-svg").first.wait_for()


def test_without_the_script_of_the_charts_each_says_so(visit: Visit) -> None:
    visit.lose("**/charts.js")
    page = visit.open(PAGE)
    come_to_chart(page).get_by_text("could not be drawn: its script did not load").wait_for()


def test_a_chart_that_arrives_after_its_machine_was_left_is_not_drawn(visit: Visit) -> None:
    held = hold(visit.page, "**/assets/charts/primes-1-bars.json")
    page = visit.open(PAGE)
    page.evaluate(f"window.left = document.querySelector('{AREA}')")
    with page.expect_request("**/plotly*"):
        come_to_chart(page)
    choose(page, "machine", "other-host")
    page.wait_for_selector("[data-piece] p.facts:visible >> text=other-host")
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
