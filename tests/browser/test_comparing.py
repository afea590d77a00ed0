"""Two cells, or one's own file and ours, beside each other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import REFERENCE, Plan, make
from visiting import Visit

from generate.load import load
from runners.harness import catalogue
from runners.harness.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

WIDE = {"width": 1280, "height": 900}
OWN = encode(make(catalogue.find(), Plan(build=REFERENCE, machine="mine", run_id="own", seed=7)))


def rows(page: Page) -> list[list[str]]:
    page.wait_for_selector("[data-compared] tbody tr")
    found: list[list[str]] = page.eval_on_selector_all(
        "[data-compared] tbody tr", "all => all.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return found


def give(page: Page, folder: Path, data: bytes, name: str = "mine.json") -> str:
    (folder / name).write_bytes(data)
    page.locator("input[type=file]").set_input_files(folder / name)
    said = page.locator("[data-own-said]")
    page.wait_for_function("() => document.querySelector('[data-own-said]').textContent")
    return said.inner_text()


def test_two_builds_of_one_run_are_compared_round_by_round(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        found = rows(visit.open("compare.html"))
        assert any(row[-1] in {"less", "more", "no difference seen"} for row in found)
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


def test_one_s_own_file_is_shown_beside_ours_and_sent_nowhere(browser: Browser, site: str, tmp_path: Path) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("compare.html")
        rows(page)
        page.locator("select[name=a]").select_option(index=1)
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.method))
        assert give(page, tmp_path, OWN) == "1 read"
        page.wait_for_function("() => document.querySelector('[data-compared] caption').textContent.includes('mine')")
        found = rows(page)
        empty = [row for row in found if row[3] and not row[4] and "reckoned" not in row[-1]]
        assert empty == []
        assert {*sent} == {"GET"}
        assert not visit.complaints
        assert not visit.foreign()


@pytest.mark.parametrize(("path", "expected"), [("scenarios/primes.html", {"primes"}), ("index.html", None)])
def test_a_file_that_is_given_to_another_page_is_shown_on_this_one(
    browser: Browser, site: str, tmp_path: Path, path: str, expected: set[str] | None
) -> None:
    (tmp_path / "mine.json").write_bytes(OWN)
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open(path)
        page.locator("input[data-own]").set_input_files(tmp_path / "mine.json")
        page.wait_for_url("**/compare.html*")
        page.wait_for_function("() => document.querySelector('[data-compared] caption')?.textContent.includes('mine')")
        shown = {row[1].partition(":")[0] for row in rows(page)}
        assert shown == (expected or {*catalogue.find()})
        page.reload()
        rows(page)
        assert page.locator("select[name=b] option", has_text="your file").count() == 0
        assert not visit.complaints
        assert not visit.foreign()


def changed(**fields: object) -> bytes:
    return json.dumps({**json.loads(OWN), **fields}).encode()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{", "no JSON"),
        (b'{"schema_version": NaN}', "no JSON"),
        (b"[]", "must be object"),
        (changed(extra=1), "$.extra: no such field"),
        (changed(complete="yes"), "$.complete: must be boolean"),
        (changed(machine={}), "$.machine.label: is missing"),
        (b'"' + b"x" * 5_000_001 + b'"', "over 5 MB"),
    ],
    ids=["cut off", "NaN", "a list", "extra", "a wrong type", "missing", "too large"],
)
def test_what_is_no_result_is_refused_with_file_and_field(
    browser: Browser, site: str, tmp_path: Path, data: bytes, words: str
) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("compare.html")
        rows(page)
        said = give(page, tmp_path, data)
        assert said.startswith("mine.json: ")
        assert words in said
        assert page.locator("select[name=b] option", has_text="your file").count() == 0


def test_a_hostile_name_stays_text(browser: Browser, site: str, tmp_path: Path) -> None:
    record = msgspec.json.decode(OWN)
    record["machine"]["label"] = "<img src=x onerror=alert(1)>"
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("compare.html")
        rows(page)
        give(page, tmp_path, json.dumps(record).encode())
        assert page.locator("img[src=x]").count() == 0
        assert not visit.complaints


def test_the_committed_results_pass_the_check_of_the_page(browser: Browser, site: str, tmp_path: Path) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("compare.html")
        rows(page)
        for file in load(catalogue.ROOT / "results").files[:4]:
            data = (catalogue.ROOT / "results" / file.path).read_bytes()
            assert give(page, tmp_path, data) == "1 read"
