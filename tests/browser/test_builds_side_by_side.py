"""Builds side by side: chosen by label, filter or address, and all of them on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import INK, choose, drawn_chart, families

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "scenarios/primes.html"
CHART = "primes-1-bars-cpython-3.13.1"
TOP = f"document.getElementById('{CHART}')?.getBoundingClientRect().top"


def test_a_chart_is_of_the_build_that_is_chosen(visit: Visit, page: Page) -> None:
    for build in ("cpython-3.13.1", "cpython-3.12.8"):
        choose(page, "build", build)
        figure = page.locator(".build:visible figure.chart").first
        drawn_chart(figure)
        assert build in figure.locator("figcaption .facts").inner_text()
        facts = page.locator(".build:visible figure.chart .facts").all_text_contents()
        assert all(build in each for each in facts)
    assert visit.urls("primes-1-bars-cpython-3.13.1.json")


def test_a_chart_behind_another_build_s_takes_the_colours_of_the_scheme_when_it_is_shown(page: Page) -> None:
    drawn_chart(page)
    light = page.evaluate(INK)
    choose(page, "build", "cpython-3.13.1")
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector('body[data-md-color-scheme="slate"]')
    choose(page, "build", "cpython-3.12.8")
    drawn_chart(page)
    page.wait_for_function(f"{INK} !== '{light}'")


@pytest.mark.parametrize("query", ["", "?build=cpython-3.13.1"])
def test_a_link_to_a_chart_of_another_build_chooses_that_build_and_lands_on_it(visit: Visit, query: str) -> None:
    page = visit.open(f"{PAGE}{query}#{CHART}")
    page.wait_for_function(f"() => {TOP} >= 0 && {TOP} < 300")
    assert "build=cpython-3.13.1" in page.url
    assert page.locator("select[name=build]").input_value() == "cpython-3.13.1"


def test_a_link_inside_the_page_to_a_chart_of_another_build_is_not_hidden_by_the_header(page: Page) -> None:
    header = page.locator(".md-header").evaluate("(one) => one.getBoundingClientRect().bottom")
    page.evaluate(f"location.hash = '{CHART}'")
    page.wait_for_function(f"() => {TOP} >= {header} && {TOP} < 300")


def test_tables_of_a_build_come_when_it_is_chosen_and_are_dressed_as_the_others(visit: Visit) -> None:
    page = visit.open(f"{PAGE}?family=processes")
    other = page.locator(".builds").first.locator(".build").nth(1)
    assert other.locator("table").count() == 0
    page.locator(".builds > label", has_text="cpython-3.13.1").first.click()
    table = other.locator("table.data").first
    table.locator("button.sort").first.wait_for()
    assert families(other) == {"processes"}
    assert "ago)" in other.locator("p.facts").inner_text()
    drawn_chart(other)


def test_each_label_chooses_its_own_build_wherever_it_is_pressed(page: Page) -> None:
    group = page.locator(".builds").first
    for number in (1, 0):
        for place in (None, {"x": 12, "y": 10}, {"x": 3, "y": 5}):
            group.locator("> label").nth(1 - number).click()
            label = group.locator("> label").nth(number)
            label.click(position=place)  # type: ignore[arg-type] # a plain dict of the right shape
            assert group.locator("> input").nth(number).is_checked(), (number, place)


def test_on_the_way_back_the_build_that_was_chosen_has_its_tables(visit: Visit) -> None:
    page = visit.open("articles/a-server-that-blocks.html")
    page.locator(".builds > label", has_text="cpython-3.13.1").first.click()
    page.locator("a.md-logo").first.evaluate("(link) => link.click()")
    page.wait_for_url("**/index.html")
    page.go_back()
    chosen = page.locator(".builds").first.locator("> input:checked")
    assert chosen.get_attribute("value") == "cpython-3.13.1"
    page.locator(".builds > input[value='cpython-3.13.1'] + label + .build table").first.wait_for()


def test_paper_has_the_tables_of_every_build(page: Page) -> None:
    blocks, folded = page.locator(".build"), page.locator(".build > noscript")
    assert folded.count() == blocks.count() - page.locator(".builds").count() > 0
    page.pdf()
    page.emulate_media(media="print")
    for number in range(blocks.count()):
        assert blocks.nth(number).locator("table.data").first.is_visible()
