"""The navigation over pages, and the addresses of the site and its repository."""

from pathlib import Path

import pytest

from generate.site.navigation import nav, repository, site_url
from runners.harness import programs
from runners.harness.errors import UserError


def page(**front: object) -> str:
    return "\n".join(["---", *(f"{name}: {fact}" for name, fact in front.items()), "---", "", "# A page"])


def test_pages_are_listed_once_by_folder() -> None:
    pages = ["index.md", "articles/b.md", "articles/a.md", "claims/index.md", "claims/S1.md", "new-folder/x.md"]
    pages += ["scenarios/a.md", "scenarios/index.md", "machines/index.md", "machines/m.md", "builds/b.md", "about.md"]
    hidden = ["machines/m/b.md", "tags.md", "data/x.csv"]
    assert nav(dict.fromkeys([*pages, *hidden, "data-problems.md"], "")) == [
        "index.md",
        {"Answers": ["articles/a.md", "articles/b.md"]},
        {"Claims checked": ["claims/index.md", "claims/S1.md"]},
        {"Pythons": ["builds/b.md", {"Machines": ["machines/index.md", "machines/m.md"]}]},
        {"Data": [{"Scenarios": ["scenarios/index.md", "scenarios/a.md"]}]},
        "about.md",
        "new-folder/x.md",
        "data-problems.md",
    ]


def test_front_matter_places_a_page() -> None:
    pages = {
        "articles/a.md": page(place=2),
        "articles/b.md": page(title="x", place=1),
        "articles/c.md": page(group="Pythons", place=1),
        "builds/index.md": page(),
        "builds/d.md": page(),
        "choose.md": page(group="Choose"),
        **{f"claims/W{number}.md": page(section="Widely quoted") for number in (10, 2)},
        "text.md": f"{page(title='x')}\n\n---\ngroup: Method\n---\n",
        "x.csv": b"",
    }
    assert nav(pages) == [
        {"Answers": ["articles/b.md", "articles/a.md"]},
        "choose.md",
        {"Claims checked": [{"Widely quoted": ["claims/W2.md", "claims/W10.md"]}]},
        {"Pythons": ["builds/index.md", "articles/c.md", "builds/d.md"]},
        "text.md",
    ]


@pytest.mark.parametrize(
    ("given", "name", "expected"),
    [
        ("", None, ""),
        ("https://example.org/a", None, "https://example.org/a/"),
        ("https://example.org/", "Owner/name", "https://example.org/"),
        ("", "Owner/name", "https://owner.github.io/name/"),
        ("", "Owner/Owner.github.io", "https://owner.github.io/"),
        ("", "broken", ""),
    ],
)
def test_site_address_is_given_or_that_of_pages(given: str, name: str | None, expected: str) -> None:
    assert site_url(given, {} if name is None else {"GITHUB_REPOSITORY": name}) == expected
    with pytest.raises(UserError, match="address with https"):
        site_url("example.org", {})


def test_repository_is_the_workflow_s_or_that_of_the_clone(tmp_path: Path) -> None:
    (settings := tmp_path / "mkdocs.yml").write_text("site_name: x\n")
    assert repository({}, settings) == repository({"GITHUB_REPOSITORY": "o/<b>"}, settings) == ""
    server = {"GITHUB_REPOSITORY": "fork/n", "GITHUB_SERVER_URL": "https://git.example"}
    assert repository(server, settings) == "https://git.example/fork/n"
    programs.run("git", "init", "-q", tmp_path)
    for remote, known in {"git@git.example:o/n.git": "https://git.example/o/n", "https://token@x.org/o/n": ""}.items():
        programs.run("git", "-C", tmp_path, "config", "remote.origin.url", remote)
        assert repository({}, settings) == known
    settings.write_text("repo_url: https://git.example/owner/name\n")
    assert repository({}, settings) == "https://git.example/owner/name"
