"""The pages that `make dev` rebuilds after an edit."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from factory import REFERENCE, Plan
from sample_site import letters, options, write_results

from generate.pages import templates
from generate.site import dev, pipeline
from runners.harness.catalogue.scenarios import ROOT

EDITS = [
    ("docs/guide.md", "\nmore", {"docs/guide.md"}, False),
    ("docs/new.md", "# New\n", {"docs/new.md", "mkdocs.yml"}, True),
    ("templates/scenario.md", "\nmore", {"docs/scenarios/letters.md"}, False),
    ("assets/base.css", "a {}", {"docs/assets/site.css"}, False),
    ("assets/tables.js", "// more", {"docs/assets/tables.js"}, False),
    ("theme/main.html", "<!-- more -->", {"theme/main.html"}, True),
    ("docs/new.md", "{{ no_such_function() }}", set[str](), True),
]
"""A file, an addition to it, the changed sources, and whether every page is built."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for module, name in ((templates, "TEMPLATES"), (pipeline, "ASSETS"), (pipeline, "OVERRIDES")):
        folder = getattr(module, name)
        shutil.copytree(folder, tmp_path / folder.name)
        monkeypatch.setattr(module, name, tmp_path / folder.name)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/guide.md").write_text("# Guide\n")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    write_results(tmp_path / "results", {"a.json": Plan(build=REFERENCE)}, letters())
    templates.environment.cache_clear()
    yield tmp_path
    templates.environment.cache_clear()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_edit_rebuilds_the_pages_that_it_changes(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builds: list[bool] = []
    monkeypatch.setattr(dev, "build_html", lambda _, dirty: builds.append(not dirty))
    preview = dev.Preview(place / "results", place / "docs", place / "build", options(letters()))
    preview.build()
    for file, addition, expected, is_complete in EDITS:
        before = contents(place / "build")
        (place / file).open("a").write(addition)
        preview.refresh()
        after = contents(place / "build")
        assert {path for path in after if after[path] != before.get(path)} == expected, file
        assert builds[-1] == is_complete, file


def test_navigation_names_pages_that_are_not_read_again() -> None:
    titles = dev.Titles()
    pages = [SimpleNamespace(title=title, file=SimpleNamespace(src_uri=f"{title}.md")) for title in "ab"]
    for page in pages:
        titles.on_page_content("", page=page)  # type: ignore[arg-type]
        page.title = None
    pages[0].file.is_modified, pages[1].file.is_modified = lambda: False, lambda: True
    nav: Any = SimpleNamespace(pages=pages)
    titles.on_nav(nav)
    assert [page.title for page in pages] == ["a", None]
