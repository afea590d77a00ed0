"""Home on a phone: how long it is, what its first screen shows, and the cards of its articles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import LONGEST_PX, NARROW, WIDE, height_px, lay_out_all, wait_until_filled

from generate.pages.article_list import read
from runners.harness.catalogue.scenarios import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

PAGE = "index.html"
BEYOND = """() => [...document.querySelectorAll(".cards__one")].flatMap((card) =>
  [...card.querySelectorAll("text, p, h3")]
    .filter((one) => one.getBoundingClientRect().right > card.getBoundingClientRect().right)
    .map((one) => one.textContent))"""


@pytest.mark.surroundings(viewport=NARROW)
def test_home_is_short_and_its_first_picture_is_on_the_first_screen(page: Page) -> None:
    wait_until_filled(page, PAGE)
    assert height_px(page) <= LONGEST_PX[PAGE]
    first = page.locator("figure.bars svg").first.bounding_box()
    assert first
    assert first["y"] + first["height"] <= NARROW["height"]


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
def test_every_article_has_a_card_that_holds_its_picture_and_words(page: Page, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    lay_out_all(page)
    assert page.locator(".cards__one h3").all_inner_texts() == [article.title for article in read(ROOT / "docs")]
    assert page.evaluate(BEYOND) == []
    tops = page.locator(".cards__one").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert tops[0] == tops[1]  # asked for at one moment: the page may still move


@pytest.mark.surroundings(viewport=NARROW)
def test_a_press_on_a_card_s_picture_leads_to_its_article(page: Page) -> None:
    wait_until_filled(page, PAGE)
    lay_out_all(page)
    page.locator(".cards__picture svg").first.click(force=True)  # the link lies above it; so nothing may move any more
    page.wait_for_url("**/articles/start-here.html")


def test_the_button_of_the_small_form_can_be_seen(page: Page) -> None:
    looks = page.locator(".choose-small button").evaluate("(one) => getComputedStyle(one).color")
    assert looks != page.evaluate("getComputedStyle(document.body).backgroundColor")
