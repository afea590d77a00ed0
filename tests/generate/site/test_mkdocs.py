"""MkDocs builds the generated pages strictly."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote

import factory
import html5lib
import outside
import pytest
from factory import REFERENCE, Plan
from map_factory import map_record
from sample_site import put

from generate.claims.read import read
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ROOT = catalogue.ROOT
MKDOCS = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f"]
ADDRESSES = {source.address for source in read(ROOT / "docs").sources.values() if source.address}
POINTING = {"href", "src", "data-chart", "data-plotly"}
ARTICLE = re.compile(r'<article class="md-content__inner.*?>(.*)</article>', re.DOTALL)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real pages and scenarios over synthetic results, through the command itself."""
    folder = tmp_path_factory.mktemp("site")
    scenarios = catalogue.find()
    put(folder / "results", {"a.json": Plan(build=REFERENCE), "b.json": Plan()}, scenarios)
    for version in ("3.12.14", "3.13.1"):
        (folder / "results" / f"map-{version}.json").write_bytes(encode(map_record(of=factory.build(version))))
    shutil.copy(ROOT / "mkdocs.yml", folder)
    done = outside.run("generate", "--results", folder / "results", "--out", folder / "build")
    assert done.returncode == 0, done.stderr
    return folder


def build(generated: Path, *options: str) -> None:
    command = [*MKDOCS, str(generated / "build/mkdocs.yml"), *options]
    done = subprocess.run(command, cwd=generated, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
    assert done.returncode == 0, done.stdout + done.stderr


def test_site_builds_strictly_and_no_link_is_broken(generated: Path) -> None:
    site = generated / "build/site"
    shutil.rmtree(site, ignore_errors=True)
    build(generated)
    pages = {page.resolve(): links_of(page) for page in site.rglob("*.html")}
    assert len(pages) > len(catalogue.find())
    for page, links in pages.items():
        ours = [name for name in links.ids if not name.startswith("__")]  # the theme's own begin so
        assert len({*ours}) == len(ours), (page, [name for name in ours if ours.count(name) > 1])
        if page.name != "404.html":
            assert [each for each in links.targets if not leads_somewhere(each, page, site.resolve(), pages)] == [], (
                page
            )


def test_our_html_is_well_formed(generated: Path) -> None:
    build(generated, "--site-dir", str(generated / "by-mkdocs"))
    pages = pages_of(generated / "by-mkdocs")
    for page in pages:
        ours = ARTICLE.search(page.read_text(encoding="utf-8"))
        assert ours is not None, page.name
        parser = html5lib.HTMLParser()
        parser.parseFragment(ours[1], container="article")
        faults = [(code, facts, ours[1].splitlines()[line - 1][:200]) for (line, _), code, facts in parser.errors]
        assert faults == [], page.name
    assert len(pages) > len(catalogue.find())


def test_every_page_is_at_most_two_presses_from_home(generated: Path) -> None:
    site = (generated / "two").resolve()
    build(generated, "--site-dir", str(site))
    pages = {page: links_of(page).targets for page in pages_of(site)}
    reached = {site / "index.html"}
    for _ in range(2):
        reached |= {
            (page.parent / unquote(target.partition("#")[0])).resolve() for page in reached for target in pages[page]
        } & pages.keys()
    assert {page.relative_to(site).as_posix() for page in pages.keys() - reached} == set()


def pages_of(site: Path) -> list[Path]:
    """Return the pages, without those that only lead from an old address on."""
    pages = (page for page in site.rglob("*.html") if page.name != "404.html")
    return [page for page in pages if 'http-equiv="refresh"' not in page.read_text(encoding="utf-8")]


class Links(HTMLParser):
    """Collects what a page points to, and the ids that it has."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, _tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.targets += [value for name, value in attributes if name in POINTING and value]
        self.ids += [value for name, value in attributes if name == "id" and value]


def links_of(page: Path) -> Links:
    links = Links()
    links.feed(page.read_text(encoding="utf-8"))
    return links


def leads_somewhere(target: str, page: Path, site: Path, pages: Mapping[Path, Links]) -> bool:
    """Tell whether a link has an end: a file of the site and, in a page, the place that it names."""
    if re.match(r"https?://squidfunk\.github\.io", target):
        return True  # the engine's own mark in the footer: a link, nothing that is loaded
    if target in ADDRESSES:
        return True  # where a source can be read
    path, _, anchor = target.partition("#")
    place = (page.parent / unquote(path.partition("?")[0])).resolve() if path else page
    file = place / "index.html" if place.is_dir() else place
    if not file.is_relative_to(site) or not file.is_file():
        return False
    return not anchor or anchor.startswith("__") or file not in pages or unquote(anchor) in pages[file].ids


def test_a_link_to_a_place_that_is_not_there_is_found(tmp_path: Path) -> None:
    site = tmp_path.resolve()
    (site / "a.html").write_text('<a id="here" href="b.html#there">')
    (site / "b.html").write_text('<p id="there">')
    pages = {page: links_of(page) for page in site.glob("*.html")}
    one = site / "a.html"
    targets = ["b.html#there", "#here", "b.html#gone", "c.html", ".."]
    assert [each for each in targets if leads_somewhere(each, one, site, pages)] == ["b.html#there", "#here"]
