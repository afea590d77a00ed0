"""The machine that a scenario's page shows: chosen in place, in the address, with its own builds and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from visiting import INK, choose, drawn_chart, families, hold

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "scenarios/primes.html"
LEADING, OTHER = "fixture-host", "other-host"
FACTS = "[data-piece] p.facts:visible"


def machines(page: Page) -> set[str]:
    return set(page.locator(f"{FACTS} a[href*='machines/']").all_text_contents())


def show(page: Page, machine: str) -> None:
    choose(page, "machine", machine)
    page.wait_for_selector(f"{FACTS} >> text={machine}")


def builds(page: Page) -> list[str]:
    return page.locator("select[name=build] option").all_inner_texts()


def test_another_machine_takes_the_place_of_the_leading_one_on_the_whole_page(page: Page) -> None:
    own = builds(page)
    assert machines(page) == {LEADING}
    show(page, OTHER)
    for load in (lambda: None, page.reload):
        load()
        page.wait_for_selector(f"{FACTS} >> text={OTHER}")
        assert machines(page) == {OTHER}
        assert f"machine={OTHER}" in page.url
        assert builds(page) == ["cpython-3.11.9", "cpython-3.13.1"]
        assert OTHER in page.locator(".answer").inner_text()
    show(page, LEADING)
    assert machines(page) == {LEADING}
    assert builds(page) == own
    assert "machine=" not in page.url


def test_its_builds_and_families_are_chosen_as_those_of_the_leading_one(visit: Visit) -> None:
    page = visit.open(f"{PAGE}?machine={OTHER}&build=cpython-3.11.9&family=processes")
    page.wait_for_selector(f"{FACTS} >> text={OTHER}")
    page.wait_for_selector(f"{FACTS} >> text=cpython-3.11.9")
    assert page.locator(f"{FACTS} >> text=cpython-3.13.1").count() == 0
    assert families(page.locator("main")) == {"processes"}


def test_its_charts_are_drawn_of_its_own_data_and_its_tables_sorted(visit: Visit) -> None:
    page = visit.open(f"{PAGE}?machine={OTHER}")
    page.wait_for_selector(f"{FACTS} >> text={OTHER}")
    drawn_chart(page)
    assert visit.urls(f"machines/{OTHER}/primes-1-")
    table = page.locator(".build:visible table.data").first
    table.scroll_into_view_if_needed()
    table.locator("button.sort").first.click()
    assert table.locator("th[aria-sort=ascending]").count() == 1


def test_a_machine_whose_tables_do_not_load_says_so_and_leaves_the_others(visit: Visit) -> None:
    visit.refuse("**/machines/*/*.json")
    page = visit.open(PAGE)
    choose(page, "machine", OTHER)
    page.wait_for_selector("form[data-page-filters] output >> text=did not load")
    assert machines(page) == {LEADING}
    assert page.locator("select[name=machine]").input_value() == LEADING
    assert "machine=" not in page.url
    choose(page, "family", "processes")
    assert families(page.locator("main")) == {"processes"}
    assert "did not load" in page.locator("form[data-page-filters] output").inner_text()


def test_without_the_script_of_the_machines_the_other_filters_work(visit: Visit) -> None:
    visit.lose("**/machines.js")
    page = visit.open(f"{PAGE}?machine={OTHER}&family=processes")
    page.wait_for_selector("form[data-page-filters] output >> text=did not load")
    assert machines(page) == {LEADING}
    assert families(page.locator("main")) == {"processes"}


def test_the_script_of_the_machines_is_fetched_when_another_one_is_wanted(visit: Visit, page: Page) -> None:
    choose(page, "family", "processes")
    assert page.locator("tr[hidden]").count()
    assert not visit.urls("machines.js")
    show(page, OTHER)
    assert visit.urls("machines.js")


def test_a_family_let_go_on_another_machine_is_let_go_on_the_first_one_too(page: Page) -> None:
    choose(page, "family", "threads")
    assert page.locator("[data-piece] tr[hidden]").count()
    show(page, OTHER)
    assert page.locator("[data-piece] tr[hidden]").count()
    choose(page, "family", "")
    show(page, LEADING)
    assert page.locator("[data-piece] tr[hidden]").count() == 0


def test_a_family_that_is_chosen_while_another_machine_loads_holds_for_it(page: Page) -> None:
    held = hold(page, "**/machines/*/primes.json")
    with page.expect_request("**/machines/*/primes.json"):
        choose(page, "machine", OTHER)
    choose(page, "family", "processes")
    for route in held:
        route.continue_()
    page.wait_for_selector(f"{FACTS} >> text={OTHER}")
    assert families(page.locator("main")) == {"processes"}


def test_charts_that_come_back_have_the_colours_of_now(page: Page) -> None:
    drawn_chart(page)
    light = page.evaluate(INK)
    show(page, OTHER)
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector('body[data-md-color-scheme="slate"]')
    show(page, LEADING)
    drawn_chart(page)
    assert page.evaluate(INK) != light
