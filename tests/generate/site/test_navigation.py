"""The navigation: every page once, in the group of its folder or in the one that it asks for."""

from __future__ import annotations

from generate.site.navigation import nav
from runners.harness.catalogue.scenarios import ROOT


def page(**front: object) -> str:
    return "\n".join(["---", *(f"{name}: {fact}" for name, fact in front.items()), "---", "", "# A page"])


def test_a_page_in_a_folder_of_a_folder_is_reached_from_the_one_above_it() -> None:
    assert nav(dict.fromkeys(["machines/m.md", "machines/m/b.md"], "")) == nav({"machines/m.md": ""})


def test_every_page_is_listed_once_in_the_group_of_its_folder() -> None:
    pages = ["index.md", "articles/b.md", "articles/a.md", "claims/index.md", "claims/S1.md", "new-folder/x.md"]
    pages += ["scenarios/a.md", "scenarios/index.md", "machines/index.md", "machines/m.md", "builds/b.md", "about.md"]
    assert nav(dict.fromkeys([*pages, "data/x.csv"], "")) == [
        "index.md",
        {"Answers": ["articles/a.md", "articles/b.md"]},
        {"Claims checked": ["claims/index.md", "claims/S1.md"]},
        {"Pythons": ["builds/b.md", {"Machines": ["machines/index.md", "machines/m.md"]}]},
        {"Data": [{"Scenarios": ["scenarios/index.md", "scenarios/a.md"]}]},
        "new-folder/x.md",
        "about.md",
    ]


def test_a_page_stands_where_its_front_matter_asks() -> None:
    pages = {
        "articles/a.md": page(place=2),
        "articles/b.md": page(title="x", place=1),
        "articles/c.md": page(group="Pythons", place=1),
        "builds/index.md": page(),
        "builds/d.md": page(),
        "method.md": page(group="Method"),
        "choose.md": page(group="Choose"),
        "glossary.md": page(group="Method", place=1),
        "x.csv": b"",
    }
    assert nav(pages) == [
        {"Answers": ["articles/b.md", "articles/a.md"]},
        "choose.md",
        {"Pythons": ["builds/index.md", "articles/c.md", "builds/d.md"]},
        {"Method": ["glossary.md", "method.md"]},
    ]


def test_the_group_method_begins_with_the_method_and_ends_with_what_is_not_here() -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
    groups = dict(group for entry in nav(pages) if isinstance(entry, dict) for group in entry.items())
    assert groups["Method"] == ["method.md", "how-it-works.md", "run-it-yourself.md", "glossary.md", "not-here.md"]


def test_only_the_front_matter_of_a_page_says_where_it_stands() -> None:
    assert nav({"a.md": f"{page(title='x')}\n\n---\ngroup: Method\n---\n", "b.md": "group: Data\n"}) == ["a.md", "b.md"]


def test_pages_of_a_section_stand_below_its_head_by_the_numbers_in_their_names() -> None:
    pages = {f"claims/W{number}.md": page(section="Widely quoted") for number in (10, 2, 1)}
    assert nav(pages) == [{"Claims checked": [{"Widely quoted": ["claims/W1.md", "claims/W2.md", "claims/W10.md"]}]}]


def test_a_page_of_problems_is_the_last_and_pages_of_the_engine_are_left_out() -> None:
    assert nav(dict.fromkeys(["data-problems.md", "tags.md", "x.md"], "")) == ["x.md", "data-problems.md"]
