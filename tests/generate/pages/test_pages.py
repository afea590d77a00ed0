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
    "docs/machines/fixture-host-2-cores-fixture-cpu/cpython-3.13.1.md",
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


def test_cases_without_results_are_named_in_one_line(tmp_path: Path) -> None:
    scenarios = letters()
    record = make(scenarios, Plan())
    published = [series for series in record.series if series.case == "published"]
    (tmp_path / "a.json").write_bytes(encode(msgspec.structs.replace(record, series=published)))
    page = text_of(site_of(tmp_path, scenarios, DOCS), "docs/scenarios/letters.md")
    others = [scenarios["letters"].case_words(name) for name in scenarios["letters"].cases if name != "published"]
    assert f"Not measured: {'; '.join(others)}.</p>" in page
    assert 'id="case-' not in page


def test_the_answer_says_that_the_baseline_failed(tmp_path: Path) -> None:
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
    assert "Not measured yet." in text_of(files, "docs/index.md")


def test_the_first_case_is_open_and_others_fold_under_findings(tmp_path: Path) -> None:
    files = made(tmp_path, PLANS)
    page = text_of(files, "docs/scenarios/letters.md")
    assert re.findall(r"^### (Published|Tenth) ", page, re.MULTILINE) == ["Published"]
    assert re.findall(r'<section class="result" id="table-letters_(\d)"', page) == ["1"]
    assert not re.search(r"<details[^>]* open", page)
    fold = re.search(r'<summary>tenth<small><span data-piece="found-2" [^>]*>(.*?)</span></small></summary>', page)
    assert fold
    assert fold[1].startswith("Fastest: thread pool")
    assert page.count("</details>") == page.count("<details")
    fetched = re.search(r'data-folded="\.\./([^"]+)"', page)
    assert fetched
    folded = json.loads(text_of(files, f"docs/{fetched[1]}"))
    assert folded.keys() == {"case-2", "builds-of-case-2"}
    assert f'<p class="chart__title">{fold[1]}</p>' in folded["case-2"]


def test_a_fold_links_to_its_series(tmp_path: Path) -> None:
    files = made(tmp_path, PLANS)
    page = text_of(files, "docs/scenarios/letters.md")
    link = re.search(r'<details class="more" id="case-2".*?href="\.\./([^"]+)\.html">Every series', page, re.DOTALL)
    assert link
    assert "tenth" in text_of(files, f"docs/{link[1]}.md")


def test_the_first_chart_and_answer_follow_the_results(tmp_path: Path) -> None:
    for speed, said in ((0.5, "Fastest: thread pool"), (2.0, "Fastest: sync loop")):
        plan = Plan(build=REFERENCE, speed={"thread_pool": speed})
        page = text_of(made(tmp_path / str(speed), {"a.json": plan}), "docs/scenarios/letters.md")
        title = re.search(r'<p class="chart__title">(.*?)</p>', page)
        assert title
        assert said in title[1]
        assert f"<strong>{title[1]}.</strong>" in page


def test_a_question_about_pairs_is_answered_with_them_first(tmp_path: Path) -> None:
    plan = Plan(build=REFERENCE, speed={"thread_pool": 0.5}, status={"asyncio_gather": "failed"})
    pairs = (("sync_loop", "thread_pool"), ("asyncio_gather", "sync_loop"), ("thread_pool", "sync_loop"))
    asked = {"letters": replace(letters()["letters"], answers=pairs)}
    page = text_of(made(tmp_path, {"a.json": plan}, asked), "docs/scenarios/letters.md")
    answer = page.partition('<div class="answer">')[2].partition("</p>")[0]
    assert re.match(r"\s*<p><strong>Sync loop against thread pool: takes [\d.]+ times as long", answer)
    assert re.search(r"</strong> Thread pool against sync loop: [\d.]+ times as fast", answer)
    assert "gather: " not in answer


def test_one_build_has_no_tabs_and_no_comparison(tmp_path: Path) -> None:
    page = text_of(made(tmp_path, {"a.json": Plan()}), "docs/scenarios/letters.md")
    assert "radiogroup" not in page
    assert "Across builds" not in page


def test_a_row_is_an_estimate_over_all_runs(tmp_path: Path) -> None:
    plans = {f"{n}.json": Plan(speed={"thread_pool": 0.5}, run_id=f"r{n}", seed=n) for n in range(3)}
    page = text_of(made(tmp_path, plans), "docs/scenarios/letters.md").replace("\u00a0", " ")
    (row,) = re.findall(r"<tr[^\n]*#code-thread_pool[^\n]*", page.partition("Also measured")[0])
    assert re.search(r'data-sort="0">[\d.]+ ms<small>[\d.]+ to [\d.]+ ms</small></td>', row)
    assert re.search(r">2\.\d times as fast<small>[\d.]+ to [\d.]+</small></td>", row)
    assert row.endswith(">3<small>36 rounds</small></td></tr>")
    assert "3 runs, the newest" in page


def test_another_run_and_the_check_are_on_a_page_once(tmp_path: Path) -> None:
    page = text_of(made(tmp_path, PLANS), "docs/scenarios/letters.md")
    assert page.count("another run of “thread pool” would give") == 1
    assert len(re.findall(r"Check, the baseline measured again [^.]*: no difference seen \(", page)) == 1
    assert "under a second name" not in page.partition("Also measured")[2]


def test_what_ties_with_the_best_is_marked(tmp_path: Path) -> None:
    for speed, ties in ((0.5, 0), (1.0, 3)):
        plans = {f"{n}.json": Plan(speed={"thread_pool": speed}, run_id=f"r{n}", seed=n) for n in range(3)}
        page = text_of(made(tmp_path / str(speed), plans), "docs/scenarios/letters.md")
        assert page.partition("Also measured")[0].count('class="n tied"') == ties


def test_one_round_has_values_and_no_range(tmp_path: Path) -> None:
    files = made(tmp_path, {"a.json": Plan(rounds=1), "b.json": Plan(rounds=1, machine="other", run_id="r2")})
    page = text_of(files, "docs/scenarios/letters.md")
    assert "1 round<" in page
    assert "1 rounds" not in page


def test_a_busy_run_is_left_out_and_named_on_its_machine_s_page(tmp_path: Path) -> None:
    calm, newer = (make(letters(), Plan(build=REFERENCE, run_id=name)) for name in ("calm", "newer"))
    machine = msgspec.structs.replace(newer.machine, load_before=3.0, usable_cores=2)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "a.json").write_bytes(encode(calm))
    (tmp_path / "results" / "b.json").write_bytes(encode(msgspec.structs.replace(newer, machine=machine)))
    files = made(tmp_path, {})
    said = "<bdi>newer</bdi></a>: the machine was busy: load 3.0 on 2 cores before the first sample"
    assert said in text_of(files, "docs/machines/fixture-host-2-cores-fixture-cpu.md")
    assert "busy" not in text_of(files, "docs/scenarios/letters.md")


def test_only_busy_runs_are_shown_with_a_caution(tmp_path: Path) -> None:
    record = make(letters(), Plan(build=REFERENCE))
    machine = msgspec.structs.replace(record.machine, load_before=3.0, usable_cores=2)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "a.json").write_bytes(encode(msgspec.structs.replace(record, machine=machine)))
    page = text_of(made(tmp_path, {}), "docs/scenarios/letters.md")
    assert "Nothing is decided here: the machine was busy: load 3.0 on 2 cores" in page


def test_processors_of_one_label_are_machines_apart(tmp_path: Path) -> None:
    cpus = {"a": "AMD EPYC", "x": "Intel Xeon"}
    plans = {f"{name}.json": Plan(cpu=cpu, run_id=name, machine="host-2-core") for name, cpu in cpus.items()}
    files = made(tmp_path, plans)
    for path in ("machines/host-2-core-amd-epyc", "machines/host-2-core-intel-xeon"):
        assert "1</td>" in text_of(files, f"docs/{path}.md")
        assert f"docs/{path}/cpython-3.13.1.md" in files
    assert "1 run, " in text_of(files, "docs/scenarios/letters.md")


def test_a_machine_s_page_has_its_builds_in_order_with_their_runs(tmp_path: Path) -> None:
    old = Plan(machine="other", run_id="r2", build=build("3.9.1"))
    files = made(tmp_path, {**PLANS, "0.json": replace(old, build=REFERENCE), "1.json": old})
    page = text_of(files, "docs/machines/other-2-cores-fixture-cpu.md")
    links = re.findall(r'<th scope="row"[^>]*><a href="\.\./([^"]+)\.html"><bdi>(.*?)</bdi>', page)
    assert [build.replace("<wbr>", "") for _, build in links] == ["cpython-3.9.1", "cpython-3.12.8"]
    assert page.count(">Letters 1</td>") == len(links)
    for cell, _ in links:
        assert text_of(files, f"docs/{cell}.md").count("<caption>") == 1


def test_the_downloads_list_pooled_files_and_count_the_others(tmp_path: Path) -> None:
    busy = make(letters(), Plan(run_id="busy"))
    (tmp_path / "results").mkdir()
    machine = msgspec.structs.replace(busy.machine, load_before=9.0)
    (tmp_path / "results" / "busy.json").write_bytes(encode(msgspec.structs.replace(busy, machine=machine)))
    page = text_of(made(tmp_path, PLANS), "docs/data.md")
    assert page.count('href="data/raw/') == len(PLANS)
    assert "1 other file is history" in page


def test_every_table_has_a_caption_and_scrolls_by_keyboard(tmp_path: Path) -> None:
    for path, content in made(tmp_path, PLANS).items():
        for before, table in re.findall(r"(<[^<]*>\s*)<table class=\"(data[^\"]*)\"", str(content)):
            assert re.search(r'class="scroller" tabindex="0" role="group" aria-label="[^"]+"', before), (path, table)
        tables = re.findall(r"<table class=\"data(?! plain).*?</table>", str(content), re.DOTALL)
        assert all("<caption" in table for table in tables), path


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ("older", "the file that was measured. Not on CPython 3.12.8: figures of that are of an earlier file."),
        ("newer", "**Changed since:** the figures of CPython 3.14.0 are of `000000000000`; measure again"),
    ],
)
def test_a_runner_names_builds_that_measured_another_file(tmp_path: Path, changed: str, words: str) -> None:
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


def test_a_note_is_a_footnote_and_is_on_the_build_s_page(tmp_path: Path) -> None:
    scenarios = {"letters": replace(letters()["letters"], notes={"thread_pool/tenth": "a <note> at the row"})}
    files = made(tmp_path, PLANS, scenarios)
    assert "at the row" not in text_of(files, "docs/scenarios/letters.md")
    tenth = json.loads(text_of(files, "docs/assets/machines/fixture-host-2-cores-fixture-cpu/letters-folded.json"))[
        "case-2"
    ]
    assert ">thread pool</a><sup>1</sup>" in tenth
    assert '<p class="note"><sup>1</sup> thread pool: a &lt;note&gt; at the row</p>' in tenth
    assert (
        text_of(files, "docs/machines/fixture-host-2-cores-fixture-cpu/cpython-3.13.1.md").count(
            "a &lt;note&gt; at the row"
        )
        == 1
    )


def test_a_note_of_two_runners_is_printed_once(tmp_path: Path) -> None:
    notes = {"thread_pool/tenth": "shared", "asyncio_gather/tenth": "shared"}
    files = made(tmp_path, PLANS, {"letters": replace(letters()["letters"], notes=notes)})
    tenth = json.loads(text_of(files, "docs/assets/machines/fixture-host-2-cores-fixture-cpu/letters-folded.json"))[
        "case-2"
    ]
    assert re.findall(r"</a><sup>(\d)</sup>", tenth.partition("</table>")[0]) == ["1", "1"]
    (said,) = re.findall(r'<p class="note"><sup>1</sup> (.*?): shared</p>', tenth)
    assert sorted(said.split("; ")) == ["asyncio gather", "thread pool"]


def test_a_page_begins_with_the_case_that_the_scenario_names(tmp_path: Path) -> None:
    whole = letters()["letters"]
    put(tmp_path / "results", {"a.json": Plan()}, letters())
    for overview in ("", "tenth"):
        context = book_of(tmp_path / "results", {"letters": replace(whole, overview=overview)})
        assert overview_case(context.site, "letters") == (overview or next(iter(whole.cases)))
