"""The Compare page in a browser: choosing a rendered pair, and links from before pairs were rendered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from visiting import LONGEST_PX, NARROW, choose, height_px, hold, let_go

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "compare.html"
MACHINE = "fixture-host-2-cores-fixture-cpu"
OTHER = "other-host-2-cores-fixture-cpu"
REFERENCE, NEW = (f"{MACHINE}-cpython-{version}" for version in ("3.12.8", "3.13.1"))


def between(page: Page) -> str:
    return page.locator("[data-compared] .between").inner_text()


def values(page: Page, name: str) -> list[str]:
    found: list[str] = page.locator(f"select[name={name}] option").evaluate_all("all => all.map((one) => one.value)")
    return found


def test_it_opens_complete_and_fetches_nothing(visit: Visit) -> None:
    page = visit.open(PAGE)
    page.locator("form[data-compare]").wait_for()
    assert between(page).startswith("CPython 3.13.1, ")
    assert " against CPython 3.12.8, " in between(page)
    assert page.locator("[data-compared] tbody tr").count() > 20
    assert page.locator("[data-compared] > details[open]").count() == 0
    assert not visit.urls("assets/compare/")


@pytest.mark.surroundings(java_script_enabled=False)
def test_without_javascript_the_pair_is_there_and_the_form_is_not(visit: Visit) -> None:
    page = visit.open(PAGE)
    assert page.locator("[data-compared] tbody tr").count() > 20
    assert not page.locator("form[data-compare]").is_visible()


def test_another_pair_is_fetched_announced_and_kept(visit: Visit) -> None:
    page = visit.open(PAGE)
    opened = between(page)
    choose(page, "result", REFERENCE)
    expect(page.locator("[data-compared]")).to_have_text(
        "No earlier release of its kind has a current result on this machine."
    )
    assert len(visit.urls("assets/compare/")) == 1
    choose(page, "with", "reference")
    expect(page.locator("form[data-compare] output")).to_have_text("Shown: It is the reference build itself.")
    assert f"result={REFERENCE}" in page.url
    assert "with=reference" in page.url
    page.reload()
    expect(page.locator("[data-compared]")).to_have_text("It is the reference build itself.")
    choose(page, "result", NEW)
    choose(page, "with", "previous")
    expect(page.locator("[data-compared] .between")).to_have_text(opened)


def test_what_does_not_load_is_said(visit: Visit) -> None:
    visit.refuse("**/assets/compare/*.json")
    page = visit.open(PAGE)
    choose(page, "result", REFERENCE)
    words = "Not shown: its data did not load (404). Choose again to retry."
    expect(page.locator("form[data-compare] output")).to_have_text(words)


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("a=fixture-host-cpython-3.12.8&b=fixture-host-cpython-3.13.1&scenario=primes", "CPython 3.13.1, .* 3.12.8, "),
        ("a=other-host-cpython-3.13.1&b=other-host-cpython-3.11.9", "CPython 3.13.1, .*other-host.* 3.11.9, "),
    ],
    ids=["in order", "turned round"],
)
def test_old_links_lead_to_their_pair(visit: Visit, link: str, shown: str) -> None:
    page = visit.open(f"{PAGE}?{link}")
    expect(page.locator("[data-compared] .between")).to_have_text(re.compile(f"^{shown}"))
    assert not re.search("[?&](a|b|scenario)=", page.url)


def test_an_old_link_without_a_rendered_pair_names_the_command(visit: Visit) -> None:
    page = visit.open(f"{PAGE}?a=fixture-host-cpython-3.12.8&b=other-host-cpython-3.13.1")
    page.get_by_text("python -m generate compare takes any two files").first.wait_for()
    assert between(page).startswith("CPython 3.13.1, ")


def test_what_was_chosen_last_is_shown(page: Page) -> None:
    page.locator("form[data-compare]").wait_for()
    slow, fast = (name for name in values(page, "result") if name.startswith(OTHER))
    held = hold(page, f"**/assets/compare/{slow}.json")
    with page.expect_request(f"**/assets/compare/{slow}.json"):
        choose(page, "result", slow)
    choose(page, "result", fast)
    expect(page.locator("[data-compared] .between")).to_have_text(re.compile("other-host"))
    last = between(page)
    let_go(held[0])
    assert between(page) == last


@pytest.mark.surroundings(viewport=NARROW)
def test_on_a_phone_it_is_short_and_nothing_sticks_out(page: Page) -> None:
    for name in values(page, "result"):
        choose(page, "result", name)
        page.locator("[data-compared] p").first.wait_for()
        assert height_px(page) <= LONGEST_PX[PAGE]
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_table_can_be_sorted(visit: Visit) -> None:
    page = visit.open(f"{PAGE}?result={OTHER}-cpython-3.13.1&with=previous")
    table = page.get_by_role("group", name="What differs").first.get_by_role("table")
    table.get_by_role("columnheader", name="Change").get_by_role("button").click()
    keys = table.locator("td[data-label=Change]").evaluate_all("all => all.map((cell) => Number(cell.dataset.sort))")
    assert len({*keys}) > 1
    assert keys == sorted(keys)
