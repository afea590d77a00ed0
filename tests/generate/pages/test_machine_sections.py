"""What a scenario's page has of each machine, and what its filter fetches."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from factory import REFERENCE, Plan, build
from sample_site import book_of, letters, put

from generate.pages import scenario
from generate.pages.machine_sections import FOLDER, of_other_machines, sections

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


def test_the_page_has_a_place_for_each_piece_and_holds_those_of_the_machine_that_leads(context: SiteContext) -> None:
    page = scenario.page(context, "letters")
    found = re.findall(r'data-piece="([^"]+)"', page)
    assert found == ["answer", "case-1", "found-on", "found-2", "case-2", "builds", "facts"]
    assert "machines/fixture-host.html" in page.partition("data-piece")[2].partition("</table>")[0]


def test_what_the_filter_fetches_is_of_one_other_machine_alone(context: SiteContext) -> None:
    made = dict(of_other_machines(context))
    (path,) = (path for path in made if path.endswith("/letters.json"))
    assert path == f"{FOLDER}/b-other-b-474c169c/letters.json"
    fetched = json.loads(made[path])
    assert fetched.keys() == sections(context, "letters").keys()
    assert "fixture-host" not in made[path]
    assert "cpython-3.11.9" in fetched["case-1"]
    assert OTHER not in made[path]
    assert "&lt;b&gt;other&lt;/b&gt;" in fetched["case-1"]


def test_its_charts_are_its_own(context: SiteContext) -> None:
    made = dict(of_other_machines(context))
    fetched = json.loads(made[f"{FOLDER}/b-other-b-474c169c/letters.json"])
    named = set(re.findall(r'data-chart="\.\./([^"]+)"', "".join(fetched.values())))
    assert named
    assert named == {path for path in made if not path.endswith("/letters.json")}
    assert all(json.loads(made[path])["data"] for path in named)


def test_where_one_machine_is_alone_nothing_is_fetched_and_none_is_offered(tmp_path: Path) -> None:
    put(tmp_path, {"b.json": Plan()}, letters())
    context = book_of(tmp_path, letters())
    assert not dict(of_other_machines(context))
    assert 'name="machine"' not in scenario.page(context, "letters")
