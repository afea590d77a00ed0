"""What hand-written pages say of the map."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import build
from map_factory import map_record
from sample_site import book_of

from generate.pages.render import PageError, render
from generate.words.numbers import NO_BREAK
from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Record, Series


def without_gil(version: str) -> Record:
    """Return the map of a build without the GIL, whose threads take half as long."""
    record = map_record(of=build(version, free_threaded=True))
    return msgspec.structs.replace(
        record, series=[halved(series) if series.runner == "threads" else series for series in record.series]
    )


def halved(series: Series) -> Series:
    values = {
        name: [each // 2 if isinstance(each, int) else each for each in column]
        if name.endswith("_elapsed_ns")
        else column
        for name, column in series.samples.values.items()
    }
    return msgspec.structs.replace(series, samples=msgspec.structs.replace(series.samples, values=values))


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
        ("fastest_at(1_000, 0, 100_000)", "asyncio (120 ms); perhaps gevent greenlets"),
        ('behind_at("asyncio_tasks", 1_000, 0, 100_000)', "as fast as any"),
        ('behind_at("threads", 1_000, 0, 100_000)', "takes 1.3 times as long"),
        ('behind_at("sync_loop", 1_000, 0, 100_000)', "by arithmetic at least 830 times as long"),
        ('behind_at("trio_nursery", 1_000, 0, 100_000)', "fixture: failed"),
        ("fastest_at(7, 0, 0)", "not measured"),
        ("fastest_at(1_000, 0, 100_000, gil=False)", "not measured"),
        ("map_build()", "CPython 3."),
        ("best_by_family()", "asyncio at "),
        ("map_picture(1_000)", 'aria-labelledby="index.md-1000-gil"'),
        ("map_picture(100)", "Nothing to draw: not measured. To measure it: <code>make report PROFILE=map</code>"),
        ("socket_table()", "Sockets were not measured."),
    ],
)
def test_a_page_names_the_fastest_and_how_far_others_are(tmp_path: Path, words: str, expected: str) -> None:
    assert expected in said(tmp_path, "{{ " + words + " }}", map_record())


def test_one_round_has_no_range(tmp_path: Path) -> None:
    text = said(tmp_path, '{{ behind_at("threads", 1_000, 0, 100_000) }}', map_record(rounds=1))
    assert text == "takes 1.3 times as long (one round: no range)"


def test_the_same_release_without_the_gil_has_its_own_map(tmp_path: Path) -> None:
    record = map_record()
    text = said(tmp_path, "{{ map_build(gil=False) }}: {{ fastest_at(10, 100, 1_000, gil=False) }}",
                record, without_gil(record.build.version))  # fmt: skip
    assert f"{record.build.version} free-threaded: threads (" in text


def test_a_map_that_was_not_measured_is_named_so(tmp_path: Path) -> None:
    words = '{{ best_by_family() }}; {{ map_build() }}; {{ points_at_best("greenlets") }}; {{ much_computing() }}'
    assert said(tmp_path, words) == "; ".join(["not measured"] * 4)


def test_a_model_that_does_not_exist_stops_the_generation(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="no runner of crossover is called 'thread'"):
        said(tmp_path, '{{ behind_at("thread", 10, 0, 1_000) }}', map_record())


def test_the_untested_amounts_of_computing_follow_from_the_map(tmp_path: Path) -> None:
    words = "{{ some_computing() }}; {{ much_computing() }}"
    assert said(tmp_path / "both", words, map_record()) == "0.1 s; 1 s"
    assert said(tmp_path / "few", words, map_record(cases=["10 tasks"])) == "not measured; not measured"


def test_points_at_which_a_model_is_best_are_counted(tmp_path: Path) -> None:
    words = '{{ points_at_best("asyncio_tasks") }}; {{ points_at_best("process_pool") }}'
    best, points = (int(part) for part in re.findall(r"\d+", said(tmp_path / "some", words, map_record()))[:2])
    assert 0 < best < points


def test_timers_and_sockets_are_in_one_table(tmp_path: Path) -> None:
    text = said(tmp_path, "{{ socket_table() }}", map_record(cases=("10 tasks", "10 tasks, sockets")))
    assert text.count("<tr") == 1 + 16
    assert "asyncio tasks, sockets" in text
