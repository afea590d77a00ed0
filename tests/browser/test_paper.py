"""On paper: the chosen build alone, what is folded left out, and an article on few pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import FACTS, MOST_PRINTED, printed_pages

from runners.harness.catalogue.scenarios import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "scenarios/primes.html"
ARTICLES = sorted(path.stem for path in (ROOT / "docs" / "articles").glob("*.md"))


def test_paper_has_the_tables_of_the_chosen_build_alone(page: Page) -> None:
    page.locator(".builds > label", has_text="3.12.8").first.click()
    page.wait_for_selector(f"{FACTS} >> text=cpython-3.12.8")  # its tables are fetched
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("details:not([open])").count() > 0
    assert page.locator("details:not([open]):visible").count() == 0
    assert page.locator(".builds > label:visible").first.inner_text() == "3.12.8"
    for of_case in page.locator(".builds:visible").all():
        assert of_case.locator("> .build:visible").count() == 1
        assert of_case.locator("> label:visible").count() == 1
    assert page.locator(".build table.data:visible").first.is_visible()


def test_paper_has_a_line_for_each_row_of_the_board_and_nothing_that_is_folded_in_it(visit: Visit) -> None:
    page = visit.open("index.html")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    rows = page.locator(".board section.matrix__group details.row")
    assert rows.count() > 0
    assert rows.locator("> summary:visible").count() == rows.count()
    assert page.locator(".board details.row:not([open]) > :not(summary):visible").count() == 0


def test_no_head_is_parted_from_what_it_heads(page: Page) -> None:
    page.emulate_media(media="print")
    for head in ("h2", ".builds > label", "p.facts", "table.data caption", "table.data thead"):
        shown = page.locator(f"article {head}:visible")
        assert {*shown.evaluate_all("all => all.map((one) => getComputedStyle(one).breakAfter)")} == {"avoid"}, head


@pytest.mark.parametrize("article", ARTICLES)
def test_an_article_has_few_pages(visit: Visit, article: str) -> None:
    page = visit.open(f"articles/{article}.html")
    assert printed_pages(page) <= MOST_PRINTED
