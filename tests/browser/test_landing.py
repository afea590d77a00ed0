"""Where a reader lands: at an anchor, after a reload, on the way back; whatever is laid out late."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from visiting import FACTS, hold, lay_out_all, let_go, settle

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "scenarios/heartbeat.html"
ARTICLE = "articles/a-server-that-blocks.html"
LAST = "code-task_burst"
LATE = "[...document.querySelectorAll('.result')].map((one) => getComputedStyle(one).contentVisibility)"
FOLDED = "[...document.querySelectorAll('details:not([open]) > section')].map((one) => getComputedStyle(one).display)"
PARTS = "[...document.querySelectorAll('.md-content__inner > .result:nth-child(n + 12) > .scroller')]"
LATE_PARTS = f"{PARTS}.map((one) => getComputedStyle(one).contentVisibility)"
MACHINE = "machines/fixture-host-2-cores-fixture-cpu.html"
SHIFTS = """
  window.shifted = 0;
  const add = (list) => list.getEntries().forEach(({ value }) => { shifted += value; });
  new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
"""
MOST_SHIFTED = 0.1
"""What the web vitals call good."""
NEVER_IDLE = "window.requestIdleCallback = () => {}"


def top(name: str) -> str:
    return f"document.getElementById('{name}').getBoundingClientRect().top"


def at_the_top(name: str) -> str:
    return f"() => {top(name)} >= -5 && {top(name)} < 200"


def lands_where_it_was(page: Page, name: str, before: float) -> bool:
    """Wait until *name* stands where it stood *before*, and return whether it stays there."""
    page.wait_for_function(f"(before) => Math.abs({top(name)} - before) < 30", arg=before)
    settle(page)
    return bool(abs(page.evaluate(top(name)) - before) < 30)


def test_a_page_that_is_opened_at_its_top_lays_out_what_is_near(visit: Visit) -> None:
    visit.page.add_init_script(NEVER_IDLE)
    page = visit.open(PAGE)
    assert {*page.evaluate(LATE)} == {"auto"}
    assert {*page.evaluate(FOLDED)} == {"none"}
    page.emulate_media(media="print")
    assert {*page.evaluate(LATE)} == {"visible"}


def test_what_comes_into_view_is_laid_out_however_busy_the_browser_is(visit: Visit) -> None:
    visit.page.add_init_script(NEVER_IDLE)
    page = visit.open(ARTICLE)
    assert {*page.evaluate(LATE_PARTS)} == {"hidden"}
    page.evaluate(f"{PARTS}[1].scrollIntoView({{ block: 'center' }})")
    page.wait_for_function(f"() => {LATE_PARTS}[1] === 'visible'")
    settle(page)
    in_view = "({ top, bottom }) => top < innerHeight && bottom > 0"
    seen = f"{PARTS}.filter((one) => ({in_view})(one.getBoundingClientRect()))"
    assert {*page.evaluate(f"{seen}.map((one) => getComputedStyle(one).contentVisibility)")} == {"visible"}


def test_a_long_table_takes_several_turns_and_is_whole_as_soon_as_it_is_in_view(visit: Visit) -> None:
    visit.page.add_init_script("window.turns = []; window.requestIdleCallback = (turn) => turns.push(turn);")
    page = visit.open(ARTICLE)
    shown = "[...document.querySelectorAll('[data-by-rows] tbody > tr')].filter((one) => one.checkVisibility()).length"
    every = page.evaluate("document.querySelectorAll('[data-by-rows] tbody > tr').length")
    assert every >= 10
    seen = [page.evaluate(shown)]
    while seen[-1] < every / 2:  # turns end when the page is laid out, with all rows shown
        page.wait_for_function("() => turns.length")
        page.evaluate("() => turns.shift()()")
        seen.append(page.evaluate(shown))
    steps = [after - before for before, after in pairwise(seen) if after > before]
    assert len(steps) >= 2
    assert max(steps) <= 6
    page.evaluate("document.querySelector('[data-by-rows]').scrollIntoView()")
    first = "document.querySelector('[data-by-rows]').querySelectorAll('tbody > tr')"
    page.wait_for_function(f"() => [...{first}].every((one) => one.checkVisibility())")


def test_no_part_of_a_table_waits_longer_than_for_an_idle_browser(visit: Visit) -> None:
    page = visit.open(ARTICLE)
    page.wait_for_function(f"() => {LATE_PARTS}.every((each) => each === 'visible')")
    page.emulate_media(media="print")
    assert {*page.evaluate(LATE_PARTS)} == {"visible"}


@pytest.mark.parametrize("path", [ARTICLE, PAGE, MACHINE])
def test_nothing_moves_while_a_page_is_laid_out(visit: Visit, path: str) -> None:
    visit.page.add_init_script(SHIFTS)
    page = visit.open(path)
    lay_out_all(page)
    settle(page)
    assert page.evaluate("() => shifted") < MOST_SHIFTED


def test_the_age_of_a_run_is_there_with_its_date_and_nothing_moves_when_the_scripts_come(visit: Visit) -> None:
    held = hold(visit.page, "**/assets/site.js")
    visit.page.goto(f"{visit.site}{PAGE}", wait_until="commit")
    visit.page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    told = visit.page.locator(FACTS).first
    assert re.search(r"2026-01-01 \(\d+ days ago\)", told.inner_text())
    before = told.bounding_box()
    let_go(held[0])
    lay_out_all(visit.page)
    assert told.bounding_box() == before


def test_the_rest_is_laid_out_while_the_browser_is_idle(page: Page) -> None:
    page.wait_for_function(f"() => new Set({LATE}).has('auto') === false")
    page.evaluate("document.getElementById('how-it-is-measured').scrollIntoView()")
    assert page.evaluate(at_the_top("how-it-is-measured"))


def test_what_is_folded_is_found_by_the_browser_s_search_once_it_has_been_idle(page: Page) -> None:
    page.wait_for_function(f"() => {FOLDED}.includes('none') === false")
    assert {*page.evaluate(FOLDED)} == {"block"}


def test_the_theme_s_colour_switch_sets_the_colour_scheme_of_the_whole_page(page: Page) -> None:
    scheme = "getComputedStyle(document.documentElement).colorScheme"
    before = page.evaluate(scheme)
    page.evaluate("document.getElementById('__palette_2').click()")
    assert {before, page.evaluate(scheme)} == {"light", "dark"}


def test_an_address_with_an_anchor_lands_at_it(visit: Visit) -> None:
    visit.page.add_init_script(NEVER_IDLE)
    page = visit.open(f"{PAGE}#{LAST}")
    assert {*page.evaluate(LATE)} == {"visible"}
    page.wait_for_function(at_the_top(LAST))
    settle(page)
    assert page.evaluate(at_the_top(LAST))


def test_a_link_inside_the_page_lands_where_it_leads(page: Page) -> None:
    link = page.locator("main table a[href^='#code-']:visible").first
    name = (link.get_attribute("href") or "").removeprefix("#")
    link.click()
    page.wait_for_function(at_the_top(name))
    settle(page)
    assert page.evaluate(at_the_top(name))


def test_a_reload_and_the_way_back_land_where_the_reader_was(page: Page) -> None:
    for _step in range(12):
        page.evaluate("scrollBy({ top: 700, behavior: 'instant' })")  # a wheel is not waited for
        settle(page)
    named = "[...document.querySelectorAll('article [id]:not(pre)')]"  # blocks of code have names when they are seen
    name = page.evaluate(f"{named}.find((each) => each.getBoundingClientRect().top > 0).id")
    before = page.evaluate(top(name))
    page.reload()
    assert lands_where_it_was(page, name, before)
    page.locator("a.md-logo").first.evaluate("(link) => link.click()")
    page.wait_for_url("**/index.html")
    page.go_back()
    assert lands_where_it_was(page, name, before)
