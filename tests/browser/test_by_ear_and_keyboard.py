"""What tables, forms and the theme tell those who hear a page, and where the keyboard comes to on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from visiting import NARROW, lay_out_all, open_folds, wait_until_filled

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "scenarios/primes.html"
UNEVEN = """() => [...document.querySelectorAll("table.fold")].flatMap((table) => {
  const told = (cells) => [...cells].filter((cell) => getComputedStyle(cell).display !== "none").length;
  const heads = told(table.tHead.rows[0].cells);
  const rows = [...table.tBodies[0].rows].filter((row) => !row.querySelector("[colspan]"));
  return rows.filter((row) => told(row.cells) !== heads).map((row) => row.textContent);
})"""
"""Rows of tables that fold with fewer or more cells, for those who hear them, than heads."""
HIDDEN = """() => {
  const { top, left, height } = document.activeElement.getBoundingClientRect();
  return !document.activeElement.contains(document.elementFromPoint(left + 2, top + height / 2));
}"""


@pytest.mark.surroundings(viewport=NARROW)
@pytest.mark.parametrize("path", [PAGE, "compare.html", "data.html", "choose.html"])
def test_each_cell_of_a_narrow_table_has_its_own_head(visit: Visit, path: str) -> None:
    page = visit.open(path)
    wait_until_filled(page, path)
    open_folds(page)
    lay_out_all(page)
    assert page.locator("table.fold").count() > 0
    assert page.evaluate(UNEVEN) == []


@pytest.mark.parametrize("path", [PAGE, "choose.html", "choose.html?tasks=1"])
def test_a_row_says_its_family(visit: Visit, path: str) -> None:
    page = visit.open(path)
    heads = page.locator(".build, [data-chosen]").get_by_role("rowheader").filter(visible=True)
    heads.first.wait_for()
    assert heads.count() == heads.get_by_role("img", name=re.compile("^[a-z]+$")).count() > 0
    assert heads.get_by_role("img", name="asyncio").count() > 0


def test_what_the_keyboard_goes_back_to_is_not_behind_what_stays_at_the_top(visit: Visit) -> None:
    page = visit.open("index.html")
    wait_until_filled(page, "index.html")
    lay_out_all(page)
    rows = page.locator("details.row:visible > summary")
    assert rows.count() > 20
    rows.nth(rows.count() - 1).focus()
    for _step in range(rows.count() - 1):
        page.keyboard.press("Shift+Tab")
        assert not page.evaluate(HIDDEN), page.evaluate("document.activeElement.textContent")
