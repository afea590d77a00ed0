"""One visit to a page of each kind: wide and narrow, light and dark, with JavaScript and without, read and printed."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from visiting import (
    LONGEST_PX,
    NARROW,
    PAGES,
    WIDE,
    Visit,
    choose_scheme,
    open_folds,
    settle,
)

THEMES_OWN = {
    "aria-dialog-name": '<div class="md-search"',  # the search is a dialog without a name
    "landmark-unique": '<nav class="md-code__nav"',  # each block of code has one for its button
}
"""By rule, how Material's own elements begin that violate it."""
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
COME_TO_EACH_CHART = """async () => {
  for (const area of document.querySelectorAll(".chart__area")) {
    while (area.checkVisibility() && ["waiting", "loading"].includes(area.dataset.state)) {
      area.scrollIntoView();
      await new Promise(requestAnimationFrame);
    }
  }
}"""
UNEVEN_ROWS = """() => [...document.querySelectorAll("table.fold")].flatMap((table) => {
  const count = (cells) => [...cells].filter((cell) => getComputedStyle(cell).display !== "none").length;
  const heads = count(table.tHead.rows[0].cells);
  const rows = [...table.tBodies[0].rows].filter((row) => !row.querySelector("[colspan]"));
  return rows.filter((row) => count(row.cells) !== heads).map((row) => row.textContent);
})"""
"""Rows with fewer or more cells than heads, for those who hear them."""
TOO_SMALL = """() => {
  const shown = (places) => [...document.querySelectorAll(places)].filter((one) => one.checkVisibility());
  const targets = shown("main :is(a, button, summary, select, label, input)")
    .filter((one) => one.offsetWidth > 1 && one.getBoundingClientRect().height < 23.9);
  const height = (one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a;
  const letters = shown("svg text").filter((one) => height(one) < 11.9);
  return [...targets, ...letters].map((one) => one.outerHTML.slice(0, 120));
}"""
BAD_LABELS = """() => {
  const pictures = [...document.querySelectorAll("main svg:has(text)")].filter((one) => one.checkVisibility());
  const apart = (a, b) => a.right - 1 <= b.left || b.right - 1 <= a.left;
  const share = (a, b) => (Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)) / Math.min(a.height, b.height);
  return pictures.flatMap((picture) => {
    const frame = picture.getBoundingClientRect();
    const labels = [...picture.querySelectorAll("text")]
      .map((text) => ({ words: text.textContent, box: text.getBoundingClientRect() }))
      .filter(({ box }) => box.width);
    const collide = labels.flatMap((one, place) =>
      labels.slice(place + 1)
        .filter(({ box }) => !apart(one.box, box) && share(one.box, box) > 0.25)
        .map(({ words }) => `${one.words} / ${words}`)
    );
    const cut = labels.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1);
    return [...collide, ...cut.map(({ words }) => `${words} leaves the picture`)];
  });
}"""


def violations(page: Page, *rules: str) -> list[str]:
    options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    problems = Axe().run(page, options=options).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node['html'][:120]}"
        for each in problems
        for node in each["nodes"]
        if not node["html"].startswith(THEMES_OWN.get(each["id"], "\0"))
    ]


@pytest.mark.context(reduced_motion="reduce")
@pytest.mark.parametrize("path", PAGES)
def test_page_works_wide_and_narrow_light_and_dark(visit: Visit, path: str) -> None:
    page = visit.open(path)
    page.mouse.move(5, 5)
    page.evaluate(COME_TO_EACH_CHART)
    assert not page.locator("[data-state=failed]").count()
    assert page.evaluate(SIDEWAYS) <= 0
    page.set_viewport_size(NARROW)
    settle(page)
    assert page.evaluate("document.documentElement.scrollHeight") <= LONGEST_PX.get(path, 1_000_000)
    open_folds(page, most=5)
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate(UNEVEN_ROWS) == []
    assert page.evaluate(TOO_SMALL) == []
    assert violations(page) == []
    page.set_viewport_size(WIDE)
    choose_scheme(page, "dark")
    assert violations(page, "color-contrast") == []
    assert not visit.foreign()


@pytest.mark.context(java_script_enabled=False, viewport=NARROW)
@pytest.mark.parametrize("path", PAGES)
def test_page_is_complete_without_javascript(visit: Visit, path: str) -> None:
    page = visit.open(path)
    assert all(page.locator("main h1").all_inner_texts())
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate(BAD_LABELS) == []
    assert not page.locator(".chart__area:visible:not(:has(> svg))").count()
    assert page.locator("figure.chart figcaption").count() == page.locator("figure.chart").count()
    assert not page.locator("form.filters:visible select").count()
    assert not visit.foreign()


@pytest.mark.context(color_scheme="dark")
def test_article_prints_in_ink_on_few_sheets(visit: Visit) -> None:
    page = visit.open("articles/a-server-that-blocks.html")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) <= 7  # sheets
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('main h1')).color") == "rgb(31, 36, 48)"
    assert not page.locator(".md-header, .md-sidebar, form.filters").filter(visible=True).count()


@pytest.mark.context(viewport=NARROW)
def test_unknown_address_leads_on(visit: Visit) -> None:
    page = visit.open("404.html")
    links = page.locator("main").get_by_role("link")
    assert links.count()
    for address in links.evaluate_all("all => all.map((one) => one.href)"):
        assert page.request.get(address).status == 200


@pytest.mark.context(forced_colors="active")
def test_bars_and_choices_are_visible_in_forced_colours(visit: Visit) -> None:
    page = visit.open("scenarios/primes.html")
    for part in (".track", ".mark"):
        style = f"getComputedStyle(document.querySelector('table {part}'))"
        assert page.evaluate(f"{style}.forcedColorAdjust") == "none", part
    line = "(one) => getComputedStyle(one).borderBottomColor"
    tabs = page.locator(".builds").first
    chosen = tabs.locator("> input:checked + label").evaluate(line)
    assert chosen not in tabs.locator("> input:not(:checked) + label").evaluate_all(f"(all) => all.map({line})")


def test_motion_stops_for_those_who_ask_for_it(visit: Visit) -> None:
    page = visit.open("scenarios/primes.html")
    page.emulate_media(reduced_motion="reduce")
    longest = """() => Math.max(...[...document.querySelectorAll("body *")].flatMap((one) => {
      const { transitionDuration, animationDuration } = getComputedStyle(one);
      return `${transitionDuration},${animationDuration}`.split(",").map(parseFloat);
    }))"""
    assert page.evaluate(longest) <= 0.001
