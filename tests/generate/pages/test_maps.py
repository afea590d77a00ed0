"""The map: its pictures and pages, and its functions for hand-written pages."""

import re
from pathlib import Path

import pytest
from factory import build
from map_factory import map_record
from sample_site import build_records_context, readable
from syrupy.assertion import SnapshotAssertion

from generate.pages import maps
from generate.pages.hand_written import PageError, render
from generate.pages.maps import MapFunctions
from generate.words import patterns
from generate.words.numbers import NO_BREAK
from generate.words.patterns import NO_RANGE, NOT_MEASURED
from runners.harness.catalogue.scenarios import find
from runners.harness.record.model import Record

RUNNERS = find()["crossover"].runners
FREE = build("3.13.1", free_threaded=True)


def call(folder: Path, words: str, *records: Record) -> str:
    context = build_records_context(folder, *records)
    (folder / "docs" / "index.md").write_text(f"{{{{ {words} }}}}")
    return str(render(context, folder / "docs")["index.md"]).replace(NO_BREAK, " ")


BY_ARITHMETIC = patterns.RATIO_BY_ARITHMETIC.format(patterns.TIMES_AS_LONG.format("at least 830"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ('behind_at("asyncio_tasks", 1_000, 0, 100_000)', patterns.AS_FAST_AS_ANY),
        ('behind_at("threads", 7, 0, 0)', NOT_MEASURED),
        ('behind_at("threads", 1_000, 0, 100_000, gil=False)', NOT_MEASURED),
        ('behind_at("threads", 1_000, 0, 100_000)', "takes 1.3 times as long"),
        ('behind_at("sync_loop", 1_000, 0, 100_000)', BY_ARITHMETIC),
        ('behind_at("trio_nursery", 1_000, 0, 100_000)', "fixture: failed"),
    ],
)
def test_page_quotes_the_map(tmp_path: Path, words: str, expected: str) -> None:
    assert expected in call(tmp_path, words, map_record())


def test_unknown_model_stops_the_generation(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="no runner of crossover is called 'thread'"):
        call(tmp_path, 'behind_at("thread", 10, 0, 1_000)', map_record())


def test_pictures_show_the_map_with_and_without_the_gil(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    context = build_records_context(tmp_path, map_record(cases=["10 tasks"]), map_record(cases=["10 tasks"], of=FREE))
    pictures = MapFunctions(context, "choose.md").choose_pictures()
    assert readable(pictures) == snapshot
    heads = re.findall(r'<(?:p class="note"|summary)>(CPython.*?) \(', pictures)
    assert heads == ["CPython 3.13.1", "CPython 3.13.1 free-threaded"]
    assert maps.pages(context) == {}
    ids = re.findall(r'\bid="([^"]+)"', pictures)
    assert len(ids) == len({*ids})
    assert {*re.findall(r'href="#([^"]+)"', pictures)} <= {*ids}


def test_each_other_map_has_a_page(tmp_path: Path) -> None:
    context = build_records_context(
        tmp_path, *(map_record(of=build(version)) for version in ("3.11.9", "3.12.14", "3.13.1"))
    )
    shown, *others = (drawn.result.build for drawn in maps.measured_maps(context))
    pages = maps.pages(context)
    assert {path.rpartition("/")[2] for path in pages} == {f"{name}.md" for name in others}
    assert all(text.count("<table") > 1 and "map__grid" in text for text in pages.values())
    linked = {cell.build: maps.find_page(context, cell) for cell in context.site.results}
    assert linked == {shown: "choose.md", **dict(zip(others, pages, strict=True))}
    pictures = MapFunctions(context, "choose.md").choose_pictures()
    assert [f"{each}.md" for each in re.findall(r'<li><a href="(.*?)\.html">', pictures)] == [*pages]


@pytest.mark.parametrize("rounds", [0, 1])
def test_map_may_be_missing_or_decide_nothing(tmp_path: Path, rounds: int) -> None:
    of = MapFunctions(build_records_context(tmp_path, *([map_record(rounds=rounds)] if rounds else [])), "choose.md")
    pictures, tables = of.choose_pictures(), of.one_model_table() + of.rules_table()
    assert (NO_RANGE if rounds else "make report PROFILE=map") in pictures
    assert ("<table" in tables) == bool(rounds)
