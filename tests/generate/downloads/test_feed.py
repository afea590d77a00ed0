"""The Atom feed of new runs."""

from xml.etree import ElementTree as ET

from factory import REFERENCE, Plan, make_record
from frames import SCENARIOS, make_file

from generate.downloads.feed import MOST_RUNS, NAMESPACE, feed

ATOM = {"a": NAMESPACE}
REQUIRED = ("title", "id", "updated")


def parse_feed(*plans: Plan, folder: str = "", site_url: str = "") -> ET.Element:
    made = [make_file(make_record(SCENARIOS, plan), f"{folder}{number}.json") for number, plan in enumerate(plans)]
    return ET.fromstring(feed(made, site_url))  # noqa: S314 - our own


def texts(root: ET.Element, path: str) -> list[str | None]:
    return [element.text for element in root.findall(path, ATOM)]


def test_run_is_an_entry_with_its_builds_and_machines() -> None:
    root = parse_feed(Plan(build=REFERENCE), Plan(), site_url="https://example.org/site/")
    (title,) = texts(root, "a:entry/a:title")
    assert title == "2026-01-01: CPython 3.12.8, CPython 3.13.1 on fixture-host (run fixture-1)"
    assert texts(root, "a:entry/a:id") == ["https://example.org/site/data.html#2026-01-01-fixture-1-512ec5b5"]
    link = root.find("a:entry/a:link", ATOM)
    assert link is not None
    assert link.get("href") == "https://example.org/site/data/raw/0.json"


def test_feed_and_entries_have_every_required_element() -> None:
    for root in (parse_feed(Plan()), parse_feed()):
        assert all(len(texts(root, f"a:{name}")) == 1 for name in (*REQUIRED, "author/a:name"))
        for entry in root.findall("a:entry", ATOM):
            assert all(len(texts(entry, f"a:{name}")) == 1 for name in REQUIRED)


def test_newest_runs_come_first_up_to_a_limit() -> None:
    ids = texts(parse_feed(*(Plan(run_id=f"r{number}") for number in range(MOST_RUNS + 5))), "a:entry/a:id")
    assert len(ids) == len(set(ids)) == MOST_RUNS


def test_own_runs_are_left_out() -> None:
    assert parse_feed(Plan(), folder="local/").findall("a:entry", ATOM) == []


def test_hostile_name_stays_text() -> None:
    root = parse_feed(Plan(machine="<script>&\N{RIGHT-TO-LEFT OVERRIDE}x"))
    assert "script" in (texts(root, "a:entry/a:title")[0] or "")
