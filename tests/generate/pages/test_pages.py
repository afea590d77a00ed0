"""The pages, as text. Update golden ones by `UPDATE_GOLDEN=1 python -m pytest tests/generate/pages/test_pages.py`."""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import REFERENCE, Plan, build, make
from sample_site import DOCS, HERE, book_of, letters, put, site_of, text_of

from generate.pages.short_answer import overview_case
from generate.pages.templates import TEMPLATES
from runners.harness.contract import Ideal
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from generate.site.write import Content
    from runners.harness.catalogue.scenarios import Scenario

PLANS = {
    "2026-01-01/run-1/a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.5}),
    "2026-01-01/run-1/b.json": Plan(speed={"thread_pool": 0.25}, status={"asyncio_gather": "failed"}),
}
GOLDEN = [
    "docs/scenarios/letters.md",
    "docs/scenarios/index.md",
    "docs/builds/cpython-3.13.1.md",
    "docs/machines/fixture-host/cpython-3.13.1.md",
    "docs/data.md",
    "docs/assets/charts/letters-1-bars.json",
    "docs/assets/charts/letters-1-builds.json",
    "mkdocs.yml",
]


def made(
    tmp_path: Path, plans: dict[str, Plan], scenarios: Mapping[str, Scenario] | None = None
) -> Mapping[str, Content]:
    scenarios = scenarios or letters()
    put(tmp_path / "results", plans, scenarios)
    docs = tmp_path / "docs"
    shutil.copytree(DOCS, docs, dirs_exist_ok=True)
    (docs / "index.md").write_text("# Home\n\n{{ board() }}\n\n{{ measured_on() }}\n")
    return site_of(tmp_path / "results", scenarios, docs)


def without_file_facts(page: str) -> str:
    """Take out the size and hash of synthetic files: they change with the record's format, and the page does not."""
    return re.sub(r"<code>[0-9a-f]{12}</code>|[\d.]+\N{NO-BREAK SPACE}kB", "…", page)


@pytest.mark.parametrize("path", GOLDEN)
def test_a_page_is_as_it_was_agreed(tmp_path: Path, path: str) -> None:
    whole = letters()["letters"]
    of_one_case = {"letters": replace(whole, cases={"published": whole.cases["published"]})}
    found = without_file_facts(text_of(made(tmp_path, PLANS, of_one_case), path))
    golden = HERE / "golden" / path.replace("/", "__")
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


def test_cases_that_nobody_has_measured_are_named_in_one_line_and_have_no_fold(tmp_path: Path) -> None:
    scenarios = letters()
    record = make(scenarios, Plan())
    published = [series for series in record.series if series.case == "published"]
    (tmp_path / "a.json").write_bytes(encode(msgspec.structs.replace(record, series=published)))
    page = text_of(site_of(tmp_path, scenarios, DOCS), "docs/scenarios/letters.md")
    others = [scenarios["letters"].case_words(name) for name in scenarios["letters"].cases if name != "published"]
    assert f"Not measured: {'; '.join(others)}.</p>" in page
    assert 'id="case-' not in page


def test_where_the_baseline_failed_the_answer_says_so_and_does_not_call_others_measured(tmp_path: Path) -> None:
    page = text_of(made(tmp_path, {"a.json": Plan(status={"sync_loop": "failed"})}), "docs/scenarios/letters.md")
    answer = page.partition('<div class="answer">')[2].partition("</details>")[0]
    assert re.findall(r"<li>([^:]+): <bdi>([^<]*)</bdi>", answer) == [("sync loop", "failed (fixture: failed)")]


def test_a_scenario_without_a_limit_says_so(tmp_path: Path) -> None:
    without = {"letters": replace(letters()["letters"], ideal=Ideal("none: letters have no limit"))}
    for scenarios, said in ((without, True), (letters(), False)):
        page = text_of(site_of(tmp_path, scenarios, DOCS), "docs/scenarios/letters.md")
        assert ("No efficiency is computed." in page) is said


def test_a_site_without_results_is_made(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    files = made(tmp_path, {})
    assert "Not measured." in text_of(files, "docs/scenarios/letters.md")
    assert "Nothing was measured yet." in text_of(files, "docs/index.md")


def test_the_first_case_is_open_and_a_further_one_folded_under_what_was_found_in_it(tmp_path: Path) -> None:
    files = made(tmp_path, PLANS)
    page = text_of(files, "docs/scenarios/letters.md")
    assert re.findall(r"^### (Published|Tenth) ", page, re.MULTILINE) == ["Published"]
    assert re.findall(r'<section class="result" id="table-letters_(\d)"', page) == ["1"]
    assert not re.search(r"<details[^>]* open", page)
    fold = re.search(r'<summary>tenth<small><span data-piece="found-2" [^>]*>(.*?)</span></small></summary>', page)
    assert fold
    assert fold[1].startswith("Thread pool took the least time")
    assert page.count("</details>") == page.count("<details")
    fetched = re.search(r'data-folded="\.\./([^"]+)"', page)
    assert fetched
    folded = json.loads(text_of(files, f"docs/{fetched[1]}"))
    assert folded.keys() == {"case-2", "builds-of-case-2"}
    assert f'<p class="chart__title">{fold[1]}</p>' in folded["case-2"]


def test_a_fold_links_to_where_its_series_stand_too_for_those_to_whom_it_is_not_fetched(tmp_path: Path) -> None:
    files = made(tmp_path, PLANS)
    page = text_of(files, "docs/scenarios/letters.md")
    link = re.search(r'<details class="more" id="case-2".*?href="\.\./([^"]+)\.html">Every series', page, re.DOTALL)
    assert link
    assert "tenth" in text_of(files, f"docs/{link[1]}.md")


def test_a_page_s_first_chart_and_answer_say_what_its_results_show(tmp_path: Path) -> None:
    for speed, said in ((0.5, "Thread pool took the least time"), (2.0, "times as fast as thread pool")):
        plan = Plan(build=REFERENCE, speed={"thread_pool": speed})
        page = text_of(made(tmp_path / str(speed), {"a.json": plan}), "docs/scenarios/letters.md")
        title = re.search(r'<p class="chart__title">(.*?)</p>', page)
        assert title
        assert said in title[1]
        assert f"<strong>{title[1]}.</strong>" in page


def test_a_scenario_whose_question_is_of_pairs_answers_with_them_first(tmp_path: Path) -> None:
    plan = Plan(build=REFERENCE, speed={"thread_pool": 0.5}, status={"asyncio_gather": "failed"})
    pairs = (("sync_loop", "thread_pool"), ("asyncio_gather", "sync_loop"), ("thread_pool", "sync_loop"))
    asked = {"letters": replace(letters()["letters"], answers=pairs)}
    page = text_of(made(tmp_path, {"a.json": plan}, asked), "docs/scenarios/letters.md")
    answer = page.partition('<div class="answer">')[2].partition("</p>")[0]
    assert re.match(r"\s*<p><strong>Sync loop against thread pool: takes [\d.]+ times as long", answer)
    assert re.search(r"</strong> Thread pool against sync loop: [\d.]+ times as fast", answer)
    assert "gather: " not in answer


def test_a_machine_s_page_has_its_builds_in_order_and_each_leads_to_its_series(tmp_path: Path) -> None:
    old = Plan(machine="other", run_id="r2", build=build("3.9.1"))
    files = made(tmp_path, {**PLANS, "0.json": replace(old, build=REFERENCE), "1.json": old})
    name = "2-core x86-64 machine"
    heads = {
        "machines/fixture-host.md": [
            f"{name}, fixture-host",
            "cpython-3.12.8",
            "cpython-3.13.1",
            "The claims on this machine",
        ],
        "machines/other.md": [f"{name}, other", "cpython-3.9.1", "cpython-3.12.8", "The claims on this machine"],
        "builds/cpython-3.12.8.md": ["cpython-3.12.8", f"{name}, fixture-host", f"{name}, other"],
    }
    for path, expected in heads.items():
        assert re.findall(r"^##? (.*?)(?: {.*)?$", text_of(files, f"docs/{path}"), re.MULTILINE) == expected
        for cell in re.findall(r'href="\.\./([^"]+)\.html">Every series', text_of(files, f"docs/{path}")):
            assert text_of(files, f"docs/{cell}.md").count("<caption>") == 1
    assert {"docs/machines/other/cpython-3.9.1.md", "docs/machines/fixture-host/cpython-3.13.1.md"} <= files.keys()


def test_one_build_has_no_tabs_and_no_comparison(tmp_path: Path) -> None:
    page = text_of(made(tmp_path, {"a.json": Plan()}), "docs/scenarios/letters.md")
    assert "radiogroup" not in page
    assert "Across builds" not in page


def test_a_quick_run_says_which_way_and_no_more(tmp_path: Path) -> None:
    quick = Plan(rounds=3, profile="quick", speed={"thread_pool": 0.5})
    page = text_of(made(tmp_path, {"a.json": quick}), "docs/scenarios/letters.md")
    assert re.search(r"<li>thread pool: [12]\.\d\d times as fast \([\d.]+ to [\d.]+, quick run\)", page)
    assert "quick run: which way, not how far" in page
    assert re.search(r"With few rounds, a difference is grey where its median .* the control's, [\d.]+\.</p>", page)
    assert "the interval may reach further" not in page


@pytest.mark.parametrize(
    ("rounds", "words"),
    [
        (2, {"not decided (2 of at least 9 rounds)", "not decided, since 2 rounds are too few"}),
        (12, {"not decided (a quick run, a failed round or a busy machine)"}),
    ],
)
def test_what_decides_nothing_blames_few_rounds_alone(tmp_path: Path, rounds: int, words: set[str]) -> None:
    page = text_of(made(tmp_path, {"a.json": Plan(rounds=rounds, profile="quick")}), "docs/scenarios/letters.md")
    assert {*re.findall(r"not decided \([^)]*\)|not decided, since [\w ]*", page)} == words


def test_one_round_is_told_as_one(tmp_path: Path) -> None:
    files = made(tmp_path, {"a.json": Plan(rounds=1), "b.json": Plan(rounds=1, machine="other", run_id="r2")})
    for path in ("docs/scenarios/letters.md", "docs/machines/other.md"):
        assert "1 round" in text_of(files, path)
        assert "1 rounds" not in text_of(files, path)
    assert "not decided, since 1 round is too few" in text_of(files, "docs/scenarios/letters.md")


def test_every_table_has_a_caption_and_can_be_scrolled_from_the_keyboard(tmp_path: Path) -> None:
    for path, content in made(tmp_path, PLANS).items():
        for before, table in re.findall(r"(<[^<]*>\s*)<table class=\"(data[^\"]*)\"", str(content)):
            assert re.search(r'class="scroller" tabindex="0" role="group" aria-label="[^"]+"', before), (path, table)
        tables = re.findall(r"<table class=\"data(?! plain).*?</table>", str(content), re.DOTALL)
        assert all("<caption" in table for table in tables), path


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ("newer", "the file that was measured. Not on CPython 3.14.0: figures of that are of an earlier file."),
        ("older", "**Changed since:** the figures of CPython 3.12.8 are of `000000000000`; measure again"),
    ],
)
def test_the_code_of_a_runner_names_the_builds_that_measured_another_file(
    tmp_path: Path, changed: str, words: str
) -> None:
    plans = {"newer.json": Plan(build=build("3.14.0")), "older.json": Plan(build=build("3.12.8"), run_id="another")}
    put(tmp_path, plans, letters())
    path = tmp_path / f"{changed}.json"
    path.write_text(path.read_text().replace(letters()["letters"].runners["sync_loop"].source_sha256, "0" * 64))
    assert words in text_of(site_of(tmp_path, letters(), DOCS), "docs/scenarios/letters.md")


def test_tables_are_made_in_one_place() -> None:
    spelled = {
        path.name for path in TEMPLATES.iterdir() if re.search(r"</?t(able|head|body|h)\b|</t[rd]>", path.read_text())
    }
    assert spelled == {"_table.html"}


def test_ones_own_result_leads(tmp_path: Path) -> None:
    plans = {"local/a.json": Plan(machine="mine", run_id="r2"), **PLANS}
    page = text_of(made(tmp_path, plans), "docs/scenarios/letters.md")
    assert page.index("(this machine)") < page.index("## Machine by machine")
    assert "<bdi>mine</bdi>" in page


def test_a_broken_file_has_a_row_and_a_warning(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "broken.json").write_text('{"schema_version": 1,')
    files = made(tmp_path, PLANS)
    assert "broken.json" in text_of(files, "docs/data-problems.md")
    assert "1 result file could not be used" in text_of(files, "docs/data.md")


def test_the_downloads_list_current_files_and_count_those_of_history(tmp_path: Path) -> None:
    earlier = {f"2025-01-0{day}/r{day}/a.json": Plan(build=REFERENCE, run_id=f"r{day}") for day in (1, 2, 3)}
    (tmp_path / "new").mkdir()
    without = text_of(made(tmp_path / "new", PLANS), "docs/data.md")
    page = text_of(made(tmp_path, {**PLANS, **earlier}), "docs/data.md")
    assert page.count('href="data/raw/') == without.count('href="data/raw/') == len(PLANS)
    assert "3 earlier files are kept" in page
    assert "earlier file" not in without


def test_what_moved_between_runs_is_marked_at_its_row_and_said_in_the_short_answer(tmp_path: Path) -> None:
    plans = {
        "2026-01-01/run-1/a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.5}),
        "2025-01-01/run-0/a.json": Plan(build=REFERENCE, run_id="0"),
    }
    files = made(tmp_path, plans)
    page = text_of(files, "docs/scenarios/letters.md")
    assert text_of(files, "docs/machines/fixture-host/cpython-3.12.8.md").count('<span class="moved">moved</span>') == 2
    (row,) = re.findall(r"<tr[^\n]*#code-thread_pool[^\n]*", page.partition("Also measured")[0])[:1]
    assert re.search(r"<small>2 runs: [\d.]+.* to [\d.]+.*?, <span class=\"moved\">moved</span></small>", row)
    answer = page.partition('<div class="answer">')[2].partition("</div>")[0]
    assert "in this run on" in answer
    assert re.search(r"<li>moved between runs of this build: thread pool \(2 runs: .*?\)</li>", answer)
    assert "Between runs of this build 1 of 3 moved by more than their intervals allow." in answer


@pytest.mark.parametrize(("again", "is_said"), [(0.98, True), (1.02, False)])
def test_what_all_runs_have_though_none_leaves_the_noise_is_said_in_the_short_answer(
    tmp_path: Path, again: float, *, is_said: bool
) -> None:
    plans = {
        "2026-01-01/run-1/a.json": Plan(build=REFERENCE, speed={"asyncio_gather": 0.98}),
        "2025-01-01/run-0/a.json": Plan(build=REFERENCE, run_id="0", speed={"asyncio_gather": again}),
    }
    page = text_of(made(tmp_path, plans), "docs/scenarios/letters.md")
    answer = page.partition('<div class="answer">')[2].partition("</div>")[0]
    assert ("<li>asyncio gather: " in answer) is is_said
    assert bool(re.search("<li>no difference beyond the noise: .*asyncio gather", answer)) is not is_said


@pytest.mark.parametrize(
    ("load", "words"),
    [
        (1.0, ""),
        (1.5, "Take care: the machine had other work: load 1.5 on 2 cores before the first sample."),
        (3.0, "Take care: the machine was busy: load 3.0 on 2 cores before the first sample; nothing is decided by"),
    ],
)
def test_a_machine_that_had_other_work_is_a_caution_in_the_short_answer(
    tmp_path: Path, load: float, words: str
) -> None:
    record = make(letters(), Plan(build=REFERENCE))
    machine = msgspec.structs.replace(record.machine, load_before=load, usable_cores=2)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "a.json").write_bytes(encode(msgspec.structs.replace(record, machine=machine)))
    page = text_of(made(tmp_path, {}), "docs/scenarios/letters.md")
    answer = page.partition('<div class="answer">')[2].partition("</div>")[0]
    assert ("Take care" in answer) == bool(words)
    assert words in answer.replace("\u00a0", " ")


@pytest.mark.parametrize("load", [2.0, 3.0])
def test_a_busy_newer_run_gives_way_to_a_calm_one_and_both_pages_say_so(tmp_path: Path, load: float) -> None:
    calm = make(letters(), Plan(build=REFERENCE, run_id="calm"))
    newer = make(letters(), Plan(build=REFERENCE, run_id="newer"))
    run = msgspec.structs.replace(newer.run, started="2026-02-03T04:05:06Z", finished="2026-02-03T05:05:06Z")
    machine = msgspec.structs.replace(newer.machine, load_before=load, usable_cores=2)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "a.json").write_bytes(encode(calm))
    (tmp_path / "results" / "b.json").write_bytes(encode(msgspec.structs.replace(newer, run=run, machine=machine)))
    files = made(tmp_path, {})
    is_busy = load > 2.0
    for path in ("docs/scenarios/letters.md", "docs/machines/fixture-host.md"):
        page = text_of(files, path).replace("\u00a0", " ")
        said = "and not the newer one of 2026-02-03 (<bdi>newer</bdi>): that decides nothing: the machine"
        assert (said in page) == is_busy, path
        assert ("load 3.0 on 2 cores before the first sample" in page) == is_busy
        assert "nothing is decided by this run" not in page


def test_where_there_is_one_run_nothing_is_said_between_runs(tmp_path: Path) -> None:
    page = text_of(made(tmp_path, PLANS), "docs/scenarios/letters.md")
    assert "between runs" not in page
    assert " runs:" not in page
    assert "Intervals are of this run" in page


def test_a_scenario_s_note_stands_at_its_row_as_a_footnote_and_among_the_build_s_series(tmp_path: Path) -> None:
    scenarios = {"letters": replace(letters()["letters"], notes={"thread_pool/tenth": "a <note> at the row"})}
    files = made(tmp_path, PLANS, scenarios)
    assert "at the row" not in text_of(files, "docs/scenarios/letters.md")
    tenth = json.loads(text_of(files, "docs/assets/machines/fixture-host/letters-folded.json"))["case-2"]
    assert ">thread pool</a><sup>1</sup>" in tenth
    assert '<p class="note"><sup>1</sup> thread pool: a &lt;note&gt; at the row</p>' in tenth
    assert text_of(files, "docs/machines/fixture-host/cpython-3.13.1.md").count("a &lt;note&gt; at the row") == 1


def test_a_note_that_two_runners_share_stands_once_and_both_have_its_number(tmp_path: Path) -> None:
    notes = {"thread_pool/tenth": "shared", "asyncio_gather/tenth": "shared"}
    files = made(tmp_path, PLANS, {"letters": replace(letters()["letters"], notes=notes)})
    tenth = json.loads(text_of(files, "docs/assets/machines/fixture-host/letters-folded.json"))["case-2"]
    assert re.findall(r"</a><sup>(\d)</sup>", tenth.partition("</table>")[0]) == ["1", "1"]
    (said,) = re.findall(r'<p class="note"><sup>1</sup> (.*?): shared</p>', tenth)
    assert sorted(said.split("; ")) == ["asyncio gather", "thread pool"]


def test_a_page_begins_with_the_case_that_the_scenario_names(tmp_path: Path) -> None:
    whole = letters()["letters"]
    put(tmp_path / "results", {"a.json": Plan()}, letters())
    for overview in ("", "tenth"):
        context = book_of(tmp_path / "results", {"letters": replace(whole, overview=overview)})
        assert overview_case(context.site, "letters") == (overview or next(iter(whole.cases)))
