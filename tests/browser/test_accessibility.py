"""What axe-core finds: nothing in our content; in the whole page only what the theme itself brings, listed by rule."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from visiting import NARROW, PAGES, choose_scheme, open_card, open_folds, wait_until_filled

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "scenarios/primes.html"

THEMES_OWN = {
    "landmark-unique": '<nav class="md-',
    "scrollable-region-focusable": '<div class="md-typeset__scrollwrap"',
}
"""By rule, how the theme's own elements begin that break it."""
MOVING = """() => {
  const inSeconds = (text) => text.split(",").map(parseFloat); // computed values are told in seconds
  return Math.max(...[...document.querySelectorAll("body *")].flatMap((one) => {
    const { transitionDuration, animationDuration } = getComputedStyle(one);
    return [...inSeconds(transitionDuration), ...inSeconds(animationDuration)];
  }));
}"""


def violations(page: Page, context: str | None = None) -> list[str]:
    found = Axe().run(page, context=context, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node['html'][:120]}"
        for each in found
        for node in each["nodes"]
        if not node["html"].startswith(THEMES_OWN.get(each["id"], "\0"))
    ]


SCROLLED_CODE_HAS_FOCUS = """() => {
  const isWithout = (code) => code.scrollWidth > code.clientWidth && code.tabIndex !== 0;
  const without = [...document.querySelectorAll("pre > code")].find(isWithout);
  without?.scrollIntoView();
  return !without;
}"""


@pytest.mark.surroundings(reduced_motion="reduce")  # what still fades has not its colour yet
@pytest.mark.parametrize("path", [*PAGES, "compare.html"])
def test_what_we_put_on_a_page_violates_no_rule_light_and_wide_or_dark_and_narrow(visit: Visit, path: str) -> None:
    page = visit.open(path)
    wait_until_filled(page, path)
    open_folds(page)
    page.wait_for_function(SCROLLED_CODE_HAS_FOCUS)  # the theme sees to it when a block comes into view
    light = violations(page)
    page.set_viewport_size(NARROW)
    choose_scheme(page, "dark")
    page.wait_for_function(SCROLLED_CODE_HAS_FOCUS)
    found = [*light, *violations(page)]
    assert not found, "\n".join(found)


@pytest.mark.surroundings(viewport=NARROW)
def test_an_open_card_fits_a_phone_and_violates_no_rule(visit: Visit) -> None:
    page = visit.open("index.html")
    card = open_card(page)
    assert card.evaluate("(box) => box.scrollWidth <= box.clientWidth")
    assert violations(page, "details.row[open]") == []


FOCUSED_AND_POINTED_AT = [("index.html", ".choose-small .md-button"), ("method.html", ".md-top")]


@pytest.mark.surroundings(reduced_motion="reduce")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("path", "button"), FOCUSED_AND_POINTED_AT)
def test_a_button_can_be_read_while_it_has_the_focus(
    visit: Visit, path: str, button: str, scheme: Literal["light", "dark"]
) -> None:
    page = visit.open(path)
    wait_until_filled(page, path)
    choose_scheme(page, scheme)
    page.locator(button).evaluate("(one) => { one.hidden = false; one.focus(); }")
    assert page.evaluate(f"document.activeElement.matches('{button}')")
    assert violations(page, button) == []


def test_nothing_moves_for_those_who_asked_for_that(page: Page) -> None:
    assert page.evaluate(MOVING) > 0.001
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(MOVING) <= 0.001


@pytest.mark.surroundings(forced_colors="active")
def test_bars_and_marks_are_seen_where_the_system_forces_its_colours(page: Page) -> None:
    for part in (".track", ".mark"):
        style = f"getComputedStyle(document.querySelector('.build {part}'))"
        assert page.evaluate(f"{style}.forcedColorAdjust") == "none", part
    assert "gradient" in page.evaluate(f"{style.replace('.mark', '.track')}.backgroundImage")
    assert page.evaluate(f"{style}.backgroundColor") != "rgba(0, 0, 0, 0)"


PRESSED = """(buttons) => {
  const looks = (one) => getComputedStyle(one).backgroundColor + getComputedStyle(one).color;
  const looksOf = (pressed) => new Set(buttons.filter((one) => one.ariaPressed === pressed).map(looks));
  return [...looksOf("true")].every((one) => !looksOf("false").has(one)) && looksOf("true").size === 1;
}"""


@pytest.mark.surroundings(forced_colors="active")
def test_what_is_chosen_is_seen_where_the_system_forces_its_colours(visit: Visit) -> None:
    page = visit.open(PAGE)
    line = "(one) => getComputedStyle(one).borderBottomColor"
    labels = page.locator(".builds").first
    chosen = labels.locator("> input:checked + label").evaluate(line)
    others = labels.locator("> input:not(:checked) + label").evaluate_all(f"(all) => all.map({line})")
    assert chosen not in others
    assert {*others} == {page.evaluate("getComputedStyle(document.body).backgroundColor")}
    page.locator(".chart__switches button").first.click()
    assert page.locator(".chart__switches button").evaluate_all(PRESSED)
    page = visit.open("index.html")
    open_card(page)
    assert page.locator(".numbers button").evaluate_all(PRESSED)


def test_the_builds_are_one_group_that_shows_where_the_keyboard_is(page: Page) -> None:
    builds = page.locator(".builds").first
    builds.locator("> input:checked").focus()
    page.keyboard.press("ArrowRight")
    assert builds.get_by_role("radio", checked=True).get_attribute("value") == "cpython-3.12.8"
    assert page.evaluate("getComputedStyle(document.activeElement.nextElementSibling).outlineStyle") == "solid"


def test_for_those_who_hear_it_the_group_of_builds_names_its_case_and_holds_their_buttons_and_no_table(
    page: Page,
) -> None:
    builds = page.locator(".builds").first
    names = builds.locator("> label").all_inner_texts()
    told = builds.aria_snapshot().splitlines()
    assert re.fullmatch(r'- radiogroup "Build, .+":', told[0])
    within = [line.strip() for line in itertools.takewhile(lambda line: line.startswith(" "), told[1:])]
    radios = [line for line in within if line.startswith("- radio ")]
    assert [re.findall(r'"([^"]+)"', line)[0] for line in radios] == names
    assert not any(line.startswith(("- table", "- group", "- link")) for line in within)
    assert any(line.startswith(("- table", "- group", "- figure", "- paragraph")) for line in told)
    assert sum("- radio " in line for line in told) == len(names)
