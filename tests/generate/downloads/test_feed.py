"""The Atom feed of new runs."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from factory import REFERENCE, Plan, make
from frames import SCENARIOS, file_of

from generate.downloads.feed import MOST_RUNS, NAMESPACE, feed

if TYPE_CHECKING:
    from generate.data.files import FileHeader

ATOM = {"a": NAMESPACE}


def files(*plans: Plan, folder: str = "") -> list[FileHeader]:
    return [file_of(make(SCENARIOS, plan), f"{folder}{number}.json").header for number, plan in enumerate(plans)]


def feed_of(made: list[FileHeader], site_url: str = "") -> str:
    return feed(made, site_url)


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - our own


def texts(root: ET.Element, path: str) -> list[str | None]:
    return [found.text for found in root.findall(path, ATOM)]


def test_a_run_is_an_entry_with_its_builds_and_machines() -> None:
    root = parsed(feed_of(files(Plan(build=REFERENCE), Plan()), "https://example.org/site/"))
    assert texts(root, "a:entry/a:title") == [
        "2026-01-01: CPython 3.12.8, CPython 3.13.1 on fixture-host (run fixture-1)"
    ]
    assert texts(root, "a:entry/a:id") == ["https://example.org/site/data.html#2026-01-01-fixture-1-512ec5b5"]
    link = root.find("a:entry/a:link", ATOM)
    assert link is not None
    assert link.get("href") == "https://example.org/site/data/raw/0.json"


def test_it_has_what_a_reader_demands_of_a_feed_and_of_each_entry() -> None:
    for text in (feed_of(files(Plan())), feed_of([])):
        root = parsed(text)
        for name in ("title", "id", "updated", "author/a:name"):
            assert len(texts(root, f"a:{name}")) == 1, name
        for entry in root.findall("a:entry", ATOM):
            assert all(len(texts(entry, f"a:{name}")) == 1 for name in ("title", "id", "updated"))


def test_the_cells_of_a_hosted_run_are_one_entry() -> None:
    made = files(*(Plan(run_id=f"r.m--{python}", run_name="r") for python in ("3.13", "3.14")))
    assert len(parsed(feed_of(made)).findall("a:entry", ATOM)) == 1


def test_the_newest_come_first_and_no_more_than_so_many() -> None:
    found = files(*(Plan(run_id=f"r{number}") for number in range(MOST_RUNS + 5)))
    ids = texts(parsed(feed_of(found)), "a:entry/a:id")
    assert len(ids) == len(set(ids)) == MOST_RUNS


def test_one_s_own_runs_are_nobody_else_s_news() -> None:
    assert parsed(feed_of(files(Plan(), folder="local/"))).findall("a:entry", ATOM) == []


def test_a_hostile_name_stays_text() -> None:
    root = parsed(feed_of(files(Plan(machine="<script>&\N{RIGHT-TO-LEFT OVERRIDE}x"))))
    assert len(root.findall("a:entry", ATOM)) == 1
    assert "script" in (texts(root, "a:entry/a:title")[0] or "")
