"""The build and the machine that a page shows: by label, filter or address, in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import FACTS, begin_to_read, choose, drawn_chart, families, hold, open_folds, show

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route
    from visiting import Visit

PAGE = "scenarios/primes.html"
NEXT = "scenarios/gil_wait.html"
LEADING, OTHER = "fixture-host", "other-host"
KEYS = {name: f"{name}-2-cores-fixture-cpu" for name in (LEADING, OTHER)}
"""What addresses and forms call them."""
CHART = "primes-1-bars-cpython-3.12.8"
TOP = f"document.getElementById('{CHART}')?.getBoundingClientRect().top"


def machines(page: Page) -> set[str]:
    """Return the labels, which stand behind the name that both machines have."""
    return {words.rpartition(", ")[2] for words in page.locator(f"{FACTS} a[href*='machines/']").all_text_contents()}


def builds(page: Page) -> list[str]:
    return page.locator("select[name=build] option").all_inner_texts()


def test_a_chart_is_of_the_build_that_is_chosen(visit: Visit, page: Page) -> None:
    for build in ("cpython-3.12.8", "cpython-3.13.1"):
        show(page, "build", build)
        drawn_chart(page.locator(".build:visible figure.chart").first)
        assert all(build in each for each in page.locator(".build:visible p.facts").all_text_contents())
    assert visit.urls("primes-1-bars-cpython-3.12.8.json")


@pytest.mark.parametrize("query", ["", "?build=cpython-3.12.8"])
def test_a_link_to_a_chart_of_another_build_chooses_that_build_and_lands_on_it(visit: Visit, query: str) -> None:
    page = visit.open(f"{PAGE}{query}#{CHART}")
    page.wait_for_function(f"() => {TOP} >= 0 && {TOP} < 300")
    assert "build=cpython-3.12.8" in page.url
    assert page.locator("select[name=build]").input_value() == "cpython-3.12.8"


def test_a_link_inside_the_page_to_a_chart_of_another_build_is_not_hidden_by_the_header(page: Page) -> None:
    header = page.locator(".md-header").evaluate("(one) => one.getBoundingClientRect().bottom")
    page.evaluate(f"location.hash = '{CHART}'")
    page.wait_for_function(f"() => {TOP} >= {header} && {TOP} < 300")


def test_tables_of_a_build_come_when_it_is_chosen_and_are_dressed_as_the_others(visit: Visit) -> None:
    page = visit.open(f"{PAGE}?family=processes")
    other = page.locator(".builds > input[value='cpython-3.12.8'] + label + .build").first
    assert other.locator("table").count() == 0
    page.locator(".builds > label", has_text="3.12.8").first.click()
    table = other.locator("table.data").first
    table.scroll_into_view_if_needed()
    table.locator("button.sort").first.wait_for()
    assert families(other) == {"processes"}
    assert "ago)" in other.locator("p.facts").inner_text()
    drawn_chart(other)


def test_each_label_chooses_its_own_build_wherever_it_is_pressed(page: Page) -> None:
    group = page.locator(".builds").first
    for number in (1, 0):
        for place in (None, {"x": 12, "y": 10}, {"x": 3, "y": 5}):
            for label, at in ((1 - number, None), (number, place)):
                pressed = group.locator("> label").nth(label)
                pressed.click(position=at)  # type: ignore[arg-type] # a plain dict of the right shape
                page.wait_for_selector(f"{FACTS} >> text={pressed.inner_text()}")  # what comes replaces the labels
            assert group.locator("> input").nth(number).is_checked(), (number, place)


def test_on_the_way_back_the_build_that_was_chosen_has_its_tables(visit: Visit) -> None:
    page = visit.open(NEXT)
    page.locator(".builds > label", has_text="3.12.8").first.click()
    page.locator("a.md-logo").first.evaluate("(link) => link.click()")
    page.wait_for_url("**/index.html")
    page.go_back()
    page.locator(".builds > input[value='cpython-3.12.8']:checked + label + .build table").first.wait_for()


def test_a_build_that_is_chosen_from_the_keyboard_keeps_the_focus(page: Page) -> None:
    page.locator(".builds > input:checked").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"{FACTS} >> text=cpython-3.12.8")
    assert page.evaluate("document.activeElement.value") == "cpython-3.12.8"


def test_a_build_that_does_not_load_says_so_and_the_other_stays_chosen(visit: Visit) -> None:
    visit.refuse("**/machines/*/*.json")
    page = visit.open(PAGE)
    page.locator(".builds > label", has_text="3.12.8").first.click()
    page.locator("form[data-page-filters] output", has_text="did not load").wait_for()
    chosen = page.locator(".builds > input:checked").evaluate_all("all => all.map((one) => one.value)")
    assert {*chosen} == {"cpython-3.13.1"}
    assert page.locator("select[name=build]").input_value() == "cpython-3.13.1"


def test_what_one_page_could_not_load_stays_chosen_for_the_next(visit: Visit) -> None:
    page = visit.open(PAGE)
    page.locator(".builds > label", has_text="3.12.8").first.click()
    page.wait_for_selector(f"{FACTS} >> text=cpython-3.12.8")
    visit.refuse("**/machines/*/*.json", times=1)
    page.goto(f"{visit.site}{NEXT}")
    page.locator("form[data-page-filters] output", has_text="did not load").wait_for()
    assert page.locator("select[name=build]").input_value() == "cpython-3.13.1"
    page.goto(f"{visit.site}{PAGE}")
    page.wait_for_selector(f"{FACTS} >> text=cpython-3.12.8")


def test_another_build_does_not_unfold_again_what_the_address_led_to(visit: Visit) -> None:
    page = visit.open(f"{PAGE}#code-thread_pool")
    code = page.locator("details:has(#code-thread_pool)")
    assert code.evaluate("(one) => one.open")
    code.locator("> summary").click()
    page.locator(".builds > label", has_text="3.12.8").first.click()
    page.wait_for_selector(f"{FACTS} >> text=cpython-3.12.8")
    assert not code.evaluate("(one) => one.open")


def test_another_machine_takes_the_place_of_the_leading_one_on_the_whole_page(page: Page) -> None:
    own = builds(page)
    assert machines(page) == {LEADING}
    show(page, "machine", KEYS[OTHER])
    for load in (lambda: None, page.reload):
        load()
        page.wait_for_selector(f"{FACTS} >> text={OTHER}")
        assert machines(page) == {OTHER}
        assert f"machine={KEYS[OTHER]}" in page.url
        assert builds(page) == ["cpython-3.11.9", "cpython-3.13.1"]
        assert OTHER in page.locator(".answer").inner_text()
    show(page, "machine", KEYS[LEADING])
    assert machines(page) == {LEADING}
    assert builds(page) == own
    assert "machine=" not in page.url


def test_its_builds_families_charts_and_tables_are_as_those_of_the_leading_one(visit: Visit) -> None:
    page = visit.open(f"{PAGE}?machine={KEYS[OTHER]}&build=cpython-3.11.9&family=processes")
    page.wait_for_selector(f"{FACTS} >> text={OTHER}")
    page.wait_for_selector(f"{FACTS} >> text=cpython-3.11.9")
    assert page.locator(f"{FACTS} >> text=cpython-3.13.1").count() == 0
    assert families(page.locator("main")) == {"processes"}
    drawn_chart(page)
    assert visit.urls(f"machines/{KEYS[OTHER]}/primes-1-")
    table = page.locator(".build:visible table.data").first
    table.scroll_into_view_if_needed()
    table.locator("button.sort").first.click()
    assert table.locator("th[aria-sort=ascending]").count() == 1


def test_an_old_name_of_a_machine_leads_to_it(visit: Visit) -> None:
    page = visit.open(f"{PAGE}?machine={OTHER}")
    page.wait_for_selector(f"{FACTS} >> text={OTHER}")
    assert page.locator("select[name=machine]").input_value() == KEYS[OTHER]
    assert page.locator(".gave-way").count() == 0


def test_what_another_machine_has_nothing_for_stays_empty_when_the_folds_come(visit: Visit) -> None:
    def without_builds_beside_each_other(route: Route) -> None:
        answer = route.fetch()
        content = answer.json()
        pieces = content.get("pieces", {})  # charts have none
        kept = {name: "" if name.startswith("builds-of-case") else html for name, html in pieces.items()}
        route.fulfill(response=answer, json={**content, **({"pieces": kept} if pieces else {})})

    visit.page.route(f"**/machines/{KEYS[OTHER]}/*.json", without_builds_beside_each_other)
    page = visit.open(f"{PAGE}?machine={KEYS[OTHER]}")
    page.wait_for_selector(f"{FACTS} >> text={OTHER}")
    open_folds(page)
    begin_to_read(page)
    page.wait_for_selector("[data-piece=case-2] table", state="attached")
    assert set(page.locator("[data-piece^=builds-of-case]").evaluate_all("all => all.map((one) => one.innerHTML)")) == {
        ""
    }


@pytest.mark.parametrize("lost", ["**/machines/*/*.json", "**/pieces.js"])
def test_a_machine_that_does_not_load_says_so_and_leaves_the_other(visit: Visit, lost: str) -> None:
    visit.refuse(lost)
    page = visit.open(f"{PAGE}?machine={KEYS[OTHER]}&family=processes")
    said = page.locator("form[data-page-filters] output", has_text="did not load")
    said.wait_for()
    assert machines(page) == {LEADING}
    assert page.locator("select[name=machine]").input_value() == KEYS[LEADING]
    assert "machine=" not in page.url
    for family in ("processes", "threads"):
        choose(page, "family", family)
        assert families(page.locator("main")) == {family}
    assert said.is_visible()


def test_the_script_of_choices_is_fetched_when_another_machine_is_wanted_and_both_follow_the_family(
    visit: Visit, page: Page
) -> None:
    hidden = page.locator("[data-piece] tr[hidden]")
    choose(page, "family", "threads")
    assert hidden.count()
    assert not visit.urls("pieces.js")
    show(page, "machine", KEYS[OTHER])
    assert visit.urls("pieces.js")
    assert hidden.count()
    choose(page, "family", "")
    show(page, "machine", KEYS[LEADING])
    assert hidden.count() == 0


def test_a_family_that_is_chosen_while_another_machine_loads_holds_for_it(page: Page) -> None:
    held = hold(page, "**/machines/*/primes.json")
    with page.expect_request("**/machines/*/primes.json"):
        choose(page, "machine", KEYS[OTHER])
    choose(page, "family", "processes")
    for route in held:
        route.continue_()
    page.wait_for_selector(f"{FACTS} >> text={OTHER}")
    assert families(page.locator("main")) == {"processes"}


def test_the_short_answer_of_a_scenario_is_of_the_build_that_is_chosen(page: Page) -> None:
    choose(page, "build", "cpython-3.12.8")
    page.locator(".answer", has_text="CPython 3.12.8").first.wait_for()
    page.locator("[data-piece=found-on]", has_text="CPython 3.12.8").wait_for()


def test_what_is_chosen_on_one_page_holds_on_the_next(visit: Visit) -> None:
    page = visit.open(NEXT)
    choose(page, "build", "cpython-3.12.8")
    page.locator("[data-piece=found-on]", has_text="CPython 3.12.8").wait_for()  # a browser keeps it in its own time
    visit.open(PAGE)
    page.locator(".answer", has_text="CPython 3.12.8").first.wait_for()
    assert "build=cpython-3.12.8" in page.url
    visit.open(f"{NEXT}?build=cpython-3.13.1")  # an address says more than what was chosen before
    assert page.locator("select[name=build]").input_value() == "cpython-3.13.1"


@pytest.mark.parametrize("old", ["?build=cpython-3.12.8", f"?machine={OTHER}", f"#{CHART}"])
def test_an_old_link_to_an_article_of_a_build_opens_it(visit: Visit, old: str) -> None:
    page = visit.open(f"articles/cpu-work-beside-an-event-loop.html{old}")
    assert page.locator("h1").inner_text().startswith("Does CPU work gain")
    assert page.locator("form.filters, .gave-way, .builds").count() == 0
    assert page.locator("p.facts:visible", has_text="cpython-3.13.1").count()
