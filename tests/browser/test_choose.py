"""Choose: the form and its address, the answer and its table, with the keyboard and without JavaScript."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import FACTS, NARROW

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "choose.html"
SCENARIO = "scenarios/gil_wait.html"
WORK = "1,000 tasks that each wait 100 ms"


def said(page: Page, work: str = WORK) -> str:
    page.locator("[data-chosen] .note", has_text=work).wait_for()
    return page.locator("form[data-choose] output").inner_text()


def choose(page: Page, **amounts: str) -> None:
    for name, amount in amounts.items():
        page.locator(f"form[data-choose] select[name={name}]").select_option(amount)


def models(page: Page) -> list[str]:
    return page.locator("[data-chosen] tbody th a").all_inner_texts()


def chosen(page: Page, name: str) -> str:
    return page.locator(f"form[data-choose] select[name={name}]").input_value()


def test_answers_are_fetched_as_they_are_asked_for(visit: Visit) -> None:
    page = visit.open(PAGE)
    maps = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/maps/')).length"
    page.wait_for_function("() => !document.querySelector('form[data-choose]').hidden")
    answer = said(page)
    assert answer.startswith("Fastest: asyncio")
    assert models(page)[:3] == ["asyncio tasks", "gevent greenlets", "threads"]
    assert page.evaluate(maps) == 0
    choose(page, tasks="10")
    said(page, "10 tasks that")
    choose(page, tasks="1000")
    assert said(page) == answer
    assert page.evaluate(maps) > 0
    href = page.locator("[data-chosen] tbody th a").first.get_attribute("href")
    assert href == "scenarios/crossover.html#code-asyncio_tasks"


def test_what_is_chosen_lives_in_the_address(visit: Visit) -> None:
    page = visit.open(PAGE)
    said(page)
    choose(page, tasks="10", compute="10000", wait="0")
    work = "10 tasks that each compute 10 ms."
    before = said(page, work)
    again = visit.open(f"{PAGE}{page.evaluate('location.search')}")
    assert said(again, work) == before


def test_a_point_that_was_not_measured_has_no_table(visit: Visit) -> None:
    page = visit.open(f"{PAGE}?tasks=1000&compute=1000&wait=100000&kind=timers")
    answer = said(page, "1,000 tasks that each compute 1 ms and wait 100 ms.")
    assert answer.startswith("Not measured. Arithmetic leaves ")
    assert "Measured nearby:" in answer
    assert models(page) == []
    groups = page.locator("form[data-choose] select[name=compute] optgroup").evaluate_all(
        "all => all.map(({ label, children }) => [label, ...[...children].map(({ value }) => value)])"
    )
    assert groups == [["Measured", "0", "100"], ["Not measured", "1000", "10000"]]
    assert chosen(page, "compute") == "1000"


def test_an_older_link_opens_its_answer(visit: Visit) -> None:
    page = visit.open(f"{PAGE}?tasks=10&compute=0&wait=1000&kind=timers&machine=other-host&build=cpython-3.13.1")
    assert said(page, "10 tasks that each wait 1 ms.").startswith("Fastest: ")
    assert chosen(page, "machine").startswith("other-host")
    assert page.locator(".gave-way").count() == 0


def test_a_sentence_in_the_address_is_not_said_on_the_page(visit: Visit) -> None:
    page = visit.open(f"{PAGE}?build=This+site+is+wrong")
    page.wait_for_function("() => !document.querySelector('form[data-choose]').hidden")
    assert page.locator(".gave-way").count() == 0


def test_a_build_chosen_elsewhere_without_a_map_is_named(visit: Visit) -> None:
    scenario = visit.open(SCENARIO)
    for build in ("cpython-3.13.1", "cpython-3.12.8"):  # the second has no map
        scenario.locator("form.filters select[name=build]").select_option(build)
        scenario.locator(f"{FACTS} >> text={build}").first.wait_for()
    page = visit.open(PAGE)
    said(page)
    choose(page, tasks="10")
    page.wait_for_function("() => location.search.includes('tasks=10')")
    assert chosen(page, "build") == "cpython-3.13.1"
    note = page.locator("form[data-choose] + .gave-way")
    assert note.inner_text() == "cpython-3.12.8 has no map of its own. Shown is cpython-3.13.1."
    assert visit.open(SCENARIO).locator("select[name=build]").input_value() == "cpython-3.12.8"


@pytest.mark.surroundings(viewport=NARROW)
def test_on_a_phone_it_works_by_keyboard_and_fits(visit: Visit) -> None:
    page = visit.open(PAGE)
    said(page)
    page.locator("form[data-choose]").wait_for()  # hidden until its script is there, it takes no focus
    page.locator("form[data-choose] select[name=tasks]").focus()
    page.keyboard.press("ArrowUp")
    assert said(page, "10 tasks that")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


@pytest.mark.surroundings(java_script_enabled=False)
def test_without_javascript_an_answer_and_the_map_are_there(visit: Visit) -> None:
    page = visit.open(PAGE)
    assert said(page).startswith("Fastest: asyncio")
    assert models(page)[:3] == ["asyncio tasks", "gevent greenlets", "threads"]
    assert page.locator("figure.map svg").count() == 2
    squares = page.locator("figure.map svg g:not(.map__cell--none)").count()
    assert squares == page.locator(".maps + details tbody tr").count()
    assert not page.locator("form[data-choose] select").first.is_visible()
    assert "Asking about other work needs JavaScript" in page.content()


def test_what_a_square_of_the_map_says_stays_inside_it(visit: Visit) -> None:
    page = visit.open(PAGE)
    wide = page.locator("figure.map svg g").evaluate_all(
        """all => all.flatMap((one) => [...one.querySelectorAll("text")].map((text) =>
          one.querySelector("rect").getBBox().width - text.getBBox().width))"""
    )
    assert wide
    assert min(wide) >= 3  # its edge is half as wide, on either side
