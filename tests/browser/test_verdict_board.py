"""The board of verdicts in a real browser: filters, without JavaScript, without colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import NARROW, WIDE, choose, open_card

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "index.html"


def shown(page: Page) -> list[str]:
    page.locator("form.filters").wait_for()  # the script is there
    return page.locator("table.verdicts tr[data-source]:visible th > a").all_text_contents()


def test_filters_narrow_the_board_and_live_in_the_address(page: Page) -> None:
    everything = shown(page)
    choose(page, "source", "S4")
    of_source = shown(page)
    assert 0 < len(of_source) < len(everything)
    assert all(claim.startswith("S4.") for claim in of_source)
    choose(page, "verdict", "holds")
    found = shown(page)
    assert set(found) <= set(of_source)
    assert "source=S4" in page.url
    assert "verdict=holds" in page.url
    page.reload()
    assert shown(page) == found
    choose(page, "source", "")
    choose(page, "verdict", "")
    assert shown(page) == everything
    assert "?" not in page.url


def test_one_build_is_shown_alone_and_other_filters_go_by_it(page: Page) -> None:
    squares = page.locator("table.verdicts a.square:visible")
    everything, builds = squares.count(), page.locator("select[name=build] option:enabled:not([value=''])").count()
    choose(page, "build", "cpython-3.13.1")
    for _load in range(2):
        assert squares.count() == everything / builds
        heads = page.locator("table.verdicts th[data-build]:visible")
        assert {*heads.evaluate_all("all => all.map((one) => one.dataset.build)")} == {"cpython-3.13.1"}
        assert "build=cpython-3.13.1" in page.url
        page.reload()
    verdict = squares.first.get_attribute("data-verdict") or ""
    choose(page, "verdict", verdict)
    assert {*squares.evaluate_all("all => all.map((one) => one.dataset.verdict)")} == {verdict}
    assert squares.count() == len(shown(page)) < everything / builds
    page.set_viewport_size(NARROW)
    assert squares.count() == len(shown(page))


def test_a_build_that_another_machine_has_not_is_let_go_with_the_machine(visit: Visit, page: Page) -> None:
    everything = shown(page)
    builds = page.locator("select[name=build] option:disabled")
    (only_elsewhere,) = builds.evaluate_all("all => all.map((one) => one.value)")
    elsewhere = page.locator("select[name=machine] option").last.get_attribute("value") or ""
    choose(page, "machine", elsewhere)
    choose(page, "build", only_elsewhere)
    assert shown(page) == everything
    choose(page, "machine", "fixture-host")
    assert "build" not in page.url
    assert shown(page) == everything
    assert shown(visit.open(f"index.html?build={only_elsewhere}")) == everything


def test_whatever_is_filtered_the_columns_are_explained(visit: Visit) -> None:
    page = visit.open("index.html?source=S4")
    assert page.get_by_text("t is free-threaded").first.is_visible()
    scrollers = page.locator(".source:visible .scroller")
    assert scrollers.evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth)")


def test_a_board_of_many_builds_is_scrolled_and_not_the_page(visit: Visit) -> None:
    page = visit.open("index.html#the-articles")
    wide = "(table) => { table.style.minWidth = '4000px'; }"
    page.locator("table.verdicts").evaluate_all(f"(all) => all.forEach({wide})")
    assert page.locator(".source .scroller").first.evaluate("(one) => one.scrollWidth") >= 4000
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDE["width"]


def test_an_address_with_an_unknown_filter_shows_everything(visit: Visit) -> None:
    everything = shown(visit.open(PAGE))
    assert shown(visit.open("index.html?source=S9&verdict=%3Cscript%3E")) == everything


@pytest.mark.surroundings(viewport=NARROW, java_script_enabled=False)
def test_without_javascript_the_board_is_whole_and_a_square_leads_to_its_card(visit: Visit, page: Page) -> None:
    assert not page.locator("form.filters").is_visible()
    rows = page.locator("table.verdicts tr[data-source]")
    assert rows.locator("visible=true").count() == rows.count() > 20
    link = page.locator("a.square").first.get_attribute("href")
    assert link is not None
    page = visit.open(link)
    assert page.locator(f"[id='{link.partition('#')[2]}']").count() == 1


def test_verdicts_are_told_apart_without_colour(page: Page) -> None:
    pairs = page.eval_on_selector_all("a.square", "all => all.map((one) => [one.dataset.verdict, one.dataset.symbol])")
    by_verdict = dict(pairs)
    assert len({*by_verdict.values()}) == len(by_verdict) > 1


def test_an_address_with_half_an_escape_breaks_nothing(visit: Visit) -> None:
    page = visit.open("index.html#%")
    everything = shown(page)
    choose(page, "source", "S4")
    assert len(shown(page)) < len(everything)
    assert open_card(page).is_visible()


def test_one_script_that_fails_at_its_start_keeps_no_other_from_it(visit: Visit) -> None:
    visit.page.add_init_script('window.IntersectionObserver = class { constructor() { throw Error("planted"); } };')
    page = visit.open("scenarios/primes.html")
    choose(page, "family", "processes")
    assert "family=processes" in page.url
    assert any("planted" in complaint for complaint in visit.complaints)
    visit.may_complain = True


@pytest.mark.parametrize(("path", "script"), [("index.html", "board.js"), ("compare.html", "numbers.js")])
def test_where_a_script_does_not_come_the_page_says_so(visit: Visit, path: str, script: str) -> None:
    visit.lose(f"**/{script}")
    visit.open(path).get_by_text("did not load").wait_for()


def test_a_square_says_to_those_who_hear_it_what_it_is_of(visit: Visit) -> None:
    squares = visit.open(PAGE).locator("table.verdicts a.square")
    told = squares.evaluate_all("all => all.map((one) => [one.ariaLabel, one.lastChild.textContent])")
    assert all(label.startswith("S") and " on CPython " in label for label, _ in told)
    assert all(label.endswith(words.strip()) for label, words in told)
