"""A further claim is one table and a further source one file: pages, board and verdicts follow."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from factory import Plan
from sample_site import book_of, data_of, put, site_of, text_of

from runners.harness.catalogue.scenarios import ROOT, find

if TYPE_CHECKING:
    from pathlib import Path

ALL = find()
OURS = ALL | {"primes": replace(ALL["primes"], source="W98")}
CLAIM = """
[{}]
says = "A process pool is faster than a loop."
scenario = "primes"
case = "published"
candidate = "process_pool"
baseline = "sync_loop"
expect = {{ ratio_below = 1 }}
why = "Faster means a ratio below 1."
"""
SOURCE = """
[source]
title = "“Primes everywhere”"
author = "A. Author"
subject = "primes, quoted"
year = "2026"
address = "https://example.org/primes?in=pools"
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    claims = tmp_path / "docs" / "claims"
    with (claims / "S1.toml").open("a", encoding="utf-8") as file:
        file.write(CLAIM.format("S1.99"))
    (claims / "W98.toml").write_text(SOURCE + CLAIM.format("W98.1"), encoding="utf-8")
    put(tmp_path / "results", {"a.json": Plan(speed={"process_pool": 0.5})}, OURS)
    return tmp_path


def test_an_added_claim_and_source_have_pages_and_verdicts(place: Path) -> None:
    pages = site_of(place / "results", OURS, place / "docs")
    home, index = text_of(pages, "docs/index.md"), text_of(pages, "docs/claims/index.md")
    assert 'href="claims/S1.html#s1.99"' in home
    assert 'href="claims/W98.html#w98.1"' in home
    said = r'">W98.1</a> A process pool is faster than a loop. <b>[A-Z][^<]+\.</b> <span class="note">(.+?)</span>'
    assert re.findall(said, index) == ["A. Author, “Primes everywhere”, 2026"]
    assert "| W98" not in index
    assert 'id="s1.99"' in text_of(pages, "docs/claims/S1.md")
    made = text_of(pages, "docs/claims/W98.md")
    assert 'title: "W98: primes, quoted"' in made
    read_it = "W98, A. Author, “Primes everywhere” (2026). [Read it](https://example.org/primes?in=pools)."
    assert f"{read_it}\n\nMeasured by [" in made
    assert re.search(r'id="w98\.1-fixture-host-[\w.-]*cpython-3\.13\.1"', made)
    assert "What it printed" not in made
    assert "W98, A. Author, “Primes everywhere” (2026)" in text_of(pages, "docs/scenarios/primes.md")
    assert '"claims/W98.md"' in text_of(pages, "mkdocs.yml").partition('"Widely quoted"')[2]
    verdicts = json.loads(data_of(place / "results", OURS, place / "docs")["docs/data/verdicts.json"])["verdicts"]
    added = {each["claim"]: each["verdict"] for each in verdicts if each["claim"] in {"S1.99", "W98.1"}}
    assert added == {"S1.99": "holds", "W98.1": "holds"}


def test_a_source_that_claims_nothing_has_a_page_and_no_table(place: Path) -> None:
    own = ALL | {"primes": replace(ALL["primes"], source="Q1")}
    pages = site_of(place / "results", own, place / "docs")
    page = text_of(pages, "docs/claims/Q1.md")
    assert "# Q1: what no source asks" in page
    asked = ALL["primes"].question
    assert f"(../scenarios/primes.md)\n:   {asked[0].upper()}{asked[1:]} " in page
    found = page.partition(asked[1:])[2].partition("\n")[0]
    assert re.search(r"Fastest: .*\(eight numbers; <bdi>CPython ", found)
    assert "The claims" not in page
    assert "(Q1.md)" in text_of(pages, "docs/claims/index.md")
    assert "claims/Q1.html" not in text_of(pages, "docs/index.md")


def test_a_page_written_by_hand_takes_the_place_of_the_made_one(place: Path) -> None:
    (place / "docs" / "claims" / "W98.md").write_text('# Ours\n\n{{ verdicts("W98") }}\n')
    page = text_of(site_of(place / "results", OURS, place / "docs"), "docs/claims/W98.md")
    assert page.startswith("# Ours")
    assert 'id="w98.1"' in page


def test_a_source_whose_file_has_a_mistake_costs_no_page(place: Path) -> None:
    (place / "docs" / "claims" / "S1.toml").write_bytes(b"\xff")
    pages = site_of(place / "results", OURS, place / "docs")
    assert "A claim could not be read: docs/claims/S1.toml: " in text_of(pages, "docs/claims/S1.md")
    assert "A claim could not be read: docs/claims/S1.toml: " in text_of(pages, "docs/index.md")
    assert 'id="w98.1"' in text_of(pages, "docs/claims/W98.md")
    assert "A claim could not be read" not in text_of(pages, "docs/claims/W98.md")


def test_a_table_that_names_what_is_not_there_is_reported_and_shown_without_it(place: Path) -> None:
    claims = place / "docs" / "claims"
    cell = 'printed = "4.2 s", scenario = "primes", case = "published", runner = '
    with (claims / "W98.toml").open("a", encoding="utf-8") as file:
        file.write(
            f'[[table]]\ntitle = "t"\ncolumns = ["time"]\nrow = [{{ name = "x", cells = [{{ {cell}"loop" }}] }}]\n'
        )
    (fault,) = book_of(place / "results", OURS, place / "docs").board.faults
    assert str(fault).startswith("docs/claims/W98.toml: table[0].row[0].cells[0].runner: no runner is called 'loop'")
    page = text_of(site_of(place / "results", OURS, place / "docs"), "docs/claims/W98.md")
    assert "not measured" in page.partition("## What it printed")[2]


def test_a_scenario_whose_source_is_nowhere_is_reported(tmp_path: Path) -> None:
    lost = {"primes": replace(ALL["primes"], source="S99")}
    (fault,) = [each for each in book_of(tmp_path, lost, ROOT / "docs").board.faults if each.key == "SOURCE"]
    assert str(fault).startswith("runners/primes/scenario.py: SOURCE: no source is called 'S99'; there are: S1, S2, ")
