"""Two cells beside each other: what is reckoned, and what is said of it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from visiting import Visit, hold

from generate.text.numbers import format_ratio, format_ratio_interval, format_value

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

WIDE = {"width": 1280, "height": 900}
AMOUNTS = [0, 1, 2, 12, 0.5, 7.125, 99.95, 123.5, 999.4, 999.9, 1000, 12345, 99999, 999_500, 1.5e6, 2.5e9, 123456789012]
RATIOS = [0, 3e-7, 0.00123, 0.0099, 0.0949, 0.0995, 0.1, 0.125, 0.55, 0.994, 0.995, 0.99996, 1, 1.00004, 1.003, 1.04]
RATIOS += [1.194, 1.195, 1.2, 1.25, 1.75, 1.949, 1.95, 2.5, 9.94, 9.95, 10.4, 10.5, 11.5, 99.5, 1234.5, 99999.4, 1e6]
BUILD = dict.fromkeys(("implementation", "version", "free_threaded", "jit", "compiler", "flags"), "x")


def rows(page: Page) -> list[list[str]]:
    page.wait_for_selector("[data-compared] tbody tr")
    found: list[list[str]] = page.eval_on_selector_all(
        "[data-compared] tbody tr", "all => all.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return found


def caption(page: Page) -> str:
    return page.locator("[data-compared] caption").inner_text()


def test_two_builds_of_one_run_are_compared_round_by_round(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        found = rows(visit.open("compare.html"))
        assert any(row[-1] in {"less", "more", "no difference beyond the noise"} for row in found)
        assert any("timed_out" in row[-1] for row in found)
        assert not visit.complaints


def test_what_is_chosen_lives_in_the_address(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("compare.html")
        rows(page)
        page.locator("select[name=scenario]").select_option("power")
        assert "scenario=power" in page.url
        assert "a=" in page.url
        page.reload()
        assert {row[1].partition(":")[0] for row in rows(page)} == {"power"}


def test_what_was_asked_for_last_is_shown_whichever_loads_last(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("compare.html")
        rows(page)
        names = page.locator("select[name=b] option").evaluate_all("all => all.map((one) => one.value)")
        held = hold(page, f"**/values/{names[2]}.json")
        with page.expect_request(f"**/values/{names[2]}.json"):
            page.locator("select[name=b]").select_option(names[2])
        page.locator("select[name=b]").select_option(names[3])
        last = page.locator("select[name=b] option:checked").inner_text().split(",")[0]
        page.wait_for_selector(f"[data-compared] caption >> text=/^{re.escape(last)},/")
        with page.expect_response(f"**/values/{names[2]}.json"):
            held[0].continue_()
        page.wait_for_load_state("networkidle")
        assert caption(page).startswith(last)


def test_a_number_is_written_as_on_the_other_pages(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("compare.html")
        assert page.evaluate("(all) => all.map(numbers.ratio)", RATIOS) == [format_ratio(each) for each in RATIOS]
        pairs = [(low, high) for low in RATIOS for high in RATIOS if low <= high]
        written = page.evaluate("(all) => all.map(([low, high]) => numbers.ratioInterval(low, high))", pairs)
        assert written == [format_ratio_interval(low, high) for low, high in pairs]
        units = ("ns", "us", "bytes", "per_s", "count", "ratio", "beats")
        values = [(amount, unit) for amount in AMOUNTS for unit in units]
        written = page.evaluate("(all) => all.map(([amount, unit]) => numbers.value(amount, unit))", values)
        assert written == [format_value(amount, unit) for amount, unit in values]


def test_the_table_is_one_to_those_who_hear_it_and_can_be_sorted(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
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
        assert not visit.complaints


def test_a_script_that_does_not_come_is_told(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        visit.page.route("**/numbers.js", lambda route: route.abort())
        page = visit.open("compare.html")
        page.get_by_text("numbers.js did not load").wait_for()


def cell(run: str, value: float, noise: float | None, **changed: Any) -> dict[str, Any]:  # noqa: ANN401 - of any kind
    rounds = range(1, 13)
    series = {
        "name": ["primes", "published", "sync_loop"],
        "title": "Elapsed",
        "unit": "ns",
        "better": "lower",
        "values": {str(number): value for number in rounds},
        "reference": dict.fromkeys(map(str, rounds), 100),
        "noise": noise,
        "decides": True,
        "reference_decides": True,
        "why": "",
        "code": ["same", "same"],
    }
    about = {"machine": "m", "build": "b", "run": run, "started": "2026-01-01"}
    return {**about, "reference": BUILD, "is_reference": False, "series": [{**series, **changed}]}


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (cell("r", 100, 1.01), cell("r", 105, 1.02), "more"),
        (cell("r", 100, 1.01), cell("r", 95, 1.02), "less"),
        (cell("r", 100, 1.1), cell("r", 105, 1.01), "no difference beyond the noise"),
        (cell("r", 100, 1.01), cell("r", 105, 1.1), "no difference beyond the noise"),
        (cell("r", 100, 1.04), cell("s", 105, 1.04), "no difference beyond the noise"),
        (cell("r", 100, 1.02), cell("s", 105, 1.02), "more"),
        (cell("r", 100, 1.01), cell("r", 105, None), "more (noise not known)"),
        (cell("r", 100, None), cell("r", 100, None), "no difference seen (noise not known)"),
        (cell("r", 100, 1.01, decides=False), cell("r", 105, 1.01), "not decided"),
        (cell("r", 100, 1.01), cell("r", 105, 1.01, reference_decides=False), "more"),
        (cell("r", 100, 1.01), cell("s", 105, 1.01, reference_decides=False), "not decided"),
        (cell("r", 100, 1.01), cell("r", 105, 1.01, code=["other", "same"]), "the code that was measured differs"),
    ],
)
def test_what_lies_inside_the_noise_is_no_difference(
    browser: Browser, site: str, first: dict[str, Any], second: dict[str, Any], told: str
) -> None:
    asked: list[str] = []

    def answer(route: Route) -> None:
        if route.request.url not in asked:
            asked.append(route.request.url)
        route.fulfill(body=json.dumps((first, second)[asked.index(route.request.url)]))

    with Visit(browser, site, viewport=WIDE) as visit:
        visit.page.route("**/data/values/*.json", answer)
        ((*_, tells),) = rows(visit.open("compare.html"))
        assert re.sub(r"^not decided .*", "not decided", tells) == told
        assert not visit.complaints
