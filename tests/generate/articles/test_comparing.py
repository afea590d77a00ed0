"""The form of the page that compares two cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from factory import Plan, some_scenarios
from sample_site import book_of, put

from generate.articles.compare import form

if TYPE_CHECKING:
    from pathlib import Path

SCENARIOS = some_scenarios()


def test_the_page_says_that_its_many_rows_are_not_corrected_for(tmp_path: Path) -> None:
    put(tmp_path, {"a.json": Plan()}, SCENARIOS)
    assert "not corrected for that" in form(book_of(tmp_path, SCENARIOS), "compare.md")
