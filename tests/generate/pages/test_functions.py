"""The functions that hand-written pages call, and what they report about names that do not exist."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import REFERENCE, Plan, altered, build, make
from sample_site import book_of, letters, put

from generate.pages.board import LEGEND
from generate.pages.render import PageError, render
from generate.words.numbers import NO_BREAK
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

PLANS = {
    "a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.5}),
    "b.json": Plan(speed={"thread_pool": 0.25}, status={"asyncio_gather": "timed_out"}),
}
GIL, FREE = build("3.14.0"), build("3.14.0", free_threaded=True)


def said(tmp_path: Path, text: str, plans: dict[str, Plan] | None = None, name: str = "index.md") -> str:
    put(tmp_path / "results", PLANS if plans is None else plans, letters())
    (tmp_path / "results").mkdir(parents=True, exist_ok=True)
    page = tmp_path / "docs" / name
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text)
    return str(render(book_of(tmp_path / "results", letters()), tmp_path / "docs")[name]).replace(NO_BREAK, " ")


def beside_gil(speed: float, of: str = "thread_pool") -> dict[str, Plan]:
    """Return one run of a Python with the GIL, and without it, where a runner is *speed* times its usual time."""
    return {
        "a.json": Plan(build=GIL, reference=GIL),
        "b.json": Plan(build=FREE, reference=GIL, speed={of: speed}),
    }


@pytest.mark.parametrize(
    ("differ_by", "variant", "expected"),
    [
        (
            "optimisation",
            {"variant": ("plain",), "pgo": False, "lto": False},
            "without PGO and LTO, on a 2-core x86-64 machine:<ul><li>thread pool: takes 2",
        ),
        (
            "jit",
            {"variant": ("PYTHON_JIT=1",), "jit": True},
            "(PYTHON_JIT=1), built with PGO and LTO, on a 2-core x86-64 machine:<ul><li>thread pool: takes 2",
        ),
        ("optimisation", {"variant": ("PYTHON_JIT=1",), "jit": True}, "Not measured yet: <code>python -m runners run "),
        ("jit", {"variant": ("plain",), "pgo": False, "lto": False}, "--python 3.14 --python 3.14+PYTHON_JIT=1</code>"),
        ("jit", {"jit": True}, "Not measured yet"),
    ],
)
def test_a_variant_is_compared_with_its_plain_build(
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


def test_a_runner_without_the_gil_is_compared_with_another_with_it(tmp_path: Path) -> None:
    words = '{{ against_gil("letters", "published", "thread_pool", "sync_loop") }}'
    assert re.fullmatch(r"4\.0 times as fast \(.*\)", said(tmp_path / "both", words, beside_gil(0.25)))
    assert said(tmp_path / "gil", words, {"a.json": Plan(build=GIL, reference=GIL)}) == "not measured"
    brief = words.replace('"sync_loop"', '"sync_loop", brief=True')
    assert said(tmp_path / "brief", brief, beside_gil(0.25)) == "4.0 times as fast"
    failed = beside_gil(1.0) | {"b.json": Plan(build=FREE, reference=GIL, status={"thread_pool": "failed"})}
    assert said(tmp_path / "failed", words, failed) == "failed (fixture: failed)"


@pytest.mark.parametrize(("speed", "verb"), [(0.25, "do"), (1.0, "may"), (4.0, "do not")])
def test_whether_something_helps_is_a_verb(tmp_path: Path, speed: float, verb: str) -> None:
    words = '{{ help("letters", "published", "thread_pool", gil=False) }}|'
    words += '{{ help_without_gil("letters", "published", "thread_pool", "sync_loop") }}'
    assert said(tmp_path, words, beside_gil(speed)) == f"{verb} help|{verb}".replace("do help", "help")
    assert said(tmp_path / "none", words, {}) == "were not measured|were not measured"


def test_a_python_is_compared_with_an_older_one(tmp_path: Path) -> None:
    plans = {"a.json": Plan(build=REFERENCE), "b.json": Plan(build=build("3.11.1"), speed={"thread_pool": 0.5})}
    words = '{{ against_older("3.11", "letters", "published", "thread_pool") }}'
    assert re.fullmatch(r"takes 2\.\d times as long \([\d.]+ to [\d.]+\)", said(tmp_path / "both", words, plans))
    assert said(tmp_path / "none", words.replace("3.11", "3.9"), plans) == "not measured"


def test_a_newer_python_is_named_if_its_ratio_differs(tmp_path: Path) -> None:
    pair = beside_gil(1.0)
    words = '{{ on_newer("letters", "published", "thread_pool") }}'
    alike = pair | {"c.json": Plan(build=build("3.15.0"), reference=GIL)}
    assert said(tmp_path / "alike", words, alike) == ""
    faster = pair | {"c.json": Plan(build=build("3.15.0"), reference=GIL, speed={"thread_pool": 0.25})}
    assert said(tmp_path / "faster", words, faster) == " (on CPython 3.15.0 4.0 times as fast)"


def test_a_number_is_of_all_its_runs(tmp_path: Path) -> None:
    words = '{{ times("letters", "published", "asyncio_gather", baseline="thread_pool") }}|'
    words += (
        '{{ ratio("letters", "published", "asyncio_gather", baseline="thread_pool") }}|{{ measured_on("letters") }}'
    )

    def run(day: int, speed: float) -> dict[str, Plan]:
        return {f"{day}/a.json": Plan(build=REFERENCE, run_id=f"run-{day}", speed={"asyncio_gather": speed})}

    ranged, brief, foot = said(tmp_path, words, run(1, 0.5) | run(2, 0.25)).split("|")
    assert re.fullmatch(r"2\.\d times as fast \([\d.]+ to [\d.]+\)", ranged)
    assert ranged.startswith(f"{brief} (")
    assert "CPython 3.12.8 on a 2-core x86-64 machine (contributed), 2 runs" in foot


def test_pages_are_about_the_newest_python_with_and_without_the_gil(tmp_path: Path) -> None:
    plans = beside_gil(0.5) | {"c.json": Plan(build=build("3.15.0"), reference=GIL)}
    page = '{{ measured_on("letters") }}|{{ value("letters", "published", "sync_loop", gil=False) }}'
    foot, free = said(tmp_path / "pair", page, plans).split("|")
    assert "Measured with CPython 3.14.0 on" in foot
    assert free != "not measured"
    del plans["b.json"]
    foot, free = said(tmp_path / "alone", page, plans).split("|")
    assert "Measured with CPython 3.15.0 on" in foot
    assert free == "not measured"


def test_a_listed_claim_has_the_square_of_the_first_build(tmp_path: Path) -> None:
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


def test_a_variant_without_its_plain_build_is_not_compared(tmp_path: Path) -> None:
    other = msgspec.structs.replace(build("3.13.1"), variant=("PYTHON_JIT=1",), jit=True)
    plans = {"a.json": Plan(build=REFERENCE), "b.json": Plan(build=other)}
    words = '{{ variants("jit", "letters", "published", "thread_pool") }}'
    assert "Not measured yet" in said(tmp_path, words, plans)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ('value("letters", "published", "sync_loop")', "1.2 s ("),
        ('number("letters", "published", "sync_loop")', "1.2 s"),
        ('value("letters", "published", "asyncio_gather")', "ran out of time (fixture: timed_out)"),
        ('times("letters", "published", "asyncio_gather")', "ran out of time (fixture: timed_out)"),
        ('times("letters", "published", "thread_pool")', "4.0 times as fast ("),
        ('times("letters", "published", "sync_loop", baseline="thread_pool")', "takes 4.0 times as long ("),
        ('times("letters", "published", "sync_loop", baseline="published/sync_loop")', "no difference"),
        ('link("letters")', "[Letters](scenarios/letters.md)"),
        ('source("S1")', "S1, a source of the sample (undated; Python 3)"),
        ("repository()", "<this repository>"),
        ("source_list()", "| S1, a source of the sample (undated; Python 3) | [letters](S1.md) |"),
        ('verdict("S1.1")', "holds"),
        ("measured_on()", "Not measured yet."),
        (
            'values_by_build(("", "letters", "published", "sync_loop"), ("pool", "letters", "tenth", "thread_pool"))',
            "<li>CPython 3.12.8: 1.2 s",
        ),
        ('values_by_build(("", "letters", "tenth", "sync_loop"), free_threaded=True)', "<li>none was measured</li>"),
        ('code("letters", "sync_loop", highlight="4 6-7")', 'title="runners/letters/sync_loop.py" hl_lines="4 6-7"'),
        ('table("letters", "tenth")', '<table class="data fold" role="table">'),
        ('chart("letters", "tenth")', 'data-chart="assets/charts/letters-2-bars.json"'),
        ('chart("letters", "tenth", kind="depth")', "<code>python -m runners run --scenario letters</code>"),
        ('cell_list("machine")', "(contributed), Fixture CPU"),
        ('cell_list("build")', "[cpython-3.13.1](builds/cpython-3.13.1.md)"),
    ],
)
def test_a_function_writes_what_the_data_have(tmp_path: Path, words: str, expected: str) -> None:
    assert expected in said(tmp_path, "{{ " + words + " }}")


def test_a_table_of_an_article_is_of_one_build(tmp_path: Path) -> None:
    page = said(tmp_path, '{{ table("letters", "tenth") }}', name="articles/a.md")
    assert 'type="radio"' not in page
    assert '<a href="../scenarios/letters.html">Other builds</a>' in page


def test_a_case_of_another_result_names_it(tmp_path: Path) -> None:
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
    assert published.endswith("s)")
    assert first == "published"


def test_the_builds_of_a_case_are_those_of_its_own_machine(tmp_path: Path) -> None:
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
def test_an_unknown_name_stops_with_file_and_line(tmp_path: Path, words: str, complaint: str) -> None:
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


def test_a_range_that_says_no_more_is_left_out(tmp_path: Path) -> None:
    def the_same(series: dict[str, Any]) -> None:
        series["samples"]["values"]["elapsed_ns"] = [1_234_567_890 + number for number in range(12)]

    record = altered(make(letters(), Plan()), lambda series: series.runner == "sync_loop", the_same)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "c.json").write_bytes(encode(record))
    assert said(tmp_path, '{{ value("letters", "published", "sync_loop") }}', {}).startswith("1.2")
