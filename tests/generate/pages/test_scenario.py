"""A scenario's page: the answer, the cases with their tables, the builds, and the code."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from factory import REFERENCE, Plan, build, make_record
from sample_site import build_context, letters, write_results

from generate.pages.scenario import overview_case, page, titles
from generate.words import patterns
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.record.codec import encode

PLANS = {
    "2026-01-01/run-1/a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.5}),
    "2026-01-01/run-1/b.json": Plan(speed={"thread_pool": 0.25}, status={"asyncio_gather": "failed"}),
}


def find_page(folder: Path, plans: Mapping[str, Plan], scenarios: Mapping[str, Scenario] | None = None) -> str:
    folder.mkdir(exist_ok=True)
    write_results(folder, plans, scenarios or letters())
    return page(build_context(folder, scenarios or letters()), "letters")


def changed(**changes: Any) -> dict[str, Scenario]:  # noqa: ANN401 - any field of a scenario
    return {"letters": replace(letters()["letters"], **changes)}


def test_first_case_is_open_and_others_are_folded(tmp_path: Path) -> None:
    html = find_page(tmp_path, PLANS)
    assert re.findall(r"^### (Published|Tenth) ", html, re.MULTILINE) == ["Published"]
    assert re.findall(r'<section class="result" id="table-letters_(\d)"', html) == ["1", "2"]
    (finding,) = re.findall(r">Tenth</span><small>(.*?)</small></summary>", html)
    context = build_context(tmp_path, letters())
    assert finding == titles(context, "letters", "tenth")[0]
    assert f'<p class="chart__title">{finding.partition(". ")[0]}</p>' in html.partition('id="case-2"')[2]
    assert not re.search(r"<details[^>]* open", html)
    assert html.count("</details>") == html.count("<details")


def test_cases_without_results_are_named_in_one_line(tmp_path: Path) -> None:
    record = make_record(letters(), Plan())
    published = [series for series in record.series if series.case == "published"]
    (tmp_path / "a.json").write_bytes(encode(msgspec.structs.replace(record, series=published)))
    html = page(build_context(tmp_path, letters()), "letters")
    assert "Not measured: tenth.</p>" in html
    assert 'id="case-' not in html


def test_page_begins_with_the_case_that_the_scenario_names(tmp_path: Path) -> None:
    write_results(tmp_path, {"a.json": Plan()}, letters())
    for overview in ("", "tenth"):
        site = build_context(tmp_path, changed(overview=overview)).site
        assert overview_case(site, "letters") == (overview or next(iter(letters()["letters"].cases)))


def test_pairs_of_the_question_are_answered_first(tmp_path: Path) -> None:
    plan = Plan(build=REFERENCE, speed={"thread_pool": 0.5}, status={"asyncio_gather": "failed"})
    pairs = (("sync_loop", "thread_pool"), ("asyncio_gather", "sync_loop"), ("thread_pool", "sync_loop"))
    html = find_page(tmp_path, {"a.json": plan}, changed(answers=pairs))
    answer = html.partition('<div class="answer">')[2].partition("</p>")[0]
    places = [
        answer.find(patterns.MODEL_AGAINST_MODEL.format(first=first, second=second, ratio=""))
        for first, second in (
            ("Sync loop", "thread pool"),
            ("Thread pool", "sync loop"),
            ("Asyncio gather", "sync loop"),
        )
    ]
    assert 0 < places[0] < places[1]
    assert places[2] == -1


def test_answer_has_the_finding_of_each_case_if_each_answers(tmp_path: Path) -> None:
    html = find_page(tmp_path, {"a.json": Plan(build=REFERENCE)}, changed(each_case_answers=True))
    context = build_context(tmp_path, changed(each_case_answers=True))
    lines = re.findall(r"<li><strong>(.*?)\.</strong> (.*?)</li>", html)
    assert lines == [(case.capitalize(), titles(context, "letters", case)[0]) for case in ("published", "tenth")]


def test_notes_are_printed_once_per_case(tmp_path: Path) -> None:
    notes = {"thread_pool/tenth": "a <note> & more", "sync_loop/tenth": "a <note> & more"}
    html = find_page(tmp_path, PLANS, changed(notes=notes))
    first, _, tenth = html.partition('id="case-2"')
    assert "&lt;note&gt;" not in first
    (runners,) = re.findall(r'<p class="note">([^<]*?): a &lt;note&gt; &amp; more</p>', tenth)
    assert sorted(runners.split("; ")) == ["sync loop", "thread pool"]


def test_own_result_leads(tmp_path: Path) -> None:
    html = find_page(tmp_path, {"local/a.json": Plan(machine="mine", run_id="r2"), **PLANS})
    assert html.index("(this machine)") < html.index("## Machine by machine")


@pytest.mark.parametrize(("which", "start"), [("older", patterns.CODE_OLDER_ON), ("newer", "**Changed since:**")])
def test_code_names_builds_that_measured_another_file(tmp_path: Path, which: str, start: str) -> None:
    plans = {"newer.json": Plan(build=build("3.14.0")), "older.json": Plan(build=build("3.12.8"), run_id="another")}
    write_results(tmp_path, plans, letters())
    path = tmp_path / f"{which}.json"
    path.write_text(path.read_text().replace(letters()["letters"].runners["sync_loop"].source_sha256, "0" * 64))
    html = page(build_context(tmp_path, letters()), "letters")
    assert start.format(builds="CPython 3.12.8") in html
