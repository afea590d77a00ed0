"""Charts: the picture that a page comes with, the Plotly chart that takes its place, and failures."""

import pytest
from playwright.sync_api import Page
from visiting import NARROW, Visit, choose_scheme, come_to_chart, drawn_chart, settle

PAGE = "scenarios/primes.html"
AREA = ".chart__area"
INK = f"document.querySelector('{AREA}').layout.font.color"


@pytest.mark.context(viewport=NARROW)
def test_chart_replaces_its_picture_when_a_reader_comes(visit: Visit) -> None:
    page = visit.open(PAGE)
    settle(page)
    assert page.locator(f"{AREA}:visible > svg").count()
    assert not visit.urls("plotly")
    size = "(one) => [one.clientWidth, one.clientHeight]"
    before = page.locator(AREA).first.evaluate(size)
    area = drawn_chart(page)
    area.locator(".main-svg").first.wait_for()
    assert area.evaluate(size) == pytest.approx(before, abs=1)
    assert len(visit.urls("plotly")) == 1


def test_colours_follow_the_scheme_and_paper_is_light(page: Page) -> None:
    choose_scheme(page, "light")
    drawn_chart(page)
    light = page.evaluate(INK)
    choose_scheme(page, "dark")
    page.wait_for_function(f"{INK} !== '{light}'")
    page.emulate_media(media="print")
    page.wait_for_function(f"{INK} === '{light}'")


@pytest.mark.parametrize("lost", ["**/assets/charts/*.json", "**/plotly*"])
def test_failed_chart_keeps_its_picture_and_shows_why(visit: Visit, lost: str) -> None:
    visit.refuse(lost)
    page = visit.open(PAGE)
    area = come_to_chart(page)
    page.locator("figure.chart [role=status]").first.wait_for()
    assert area.locator("svg").first.is_visible()
