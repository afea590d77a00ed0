"""Two cells beside each other, ours or a reader's own files. How they are compared is tested in tests/javascript."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import REFERENCE, Plan, build, make
from playwright.sync_api import expect
from visiting import LONGEST_PX, NARROW, choose, height_px, hold, let_go

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page, Route
    from visiting import Visit

PAGE = "compare.html"
SHOWN = "() => document.querySelector('[data-compared] .between')?.textContent.includes('mine')"
CELLS = """all => all.map((row) => Object.fromEntries(
  [...row.cells].map((cell) => [cell.dataset.label ?? cell.tagName, cell.textContent])))"""
SAID = """place => ({
  words: [...place.querySelectorAll(":scope > p, :scope > ul > li, summary")].map((each) => each.textContent),
  cells: [...place.querySelectorAll(":scope > .scroller :is(td, tbody th)")].map((cell) => [
    cell.tagName, cell.className, cell.dataset.label ?? "", Number(cell.dataset.sort ?? 0), cell.innerHTML]),
})"""
"""All that is said of two cells beside what is folded."""
SIZES = "all => all.map((cell) => [/noise/.test(cell.textContent), -Math.abs(Math.log(cell.dataset.sort))])"
"""Of the cells of changes: whether there is doubt about one, and how far it is from none, less first."""


def rows(page: Page) -> list[dict[str, str]]:
    """Return the cells of every row by the heads of their columns, those that are folded too; "TH" is the first."""
    page.wait_for_selector("[data-compared] tbody tr", state="attached")
    found: list[dict[str, str]] = page.eval_on_selector_all("[data-compared] tbody tr", CELLS)
    return found


def findings(page: Page) -> set[str]:
    page.locator("[data-compared] > details > summary").last.click()
    page.locator("[data-compared] > details td").first.wait_for()
    return {row["Finding"] for row in rows(page) if "Finding" in row}


def between(page: Page) -> str:
    return page.locator("[data-compared] .between").inner_text()


def chosen(page: Page, name: str) -> str:
    return page.locator(f"select[name={name}] option:checked").inner_text()


@functools.cache
def own() -> dict[str, Any]:
    record = make(catalogue.find(), Plan(machine="mine", run_id="own", seed=7))
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
    found = findings(visit.open(PAGE))
    assert found & {"median inside the noise", "no difference seen"}
    assert any("timed_out" in finding for finding in found)


def test_it_opens_with_a_comparison_that_needs_nothing_more_and_is_the_one_that_the_form_gives(visit: Visit) -> None:
    page = visit.open(PAGE)
    rows(page)
    page.wait_for_function("() => !document.querySelector('form[data-compare]').hidden")
    opened = page.locator("[data-compared]").evaluate(SAID)
    assert page.locator("[data-compared] > .scroller").count() == 1
    assert not visit.urls("/values/")
    one, other = (page.locator(f"select[name={name}]").input_value() for name in "ab")
    said = page.locator("form[data-compare] output[aria-live]").last
    series = said.inner_text()
    choose(page, "scenario", "primes")
    expect(said).not_to_have_text(series)
    assert visit.urls("/values/")
    choose(page, "scenario", "")
    expect(said).to_have_text(re.compile(f"^{series}: .*(faster|slower)"))
    assert page.locator("[data-compared]").evaluate(SAID) == opened
    assert f"a={one}" in page.url
    assert f"b={other}" in page.url


def test_what_is_folded_of_the_opening_comes_when_it_is_unfolded(visit: Visit) -> None:
    page = visit.open(PAGE)
    page.wait_for_function("() => !document.querySelector('form[data-compare]').hidden")
    fold = page.locator("[data-compared] > details").last
    assert fold.locator("tr").count() == 0
    fold.locator("summary").click()
    fold.locator("tbody tr").first.wait_for()
    others = re.match(r"(\d+) others", fold.locator("summary").inner_text())
    assert others
    assert fold.locator("tbody tr").count() == int(others[1])
    assert fold.get_attribute("open") is not None


def test_a_summary_comes_first_then_the_largest_differences_beyond_doubt_and_the_rest_is_folded(visit: Visit) -> None:
    page = visit.open(PAGE)
    found = rows(page)
    lines = page.locator("[data-compared] > ul > li").all_inner_texts()
    counted = [re.match(r"(\d+) (?:faster|slower|more|less|reaching|with noise)\b", line) for line in lines]
    assert sum(int(one[1]) for one in counted if one) == len([row for row in found if "Change" in row]) > 0
    sizes = page.locator("[data-compared] > .scroller td[data-label=Change]").evaluate_all(SIZES)
    assert sizes == sorted(sizes)
    assert page.locator("[data-compared] > .scroller .versus").count() == len(sizes) <= 20
    folded = page.locator("[data-compared] > details")
    assert folded.count() > 0
    assert page.locator("[data-compared] > details[open]").count() == 0


@pytest.mark.surroundings(viewport=NARROW)
def test_on_a_phone_it_is_short_and_nothing_sticks_out(page: Page) -> None:
    first = page.locator("select[name=a]").input_value()
    for name in page.locator("select[name=b] option").evaluate_all("all => all.map((one) => one.value)"):
        choose(page, "b", name)
        if name == first:
            page.locator("form output", has_text="First and second are the same result").wait_for()
            continue
        last = chosen(page, "b").split(" (")[0]
        page.locator("[data-compared] .between", has_text=re.compile(f"^(CPython )?{re.escape(last)}")).wait_for()
        assert height_px(page) <= LONGEST_PX[PAGE]
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_what_is_chosen_lives_in_the_address(page: Page) -> None:
    rows(page)
    choose(page, "scenario", "power")
    assert "scenario=power" in page.url
    assert "a=" in page.url
    page.reload()
    page.wait_for_selector("[data-compared] tbody tr", state="attached")
    named = page.locator("[data-compared] tbody th small").all_text_contents()
    assert {words.partition(":")[0] for words in named} == {"power"}


def test_what_was_asked_for_last_is_shown_whichever_loads_last(page: Page) -> None:
    rows(page)
    names = page.locator("select[name=b] option").evaluate_all("all => all.map((one) => one.value)")
    held = hold(page, f"**/values/{names[2]}.json")
    with page.expect_request(f"**/values/{names[2]}.json"):
        choose(page, "b", names[2])
    choose(page, "b", names[3])
    last = chosen(page, "b").split(",")[0]
    page.locator("[data-compared] .between", has_text=re.compile(f"^(CPython )?{re.escape(last)},")).wait_for()
    let_go(held[0])
    assert between(page).removeprefix("CPython ").startswith(last)


def test_the_table_is_one_to_those_who_hear_it_and_can_be_sorted(visit: Visit) -> None:
    page = visit.open("compare.html?a=fixture-host-cpython-3.12.8&b=other-host-cpython-3.13.1")
    rows(page)
    table = page.get_by_role("group", name="What differs").get_by_role("table")
    table.get_by_role("columnheader", name="Change").get_by_role("button").click()
    keys = table.locator("td[data-label=Change]").evaluate_all("all => all.map((cell) => cell.dataset.sort)")
    ratios = [float(key) for key in keys if key]
    assert len(set(ratios)) > 1
    assert ratios == sorted(ratios)
    page.evaluate("location.hash = 'elsewhere'")
    page.wait_for_function("() => location.hash === '#elsewhere'")
    assert table.locator("th[aria-sort=ascending]").count() == 1


def test_one_s_own_file_is_shown_beside_ours_and_sent_nowhere(visit: Visit, page: Page, tmp_path: Path) -> None:
    rows(page)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    said = "1 read. Of ours none has the same kind of machine: beside it stands the nearest."
    assert give(page, tmp_path) == said
    page.wait_for_function(SHOWN)
    assert chosen(page, "a").startswith("3.13.1, 2-core x86-64 machine")
    empty = [row for row in rows(page) if row["First"] and not row["Second"]]
    assert [row for row in empty if "computed from" not in row["Finding"]] == []
    assert {*sent} == {"GET"}
    assert not visit.foreign()


def test_two_builds_that_one_s_own_run_measured_are_shown_beside_each_other_by_their_names(
    page: Page, tmp_path: Path
) -> None:
    rows(page)
    variant = msgspec.structs.replace(build(), variant=("aiohttp 3.13.5",))
    for name, one in {"variant": variant, "plain": REFERENCE}.items():
        record = make({"primes": catalogue.find()["primes"]}, Plan(build=one, machine="mine", run_id="own"))
        (tmp_path / f"{name}.json").write_bytes(encode(record))
    page.locator("input[type=file]").set_input_files([tmp_path / f"{name}.json" for name in ("variant", "plain")])
    page.wait_for_function(SHOWN)
    said = page.locator("[data-own-said]").inner_text()
    assert said == "2 read. Two of one run stand beside each other; ours can be chosen instead."
    assert chosen(page, "a") == "3.12.8, mine (your file)"
    assert chosen(page, "b") == "3.13.1 (aiohttp-3.13.5), mine (your file)"


def test_of_a_quick_run_of_one_s_own_it_is_said_that_nothing_is_decided(page: Page, tmp_path: Path) -> None:
    rows(page)
    record = make({"primes": catalogue.find()["primes"]}, Plan(machine="mine", profile="quick"))
    said = give(page, tmp_path, encode(record))
    assert said.startswith("1 read. Nothing of a quick run is decided here. Of ours ")


def test_what_one_s_own_file_is_called_stays_out_of_the_address(page: Page, tmp_path: Path) -> None:
    give(page, tmp_path)
    page.wait_for_function(SHOWN)
    choose(page, "scenario", "primes")
    assert "scenario=primes" in page.url
    assert "own" not in page.url
    assert "mine" not in page.url
    page.evaluate("location.hash = 'elsewhere'")
    page.wait_for_function("() => location.hash === '#elsewhere'")
    assert "mine" in between(page)
    assert "your file" in chosen(page, "b")


def test_a_local_result_stands_beside_the_published_one_of_its_build(visit: Visit) -> None:
    def as_local(route: Route) -> None:
        answer = route.fetch()
        option = '<option value="other-host-cpython-3.13.1" '
        no_opening = re.sub(r"(data-compared>).*?(</div>\s*</section>)", r"\1\2", answer.text(), flags=re.DOTALL)
        route.fulfill(response=answer, body=no_opening.replace(option, f"{option}data-local "))

    visit.page.route("**/compare.html", as_local)
    page = visit.open(PAGE)
    page.wait_for_function("() => !document.querySelector('form[data-compare]').hidden")
    rows(page)
    assert [chosen(page, name).split(" (")[0] for name in "ab"] == [
        "3.13.1, 2-core x86-64 machine, fixture-host",
        "3.13.1, 2-core x86-64 machine, other-host",
    ]


def test_two_files_of_one_name_are_two(page: Page, tmp_path: Path) -> None:
    for complete in (True, False):
        assert give(page, tmp_path, complete=complete).startswith("1 read. ")
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
    assert give(page, tmp_path, machine=machine).startswith("1 read. ")
    page.wait_for_function(SHOWN)
    assert "\u202e" not in page.content()
    assert page.locator("img[src=x]").count() == 0


def test_committed_results_can_be_read_by_the_page(page: Page, tmp_path: Path) -> None:
    committed = sorted((catalogue.ROOT / "results").glob("2*/*/*.json"))
    for path in committed[:4]:
        assert give(page, tmp_path, path.read_bytes()).startswith("1 read. ")
