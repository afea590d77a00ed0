"""What hand-written pages say of the map."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import build
from map_factory import map_record
from sample_site import book_of

from generate.analysis.map_rules import OWN, Score
from generate.articles import map_functions
from generate.articles.render import PageError, render
from generate.statistics.intervals import median_interval
from generate.text.numbers import NO_BREAK
from runners.harness.catalogue.scenarios import find
from runners.harness.measure import GIL_IS_BACK
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from generate.analysis.map_rules import Setting
    from generate.analysis.work_map import Point
    from runners.harness.record.model import Record, Series


def without_gil(version: str) -> Record:
    """Return the map of a build without the GIL, on which threads take half of what they do with it."""
    record = map_record(of=build(version, free_threaded=True))
    threads = [series for series in record.series if series.runner == "threads"]
    return msgspec.structs.replace(
        record, series=[divided(series, 2) if series in threads else series for series in record.series]
    )


def divided(series: Series, by: int) -> Series:
    samples = series.samples
    values = {
        name: [each // by if isinstance(each, int) else each for each in column]
        if name.endswith("_elapsed_ns")
        else column
        for name, column in samples.values.items()
    }
    return msgspec.structs.replace(series, samples=msgspec.structs.replace(samples, values=values))


def said(tmp_path: Path, text: str, *records: Record) -> str:
    results, docs = tmp_path / "results", tmp_path / "docs"
    results.mkdir(parents=True)
    docs.mkdir()
    for number, record in enumerate(records):
        (results / f"{number}.json").write_bytes(encode(record))
    (docs / "index.md").write_text(text)
    return str(render(book_of(results, find(), docs), docs)["index.md"]).replace(NO_BREAK, " ")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("fastest_at(1_000, 0, 100_000)", "asyncio tasks (120 ms); within the noise of it: gevent greenlets"),
        ('behind_at("greenlets", 1_000, 0, 100_000)', "as fast as any, within the noise"),
        ('behind_at("threads", 1_000, 0, 100_000)', "1.33 times the time of the fastest"),
        ('behind_at("sync_loop", 1_000, 0, 100_000)', "by arithmetic at least 831 times the time of the fastest"),
        ('behind_at("trio_nursery", 1_000, 0, 100_000)', "fixture: failed"),
        ("fastest_at(7, 0, 0)", "not measured"),
        ("fastest_at(1_000, 0, 100_000, gil=False)", "not measured"),
        ("map_build()", "cpython-3."),
        ("map_fronts()", "asyncio at "),
        ("map_picture(1_000)", 'aria-labelledby="index.md-1000-gil"'),
        ("map_picture(100)", "Nothing to draw: not measured. To measure it: <code>make report PROFILE=map</code>"),
        ("socket_table()", "Sockets were not measured."),
    ],
)
def test_a_page_names_who_is_fastest_at_a_point_and_how_far_others_are_behind(
    tmp_path: Path, words: str, expected: str
) -> None:
    assert expected in said(tmp_path, "{{ " + words + " }}", map_record())


@pytest.mark.parametrize(
    ("rounds", "words", "expected"),
    [
        (1, "fastest_at(1_000, 0, 100_000)", "not decided (the least median: asyncio tasks (120 ms))"),
        (
            1,
            'behind_at("threads", 1_000, 0, 100_000)',
            "not distinguished from the fastest (1.33 times its time in this run)",
        ),
        (1, "map_fronts()", "not decided at any point"),
        (3, 'behind_at("greenlets", 1_000, 0, 100_000)', "not distinguished from the fastest"),
        (3, 'behind_at("threads", 1_000, 0, 100_000)', "1.33 times the time of the fastest"),
    ],
)
def test_what_few_rounds_leave_open_is_not_said_to_be_fast_or_slow(
    tmp_path: Path, rounds: int, words: str, expected: str
) -> None:
    assert expected in said(tmp_path, "{{ " + words + " }}", map_record(rounds=rounds))


def test_the_same_release_without_the_gil_stands_beside_it(tmp_path: Path) -> None:
    record = map_record()
    text = said(tmp_path, "{{ map_build(gil=False) }}: {{ fastest_at(10, 100, 1_000, gil=False) }}",
                record, without_gil(record.build.version))  # fmt: skip
    assert f"cpython-{record.build.version}t: threads (" in text


def test_the_run_of_the_map_beside_which_that_without_the_gil_was_measured_is_named(tmp_path: Path) -> None:
    record = map_record()
    run = msgspec.structs.replace(record.run, id="newer", started="2026-03-01T00:00:00Z")
    newer = msgspec.structs.replace(record, run=run)
    reference = msgspec.structs.replace(record, reference_build=record.build)
    text = said(tmp_path, "{{ map_measured_on() }}", reference, without_gil(record.build.version), newer)
    assert f"with cpython-{record.build.version} (" in text
    assert f" on {record.run.started[:10]}: 9 rounds, profile map." in text


def test_a_map_that_was_not_measured_is_named_so(tmp_path: Path) -> None:
    assert said(tmp_path, "{{ map_fronts() }}; {{ map_build() }}") == "not measured; not measured"
    assert said(tmp_path / "again", "{{ map_measured_on() }}") == "This was not measured."


def test_a_model_that_does_not_exist_stops_the_generation(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="no runner of crossover is called 'thread'"):
        said(tmp_path, '{{ behind_at("thread", 10, 0, 1_000) }}', map_record())


def test_between_which_amounts_of_computing_nothing_was_measured_follows_from_the_map(tmp_path: Path) -> None:
    words = "{{ some_computing() }}; {{ much_computing() }}"
    assert said(tmp_path / "both", words, map_record()) == "0.1 s; 1 s"
    assert said(tmp_path / "few", words, map_record(cases=["10 tasks"])) == "not measured; not measured"


def test_on_how_small_work_a_rule_is_judged_follows_from_the_map(tmp_path: Path) -> None:
    words = '{{ points_of_rule("computing: processes") }}'
    found = said(tmp_path / "all", words, map_record())
    assert re.fullmatch(
        r"of the \d+ points at which it names a model, none has a single task, and at \d+ all tasks together compute"
        r" for more than 0\.1 s",
        found,
    )
    assert said(tmp_path / "none", words) == "not measured"


def test_a_model_is_counted_at_the_front_where_it_is_measured(tmp_path: Path) -> None:
    words = '{{ points_at_front("greenlets") }}; {{ points_at_front("process_pool") }}'
    front, points = (int(part) for part in re.findall(r"\d+", said(tmp_path / "some", words, map_record()))[:2])
    assert 0 < front < points
    assert said(tmp_path / "none", words) == "not measured; not measured"


MEASURED_INSTEAD = {"asyncio_uvloop": "asyncio_tasks", "asyncio_processes": "process_pool", "thread_pool": "threads"}
"""By model that the synthetic map has nowhere, one that it has."""


def choose_measured(point: Point, setting: Setting) -> str | None:
    """Choose as our own rule does, among the models of the synthetic map."""
    chosen = OWN.choose(point, setting) or ""
    return MEASURED_INSTEAD.get(chosen, chosen)


def test_our_own_rule_says_how_far_it_goes_where_it_was_made_and_where_it_is_tested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(map_functions, "OWN", OWN._replace(choose=choose_measured))
    made, other = (map_record(of=build(version)) for version in ("3.14.1", "3.15.0"))
    (tmp_path / "made").mkdir()
    (tmp_path / "other").mkdir()
    words = "{{ own_rule() }}"
    assert re.fullmatch(
        r"On CPython 3\.14\.1, from which it was made, it is right at [\d.]+ % of the points\."
        r" No other map is decided yet, so it was not tested\.",
        said(tmp_path / "made", words, made),
    )
    both = said(tmp_path, words, made, other)
    assert both == (
        "On CPython 3.14.1, from which it was made, it is right at 95.7 % of the points; on CPython 3.15.0, which it"
        " had not seen, at 95.7 %. Before anything was measured we had asked for 90 %: it passes."
    )


@pytest.mark.parametrize(
    ("low", "said"), [(0.91, "passes"), (0.9, "is too close to call"), (0.89, "is too close to call")]
)
def test_our_own_rule_passes_where_its_whole_interval_lies_above_what_was_asked(low: float, said: str) -> None:
    share = dataclasses.replace(median_interval([0.95] * 9), low=low, high=0.96)
    scored = Score(OWN, points=1, of_points=1, share=share, shares=[], wrong=[], is_whole=True, is_test=True)
    assert map_functions._passes({}, {"CPython 3.15.0": scored}) == said


def test_our_own_rule_says_where_it_was_made_from_other_maps(tmp_path: Path) -> None:
    alone = said(tmp_path, "{{ own_rule() }}", map_record(of=build("3.13.1")))
    assert alone == "No map that it was made from is decided here."


def without_imports(record: Record, *runners: str) -> Record:
    """Return a map of a build on which the imports of some runners turned the GIL back on."""
    series = [
        msgspec.structs.replace(each, status="unsupported", reason=GIL_IS_BACK[0]) if each.runner in runners else each
        for each in record.series
    ]
    return msgspec.structs.replace(record, series=series)


def test_models_that_turned_the_gil_back_on_are_named_as_missing_and_others_are_not(tmp_path: Path) -> None:
    record, words = map_record(), "({{ map_lacks() }})"
    lacking = without_imports(without_gil(record.build.version), "greenlets")
    assert said(tmp_path / "none", words, record, without_gil(record.build.version)) == "()"
    assert said(tmp_path / "one", words, record, lacking) == (
        "( Not among them: gevent greenlets, whose imports turned the GIL back on.)"
    )


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        (1, "In every row both columns name the same models: there, what the map says of the fastest carries over."),
        (2, "In 1 of 16 rows both columns name the same models: there, what the map says of the fastest carries over."),
        (10**6, "In no row in which both are decided do both columns name the same models."),
    ],
)
def test_it_is_counted_in_how_many_rows_timers_and_sockets_have_the_same_models(
    tmp_path: Path, factor: int, expected: str
) -> None:
    record = map_record(cases=("10 tasks", "10 tasks, sockets"))
    faster = [
        divided(each, factor) if (each.case, each.runner) == ("10 tasks, sockets", "threads") else each
        for each in record.series
    ]
    assert said(tmp_path, "{{ sockets_agree() }}", msgspec.structs.replace(record, series=faster)) == expected


def test_nothing_is_said_of_rows_where_sockets_were_not_measured(tmp_path: Path) -> None:
    assert said(tmp_path, "({{ sockets_agree() }})", map_record()) == "()"
