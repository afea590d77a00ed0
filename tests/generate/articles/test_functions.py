"""The words that hand-written pages use, and what they say of names that do not exist."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import REFERENCE, Plan, altered, build, make
from sample_site import DOCS, book_of, letters, put, site_of, text_of

from generate.articles.render import PageError, render
from generate.claims import verdicts
from generate.pages import other_runs
from generate.pages.board import LEGEND
from generate.text.numbers import NO_BREAK
from runners.harness.catalogue import first_method
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

PLANS = {
    "a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.25}, status={"asyncio_gather": "timed_out"}),
    "b.json": Plan(speed={"thread_pool": 0.5}),
}


def said(tmp_path: Path, text: str, plans: dict[str, Plan] | None = None, name: str = "index.md") -> str:
    put(tmp_path / "results", PLANS if plans is None else plans, letters())
    (tmp_path / "results").mkdir(parents=True, exist_ok=True)
    page = tmp_path / "docs" / name
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text)
    return str(render(book_of(tmp_path / "results", letters()), tmp_path / "docs")[name])


def test_what_the_correction_for_many_claims_has_barred_is_said_of_the_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    barred = "{{ barred() }}"
    assert said(tmp_path / "none", barred, {}) == "Here nothing has been decided that it could bar."
    assert (
        said(tmp_path / "all", barred)
        == "Here it has barred nothing: without it each of 2 decisions would be the same."
    )
    monkeypatch.setattr(verdicts, "discoveries", lambda probabilities: [False for _ in probabilities])
    assert said(tmp_path / "some", barred) == "Here it has barred 2 of 2 decisions; they read *too close to call*."


@pytest.mark.parametrize(
    ("again", "expected"),
    [
        ({}, r"Here no verdict is decided by two runs of a build\."),
        ({"thread_pool": 0.25}, r"Of the \d verdicts? here that two or more runs of a build decide, none differs.*"),
        ({"thread_pool": 4.0}, r"Of the 1 verdict here .*, 1 differs between them \(100 %\): S\S+ on CPython 3\.12.*"),
    ],
)
def test_verdicts_that_differ_between_runs_of_a_build_are_counted_and_named(
    tmp_path: Path, again: dict[str, float], expected: str
) -> None:
    first = Plan(build=REFERENCE, speed={"thread_pool": 0.25})
    plans = {"a.json": first} | ({"b.json": replace(first, speed=again, run_id="fixture-2")} if again else {})
    found = said(tmp_path, "{{ decided_by_several() }}", plans).replace(NO_BREAK, " ")
    assert re.fullmatch(expected, found.strip())


@pytest.mark.parametrize(
    ("differ_by", "variant", "expected"),
    [
        (
            "optimisation",
            {"variant": ("plain",), "pgo": False, "lto": False},
            "without PGO and LTO:<ul><li>thread pool: takes 2",
        ),
        (
            "jit",
            {"variant": ("PYTHON_JIT=1",), "jit": True},
            "(PYTHON_JIT=1), built with PGO and LTO:<ul><li>thread pool: takes 2",
        ),
        ("optimisation", {"variant": ("PYTHON_JIT=1",), "jit": True}, "Not measured yet: <code>python -m runners run "),
        ("jit", {"variant": ("plain",), "pgo": False, "lto": False}, "--python 3.14 --python 3.14+PYTHON_JIT=1</code>"),
        ("jit", {"jit": True}, "Not measured yet"),
    ],
)
def test_a_variant_is_compared_with_the_plain_build_of_its_version_in_its_run(
    tmp_path: Path, differ_by: str, variant: dict[str, Any], expected: str
) -> None:
    plain = build("3.13.1")
    plans = {
        "a.json": Plan(build=REFERENCE),
        "b.json": Plan(build=plain, speed={"thread_pool": 0.5}),
        "c.json": Plan(build=msgspec.structs.replace(plain, **variant)),
    }
    assert expected in said(
        tmp_path, f'{{{{ variants("{differ_by}", "letters", "published", "thread_pool") }}}}', plans
    )


def test_a_runner_without_the_gil_is_compared_with_another_that_has_it_in_the_same_run(tmp_path: Path) -> None:
    gil = build("3.14.0")
    plans = {
        "a.json": Plan(build=gil, reference=gil),
        "b.json": Plan(build=build("3.14.0", free_threaded=True), reference=gil, speed={"thread_pool": 0.25}),
    }
    words = '{{ against_gil("letters", "published", "thread_pool", "sync_loop") }}'
    assert said(tmp_path / "both", words, plans).startswith("4.0")
    assert said(tmp_path / "gil", words, {"a.json": plans["a.json"]}) == "not measured"
    by_longest = words.replace('"sync_loop"', '"sync_loop", metric="longest_job_ns"')
    assert said(tmp_path / "metric", by_longest, plans) == "no difference seen (1.00)"
    gains = words.replace("against_gil", "gains_without_gil")
    assert said(tmp_path / "gains", gains, plans) == "yes"
    assert said(tmp_path / "unknown", gains, {"a.json": plans["a.json"]}) == "not measured"


def test_a_runner_on_another_version_is_compared_with_itself_on_the_reference_build_of_its_run(tmp_path: Path) -> None:
    plans = {"a.json": Plan(build=REFERENCE), "b.json": Plan(build=build("3.13.1"), speed={"thread_pool": 0.5})}
    words = '{{ against_reference("3.13", "letters", "published", "thread_pool") }}'
    found = r"CPython 3\.13\.1 against CPython 3\.12\.8: 2\.\d\d times as fast \([\d.]+ to [\d.]+\)"
    assert re.fullmatch(found, said(tmp_path / "both", words, plans))
    assert said(tmp_path / "itself", words.replace("3.13", "3.12"), plans) == "not measured"
    assert said(tmp_path / "none", words.replace("3.13", "3.9"), plans) == "not measured"


def test_what_several_runs_have_of_a_gain_without_the_gil_stands_beside_its_range(tmp_path: Path) -> None:
    gil, free = build("3.14.0"), build("3.14.0", free_threaded=True)

    def run(day: int, speed: float, **changed: Any) -> dict[str, Plan]:  # noqa: ANN401 - fields of a Plan
        shared = {"reference": gil, "run_id": f"run-{day}", **changed}
        return {
            f"{day}/gil.json": Plan(build=gil, **shared),
            f"{day}/free.json": Plan(build=free, **shared, speed={"thread_pool": speed}),
        }

    words = '{{ against_gil("letters", "published", "thread_pool", "sync_loop") }}'
    alone, two = run(2, 0.25), run(1, 0.4) | run(2, 0.25)
    assert " run" not in said(tmp_path / "alone", words, alone)
    both = r"\d\.\d\d times as fast \([\d.]+ to [\d.]+; 2\.4\d to 3\.9\d in 2 runs\)"
    assert re.fullmatch(both, said(tmp_path / "two", words, two))
    assert " run" not in said(tmp_path / "quick", words, run(1, 0.4, profile="quick", rounds=3) | alone)
    apart = {name: plan for name, plan in two.items() if name != "1/gil.json"}
    assert " run" not in said(tmp_path / "apart", words, apart)


def test_what_other_runs_have_of_a_ratio_to_any_implementation_stands_beside_its_range(tmp_path: Path) -> None:
    def run(day: int, speed: float, **changed: Any) -> dict[str, Plan]:  # noqa: ANN401 - fields of a Plan
        return {f"{day}/a.json": Plan(build=REFERENCE, run_id=f"run-{day}", speed={"asyncio_gather": speed}, **changed)}

    words = '{{ times("letters", "published", "asyncio_gather", baseline="thread_pool") }}'
    alone = said(tmp_path / "alone", words, run(2, 0.25))
    assert "run" not in alone
    both = said(tmp_path / "two", words, run(1, 0.5) | run(2, 0.25))
    own, others = re.fullmatch(r"(.*times as fast \([\d.]+ to [\d.]+)(; .* in 2 runs\))", both).groups()  # type: ignore[union-attr]
    assert own + ")" == alone
    low, high = map(float, re.findall(r"\d\.\d+", others))
    assert 1.9 < high / low < 2.1
    undecided: dict[str, dict[str, Any]] = {
        "quick": {"profile": "quick", "rounds": 3},
        "failed": {"status": {"thread_pool": "failed"}},
    }
    for name, changed in undecided.items():
        assert said(tmp_path / name, words, run(1, 0.5, **changed) | run(2, 0.25)) == alone
        assert "runs" not in said(tmp_path / f"{name} now", words, run(1, 0.5) | run(2, 0.25, **changed))


def test_of_builds_without_the_gil_a_release_comes_before_a_newer_pre_release(tmp_path: Path) -> None:
    gil, free = build("3.14.0"), build("3.14.0", free_threaded=True)
    plans = {
        "a.json": Plan(build=gil, reference=gil),
        "b.json": Plan(build=free, reference=gil),
        "c.json": Plan(build=build("3.15.0rc2", free_threaded=True), reference=gil),
    }
    assert said(tmp_path / "both", '{{ free_threaded("letters") }}', plans) == "cpython-3.14.0t"
    finding = '{{ finding("S1.1") }}'
    assert said(tmp_path / "first", finding, plans).startswith("on CPython 3.14.0, ")
    of_free = {name: plan for name, plan in plans.items() if name != "a.json"}
    assert said(tmp_path / "finding", finding, of_free).startswith("on CPython 3.14.0 free-threaded, ")
    del plans["b.json"]
    assert said(tmp_path / "one", '{{ free_threaded("letters") }}', plans) == "cpython-3.15.0rc2t"


def test_a_build_on_which_no_listed_claim_was_measured_is_named_once_above_the_list(tmp_path: Path) -> None:
    plans = {"a.json": Plan(build=REFERENCE), "b.json": Plan(status={"thread_pool": "failed"})}
    listed = said(tmp_path, '{{ verdict_list("S1") }}', plans)
    assert listed.count("CPython 3.13.1") == listed.count('<p class="note">Not measured on CPython 3.13.1.</p>') == 1
    assert "not measured" not in listed.partition("<ul")[2]
    assert "note" not in said(tmp_path / "both", '{{ verdict_list("S1") }}', {"a.json": plans["a.json"]})


def test_the_square_of_a_listed_claim_is_of_the_build_that_pages_begin_with(tmp_path: Path) -> None:
    reference = build("3.14.0")
    plans = {
        "a.json": Plan(build=build("3.13.1"), reference=reference),
        "b.json": Plan(build=reference, reference=reference),
    }
    listed = said(tmp_path / "both", "{{ claim_list() }}", plans)
    assert "The square is of <bdi>CPython 3.14.0</bdi>" in listed
    key, _, claims = listed.partition("<ul")
    assert key.count('class="squares"') == len(LEGEND)
    assert claims.count('class="squares"') == claims.count("<li>") == 1
    assert "square" not in said(tmp_path / "none", "{{ claim_list() }}", {})


def test_a_variant_without_its_plain_build_in_the_run_is_compared_with_nothing(tmp_path: Path) -> None:
    other = msgspec.structs.replace(build("3.13.1"), variant=("PYTHON_JIT=1",), jit=True)
    plans = {"a.json": Plan(build=REFERENCE), "b.json": Plan(build=other)}
    words = '{{ variants("jit", "letters", "published", "thread_pool") }}'
    assert "Not measured yet" in said(tmp_path, words, plans)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ('value("letters", "published", "sync_loop")', "1.1"),
        ('value("letters", "published", "sync_loop", build="cpython-3.13.1")', "1.1"),
        ('value("letters", "published", "asyncio_gather")', "ran out of time (fixture: timed_out)"),
        ('value("letters", "published", "sync_loop", build="cpython-9")', "not measured"),
        ('times("letters", "published", "thread_pool")', "3.94 times as fast"),
        ('times("letters", "published", "sync_loop", baseline="thread_pool")', "takes 3.94 times as long"),
        ('times("letters", "published", "sync_loop", baseline="published/sync_loop")', "no difference seen"),
        ('gains("letters", "published", "thread_pool")', "yes"),
        ('gains("letters", "published", "asyncio_gather")', "ran out of time (fixture: timed_out)"),
        ('with_gil("letters")', "cpython-3.12.8"),
        ('measured_on("letters", build="cpython-3.13.1")', "with cpython-3.13.1 (built with PGO and LTO)"),
        ('link("letters")', "[Letters](scenarios/letters.md)"),
        ('source("S1")', "S1, a source of the sample (undated; Python 3)"),
        ('finding("S1.1")', "(thread pool) against "),
        ("repository()", "<this repository>"),
        ("source_list()", "| S1, a source of the sample (undated; Python 3) | [letters](S1.md) |"),
        ('verdict_list("S1")', '<a href="claims/S1.html#s1.1">S1.1</a> Threads are faster. <b>Holds on CPython'),
        (
            "measured_on()",
            "Measured on a 2-core x86-64 machine (contributed), Fixture CPU, with cpython-3.12.8 (built with PGO",
        ),
        (
            'values_by_build(("", "letters", "published", "sync_loop"), ("pool", "letters", "tenth", "thread_pool"))',
            "<li>CPython 3.12.8: 1.1",
        ),
        ('values_by_build(("", "letters", "tenth", "sync_loop"), free_threaded=True)', "<li>none was measured</li>"),
        ('code("letters", "sync_loop", highlight="4 6-7")', 'title="runners/letters/sync_loop.py" hl_lines="4 6-7"'),
        ('table("letters", "tenth")', '<table class="data fold" role="table">'),
        ('chart("letters", "tenth")', 'data-chart="assets/charts/letters-2-bars.json"'),
        ('chart("letters", "tenth", kind="depth")', "<code>python -m runners run --scenario letters</code>"),
        (
            'cell_list("machine")',
            (
                "[2-core x86-64 machine](machines/fixture-host.md) (contributed), Fixture CPU\n"
                ":   [cpython-3.12.8](machines/fixture-host/cpython-3.12.8.md): "
                "<time>2026-01-01</time>, 12 rounds of Letters<br>["
            ),
        ),
        (
            'cell_list("build")',
            (
                "[cpython-3.13.1](builds/cpython-3.13.1.md)\n"
                ":   [2-core x86-64 machine](machines/fixture-host/cpython-3.13.1.md) (contributed): <time>2026-01-01"
                "</time>,"
            ),
        ),
        ("compare_form()", "<b>CPython 3.13.1, 2-core x86-64 machine (2026-01-01)</b> against <b>CPython 3.12.8"),
    ],
)
def test_a_word_says_what_the_data_says(tmp_path: Path, words: str, expected: str) -> None:
    assert expected in said(tmp_path, "{{ " + words + " }}")


def test_a_case_that_the_current_result_lacks_is_taken_from_another_and_says_so(tmp_path: Path) -> None:
    results = tmp_path / "results"
    put(results, {"2026/full.json": Plan(build=REFERENCE)}, letters())
    quick = make(letters(), Plan(build=REFERENCE, run_id="quick"))
    only = msgspec.structs.replace(quick, series=[series for series in quick.series if series.case == "published"])
    (results / "local").mkdir()
    (results / "local" / "quick.json").write_bytes(encode(only))
    words = '{{ value("letters", "tenth", "sync_loop") }}|{{ value("letters", "published", "sync_loop") }}|'
    words += '{{ first_measured("letters", "tenth", "published") }}'
    tenth, published, first = said(tmp_path, words, {}).split("|")
    assert tenth.endswith(", on CPython 3.12.8 on a 2-core x86-64 machine (contributed)")
    assert published.endswith(")")
    assert first == "published"


def test_the_builds_of_a_case_are_listed_though_another_machine_is_the_current_one_of_other_cases(
    tmp_path: Path,
) -> None:
    own = make(letters(), Plan(build=REFERENCE, machine="mine", run_id="own"))
    only = msgspec.structs.replace(own, series=[series for series in own.series if series.case == "published"])
    (tmp_path / "results" / "local").mkdir(parents=True)
    (tmp_path / "results" / "local" / "own.json").write_bytes(encode(only))
    for case, builds in (("published", ["CPython 3.12.8"]), ("tenth", ["CPython 3.12.8", "CPython 3.13.1"])):
        listed = said(tmp_path, f'{{{{ values_by_build(("", "letters", "{case}", "sync_loop")) }}}}')
        assert re.findall(r"<li>([^:]*)", listed) == builds


def test_words_without_data_say_so(tmp_path: Path) -> None:
    page = '{{ value("letters", "published", "sync_loop") }}|{{ times("letters", "published", "thread_pool") }}'
    assert said(tmp_path, page, {}) == "not measured|not measured"


def test_how_often_another_run_lies_outside_is_counted_and_of_one_run_each_nothing_is_said(tmp_path: Path) -> None:
    plans = {"2026/a.json": Plan(build=REFERENCE), "2025/a.json": Plan(build=REFERENCE, run_id="0", slowness=2.0)}
    page = "{{ between_runs() }}"
    words = said(tmp_path, page, {"2026/a.json": plans["2026/a.json"]})
    assert words == "No build has several full runs of the same code and packages yet."
    words = said(tmp_path, page, plans).replace(NO_BREAK, " ")
    assert words == (
        "In another full run, a ratio to the baseline lies outside the interval shown here in 50 % of cases (2 of 4);"
        " between runs half of the series differ by at most 1.8 %, and in 0 of 4 the intervals of two runs do not"
        " overlap. A value itself, such as a time or a rate, lies outside the interval shown here in 100 % of cases"
        " (8 of 8); between runs half of the series differ by at most 101 %, and in 8 of 8 the intervals of two runs do"
        " not overlap."
    )
    assert other_runs.note(book_of(tmp_path / "results", letters())).replace(NO_BREAK, " ") == (
        "In another run, 50 % of the site's ratios lie outside the range given here; between runs, half of them differ"
        " by at most 1.8 %. After a semicolon stand the smallest and the largest of several runs."
        " Where the hours of a run were noisy, a calmer one is shown."
    )


def test_what_other_runs_had_follows_a_range(tmp_path: Path) -> None:
    plans = {"2026/a.json": Plan(build=REFERENCE), "2025/a.json": Plan(build=REFERENCE, run_id="0", slowness=2.0)}
    value, page = '{{ value("letters", "published", "sync_loop") }}', '{{ measured_on("letters") }}'
    alone = said(tmp_path, value, {"2026/a.json": plans["2026/a.json"]})
    assert "runs" not in said(tmp_path, page, {"2026/a.json": plans["2026/a.json"]})
    assert (
        said(tmp_path, value, plans).replace(NO_BREAK, " ")
        == alone.replace(NO_BREAK, " ")[:-1] + "; 1.19 to 2.40 s in 2 runs)"
    )
    assert said(tmp_path, page, plans).endswith(
        " In brackets: the range of this run; then that of the medians of several, five at most, where there are some."
        " A ratio is the median over the rounds, which need not be the quotient of two medians."
    )


def test_how_to_read_numbers_is_said_once_a_page(tmp_path: Path) -> None:
    words = said(tmp_path, '{{ measured_on() }}|{{ measured_on("letters") }}|{{ measured_on("letters") }}').split("|")
    assert [each.count("Measured on") for each in words] == [1, 1, 1]
    assert [each.count("A ratio is the median") for each in words] == [0, 1, 0]


def test_a_number_from_another_processor_under_the_same_name_says_so(tmp_path: Path) -> None:
    page = '{{ value("letters", "published", "sync_loop", build="cpython-3.13.1") }}'
    assert said(tmp_path, page).endswith(", on CPython 3.13.1")
    other = tmp_path / "results" / "b.json"
    other.write_text(other.read_text().replace("Fixture CPU", "Another CPU"))
    words = render(book_of(tmp_path / "results", letters()), tmp_path / "docs")["index.md"]
    assert str(words).endswith(", on CPython 3.13.1 (Another CPU)")


def test_where_builds_stand_beside_each_other_the_processor_of_each_is_said(tmp_path: Path) -> None:
    listed = '{{ values_by_build(("", "letters", "published", "sync_loop")) }}'
    pages = {
        "index.md": listed,
        "chart.md": '{{ chart("letters", "published", kind="builds") }}',
        "machines.md": '{{ cell_list("machine") }}',
    }
    alike = said(tmp_path, listed)
    assert "CPU" not in alike
    other = tmp_path / "results" / "b.json"
    other.write_text(other.read_text().replace("Fixture CPU", "Another CPU"))
    for name, text in pages.items():
        (tmp_path / "docs" / name).write_text(text)
    found = {
        name: str(page) for name, page in render(book_of(tmp_path / "results", letters()), tmp_path / "docs").items()
    }
    (with_other,) = re.findall(r"<li>(.*)</li>", found["index.md"])[1:]
    assert with_other.startswith("CPython 3.13.1: ")
    assert with_other.endswith(" (Another CPU)")
    assert "<bdi>Fixture CPU and Another CPU</bdi>" in found["chart.md"]
    assert "Fixture CPU and Another CPU" in found["machines.md"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ('value("leters", "published", "sync_loop")', "did you mean letters"),
        ('value("letters", "publishd", "sync_loop")', "did you mean published"),
        ('times("letters", "published", "sync_lop")', "did you mean sync_loop"),
        ('times("letters", "published", "thread_pool", baseline="tenth/sync_loop")', "not measured in one block"),
        ('times("letters", "published", "thread_pool", baseline="nobody")', "no runner of letters"),
        ('value("letters", "published", "sync_loop", metric="elapsed")', "did you mean elapsed_ns"),
        ('chart("letters", "published", kind="pie")', "kind of chart"),
        ('code("letters", "nobody")', "no runner of letters"),
        ('source("S9")', "no source"),
        ("unknown_word()", "unknown_word"),
        ("value()", "missing"),
        ("value(", "unexpected"),
    ],
)
def test_a_name_that_does_not_exist_stops_with_file_and_line(tmp_path: Path, words: str, complaint: str) -> None:
    with pytest.raises(PageError, match=r"^docs/articles/a\.md:3: .*" + complaint):
        said(tmp_path, "# Title\n\n{{ " + words + " }}\n", name="articles/a.md")


def test_a_deeper_page_reaches_the_root(tmp_path: Path) -> None:
    page = said(tmp_path, '{{ link("letters") }} {{ chart("letters", "tenth") }}', name="articles/a.md")
    assert "[Letters](../scenarios/letters.md)" in page
    assert 'data-chart="../assets/charts/letters-2-bars.json"' in page


def test_a_changed_runner_is_reported(tmp_path: Path) -> None:
    put(tmp_path / "results", PLANS, letters())
    for path in (tmp_path / "results").glob("*.json"):
        sha = letters()["letters"].runners["sync_loop"].source_sha256
        path.write_text(path.read_text().replace(sha, "0" * 64))
    page = said(tmp_path, '{{ code("letters", "sync_loop") }}', {})
    assert "Changed since: the figures are of 000000000000" in page


def test_a_runner_that_the_first_method_measured_has_not_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "results", PLANS, letters())
    for path in (tmp_path / "results").glob("*.json"):
        sha = letters()["letters"].runners["sync_loop"].source_sha256
        text = path.read_text().replace(sha, "0" * 64)
        path.write_text(re.sub(r'("schema_version": ?)2', r"\g<1>1", text))
    listed = first_method.FirstMethod({}, {"letters": {"sync_loop": "0" * 64}})
    monkeypatch.setattr(first_method, "_read", lambda: listed)
    assert "Changed since" not in said(tmp_path, '{{ code("letters", "sync_loop") }}', {})
    files = site_of(tmp_path / "results", letters(), DOCS)
    assert "Measured with the first method" in text_of(files, "docs/scenarios/letters.md")


def test_a_range_whose_ends_are_written_as_the_median_is_left_out(tmp_path: Path) -> None:
    def the_same(series: dict[str, Any]) -> None:
        series["samples"]["values"]["elapsed_ns"] = [1_234_567_890 + number for number in range(12)]

    record = altered(make(letters(), Plan()), lambda series: series.runner == "sync_loop", the_same)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "c.json").write_bytes(encode(record))
    assert said(tmp_path, '{{ value("letters", "published", "sync_loop") }}', {}) == f"1.23{NO_BREAK}s"


def test_how_many_full_runs_were_of_noisy_hours_is_said_where_any_was(tmp_path: Path) -> None:
    page = "{{ noisy_runs() }}"
    calm = {f"{day}/a.json": Plan(build=REFERENCE, run_id=f"{day}") for day in (1, 2)}
    assert not said(tmp_path / "calm", page, calm)
    context = book_of(tmp_path / "calm/results", letters())
    files = [replace(file, is_loud=file.run.id == "1") for file in context.site.files]
    noisy = replace(context, site=replace(context.site, files=files))
    assert other_runs.noisy_runs(noisy).replace(NO_BREAK, " ") == (
        "Of 2 full runs of a build here, 1 was measured in hours that were noisy in this sense."
    )


@pytest.mark.parametrize(
    ("spoilt", "expected"),
    [((), "on none of 2 builds"), (("b",), "on 1 of 2 builds"), (("a", "b"), "on all 2 builds")],
)
def test_the_builds_on_which_the_gate_refused_a_series_of_a_case_are_counted(
    tmp_path: Path, spoilt: tuple[str, ...], expected: str
) -> None:
    (tmp_path / "results").mkdir(parents=True)
    for name in ("a", "b"):
        record = make(letters(), PLANS[f"{name}.json"])
        if name in spoilt:
            record = altered(
                record, lambda series: (series.case, series.runner) == ("tenth", "sync_loop"), take_no_time
            )
        (tmp_path / "results" / f"{name}.json").write_bytes(encode(record))
    words = '{{ refused_on("letters", "tenth") }}; {{ refused_on("letters", "published") }}'
    assert said(tmp_path, words, {}) == f"{expected}; on none of 2 builds"


def take_no_time(series: dict[str, Any]) -> None:
    elapsed_ns = series["samples"]["values"]["elapsed_ns"]
    series["samples"]["values"]["elapsed_ns"] = [0 for _ in elapsed_ns]


def test_of_a_case_that_was_not_measured_no_refusal_is_counted(tmp_path: Path) -> None:
    assert said(tmp_path, '{{ refused_on("letters", "tenth") }}', {}) == "not measured"
