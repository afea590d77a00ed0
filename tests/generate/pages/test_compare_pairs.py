"""Which pairs Compare offers, and what it shows of one."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import REFERENCE, Plan, build
from sample_site import book_of, letters, put

from generate.pages.compare import FOLDER, fetched, form

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from markupsafe import Markup

GIL, NO_GIL = build("3.13.1"), build("3.13.1", free_threaded=True)
VARIANT = msgspec.structs.replace(GIL, variant=("patched",))
PRERELEASE = build("3.14.0rc2")
EVERY = {f"{number}.json": Plan(build=of) for number, of in enumerate((REFERENCE, GIL, NO_GIL, VARIANT, PRERELEASE))}


def page_of(folder: Path, plans: Mapping[str, Plan]) -> Markup:
    put(folder, plans, letters())
    return form(book_of(folder, letters()), "compare.md")


def chosen(html: str) -> list[str]:
    return re.findall(r" selected>([^<]+)<", html)


def headings(html: str) -> list[str]:
    """Return which builds stand against each other."""
    return [
        re.sub(r", 2-core .*", "", second) + " / " + re.sub(r", 2-core .*", "", first)
        for second, first in re.findall(r'between"><b>(.*?)</b> against <b>(.*?)</b>', html)
    ]


def pieces(folder: Path, plans: Mapping[str, Plan]) -> dict[str, dict[str, str]]:
    """Return what the page fetches, by the build's part of the address and kind."""
    put(folder, plans, letters())
    return {
        path.removeprefix(f"{FOLDER}/").partition("cpython-")[2].removesuffix(".json"): json.loads(content)
        for path, content in fetched(book_of(folder, letters()))
    }


def test_it_opens_with_the_newest_release_against_the_previous(tmp_path: Path) -> None:
    html = page_of(tmp_path, EVERY)
    assert chosen(html) == ["3.13.1, 2-core x86-64 machine", "the previous release"]
    counterparts = "CPython 3.13.1 free-threaded / CPython 3.13.1"
    assert headings(html) == ["CPython 3.13.1 / CPython 3.12.8", counterparts]


def test_every_result_is_compared_in_each_way(tmp_path: Path) -> None:
    found = pieces(tmp_path, EVERY)
    assert found.keys() == {"3.12.8", "3.13.1", "3.13.1t", "3.13.1-patched", "3.14.0rc2"}
    ways = {(build, kind): headings(html) for build, of_build in found.items() for kind, html in of_build.items()}
    assert ways["3.13.1", "reference"] == ["CPython 3.13.1 / CPython 3.12.8"]
    assert ways["3.13.1t", "counterpart"] == ["CPython 3.13.1 free-threaded / CPython 3.13.1"]
    assert ways["3.13.1-patched", "counterpart"] == ["CPython 3.13.1 (patched) / CPython 3.13.1"]
    assert ways["3.14.0rc2", "previous"] == ["CPython 3.14.0rc2 / CPython 3.13.1"]
    assert "It is the reference build itself." in found["3.12.8"]["reference"]
    assert "It has the GIL itself." in found["3.13.1"]["counterpart"]
    assert "No earlier release of its kind" in found["3.13.1t"]["previous"]


def test_own_results_come_first_next_to_the_published(tmp_path: Path) -> None:
    own = {f"local/{name}.json": Plan(build=of, run_id="own") for name, of in (("r", REFERENCE), ("g", GIL))}
    html = page_of(tmp_path, EVERY | own)
    assert chosen(html) == ["3.13.1, 2-core x86-64 machine (this machine)", "the reference build"]
    assert headings(html)[:2] == ["CPython 3.13.1 / CPython 3.12.8", "CPython 3.13.1 / CPython 3.13.1"]
    assert "the published result" in html
    assert "the published result" not in page_of(tmp_path / "published", EVERY)


def test_a_row_has_one_number_with_one_range_and_its_bar(tmp_path: Path) -> None:
    slower = {"a.json": Plan(build=REFERENCE), "b.json": Plan(build=GIL, speed={"thread_pool": 2.0})}
    html = page_of(tmp_path, slower)
    (row,) = re.findall(r"<tr[^>]*><th[^>]*>thread_pool<small>letters: published.*?</tr>", html)
    assert re.search(r">takes (2\.0|1\.9) times as long<small>[\d.]+ to [\d.]+<", row)
    assert 'class="versus worse"' in row
    start, end, low, high = (float(place) for place in re.findall(r"--\w+: ([\d.]+);", row))
    assert 0 <= low <= start < high < end == 50
    assert ": 2 slower and " in html


@pytest.mark.parametrize("plans", [{}, {"a.json": Plan(build=REFERENCE)}])
def test_without_a_pair_there_is_nothing_to_compare(tmp_path: Path, plans: dict[str, Plan]) -> None:
    html = page_of(tmp_path, plans)
    assert "There is nothing to compare yet." in html
    assert "<form" not in html


def test_options_have_the_addresses_that_old_links_name(tmp_path: Path) -> None:
    html = page_of(tmp_path, EVERY)
    (others,) = re.findall(r'data-was="fixture-host-cpython-3.13.1" data-others="([^"]*)"', html)
    assert json.loads(others.replace("&#34;", '"'))["previous"] == "fixture-host-cpython-3.12.8"


def test_names_of_others_are_escaped(tmp_path: Path) -> None:
    variant = msgspec.structs.replace(GIL, variant=("<img src=x>",))
    html = page_of(tmp_path, EVERY | {"x.json": Plan(build=variant, machine="<i>mine")})
    assert "<img" not in html
    assert "<i>" not in html
