"""Two cells beside each other: what is shown of them. How they are compared is tested in tests/javascript."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from visiting import choose, hold

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "compare.html"


def rows(page: Page) -> list[list[str]]:
    page.wait_for_selector("[data-compared] tbody tr")
    found: list[list[str]] = page.eval_on_selector_all(
        "[data-compared] tbody tr", "all => all.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return found


def caption(page: Page) -> str:
    return page.locator("[data-compared] caption").inner_text()


def test_two_builds_of_one_run_are_compared_round_by_round(visit: Visit) -> None:
    found = rows(visit.open(PAGE))
    assert any(row[-1] in {"less", "more", "inside the noise", "no difference seen"} for row in found)
    assert any("timed_out" in row[-1] for row in found)


def test_what_is_chosen_lives_in_the_address(page: Page) -> None:
    rows(page)
    choose(page, "scenario", "power")
    assert "scenario=power" in page.url
    assert "a=" in page.url
    page.reload()
    assert {row[1].partition(":")[0] for row in rows(page)} == {"power"}


def test_what_was_asked_for_last_is_shown_whichever_loads_last(page: Page) -> None:
    rows(page)
    names = page.locator("select[name=b] option").evaluate_all("all => all.map((one) => one.value)")
    held = hold(page, f"**/values/{names[2]}.json")
    with page.expect_request(f"**/values/{names[2]}.json"):
        choose(page, "b", names[2])
    choose(page, "b", names[3])
    last = page.locator("select[name=b] option:checked").inner_text().split(",")[0]
    page.wait_for_selector(f"[data-compared] caption >> text=/^{re.escape(last)},/")
    with page.expect_response(f"**/values/{names[2]}.json"):
        held[0].continue_()
    page.wait_for_load_state("networkidle")
    assert caption(page).startswith(last)


def test_the_table_is_one_to_those_who_hear_it_and_can_be_sorted(visit: Visit) -> None:
    page = visit.open("compare.html?scenario=primes")
    rows(page)
    assert page.get_by_role("region", name="The two compared").count() == 1
    table = page.locator("[data-compared]").get_by_role("table")
    table.get_by_role("columnheader", name="Ratio").get_by_role("button").click()
    keys = table.locator("td[data-label=Ratio]").evaluate_all("all => all.map((cell) => cell.dataset.sort)")
    ratios = [float(key) for key in keys if key]
    assert len(set(ratios)) > 1
    assert ratios == sorted(ratios)
    page.evaluate("location.hash = 'elsewhere'")
    page.wait_for_function("() => location.hash === '#elsewhere'")
    assert table.locator("th[aria-sort=ascending]").count() == 1
