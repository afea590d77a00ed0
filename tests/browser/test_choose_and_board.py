"""Choose with its sliders, and the board of claims with its filters and rows."""

import pytest
from playwright.sync_api import Page
from visiting import NARROW, Visit, choose

CHOOSE = "choose.html"
BOARD = "claims/index.html"


def answer(page: Page, work: str) -> str:
    page.locator("[data-chosen] .note", has_text=work).wait_for(state="attached")
    return page.locator("[data-answer]").inner_text()


def slide(page: Page, name: str, value: str) -> None:
    slider = page.locator(f"form[data-choose] input[name={name}]")
    slider.fill(str((slider.get_attribute("data-values") or "").split().index(value)))


def models(page: Page) -> list[str]:
    return page.locator("[data-chosen] tbody th a").all_inner_texts()


def shown_claims(page: Page) -> list[str]:
    """Unfold the board, and return the claims whose rows are visible."""
    page.locator("[data-found]:not(:empty)").wait_for(state="attached")
    page.evaluate("document.querySelectorAll('details.claims').forEach((each) => { each.open = true; })")
    return [*page.locator("details.row:visible").evaluate_all("all => all.map((one) => one.dataset.claim)")]


def test_answer_follows_the_sliders_and_lives_in_the_address(visit: Visit) -> None:
    page = visit.open(CHOOSE)
    page.locator("form[data-choose]").wait_for()
    first = answer(page, "1,000 tasks that each wait 100 ms")
    assert len(models(page)) > 3
    assert not visit.urls("/maps/")  # the page comes with its first answer
    for name, value in {"tasks": "10", "compute": "10000", "wait": "0"}.items():
        slide(page, name, value)
    work = "10 tasks that each compute 10 ms."
    other = answer(page, work)
    assert other != first
    address = page.evaluate("location.hash")
    visit.open(BOARD)
    assert answer(visit.open(f"{CHOOSE}{address}/%"), work) == other  # cut off within a name
    for name, value in {"tasks": "1000", "compute": "1000", "wait": "100000"}.items():
        slide(page, name, value)
    answer(page, "1,000 tasks that each compute 1 ms and wait 100 ms.")
    assert models(page) == []  # not measured
    page.locator(".unmeasured").first.wait_for()
    page.locator(f".map__grid a[href='{address}']:visible").click()
    assert answer(page, work) == other


def test_old_link_names_a_machine_by_its_label(visit: Visit) -> None:
    page = visit.open(f"{CHOOSE}?tasks=10&compute=0&wait=1000&kind=timers&machine=other-host&build=cpython-3.13.1")
    answer(page, "10 tasks that each wait 1 ms.")
    assert page.locator("select[name=machine]").input_value().startswith("other-host")


def test_board_filters_narrow_count_and_live_in_the_address(visit: Visit) -> None:
    page = visit.open(BOARD)
    everything = shown_claims(page)
    choose(page, "source", "S4")
    narrowed = shown_claims(page)
    assert narrowed == [each for each in everything if each.startswith("S4.")]
    assert page.locator("[data-found]").inner_text() == f"{len(narrowed)} claims"
    page.reload()
    assert shown_claims(page) == narrowed
    choose(page, "source", "")
    assert "?" not in page.url
    choose(page, "family", "tornado")
    assert 0 < len(shown_claims(page)) < len(everything)


def test_lost_answer_is_reported_and_retried(visit: Visit) -> None:
    visit.refuse("**/maps/*.json", times=1)
    page = visit.open(CHOOSE)
    slide(page, "tasks", "10")
    page.locator("[data-answer]", has_text="404").wait_for()
    slide(page, "tasks", "1000")
    answer(page, "1,000 tasks that")


@pytest.mark.context(viewport=NARROW, java_script_enabled=False)
def test_rows_and_first_answer_need_no_javascript(visit: Visit) -> None:
    page = visit.open(BOARD)
    row = page.locator("details.row").first
    row.locator("summary").click()
    assert row.locator(".note").is_visible()
    page = visit.open(CHOOSE)
    answer(page, "1,000 tasks that each wait 100 ms")
    assert len(models(page)) > 3
