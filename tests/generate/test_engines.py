"""Both site engines build the generated pages, strictly, from the one mkdocs.yml."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import html5lib
import outside
import pytest
from factory import REFERENCE, Plan
from sample_site import put

from runners.harness import catalogue

ROOT = catalogue.ROOT
ENGINES = {
    "mkdocs": [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f"],
    "zensical": [str(Path(sys.executable).with_name("zensical")), "build", "--strict", "-f"],
}


ARTICLE = re.compile(r'<article class="md-content__inner.*?>(.*)</article>', re.DOTALL)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real pages and scenarios over synthetic results, through the command itself."""
    folder = tmp_path_factory.mktemp("site")
    scenarios = catalogue.find()
    put(folder / "results", {"a.json": Plan(build=REFERENCE), "b.json": Plan()}, scenarios)
    shutil.copy(ROOT / "mkdocs.yml", folder)
    for kind in ([], ["data"]):
        done = generate(folder, *kind)
        assert done.returncode == 0, done.stderr
    return folder


def generate(folder: Path, *kind: str) -> subprocess.CompletedProcess[str]:
    return outside.run("generate", *kind, "--results", folder / "results", "--out", folder / "build")


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_builds_strictly_and_no_link_is_broken(engine: str, generated: Path) -> None:
    if engine == "zensical" and not Path(ENGINES["zensical"][0]).exists():
        pytest.skip("zensical is not installed")
    site = generated / "build/site"
    shutil.rmtree(site, ignore_errors=True)
    command = [*ENGINES[engine], str(generated / "build/mkdocs.yml")]
    done = subprocess.run(command, cwd=generated, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
    assert done.returncode == 0, done.stdout + done.stderr
    pages = list(site.rglob("*.html"))
    assert len(pages) > len(catalogue.find())
    for page in pages:
        if page.name != "404.html":
            assert not broken_links(page, site), page


def test_our_html_is_well_formed(generated: Path) -> None:
    command = [*ENGINES["mkdocs"], str(generated / "build/mkdocs.yml"), "--site-dir", str(generated / "by-mkdocs")]
    done = subprocess.run(command, cwd=generated, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
    assert done.returncode == 0, done.stdout + done.stderr
    pages = [page for page in (generated / "by-mkdocs").rglob("*.html") if page.name != "404.html"]
    for page in pages:
        ours = ARTICLE.search(page.read_text(encoding="utf-8"))
        assert ours is not None, page.name
        parser = html5lib.HTMLParser()
        parser.parseFragment(ours[1], container="article")
        faults = [(code, facts, ours[1].splitlines()[line - 1][:200]) for (line, _), code, facts in parser.errors]
        assert faults == [], page.name
    assert len(pages) > len(catalogue.find())


class Links(HTMLParser):
    """Collects what a page points to, and the ids that it has."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, _tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in {"href", "src", "data-chart", "data-plotly"} and value:
                self.targets.append(value)
            elif name == "id" and value:
                self.ids.add(value)


def broken_links(page: Path, site: Path) -> list[str]:
    links = Links()
    links.feed(page.read_text(encoding="utf-8"))
    return [target for target in links.targets if not leads_somewhere(target, page, site, links.ids)]


def leads_somewhere(target: str, page: Path, site: Path, ids: set[str]) -> bool:
    if re.match(r"https?://(squidfunk\.github\.io|zensical\.org)", target):
        return True  # the engine's own mark in the footer: a link, nothing that is loaded
    path, _, anchor = target.partition("#")
    if not path:
        return not anchor or anchor.startswith("__") or unquote(anchor) in ids
    place = (page.parent / unquote(path.partition("?")[0])).resolve()
    return place.is_relative_to(site.resolve()) and (place.is_file() or (place / "index.html").is_file())


def test_a_broken_result_ends_with_status_3_and_a_site(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results/broken.json").write_text("{")
    done = generate(tmp_path)
    assert done.returncode == 3
    assert "broken.json" in done.stderr
    assert "the site was made without 1 result file(s)" in done.stderr
    assert (tmp_path / "build/docs/data-problems.md").is_file()
