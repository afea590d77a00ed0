"""The articles: found by their front matter, with a picture that begins them."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from factory import Plan, build
from sample_site import build_context, letters, write_results

from generate.pages.articles import FrontMatterError, front_matter, read, read_place
from generate.pages.pictures import PictureFunctions


def write(folder: Path, name: str, title: str = "# Why?", **facts: str) -> None:
    path = folder / "articles" / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{fact}: {written}" for fact, written in facts.items()]
    path.write_text("\n".join(["---", *lines, "---", "", title, "", "## Another head", ""]))


def draw(folder: Path, plans: Mapping[str, Plan], **facts: str) -> str:
    """Return the picture that begins an article."""
    write(folder / "docs", "a", **facts)
    (folder / "results").mkdir()
    write_results(folder / "results", plans, letters())
    functions = PictureFunctions(build_context(folder / "results", letters(), folder / "docs"), "articles/a.md")
    rows = {"loop": "sync_loop", "pool": "tenth/thread_pool"}
    return str(functions.opening_picture("letters", "published", rows, without_gil=True))


def test_articles_are_in_the_order_of_the_navigation(tmp_path: Path) -> None:
    write(tmp_path, "b", "# First? {: #first }", place="0", description="It is about this.")
    write(tmp_path, "a", "# Second?", place="3", tags="[x]")
    write(tmp_path, "0", "# Last of all?", group="Pythons", place="0")
    assert [(article.page, article.title, article.description) for article in read(tmp_path)] == [
        ("articles/b.md", "First?", "It is about this."),
        ("articles/a.md", "Second?", ""),
        ("articles/0.md", "Last of all?", ""),
    ]


@pytest.mark.parametrize("text", ["No title", "## Only a second head"])
def test_article_without_a_title_is_reported(tmp_path: Path, text: str) -> None:
    write(tmp_path, "a", text)
    with pytest.raises(FrontMatterError, match=r"^articles/a\.md: it has no title"):
        read(tmp_path)


def test_front_matter_is_yaml() -> None:
    text = '---\ntitle: "a: b"\nplace: 2  # second\ntags: [x,\n  y]\n---\n# Text\n---\n'
    assert front_matter(text, "a.md") == {"title": "a: b", "place": 2, "tags": ["x", "y"]}
    assert front_matter("# Text\n", "a.md") == {}
    with pytest.raises(FrontMatterError, match=r"^a\.md: front matter: "):
        front_matter("---\ntags: [x\n---\n", "a.md")
    for place in ("two", -1, 1.5):
        with pytest.raises(FrontMatterError, match=r"^a\.md: place"):
            read_place("a.md", {"place": place})


def test_lighter_bar_is_the_same_release_without_the_gil(tmp_path: Path) -> None:
    plans = {"a.json": Plan(build=build("3.12.9", free_threaded=True)), "b.json": Plan(build=build("3.12.10"))}
    page = draw(tmp_path, plans)
    assert page.count('fill-opacity="0.3"') == 2
    assert "; lighter: CPython 3.12.9 free-threaded." in page


def test_picture_without_data_has_the_command(tmp_path: Path) -> None:
    page = draw(tmp_path, {})
    assert "<code>python -m runners run --scenario letters" in page
    assert "<svg" not in page


@pytest.mark.parametrize(("newest", "version"), [("false", "3.14.0"), ("true", "3.15.0")])
def test_article_may_begin_with_a_python_without_counterpart(tmp_path: Path, newest: str, version: str) -> None:
    builds = build("3.14.0"), build("3.14.0", free_threaded=True), build("3.15.0")
    plans = {f"{number}.json": Plan(build=each, reference=builds[0]) for number, each in enumerate(builds)}
    assert f" is better. CPython {version}" in draw(tmp_path, plans, newest=newest)
