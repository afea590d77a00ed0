"""Two cells beside each other, ours or a reader's own files. How they are compared is tested in tests/javascript."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import REFERENCE, Plan, make
from visiting import choose, hold

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "compare.html"
SHOWN = "() => document.querySelector('[data-compared] caption')?.textContent.includes('mine')"


def rows(page: Page) -> list[list[str]]:
    page.wait_for_selector("[data-compared] tbody tr")
    found: list[list[str]] = page.eval_on_selector_all(
        "[data-compared] tbody tr", "all => all.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return found


def caption(page: Page) -> str:
    return page.locator("[data-compared] caption").inner_text()


@functools.cache
def own() -> dict[str, Any]:
    record = make(catalogue.find(), Plan(build=REFERENCE, machine="mine", run_id="own", seed=7))
    return msgspec.json.decode(encode(record), type=dict[str, Any])


def give(page: Page, folder: Path, data: bytes | None = None, **changed: object) -> str:
    """Give the page a file of one's own, with some fields *changed*; return what it says of that."""
    rows(page)
    (folder / "mine.json").write_bytes(data or msgspec.json.encode(own() | changed))
    page.locator("input[type=file]").set_input_files(folder / "mine.json")
    page.wait_for_function("() => document.querySelector('[data-own-said]').textContent")
    return page.locator("[data-own-said]").inner_text()


def test_where_its_scripts_do_not_come_the_page_says_so(visit: Visit) -> None:
    visit.refuse("**/numbers.js")
    visit.open(PAGE).get_by_text("did not load").wait_for()


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


def test_one_s_own_file_is_shown_beside_ours_and_sent_nowhere(visit: Visit, page: Page, tmp_path: Path) -> None:
    rows(page)
    page.locator("select[name=a]").select_option(index=1)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    assert give(page, tmp_path) == "1 read"
    page.wait_for_function(SHOWN)
    found = rows(page)
    empty = [row for row in found if row[2] and not row[3] and "computed from" not in row[-1]]
    assert empty == []
    assert {*sent} == {"GET"}
    assert not visit.foreign()


def test_what_one_s_own_file_is_called_stays_out_of_the_address(page: Page, tmp_path: Path) -> None:
    give(page, tmp_path)
    page.wait_for_function(SHOWN)
    choose(page, "scenario", "primes")
    assert "scenario=primes" in page.url
    assert "own" not in page.url
    assert "mine" not in page.url
    page.evaluate("location.hash = 'elsewhere'")
    page.wait_for_function("() => location.hash === '#elsewhere'")
    assert "mine" in caption(page)
    assert "your file" in page.locator("select[name=b] option:checked").inner_text()


def test_two_files_of_one_name_are_two(page: Page, tmp_path: Path) -> None:
    for complete in (True, False):
        assert give(page, tmp_path, complete=complete) == "1 read"
    assert page.locator("select[name=b] option", has_text="your file").count() == 2


@pytest.mark.parametrize(
    ("data", "changed", "words"),
    [
        (b"{", {}, "no result file: "),
        (None, {"machine": {}}, "$.machine.label: is missing"),
        (b'"' + b"x" * 5_000_001 + b'"', {}, "over 5 MB"),
    ],
    ids=["cut off", "missing", "too large"],
)
def test_what_is_no_result_is_refused_with_file_and_field(
    page: Page, tmp_path: Path, data: bytes | None, changed: dict[str, object], words: str
) -> None:
    said = give(page, tmp_path, data, **changed)
    assert said.startswith("mine.json: ")
    assert words in said
    assert page.locator("select[name=b] option", has_text="your file").count() == 0


def test_without_what_the_metrics_are_no_file_is_taken(visit: Visit, page: Page, tmp_path: Path) -> None:
    visit.refuse("**/metrics.json")
    assert "did not load (404)" in give(page, tmp_path)


def test_a_hostile_name_stays_text(page: Page, tmp_path: Path) -> None:
    machine = own()["machine"] | {"label": "<img src=x onerror=alert(1)>\u202emine"}
    assert give(page, tmp_path, machine=machine) == "1 read"
    page.wait_for_function(SHOWN)
    assert "\u202e" not in page.content()
    assert page.locator("img[src=x]").count() == 0


def test_committed_results_can_be_read_by_the_page(page: Page, tmp_path: Path) -> None:
    committed = sorted((catalogue.ROOT / "results").glob("2*/*/*.json"))
    for path in committed[:4]:
        assert give(page, tmp_path, path.read_bytes()) == "1 read"
