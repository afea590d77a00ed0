"""The site that MkDocs builds strictly: its links, its ids and its HTML."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import html5lib
import pytest

from generate.claims.read import read
from runners.harness.catalogue.scenarios import ROOT

SOURCES = {source.address for source in read(ROOT / "docs").sources.values() if source.address}
DOCUMENTATION = tuple(f"https://{name}.readthedocs.io/" for name in ("anyio", "eventlet", "trio"))
ELSEWHERE = (
    "https://squidfunk.github.io",
    "https://docs.astral.sh/",
    "https://docs.python.org/3",
    "https://github.com/",
    "https://peps.python.org/",
    "https://www.starlette.io/",
    *DOCUMENTATION,
)
"""Material's mark in the footer, documentation, and announcements and issues that articles name."""
POINTING = {"href", "src", "data-chart", "data-plotly"}
ARTICLE = re.compile(r'<article class="md-content__inner.*?>(.*)</article>', re.DOTALL)


class Links(HTMLParser):
    """Collects what a page points to, and the ids that it has."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.ids: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, _tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.targets += [value for name, value in attributes if name in POINTING and value]
        self.ids += [value for name, value in attributes if name == "id" and value]


@pytest.fixture(scope="module")
def site(built_site: Path) -> dict[Path, Links]:
    return {page: Links(page) for page in built_site.resolve().rglob("*.html")}


def is_redirect(page: Path) -> bool:
    return 'http-equiv="refresh"' in page.read_text(encoding="utf-8")


def find_file(target: str, page: Path) -> Path:
    path = unquote(target.partition("#")[0].partition("?")[0])
    place = (page.parent / path).resolve() if path else page
    return place / "index.html" if place.is_dir() else place


def is_broken(target: str, page: Path, pages: dict[Path, Links]) -> bool:
    if target in SOURCES or target.startswith(ELSEWHERE):
        return False
    file, anchor = find_file(target, page), unquote(target.partition("#")[2])
    if not file.is_file():
        return True
    return bool(anchor) and not anchor.startswith("__") and file in pages and anchor not in pages[file].ids


def test_no_link_is_broken_and_no_id_is_used_twice(site: dict[Path, Links]) -> None:
    assert len(site) > 50
    for page, links in site.items():
        ids = [name for name in links.ids if not name.startswith("__")]  # Material's own
        assert sorted({*ids}) == sorted(ids), page
        if page.name != "404.html":
            assert [target for target in links.targets if is_broken(target, page, site)] == [], page


def test_html_is_well_formed(site: dict[Path, Links]) -> None:
    for page in (page for page in site if page.name != "404.html" and not is_redirect(page)):
        article = ARTICLE.search(page.read_text(encoding="utf-8"))
        assert article is not None, page
        parser = html5lib.HTMLParser()
        parser.parseFragment(article[1], container="article")
        lines = article[1].splitlines()
        assert [(code, lines[line - 1][:200]) for (line, _), code, _ in parser.errors] == [], page


def test_every_page_is_at_most_two_presses_from_home(site: dict[Path, Links], built_site: Path) -> None:
    reached = {built_site.resolve() / "index.html"}
    for _press in range(2):
        reached |= {find_file(target, page) for page in reached & site.keys() for target in site[page].targets}
    missed = {page for page in site.keys() - reached if page.name != "404.html" and not is_redirect(page)}
    assert missed == set()
