"""What axe-core finds: nothing in our content; in the whole page only what the theme itself brings, listed by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from visiting import PAGES, Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

THEMES_OWN = {
    "aria-dialog-name": '<div class="md-search"',
    "landmark-unique": '<nav class="md-',
    "scrollable-region-focusable": '<div class="md-typeset__scrollwrap"',
}
"""By rule, how the theme's own elements begin that break it."""
OPEN_ALL = "() => document.querySelectorAll('main details').forEach((each) => { each.open = true; })"
MOVING = """() => {
  const inSeconds = (text) => text.split(",").map(parseFloat); // computed values are told in seconds
  return Math.max(...[...document.querySelectorAll("body *")].flatMap((one) => {
    const { transitionDuration, animationDuration } = getComputedStyle(one);
    return [...inSeconds(transitionDuration), ...inSeconds(animationDuration)];
  }));
}"""
WIDE = {"width": 1280, "height": 900}


def violations(page: Page, context: str | None = None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = Axe().run(page, context=context).response["violations"]
    return found


def words(found: list[dict[str, Any]]) -> list[str]:
    return [
        f"{each['id']}: {node['target']} {node['html'][:120]}"
        for each in found
        for node in each["nodes"]
        if not node["html"].startswith(THEMES_OWN.get(each["id"], "\0"))
    ]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
@pytest.mark.parametrize("path", [*PAGES, "compare.html"])
def test_what_we_put_on_a_page_violates_no_rule(
    browser: Browser,
    site: str,
    path: str,
    scheme: Any,  # noqa: ANN401 - a literal
    width: int,
) -> None:
    with Visit(browser, site, viewport={"width": width, "height": 900}, color_scheme=scheme) as visit:
        page = visit.open(path)
        page.evaluate(OPEN_ALL)
        found = words(violations(page))
        assert not found, "\n".join(found)


def test_an_open_card_violates_no_rule(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 844}) as visit:
        page = visit.open("index.html")
        page.locator("a.square").first.click()
        page.get_by_role("dialog", name="Verdict").wait_for()
        assert words(violations(page, "dialog")) == []


def test_nothing_moves_for_those_who_asked_for_that(browser: Browser, site: str) -> None:
    longest = {}
    for asked in ("no-preference", "reduce"):
        with Visit(browser, site, viewport=WIDE, reduced_motion=asked) as visit:
            longest[asked] = visit.open("scenarios/primes.html").evaluate(MOVING)
    assert longest["reduce"] <= 0.001 < longest["no-preference"]


def test_bars_and_marks_are_seen_where_the_system_forces_its_colours(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE, forced_colors="active") as visit:
        page = visit.open("scenarios/primes.html")
        for part in (".track", ".mark"):
            style = f"getComputedStyle(document.querySelector('.build {part}'))"
            assert page.evaluate(f"{style}.forcedColorAdjust") == "none", part
        assert "gradient" in page.evaluate(f"{style.replace('.mark', '.track')}.backgroundImage")
        assert page.evaluate(f"{style}.backgroundColor") != "rgba(0, 0, 0, 0)"


def test_the_builds_are_one_group_that_shows_where_the_keyboard_is(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("scenarios/primes.html")
        group = page.get_by_role("radiogroup", name="Build").first
        group.locator("> input:checked").focus()
        page.keyboard.press("ArrowRight")
        assert group.get_by_role("radio", checked=True).get_attribute("value") == "cpython-3.13.1"
        assert page.evaluate("getComputedStyle(document.activeElement.nextElementSibling).outlineStyle") == "solid"
