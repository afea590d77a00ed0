"""What a scenario's page has of each machine, and what its filter fetches."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import REFERENCE, Plan, build, make
from sample_site import book_of, letters, put

from generate.pages import scenario, scenario_pieces
from generate.pages.choices import FOLDER, machines
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from generate.pages.context import SiteContext

OTHER = "<b>other</b>"
OWN = "fixture-host-2-cores-fixture-cpu"
PLANS = {
    "a.json": Plan(build=REFERENCE),
    "b.json": Plan(),
    "c.json": Plan(machine=OTHER, run_id="r2", build=build("3.11.9")),
}


@pytest.fixture
def context(tmp_path: Path) -> SiteContext:
    put(tmp_path, PLANS, letters())
    return book_of(tmp_path, letters())


def made_of(context: SiteContext) -> dict[str, str]:
    """Return what pages fetch of all machines, by path."""
    return {
        path: content for _, alone in machines(context) for path, content in scenario_pieces.fetched(context, alone)
    }


def test_the_page_has_a_place_for_each_piece(context: SiteContext) -> None:
    page = scenario.page(context, "letters")
    found = re.findall(r'data-piece="([^"]+)"', page)
    first, second = ["case-1", "builds-of-case-1"], ["case-2", "builds-of-case-2"]
    assert found == ["answer", *first, "found-on", "found-2", *second, "builds", "facts"]
    assert f"machines/{OWN}.html" in page.partition("data-piece")[2].partition("</table>")[0]


def test_fetched_pieces_are_of_one_machine(context: SiteContext) -> None:
    made = made_of(context)
    (path,) = (path for path in made if path.endswith("/letters.json") and OWN not in path)
    assert path == f"{FOLDER}/b-other-b-2-cores-fixture-cpu-8a5f17d4/letters.json"
    pieces = json.loads(made[path])["pieces"]
    assert pieces.keys() == scenario_pieces.pieces(context, "letters").keys()
    assert OWN not in made[path]
    assert "cpython-3.11.9" in pieces["case-1"]
    assert OTHER not in made[path]
    assert "2-core x86-64 machine, b other b" in pieces["case-1"]


def test_its_charts_are_its_own(context: SiteContext) -> None:
    made = made_of(context)
    pieces = json.loads(made[f"{FOLDER}/b-other-b-2-cores-fixture-cpu-8a5f17d4/letters.json"])["pieces"]
    named = set(re.findall(r'data-chart="\.\./([^"]+)"', "".join(pieces.values())))
    assert named
    assert named == {path for path in made if not path.endswith("/letters.json")}
    assert all(json.loads(made[path])["data"] for path in named)


def test_another_build_has_its_own_sentences_and_tables(context: SiteContext) -> None:
    fetched = json.loads(made_of(context)[f"{FOLDER}/{OWN}/letters.json"])
    assert fetched["pieces"] == {}  # the page has them
    (build,) = fetched["builds"]
    assert build == "cpython-3.12.8"
    of_build = fetched["builds"][build]
    assert of_build.keys() == {"answer", "found-on", "found-1", "found-2", "case-1", "case-2", "facts"}
    own = scenario_pieces.pieces(context, "letters")["case-1"]
    for shown, of_case in (("cpython-3.13.1", own), ("cpython-3.12.8", of_build["case-1"])):
        assert re.findall(r'checked="checked"[^>]*value="([^"]+)"', of_case) == [shown]
        assert f"<bdi>{shown}</bdi></a> ·" in of_case
        assert of_case.count("</table>") == 1
    assert "CPython 3.12.8" in of_build["answer"]
    assert "CPython 3.12.8" in of_build["found-on"]
    assert "CPython 3.13.1" in scenario_pieces.pieces(context, "letters")["answer"]


def test_a_build_that_lacks_a_case_offers_the_others(tmp_path: Path) -> None:
    put(tmp_path, {"a.json": Plan()}, letters())
    whole = make(letters(), Plan(build=REFERENCE))
    lacking = msgspec.structs.replace(whole, series=[series for series in whole.series if series.case != "tenth"])
    (tmp_path / "b.json").write_bytes(encode(lacking))
    made = json.loads(made_of(book_of(tmp_path, letters()))[f"{FOLDER}/{OWN}/letters.json"])
    case = made["builds"]["cpython-3.12.8"]["case-2"]
    assert "Not measured on the build that you chose." in case
    assert 'value="cpython-3.13.1"' in case
    assert "checked" not in case


def test_folds_are_fetched_for_the_page_s_own_build(context: SiteContext) -> None:
    ((path, content),) = scenario_pieces.folds(context)
    assert path == f"{FOLDER}/{OWN}/letters-folded.json"
    folded = json.loads(content)
    assert folded.keys() == {"case-2", "builds-of-case-2"}
    assert re.findall(r'checked="checked"[^>]*value="([^"]+)"', folded["case-2"]) == ["cpython-3.13.1"]
    assert "3.13" in folded["builds-of-case-2"]
    page = scenario_pieces.pieces(context, "letters")
    assert not page["case-2"].count("<table")
    assert page["case-1"].count("<table")


def test_one_build_has_folds_and_no_choice(
    tmp_path: Path,
) -> None:
    put(tmp_path, {"b.json": Plan()}, letters())
    context = book_of(tmp_path, letters())
    assert not made_of(context)
    assert len([*scenario_pieces.folds(context)]) == 1
    page = scenario.page(context, "letters")
    assert 'name="machine"' not in page
    assert 'name="build"' not in page


def test_builds_are_compared_as_numbers_with_a_range(context: SiteContext) -> None:
    piece = scenario_pieces.pieces(context, "letters")["builds"]
    cells = re.findall(r'<td class="n( quiet)?"[^>]*>([\d.]+)(?:<small>([\d.]+) to ([\d.]+)</small>)?</td>', piece)
    assert cells
    assert {number for _, number, low, _ in cells if not low} <= {"1"}
    for quiet, number, low, high in cells:
        if low:
            assert float(low) <= float(number) <= float(high)
            assert bool(quiet) == (float(low) <= 1 <= float(high))


def test_a_chart_over_builds_leads_to_the_table_of_its_ratios(context: SiteContext) -> None:
    page = scenario.page(context, "letters")
    assert '<a href="#letters-1-ratios">Its ratios as a table</a>' in page
    assert '<details class="more" id="letters-1-ratios"><summary>' in page
    assert "\n## Across builds" in page


def test_an_answer_has_the_finding_of_each_case(tmp_path: Path) -> None:
    asked = {"letters": replace(letters()["letters"], each_case_answers=True)}
    put(tmp_path, {"a.json": Plan(build=REFERENCE)}, asked)
    context = book_of(tmp_path, asked)
    lines = re.findall(r"<li><strong>(.*?):</strong> (.*?)</li>", scenario_pieces.pieces(context, "letters")["answer"])
    found = {
        case.capitalize(): scenario_pieces.titles(context, "letters", case, context.site.first("letters"))[0]
        for case in asked["letters"].cases
    }
    assert lines == [*found.items()]
