"""The functions that write values and ratios, and what pages report about unknown names."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from factory import REFERENCE, Plan, build, make_record
from sample_site import build_context, letters, write_results

from generate.pages.hand_written import PageError, render
from generate.words import patterns
from generate.words.numbers import NO_BREAK
from generate.words.patterns import NOT_MEASURED
from runners.harness.record.codec import encode

PLANS = {
    "a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.5}),
    "b.json": Plan(speed={"thread_pool": 0.25}, status={"asyncio_gather": "timed_out"}),
}
GIL, FREE = build("3.14.0"), build("3.14.0", free_threaded=True)
PLACE = '"letters", "published", "thread_pool"'
MEASURE = "python -m runners run --profile full --scenario letters"


def write(folder: Path, text: str, plans: dict[str, Plan] | None = None, name: str = "index.md") -> str:
    """Render a page with *text* over some results; those without a plan are in the folder already."""
    write_results(folder / "results", PLANS if plans is None else plans, letters())
    (folder / "results").mkdir(parents=True, exist_ok=True)
    page = folder / "docs" / name
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text)
    return str(render(build_context(folder / "results", letters()), folder / "docs")[name]).replace(NO_BREAK, " ")


def call(folder: Path, words: str, plans: dict[str, Plan] | None = None) -> str:
    return write(folder, f"{{{{ {words} }}}}", plans)


def with_free(speed: float, runner: str = "thread_pool") -> dict[str, Plan]:
    """Plan a run of a Python with the GIL, and without it, on which a runner takes *speed* times its usual time."""
    return {
        "a.json": Plan(build=GIL, reference=GIL),
        "b.json": Plan(build=FREE, reference=GIL, speed={runner: speed}),
    }


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ('value("letters", "published", "sync_loop")', r"1\.2 s \(.* s\)"),
        ('number("letters", "published", "sync_loop")', r"1\.2 s"),
        ('value("letters", "published", "asyncio_gather")', r".* \(fixture: timed_out\)"),
        ('times("letters", "published", "asyncio_gather")', r".* \(fixture: timed_out\)"),
        (f"times({PLACE})", r"4\.0 times as fast \(.*\)"),
        (f"ratio({PLACE})", r"4\.0 times as fast"),
        ('times("letters", "published", "sync_loop", baseline="thread_pool")', r"takes 4\.0 times as long \(.*\)"),
        ('ratio("letters", "published", "sync_loop", baseline="published/sync_loop")', "no difference"),
        ('link("letters")', re.escape("[Letters](scenarios/letters.md)")),
        ('source("S1")', re.escape("S1, a source of the sample (undated; Python 3)")),
        ("repository()", ""),
        ('verdict("S1.1")', "holds"),
        ('cores("letters")', "2 cores"),
        ('code("letters", "sync_loop", highlight="4 6-7")', '(?s).*sync_loop.py" hl_lines="4 6-7".*'),
        ('link("letters", "tenth")', r'<a href="scenarios/letters\.html#table-letters_2">.*: .*</a>'),
        ('chart("letters", "tenth")', '(?s).*data-chart="assets/charts/letters-2-bars.json".*'),
        ('chart("letters", "tenth", kind="depth")', ".*<code>python -m runners run --scenario letters</code>.*"),
        ('result_list("build")', r"(?s).*\[CPython 3.13.1\]\(builds/cpython-3.13.1.md\).*"),
    ],
)
def test_function_writes_values_from_the_data(tmp_path: Path, words: str, expected: str) -> None:
    assert re.fullmatch(expected, call(tmp_path, words).strip())


@pytest.mark.parametrize("name", ["value", "number", "times", "ratio", "against_gil"])
def test_known_name_without_data_is_not_measured(tmp_path: Path, name: str) -> None:
    assert call(tmp_path, f"{name}({PLACE})", {}) == NOT_MEASURED


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ('value("leters", "published", "sync_loop")', "did you mean letters"),
        ('value("letters", "publishd", "sync_loop")', "did you mean published"),
        ('times("letters", "published", "sync_lop")', "did you mean sync_loop"),
        (f'times({PLACE}, baseline="tenth/sync_loop")', "not measured in one block"),
        (f'times({PLACE}, baseline="nobody")', "no runner of letters"),
        ('value("letters", "published", "sync_loop", metric="elapsed")', "did you mean elapsed_ns"),
        ('chart("letters", "published", kind="pie")', "kind of chart"),
        ('source("S9")', "no source"),
        ("unknown_word()", "unknown_word"),
        ("value()", "missing"),
        ("value(", "unexpected"),
    ],
)
def test_unknown_name_stops_with_file_and_line(tmp_path: Path, words: str, complaint: str) -> None:
    with pytest.raises(PageError, match=r"^docs/articles/a\.md:3: .*" + complaint):
        write(tmp_path, "# Title\n\n{{ " + words + " }}\n", name="articles/a.md")


@pytest.mark.parametrize(("speed", "key"), [(0.25, "better"), (1.0, "undecided"), (4.0, "not better")])
def test_help_is_a_verb(tmp_path: Path, speed: float, key: str) -> None:
    words = f'help({PLACE}, "sync_loop", gil=False)'
    assert call(tmp_path, words, with_free(speed)) == patterns.MODELS_HELP[key]
    assert call(tmp_path / "none", words, {}) == patterns.MODELS_HELP["not measured"]


def test_ratio_to_the_gil_is_of_one_run(tmp_path: Path) -> None:
    words = f'against_gil({PLACE}, "sync_loop", brief=True)'
    assert call(tmp_path / "both", words, with_free(0.25)) == "4.0 times as fast"
    assert call(tmp_path / "gil", words, {"a.json": Plan(build=GIL, reference=GIL)}) == NOT_MEASURED
    failed = with_free(1.0) | {"b.json": Plan(build=FREE, reference=GIL, status={"thread_pool": "failed"})}
    assert "fixture: failed" in call(tmp_path / "failed", words, failed)


def test_ratio_to_an_older_python(tmp_path: Path) -> None:
    plans = {"a.json": Plan(build=REFERENCE), "b.json": Plan(build=build("3.11.1"), speed={"thread_pool": 0.5})}
    words = f'against_older("3.11", {PLACE})'
    assert re.fullmatch(r"takes 2\.\d times as long \([\d.]+ to [\d.]+\)", call(tmp_path / "both", words, plans))
    assert call(tmp_path / "none", words.replace("3.11", "3.9"), plans) == NOT_MEASURED
    plans["c.json"] = Plan(build=build("3.99.0"), reference=REFERENCE)  # which pages begin with
    assert call(tmp_path / "newer", words, plans) == call(tmp_path / "both", words, plans)
    assert call(tmp_path / "both", words.replace("3.11", "3.99"), plans) == NOT_MEASURED


def test_pages_begin_with_the_newest_pair_with_and_without_gil(tmp_path: Path) -> None:
    plans = with_free(0.5) | {"c.json": Plan(build=build("3.15.0"), reference=GIL)}
    words = f'measured_on("letters") ~ "|" ~ number({PLACE}, gil=False)'
    foot, free = call(tmp_path / "pair", words, plans).split("|")
    assert ("3.14.0" in foot, free != NOT_MEASURED) == (True, True)
    del plans["b.json"]
    foot, free = call(tmp_path / "single", words, plans).split("|")
    assert ("3.15.0" in foot, free) == (True, NOT_MEASURED)


def test_value_of_another_result_names_it(tmp_path: Path) -> None:
    write_results(tmp_path / "results", {"2026/full.json": Plan(build=REFERENCE)}, letters())
    quick = make_record(letters(), Plan(build=REFERENCE, run_id="quick"))
    only = msgspec.structs.replace(quick, series=[series for series in quick.series if series.case == "published"])
    (tmp_path / "results" / "local").mkdir()
    (tmp_path / "results" / "local" / "quick.json").write_bytes(encode(only))
    words = '{{ value("letters", "tenth", "sync_loop") }}|{{ value("letters", "published", "sync_loop") }}'
    tenth, published = write(tmp_path, words, {}).split("|")
    assert tenth.endswith(", on CPython 3.12.8 on a 2-core x86-64 machine (contributed)")
    assert published.endswith("s)")


@pytest.mark.parametrize(
    ("differ_by", "variant", "is_listed"),
    [
        ("optimisation", {"variant": ("plain",), "pgo": False, "lto": False}, True),
        ("jit", {"variant": ("PYTHON_JIT=1",), "jit": True}, True),
        ("optimisation", {"variant": ("PYTHON_JIT=1",), "jit": True}, False),
        ("jit", {"variant": ("plain",), "pgo": False, "lto": False}, False),
        ("jit", {"jit": True}, False),
        ("gevent", {"variant": ("gevent 25.1",)}, True),
        ("gevent", {"variant": ("gevent 25.1", "PYTHON_JIT=1")}, False),
        ("aiohttp", {"variant": ("gevent 25.1",)}, False),
    ],
)
def test_variant_is_compared_with_its_plain_build(
    tmp_path: Path, differ_by: str, variant: dict[str, Any], *, is_listed: bool
) -> None:
    plain = build("3.13.1")
    plans = {
        "a.json": Plan(build=REFERENCE),
        "b.json": Plan(build=plain, speed={"thread_pool": 0.5}),
        "c.json": Plan(build=msgspec.structs.replace(plain, **variant)),
    }
    words = f'variants("{differ_by}", {PLACE})'
    assert ("<li>thread pool: takes 2" in call(tmp_path, words, plans)) == is_listed
    ours = call(tmp_path / "ours", f"with_jit({PLACE})", plans)
    assert ("takes 2" in ours) == bool(variant.get("jit") and variant.get("variant"))
    del plans["b.json"]
    assert f"<code>{MEASURE} --python 3.14 --python " in call(tmp_path / "unpaired", words, {"c.json": plans["c.json"]})
