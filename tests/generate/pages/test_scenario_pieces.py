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


def test_the_page_has_a_place_for_each_piece_and_holds_those_of_the_machine_that_leads(context: SiteContext) -> None:
    page = scenario.page(context, "letters")
    found = re.findall(r'data-piece="([^"]+)"', page)
    first, second = ["case-1", "builds-of-case-1"], ["case-2", "builds-of-case-2"]
    assert found == ["answer", *first, "found-on", "found-2", *second, "builds", "facts"]
    assert "machines/fixture-host.html" in page.partition("data-piece")[2].partition("</table>")[0]


def test_what_is_fetched_of_another_machine_is_of_that_alone(context: SiteContext) -> None:
    made = made_of(context)
    (path,) = (path for path in made if path.endswith("/letters.json") and "fixture-host" not in path)
    assert path == f"{FOLDER}/b-other-b-474c169c/letters.json"
    pieces = json.loads(made[path])["pieces"]
    assert pieces.keys() == scenario_pieces.pieces(context, "letters").keys()
    assert "fixture-host" not in made[path]
    assert "cpython-3.11.9" in pieces["case-1"]
    assert OTHER not in made[path]
    assert "2-core x86-64 machine, b other b" in pieces["case-1"]


def test_its_charts_are_its_own(context: SiteContext) -> None:
    made = made_of(context)
    pieces = json.loads(made[f"{FOLDER}/b-other-b-474c169c/letters.json"])["pieces"]
    named = set(re.findall(r'data-chart="\.\./([^"]+)"', "".join(pieces.values())))
    assert named
    assert named == {path for path in made if not path.endswith("/letters.json")}
    assert all(json.loads(made[path])["data"] for path in named)


def test_what_is_fetched_of_another_build_are_the_sentences_and_tables_that_are_of_it(context: SiteContext) -> None:
    fetched = json.loads(made_of(context)[f"{FOLDER}/fixture-host/letters.json"])
    assert fetched["pieces"] == {}  # the page has them
    (build,) = fetched["builds"]
    assert build == "cpython-3.13.1"
    of_build = fetched["builds"][build]
    assert of_build.keys() == {"answer", "found-on", "found-1", "found-2", "case-1", "case-2", "facts"}
    own = scenario_pieces.pieces(context, "letters")["case-1"]
    for shown, of_case in (("cpython-3.12.8", own), ("cpython-3.13.1", of_build["case-1"])):
        assert re.findall(r'checked="checked"[^>]*value="([^"]+)"', of_case) == [shown]
        assert f"<bdi>{shown}</bdi></a> ·" in of_case
        assert of_case.count("</table>") == 1
    assert "cpython-3.13.1" in of_build["answer"]
    assert "CPython 3.13.1" in of_build["found-on"]
    assert "cpython-3.12.8" in scenario_pieces.pieces(context, "letters")["answer"]


def test_a_build_that_lacks_a_case_says_so_there_and_leaves_the_others_to_choose(tmp_path: Path) -> None:
    put(tmp_path, {"a.json": Plan(build=REFERENCE)}, letters())
    whole = make(letters(), Plan())
    lacking = msgspec.structs.replace(whole, series=[series for series in whole.series if series.case != "tenth"])
    (tmp_path / "b.json").write_bytes(encode(lacking))
    made = json.loads(made_of(book_of(tmp_path, letters()))[f"{FOLDER}/fixture-host/letters.json"])
    case = made["builds"]["cpython-3.13.1"]["case-2"]
    assert "Not measured on the build that you chose." in case
    assert 'value="cpython-3.12.8"' in case
    assert "checked" not in case


def test_what_the_page_has_folded_is_fetched_as_its_own_machine_and_build_have_it(context: SiteContext) -> None:
    ((path, content),) = scenario_pieces.folds(context)
    assert path == f"{FOLDER}/fixture-host/letters-folded.json"
    folded = json.loads(content)
    assert folded.keys() == {"case-2", "builds-of-case-2"}
    assert re.findall(r'checked="checked"[^>]*value="([^"]+)"', folded["case-2"]) == ["cpython-3.12.8"]
    assert "3.13" in folded["builds-of-case-2"]
    page = scenario_pieces.pieces(context, "letters")
    assert not page["case-2"].count("<table")
    assert page["case-1"].count("<table")


def test_where_one_machine_and_build_is_alone_what_is_folded_is_fetched_but_no_other_and_none_is_offered(
    tmp_path: Path,
) -> None:
    put(tmp_path, {"b.json": Plan()}, letters())
    context = book_of(tmp_path, letters())
    assert not made_of(context)
    assert len([*scenario_pieces.folds(context)]) == 1
    page = scenario.page(context, "letters")
    assert 'name="machine"' not in page
    assert 'name="build"' not in page


def test_beside_the_reference_what_is_inside_the_noise_has_a_sign_and_says_so_to_those_who_hear_it(
    context: SiteContext,
) -> None:
    piece = scenario_pieces.pieces(context, "letters")["builds"]
    quiet = re.findall(r'<td class="n quiet brief"[^>]*>(.*?)</td>', piece)
    said = [re.search(r'<small class="unseen">([^<]+)</small>', cell) for cell in quiet]
    assert {one and one[1] for one in said} <= {"median inside the noise", "no difference seen"}
    assert 0 < len(quiet) == piece.count("quiet")
    assert "≈, in grey: the median differs by no more than the noise" in piece


def test_a_chart_over_builds_leads_to_the_table_of_its_ratios(context: SiteContext) -> None:
    page = scenario.page(context, "letters")
    assert '<a href="#letters-1-ratios">Its ratios as a table</a>' in page
    assert '<details class="more" id="letters-1-ratios"><summary>' in page
    assert "\n## Across builds" in page


def test_where_each_case_is_a_question_of_its_own_the_short_answer_has_what_was_found_in_each(tmp_path: Path) -> None:
    asked = {"letters": replace(letters()["letters"], each_case_answers=True)}
    put(tmp_path, {"a.json": Plan(build=REFERENCE)}, asked)
    context = book_of(tmp_path, asked)
    lines = re.findall(r"<li><strong>(.*?):</strong> (.*?)</li>", scenario_pieces.pieces(context, "letters")["answer"])
    found = {case.capitalize(): scenario_pieces.titles(context, "letters", case)[0] for case in asked["letters"].cases}
    assert lines == [*found.items()]
