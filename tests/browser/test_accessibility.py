"""What axe-core finds: nothing in our content; in the whole page only what the theme itself brings, listed by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from visiting import PAGES, Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

THEMES_OWN = {"aria-dialog-name": '<div class="md-search"', "landmark-unique": '<nav class="md-'}
"""By rule, how the theme's own elements begin that break it."""
OPEN_ALL = "() => document.querySelectorAll('main details').forEach((each) => { each.open = true; })"


def violations(page: Page, context: str | None = None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = Axe().run(page, context=context).response["violations"]
    return found


def words(found: list[dict[str, Any]]) -> list[str]:
    return [
        f"{each['id']}: {node['target']} {node['html'][:120]}"
        for each in found
        for node in each["nodes"]
        if not node["html"].startswith(THEMES_OWN.get(each["id"], "\0"))
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", [*PAGES, "compare.html", "articles/start-here.html"])
def test_what_we_put_on_a_page_violates_no_rule(browser: Browser, site: str, path: str, scheme: Any) -> None:  # noqa: ANN401 - a literal
    with Visit(browser, site, viewport={"width": 1280, "height": 900}, color_scheme=scheme) as visit:
        page = visit.open(path)
        page.evaluate(OPEN_ALL)
        assert words(violations(page)) == []


def test_an_open_card_violates_no_rule(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport={"width": 390, "height": 844}) as visit:
        page = visit.open("index.html")
        page.locator("a.square").first.click()
        page.get_by_role("dialog", name="Verdict").wait_for()
        assert words(violations(page, "dialog")) == []
