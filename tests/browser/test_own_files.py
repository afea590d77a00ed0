"""A reader's own result files: checked and shown in the browser, and sent nowhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import REFERENCE, Plan, make
from test_compare_page import caption, rows
from visiting import Visit

from generate.results.load import load
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

WIDE = {"width": 1280, "height": 900}
OWN = encode(make(catalogue.find(), Plan(build=REFERENCE, machine="mine", run_id="own", seed=7)))
SHOWN = "() => document.querySelector('[data-compared] caption')?.textContent.includes('mine')"
FILES = """(text) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], "mine.json", { type: "application/json" }));
  return carried;
}"""
WORDS = """() => {
  const carried = new DataTransfer();
  carried.setData("text/plain", "words");
  return carried;
}"""
FULL = """(name) => {
  Storage.prototype.setItem = () => { throw new DOMException("no room", name); };
}"""
TAKEN = """(dataTransfer) => {
  const over = new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true });
  return !document.body.dispatchEvent(over);
}"""


def give(page: Page, folder: Path, data: bytes, name: str = "mine.json") -> str:
    (folder / name).write_bytes(data)
    page.locator("input[type=file]").set_input_files(folder / name)
    said = page.locator("[data-own-said]")
    page.wait_for_function("() => document.querySelector('[data-own-said]').textContent")
    return said.inner_text()


def changed(**fields: object) -> bytes:
    return json.dumps({**json.loads(OWN), **fields}).encode()


def test_one_s_own_file_is_shown_beside_ours_and_sent_nowhere(browser: Browser, site: str, tmp_path: Path) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("compare.html")
        rows(page)
        page.locator("select[name=a]").select_option(index=1)
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.method))
        assert give(page, tmp_path, OWN) == "1 read"
        page.wait_for_function(SHOWN)
        found = rows(page)
        empty = [row for row in found if row[2] and not row[3] and "reckoned" not in row[-1]]
        assert empty == []
        assert {*sent} == {"GET"}
        assert not visit.complaints
        assert not visit.foreign()


def test_what_one_s_own_file_is_called_stays_out_of_the_address(browser: Browser, site: str, tmp_path: Path) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("compare.html")
        rows(page)
        give(page, tmp_path, OWN)
        page.wait_for_function(SHOWN)
        page.locator("select[name=scenario]").select_option("primes")
        assert "scenario=primes" in page.url
        assert "own" not in page.url
        assert "mine" not in page.url
        page.evaluate("location.hash = 'elsewhere'")
        page.wait_for_function("() => location.hash === '#elsewhere'")
        assert "mine" in caption(page)
        assert "your file" in page.locator("select[name=b] option:checked").inner_text()


def test_two_files_of_one_name_are_two(browser: Browser, site: str, tmp_path: Path) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("compare.html")
        rows(page)
        for data in (OWN, changed(complete=False)):
            assert give(page, tmp_path, data) == "1 read"
        assert page.locator("select[name=b] option", has_text="your file").count() == 2


@pytest.mark.parametrize(("path", "expected"), [("scenarios/primes.html", {"primes"}), ("index.html", None)])
@pytest.mark.parametrize("way", ["chosen", "dropped"])
def test_a_file_that_is_given_to_another_page_is_shown_on_this_one(  # noqa: PLR0913, PLR0917 - two of them fixtures
    browser: Browser, site: str, tmp_path: Path, path: str, expected: set[str] | None, way: str
) -> None:
    (tmp_path / "mine.json").write_bytes(OWN)
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open(path)
        page.locator("label.own").wait_for()
        if way == "chosen":
            page.locator("input[data-own]").set_input_files(tmp_path / "mine.json")
        else:
            page.dispatch_event("main", "drop", {"dataTransfer": page.evaluate_handle(FILES, OWN.decode())})
        page.wait_for_url("**/compare.html*")
        page.wait_for_function(SHOWN)
        shown = {row[1].partition(":")[0] for row in rows(page)}
        assert shown == (expected or {*catalogue.find()})
        page.reload()
        rows(page)
        assert page.locator("select[name=b] option", has_text="your file").count() == 0
        assert not visit.complaints
        assert not visit.foreign()


@pytest.mark.parametrize("path", ["compare.html", "scenarios/primes.html"])
def test_files_may_be_dropped_and_words_are_left_to_the_browser(browser: Browser, site: str, path: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open(path)
        page.locator("label.own").wait_for()
        assert page.evaluate(TAKEN, page.evaluate_handle(FILES, "{}"))
        assert not page.evaluate(TAKEN, page.evaluate_handle(WORDS))


def test_a_file_dropped_beside_the_form_is_read(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("compare.html")
        rows(page)
        page.dispatch_event("h1", "drop", {"dataTransfer": page.evaluate_handle(FILES, OWN.decode())})
        page.wait_for_function(SHOWN)


@pytest.mark.parametrize(
    ("name", "words"), [("QuotaExceededError", "Too large to hand over"), ("SecurityError", "Not read: no room")]
)
def test_why_a_file_is_not_handed_over_is_said(
    browser: Browser, site: str, tmp_path: Path, name: str, words: str
) -> None:
    (tmp_path / "mine.json").write_bytes(OWN)
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("scenarios/primes.html")
        page.locator("label.own").wait_for()
        page.evaluate(
            f"() => {{ Storage.prototype.setItem = () => {{ throw new DOMException('no room', '{name}'); }}; }}"
        )
        for _time in range(2):
            page.locator("input[data-own]").set_input_files(tmp_path / "mine.json")
            page.get_by_role("status").filter(has_text=words).wait_for()
        assert page.get_by_role("status").filter(has_text=words).count() == 1


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


def test_without_the_schema_no_file_is_taken(browser: Browser, site: str, tmp_path: Path) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        visit.page.route("**/result.schema.json", lambda route: route.fulfill(status=404, body="{}"))
        page = visit.open("compare.html")
        rows(page)
        assert "did not load (404)" in give(page, tmp_path, OWN)


def test_a_hostile_name_stays_text(browser: Browser, site: str, tmp_path: Path) -> None:
    record: dict[str, Any] = msgspec.json.decode(OWN)
    record["machine"]["label"] = "<img src=x onerror=alert(1)>\u202emine"
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("compare.html")
        rows(page)
        assert give(page, tmp_path, json.dumps(record).encode()) == "1 read"
        page.wait_for_function(SHOWN)
        assert "\u202e" not in page.content()
        assert page.locator("img[src=x]").count() == 0
        assert not visit.complaints


def test_the_committed_results_pass_the_check_of_the_page(browser: Browser, site: str, tmp_path: Path) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("compare.html")
        rows(page)
        for file in load(catalogue.ROOT / "results").files[:4]:
            data = (catalogue.ROOT / "results" / file.path).read_bytes()
            assert give(page, tmp_path, data) == "1 read"
