"""The board of verdicts: its filters, rows and cards, by press and keyboard, with no script or no colour."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import outside
import pytest
from axe_playwright_python.sync_playwright import Axe
from factory import REFERENCE, Plan, build, make
from visiting import NARROW, WIDE, choose, choose_scheme, hold, let_go, open_card

from generate.claims.read import read
from generate.data.selection import MachineKey
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Locator, Page
    from visiting import Visit

PAGE = "index.html"
HERE, ELSEWHERE = "fixture-host", "cpython-3.11.9"
PLANS = [
    Plan(build=REFERENCE, speed={"process_pool": 0.6}),
    Plan(speed={"process_pool": 0.6}),
    Plan(build=build("3.14.0", free_threaded=True), speed={"process_pool": 0.9, "thread_pool": 0.6}),
    Plan(machine="other-host", run_id="fixture-2", build=build("3.11.9")),
]
HERE_KEY, OTHER = (MachineKey(name, local=False, processor="Fixture CPU", cores=2).key for name in (HERE, "other-host"))
DOCS = catalogue.ROOT / "docs"
HOME = "# Home\n\n## What holds today\n\n{{ board() }}\n"
SHOWN = "details.row:visible"
FIRST = "details.row >> nth=0"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a small site with the board: three builds on a machine, of which most agree, and another machine."""
    folder = tmp_path_factory.mktemp("board")
    scenarios = catalogue.find()
    for kept in ("results", "docs/claims", "docs/machines"):
        (folder / kept).mkdir(parents=True)
    for number, plan in enumerate(PLANS):
        (folder / "results" / f"{number}.json").write_bytes(encode(make(scenarios, plan)))
    write_docs(folder / "docs")
    with outside.serving(outside.build_site(folder, "--docs", folder / "docs")) as address:
        yield address


def write_docs(docs: Path) -> None:
    """Write the board's page, and what pages of scenarios and claims link to."""
    for path in DOCS.glob("claims/*.toml"):
        shutil.copy(path, docs / "claims")
    shutil.copy(DOCS / "validation.json", docs)
    (docs / "index.md").write_text(HOME)
    for name in ("claims/index", "machines/index", "method", "glossary", "compare", "run-it-yourself", "use-the-data"):
        (docs / f"{name}.md").write_text("# A page\n")


def shown(page: Page) -> list[str]:
    """Return the claims whose rows are shown once the script has counted them."""
    page.locator("[data-found]:not(:empty)").wait_for(state="attached")
    return [*page.locator(SHOWN).evaluate_all("all => all.map((one) => one.dataset.claim)")]


def all_shown(page: Page) -> list[str]:
    """Return the same, of what is folded too."""
    page.locator("[data-found]:not(:empty)").wait_for(state="attached")
    page.evaluate("document.querySelectorAll('details.matrix__group').forEach((each) => { each.open = true; })")
    return shown(page)


def builds(page: Page) -> set[str]:
    return {*page.locator("select[name=build] option").evaluate_all("all => all.map((one) => one.value)")}


def heads(page: Page) -> list[str]:
    return page.locator(".matrix__heads span:visible").all_text_contents()


def squares(row: Locator) -> Locator:
    return row.locator(".squares > b:visible")


def found(page: Page) -> str:
    return page.locator("[data-found]").inner_text()


def test_agreement_is_folded_until_something_is_looked_for(page: Page) -> None:
    before = shown(page)
    folded = page.locator("details.matrix__group", has_text="All builds agree")
    alike = folded.locator("details.row").evaluate_all("all => all.map((one) => one.dataset.claim)")
    assert len(alike) > 5
    assert not {*alike} & {*before}
    choose(page, "source", "S4")
    of_source = shown(page)
    assert {claim for claim in alike if claim.startswith("S4.")} <= {*of_source}
    assert all(claim.startswith("S4.") for claim in of_source)
    count = folded.locator("details.row:visible").count()
    assert folded.locator("summary").first.inner_text() == f"All builds agree: {count} claims"


def test_filters_narrow_the_board_and_live_in_the_address(page: Page) -> None:
    everything = all_shown(page)
    choose(page, "source", "S4")
    of_source = shown(page)
    assert 0 < len(of_source) < len(everything)
    choose(page, "verdict", "holds")
    narrowed = shown(page)
    assert set(narrowed) <= set(of_source)
    assert "source=S4" in page.url
    assert "verdict=holds" in page.url
    page.reload()
    assert shown(page) == narrowed
    choose(page, "source", "")
    choose(page, "verdict", "")
    assert all_shown(page) == everything
    assert "?" not in page.url


def test_filter_of_a_verdict_finds_and_counts_parts(visit: Visit) -> None:
    entries = json.loads(visit.page.request.get(f"{visit.site}data/verdicts.json").text())["verdicts"]
    of_site = [each for each in entries if each["machine"] == HERE]
    ours = {(claim.id, part.name) for claim in read(DOCS).claims for part in claim.parts if part.ours}
    refuted = [each for each in of_site if each["verdict"] == "does not hold"]
    refuted = [each for each in refuted if (each["claim"], each["name"]) not in ours]
    page = visit.open("index.html?verdict=does+not+hold")
    assert {*shown(page)} == {each["claim"] for each in refuted}
    claims, parts = len({each["claim"] for each in refuted}), len({each["part"] for each in refuted})
    assert found(page) == f"{claims} claims, {parts} parts, {len(refuted)} verdicts “does not hold”"
    choose(page, "build", "cpython-3.13.1")
    on_build = [each for each in refuted if each["build"] == "cpython-3.13.1"]
    assert {*shown(page)} == {each["claim"] for each in on_build}
    assert f", {len(on_build)} parts, {len(on_build)} verdicts" in found(page)


def test_one_build_is_shown_alone(page: Page) -> None:
    shown(page)
    assert heads(page) == ["3.12.8", "3.13.1", "3.14.0t"]
    choose(page, "build", "cpython-3.13.1")
    for _load in range(2):
        shown(page)
        assert heads(page) == ["3.13.1"]
        assert squares(page.locator(SHOWN).first).count() == 1
        assert "build=cpython-3.13.1" in page.url
        page.reload()


def test_squares_stand_below_the_names_of_their_builds(page: Page) -> None:
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        names = page.locator(".matrix__heads span").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().x)"
        )
        given = squares(page.locator(SHOWN).first).evaluate_all("all => all.map((one) => one.getBoundingClientRect())")
        assert [box["x"] for box in given] == pytest.approx(names, abs=1)
        assert all(18 <= box["width"] <= 22 and 18 <= box["height"] <= 22 for box in given)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_choosing_a_machine_brings_its_rows_and_builds(visit: Visit, page: Page) -> None:
    everything, here = all_shown(page), builds(page)
    assert not visit.urls("board.json")
    choose(page, "machine", OTHER)
    page.locator(".matrix__heads", has_text="3.11.9").wait_for()
    assert visit.urls("board.json")
    assert builds(page) - here == {ELSEWHERE}
    choose(page, "build", ELSEWHERE)
    choose(page, "machine", HERE_KEY)
    page.locator(".matrix__heads", has_text="3.13.1").wait_for()
    assert "build" not in page.url
    assert all_shown(page) == everything
    visit.open(f"index.html?machine={OTHER}").locator(".matrix__heads", has_text="3.11.9").wait_for()


def test_a_machine_that_does_not_load_says_so_and_leaves_the_other(visit: Visit) -> None:
    visit.refuse("**/board.json")
    page = visit.open(f"index.html?machine={OTHER}")
    page.locator("form output", has_text="did not load").wait_for()
    assert heads(page) == ["3.12.8", "3.13.1", "3.14.0t"]
    assert "machine=" not in page.url


@pytest.mark.surroundings(viewport=NARROW, java_script_enabled=False)
def test_row_opens_without_javascript(visit: Visit, page: Page) -> None:
    assert not page.locator("form.filters").is_visible()
    row = page.locator(FIRST)
    row.locator("summary").click()
    assert row.locator(".row__answer").is_visible()
    page.get_by_role("link", name="each on its page").click()
    page.wait_for_url("**/machines/index.html")
    page = visit.open(f"machines/{OTHER}.html")
    row = page.locator(SHOWN).first
    row.locator("summary").click()
    link = row.get_by_role("link").first
    link.click()
    page.wait_for_url("**#*")  # another page: it is to have loaded
    assert page.locator(f"[id='{page.url.partition('#')[2]}']").count() == 1


def test_verdicts_are_told_apart_without_colour(page: Page) -> None:
    look = """all => all.map((one) => {
      const symbols = ["::before", "::after"].map((half) => getComputedStyle(one, half).content);
      return [one.outerHTML, `${symbols} ${getComputedStyle(one).borderStyle}`];
    })"""
    seen = dict(page.locator(".board__legend .squares b").evaluate_all(look))
    assert len({*seen.values()}) == len(seen) > 5


def test_the_legend_has_every_mark_in_words(page: Page) -> None:
    halves = "all => all.flatMap(({ dataset }) => Object.values(dataset))"
    marks = page.locator(".matrix .squares b").evaluate_all(halves)
    assert len({*marks}) > 3
    assert {*marks} <= {*page.locator(".board__legend .squares b").evaluate_all(halves)}
    assert all(words.strip() for words in page.locator(".board__legend li").all_inner_texts())


def test_each_row_is_one_stop_of_the_keyboard(page: Page) -> None:
    shown(page)
    page.locator("h2").first.click()
    page.keyboard.press("Tab")
    stops = 1
    while not page.evaluate("document.activeElement.matches('select[name=machine]')"):
        page.keyboard.press("Tab")
        stops += 1
    assert stops <= 3
    for _filter in range(5):
        page.keyboard.press("Tab")
    for stop in ("details.row > summary", "details > summary"):  # the second may be of a folded group
        assert page.evaluate("(stop) => document.activeElement.matches(stop)", stop)
        page.keyboard.press("Tab")


def test_row_and_card_open_from_the_keyboard(page: Page) -> None:
    shown(page)
    row = page.locator("details.row[data-claim='S1.4']")
    assert row.locator(".row__answer").bounding_box()["width"] <= 1  # type: ignore[index]  # it is there, for those who hear it
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    row.locator(".card").wait_for()
    first = [line for line in row.inner_text().splitlines() if line.strip()][1]
    assert first == row.locator(".row__answer").inner_text()
    assert first.endswith(".")
    assert row.locator("button[aria-pressed=true]").inner_text() == "3.13.1"
    assert row.locator(".card__answer").inner_text().startswith("On CPython 3.13.1: ")
    assert row.get_by_text("Runs").first.is_visible()
    for link in row.get_by_role("link").evaluate_all("all => all.map((one) => one.href)"):
        assert page.request.get(link).status == 200
    page.keyboard.press("Enter")
    assert not row.locator(".card").is_visible()


def test_square_opens_the_card_of_its_build(page: Page) -> None:
    shown(page)
    row = page.locator("details.row[data-claim='S1.4']")
    for column, name in ((2, "CPython 3.14.0 free-threaded"), (1, "CPython 3.13.1")):
        squares(row).nth(column).click()
        row.locator(".card__answer", has_text=name).wait_for()
        assert row.get_attribute("open") is not None
        assert row.locator(".card").count() == 1
    row.get_by_role("button", name="3.12.8").click()
    row.locator(".card__answer", has_text="3.12.8").wait_for()


def test_the_build_that_is_chosen_is_the_one_whose_card_opens(visit: Visit) -> None:
    page = visit.open("index.html?build=cpython-3.13.1")
    shown(page)
    assert "3.13.1" in open_card(page).inner_text()


def test_the_card_that_was_asked_for_last_is_shown(page: Page) -> None:
    shown(page)
    held = hold(page, "**/assets/cards/*3.14.0t.json")
    row = page.locator("details.row[data-claim='S1.4']")
    with page.expect_request("**/assets/cards/*.json"):
        squares(row).nth(2).click()
    squares(row).nth(1).click()
    row.locator(".card__answer", has_text="3.13.1").wait_for()
    let_go(held[0])
    assert "3.13.1" in row.locator(".card__answer").inner_text()


def test_where_a_card_does_not_come_the_row_says_so(visit: Visit) -> None:
    visit.refuse("**/assets/cards/*.json")
    page = visit.open(PAGE)
    shown(page)
    row = page.locator(FIRST)
    row.locator(".row__says").click()
    row.get_by_text("did not load").wait_for()


def test_an_address_that_names_what_is_not_there_breaks_nothing(visit: Visit) -> None:
    everything = shown(visit.open(PAGE))
    page = visit.open("index.html?source=S9&verdict=%3Cscript%3E#%")
    assert shown(page) == everything
    assert open_card(page).is_visible()


def test_one_script_that_fails_at_its_start_keeps_no_other_from_it(visit: Visit) -> None:
    visit.page.add_init_script('window.IntersectionObserver = class { constructor() { throw Error("planted"); } };')
    page = visit.open("scenarios/primes.html")
    choose(page, "family", "processes")
    assert "family=processes" in page.url
    assert any("planted" in complaint for complaint in visit.complaints)
    visit.may_complain = True


def test_where_the_script_does_not_come_the_page_says_so(visit: Visit) -> None:
    visit.refuse("**/board.js")
    visit.open(PAGE).get_by_text("did not load").wait_for()


@pytest.mark.surroundings(reduced_motion="reduce")
def test_board_violates_no_accessibility_rule(page: Page) -> None:
    all_shown(page)
    open_card(page)
    for size, scheme in ((WIDE, "light"), (NARROW, "dark")):
        page.set_viewport_size(size)
        choose_scheme(page, "dark" if scheme == "dark" else "light")
        found = Axe().run(page, context=".board", options={"resultTypes": ["violations"]}).response["violations"]
        assert not found, [(each["id"], [node["html"][:160] for node in each["nodes"]]) for each in found]
