"""A reader's own result files: read and shown in the browser, and sent nowhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import REFERENCE, Plan, make
from test_compare_page import caption, rows
from visiting import choose

from generate.results.load import load
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "compare.html"
OWN = encode(make(catalogue.find(), Plan(build=REFERENCE, machine="mine", run_id="own", seed=7)))
SHOWN = "() => document.querySelector('[data-compared] caption')?.textContent.includes('mine')"


def give(page: Page, folder: Path, data: bytes) -> str:
    rows(page)
    (folder / "mine.json").write_bytes(data)
    page.locator("input[type=file]").set_input_files(folder / "mine.json")
    page.wait_for_function("() => document.querySelector('[data-own-said]').textContent")
    return page.locator("[data-own-said]").inner_text()


def changed(**fields: object) -> bytes:
    return json.dumps({**json.loads(OWN), **fields}).encode()


def test_one_s_own_file_is_shown_beside_ours_and_sent_nowhere(visit: Visit, page: Page, tmp_path: Path) -> None:
    rows(page)
    page.locator("select[name=a]").select_option(index=1)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    assert give(page, tmp_path, OWN) == "1 read"
    page.wait_for_function(SHOWN)
    found = rows(page)
    empty = [row for row in found if row[2] and not row[3] and "computed from" not in row[-1]]
    assert empty == []
    assert {*sent} == {"GET"}
    assert not visit.foreign()


def test_what_one_s_own_file_is_called_stays_out_of_the_address(page: Page, tmp_path: Path) -> None:
    give(page, tmp_path, OWN)
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
    for data in (OWN, changed(complete=False)):
        assert give(page, tmp_path, data) == "1 read"
    assert page.locator("select[name=b] option", has_text="your file").count() == 2


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{", "no result file: "),
        (changed(machine={}), "$.machine.label: is missing"),
        (b'"' + b"x" * 5_000_001 + b'"', "over 5 MB"),
    ],
    ids=["cut off", "missing", "too large"],
)
def test_what_is_no_result_is_refused_with_file_and_field(page: Page, tmp_path: Path, data: bytes, words: str) -> None:
    said = give(page, tmp_path, data)
    assert said.startswith("mine.json: ")
    assert words in said
    assert page.locator("select[name=b] option", has_text="your file").count() == 0


def test_without_what_the_metrics_are_no_file_is_taken(visit: Visit, page: Page, tmp_path: Path) -> None:
    visit.refuse("**/metrics.json")
    assert "did not load (404)" in give(page, tmp_path, OWN)


def test_a_hostile_name_stays_text(page: Page, tmp_path: Path) -> None:
    record: dict[str, Any] = msgspec.json.decode(OWN)
    record["machine"]["label"] = "<img src=x onerror=alert(1)>\u202emine"
    assert give(page, tmp_path, json.dumps(record).encode()) == "1 read"
    page.wait_for_function(SHOWN)
    assert "\u202e" not in page.content()
    assert page.locator("img[src=x]").count() == 0


def test_committed_results_can_be_read_by_the_page(page: Page, tmp_path: Path) -> None:
    for file in load(catalogue.ROOT / "results").files[:4]:
        data = (catalogue.ROOT / "results" / file.path).read_bytes()
        assert give(page, tmp_path, data) == "1 read"
