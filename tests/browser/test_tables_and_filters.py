"""Tables that a press sorts, the filter of families, folds that an address leads into, and the age of a run."""

import pytest
from playwright.sync_api import Locator, Page
from visiting import NARROW, Visit, choose, drawn_chart, open_folds

PAGE = "scenarios/primes.html"
STOPS_ONLY_AT_SCROLLED = """() => {
  const boxes = [...document.querySelectorAll(".scroller")].filter((box) => box.checkVisibility() && box.clientWidth);
  const isScrolled = (box) => box.scrollWidth > box.clientWidth;
  return boxes.length > 0 && boxes.every((box) => isScrolled(box) === (box.tabIndex === 0));
}"""


def first_table(page: Page) -> Locator:
    table = page.locator("table.data:visible").first
    table.scroll_into_view_if_needed()
    table.locator("button.sort").first.wait_for()
    return table


def values(table: Locator) -> list[float]:
    keys = table.locator("tbody td[data-label=Value][data-sort]").evaluate_all(
        "all => all.map((td) => td.dataset.sort)"
    )
    return [float(key) for key in keys]


def head(table: Locator, name: str) -> Locator:
    return table.get_by_role("columnheader", name=name)


def families(place: Locator) -> set[str]:
    marks = place.locator("table tbody tr:visible .mark")
    return {*marks.evaluate_all("all => all.map((one) => one.className.match(/family-([a-z]+)/)[1])")}


def test_heading_sorts_both_ways_and_back_from_the_keyboard(page: Page) -> None:
    table = first_table(page)
    names = table.locator("tbody th").all_inner_texts()
    given = values(table)
    for order, expected in (("ascending", sorted(given)), ("descending", sorted(given, reverse=True))):
        head(table, "Value").get_by_role("button").press("Enter")
        assert head(table, "Value").get_attribute("aria-sort") == order
        assert values(table) == expected
        assert "ran out of time" in table.locator("tbody tr").last.inner_text()  # no value, so last either way
    head(table, "Value").get_by_role("button").press("Enter")
    assert head(table, "Value").get_attribute("aria-sort") is None
    assert table.locator("tbody th").all_inner_texts() == names


def test_more_is_better_begins_with_the_most(page: Page) -> None:
    column = first_table(page).locator("th[data-high]").first
    for order in ("descending", "ascending", None):
        column.get_by_role("button").click()
        assert column.get_attribute("aria-sort") == order


@pytest.mark.context(viewport=NARROW)
def test_headings_on_a_phone_sort_cards_and_fit_a_finger(page: Page) -> None:
    table = first_table(page)
    buttons = table.locator("button.sort")
    heights = buttons.evaluate_all("all => all.map((one) => one.parentElement.getBoundingClientRect().height)")
    assert min(heights) >= 24
    head(table, "Value").get_by_role("button").click()
    assert values(table) == sorted(values(table))
    assert table.get_by_role("rowheader").count()  # still a table for those who hear it


@pytest.mark.context(viewport={"width": 320, "height": 800})
def test_keyboard_stops_only_at_tables_that_scroll(page: Page) -> None:
    open_folds(page)
    page.wait_for_function(STOPS_ONLY_AT_SCROLLED)


def test_family_filter_covers_tables_charts_and_address(page: Page) -> None:
    drawn_chart(page)
    names = "() => new Set(document.querySelector('.chart__area').data.map((trace) => trace.name)).size"
    before = page.evaluate(names)
    choose(page, "family", "processes")
    page.wait_for_function(f"({names})() < {before}")
    page.reload()
    assert "family=processes" in page.url
    open_folds(page)
    assert families(page.locator("main")) == {"processes"}
    choose(page, "family", "")
    assert page.locator("table.data tbody tr[hidden]").count() == 0
    assert "family" not in page.url


def test_address_that_names_nothing_on_offer_changes_nothing(visit: Visit) -> None:
    page = visit.open(f"{PAGE}?family=%3Cb%3Ethis+site+is+wrong#%")
    assert page.locator("table.data tbody tr[hidden]").count() == 0
    assert page.get_by_text("this site is wrong").count() == 0


def test_address_opens_the_folds_that_it_leads_into(page: Page) -> None:
    name = "code-thread_pool"
    assert not page.locator(f"#{name}").is_visible()
    page.evaluate(f"location.hash = '{name}'")
    page.locator(f"#{name}").wait_for()
    top = f"document.getElementById('{name}').getBoundingClientRect().top"
    page.wait_for_function(f"() => {top} >= 0 && {top} < 300")


def test_age_of_a_run_follows_its_date(visit: Visit) -> None:
    visit.page.clock.set_fixed_time("2026-02-11T12:00:00Z")
    facts = visit.open(PAGE).locator("p.facts:visible", has=visit.page.locator("run-age")).first
    assert "2026-01-01 (41 days ago)" in facts.inner_text()


def test_failed_script_does_not_stop_the_others(visit: Visit) -> None:
    visit.may_complain = True
    visit.page.add_init_script('window.ResizeObserver = class { observe() { throw Error("planted"); } };')
    page = visit.open(PAGE)
    choose(page, "family", "processes")
    assert "family=processes" in page.url
    assert any("planted" in complaint for complaint in visit.complaints)


@pytest.mark.parametrize(("place", "files"), [("p.facts:visible", 2), ("figure.chart:visible figcaption", 1)])
def test_table_and_chart_link_to_their_data(page: Page, place: str, files: int) -> None:
    links = page.locator(place).locator("a").evaluate_all("all => all.map((one) => one.href)")
    data = [*dict.fromkeys(link for link in links if link.endswith((".csv", ".json")))]
    assert len(data) >= files
    assert all(page.request.get(link).status == 200 for link in data[:files])


@pytest.mark.context(viewport={"width": 1280, "height": 800})
def test_home_matrix_fits_a_laptop_and_sorts(visit: Visit) -> None:
    page = visit.open("index.html")
    table = page.locator(".front__cells")
    assert table.evaluate("(one) => one.getBoundingClientRect().bottom") <= page.evaluate("innerHeight")
    table.get_by_role("button").nth(1).click()
    keys = table.locator("tbody td:nth-child(2)").evaluate_all("all => all.map((td) => Number(td.dataset.sort))")
    assert keys[0] == 1
    known = [key for key in keys if key > 0]  # those without a number are NaN
    assert keys[: len(known)] == sorted(known)
    page.set_viewport_size(NARROW)
    assert page.locator(".front li:visible").count() > 1
