"""Tables that are sorted, filters of a whole page, and how old a run is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import FACTS, NARROW, choose, drawn_chart, families, open_folds

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from visiting import Visit

PAGE = "scenarios/primes.html"


def first_table(page: Page) -> Locator:
    table = page.locator(".build:visible table.data").first
    table.scroll_into_view_if_needed()
    table.locator("button.sort").first.wait_for()
    return table


def sorts(table: Locator) -> list[float]:
    given = table.locator("tbody td[data-label=Value][data-sort]").evaluate_all(
        "all => all.map((cell) => cell.dataset.sort)"
    )
    return [float(each) for each in given]


def names(table: Locator) -> list[str]:
    return table.locator("tbody th").all_inner_texts()


def test_a_table_is_sorted_by_a_column_both_ways_and_back_from_the_keyboard(page: Page) -> None:
    table = first_table(page)
    given, values = names(table), sorts(table)
    head = table.get_by_role("columnheader", name="Value")
    for order, expected in (("ascending", sorted(values)), ("descending", sorted(values, reverse=True))):
        head.get_by_role("button").press("Enter")
        assert head.get_attribute("aria-sort") == order
        assert sorts(table) == expected
    head.get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") is None
    assert names(table) == given


def test_a_number_is_sorted_by_itself_and_not_by_the_range_that_stands_below_it(page: Page) -> None:
    written = ["130<small>98.6 to 232</small>", "0<small>4 runs: 0</small>", "1.50<small>1 to 2</small>", ""]
    rows = "".join(f'<tr><th>{number}<td class="n">{cell}' for number, cell in enumerate(written))
    page.evaluate(
        """async (rows) => {
          const { dressTables } = await import(new URL("../assets/tables.js", location.href));
          const place = document.createElement("div");
          const heads = '<thead><tr><th>Name<th class="n">Number';
          place.innerHTML = `<table class="data" id="planted">${heads}<tbody>${rows}</table>`;
          document.querySelector("h1").after(place);
          dressTables(place);
          scrollTo(0, 0);
        }""",
        rows,
    )
    planted = page.locator("#planted")
    planted.locator("button.sort").last.click()
    assert planted.locator("tbody th").all_inner_texts() == ["1", "2", "0", "3"]


def test_what_has_no_value_stands_last_either_way(visit: Visit) -> None:
    page = visit.open(PAGE + "?build=cpython-3.13.1")
    page.wait_for_selector(f"{FACTS} >> text=cpython-3.13.1")
    table = first_table(page)
    assert "ran out of time" in table.inner_text()
    button = table.get_by_role("columnheader", name="Value").get_by_role("button")
    for _order in ("ascending", "descending"):
        button.click()
        assert "ran out of time" in table.locator("tbody tr").last.inner_text()


def test_filters_hold_for_the_whole_page_and_live_in_the_address(page: Page) -> None:
    choose(page, "family", "processes")
    choose(page, "build", "cpython-3.12.8")
    for load in (lambda: None, page.reload):
        load()
        page.wait_for_selector(f"{FACTS} >> text=cpython-3.12.8")
        assert "family=processes" in page.url
        assert "build=cpython-3.12.8" in page.url
        assert families(page.locator("main")) == {"processes"}
        chosen = page.locator(".builds > input:checked")
        assert {*chosen.evaluate_all("all => all.map((one) => one.value)")} == {"cpython-3.12.8"}
    choose(page, "family", "")
    assert page.locator("table.data tbody tr[hidden]").count() == 0


def test_a_chart_draws_the_chosen_family_alone(page: Page) -> None:
    drawn_chart(page)
    names_drawn = "() => new Set(document.querySelector('.chart__area').data.map((trace) => trace.name)).size"
    everything = page.evaluate(names_drawn)
    choose(page, "family", "processes")
    page.wait_for_function(f"({names_drawn})() < {everything}")


def test_a_column_in_which_more_is_better_begins_with_the_most(page: Page) -> None:
    head = first_table(page).locator("th[data-high]").first
    assert " ".join(head.inner_text().split()) == "Of the ideal"
    for order in ("descending", "ascending", None):
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == order


@pytest.mark.surroundings(viewport=NARROW)
def test_on_a_phone_the_headings_stand_above_the_cards_and_sort_them(page: Page) -> None:
    table = first_table(page)
    head = table.get_by_role("columnheader", name="Value")
    head.get_by_role("button").click()
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert sorts(table) == sorted(sorts(table), reverse=True)


def test_the_heading_of_the_first_column_puts_families_together(page: Page) -> None:
    table = first_table(page)
    table.get_by_role("columnheader", name="Runner").get_by_role("button").click()
    of_rows = table.locator("tbody .mark").evaluate_all("all => all.map((one) => one.className)")
    assert of_rows == [name for of_family in dict.fromkeys(of_rows) for name in of_rows if name == of_family]


def test_the_filter_of_families_holds_for_ab_s_tables_too(visit: Visit) -> None:
    page = visit.open("scenarios/blocking_server.html?family=threads")
    open_folds(page)
    rows = page.locator("details[id^=ab-] table tbody tr")
    assert rows.count() > rows.locator("visible=true").count() > 0
    assert families(page.locator("details[id^=ab-]")) == {"threads"}


def test_the_age_of_a_run_is_told_beside_its_date(visit: Visit) -> None:
    visit.page.clock.set_fixed_time("2026-02-11T12:00:00Z")
    page = visit.open(PAGE)
    page.locator("p.facts:visible", has_text="ago").first.wait_for()
    told = page.locator("p.facts:visible").first.inner_text()
    assert "2026-01-01 (41 days ago)" in told
    assert told.count("ago") == 1  # the generator has written none


@pytest.mark.parametrize(("place", "files"), [("p.facts:visible", 2), ("figure.chart:visible figcaption", 1)])
def test_a_table_and_a_chart_carry_their_data_and_a_link_to_them(page: Page, place: str, files: int) -> None:
    carried = page.locator(place).first
    links = carried.locator("a").evaluate_all("all => all.map((one) => one.href)")
    data = [link for link in links if link.endswith((".csv", ".json"))]
    assert len(data) == files
    for link in data:
        assert page.request.get(link).status == 200
    anchor = carried.get_by_role("link", name="Link").get_attribute("href") or ""
    assert carried.evaluate(f"(one) => document.querySelector('{anchor}').contains(one)")
