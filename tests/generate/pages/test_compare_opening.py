"""What Compare opens with, kept as the comparisons that the form in the browser is held to.

Written anew with UPDATE_GOLDEN=1.
"""

from __future__ import annotations

import json
import math
import os
from itertools import permutations
from typing import TYPE_CHECKING, Any, cast

from generate.analysis.same_build import IDENTITY
from generate.pages.compare_opening import MOST_SHOWN, opening
from generate.pages.compare_rows import Change, Row, rows_of, way
from generate.pages.compare_summary import summary
from generate.statistics.intervals import median_interval
from generate.text.numbers import NO_BREAK
from runners.harness.catalogue.scenarios import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generate.downloads.browser_values import RunValues, SeriesValues

COMPARISONS = ROOT / "tests" / "javascript" / "comparisons.json"
ROUNDS = range(1, 13)
REFERENCE = {"implementation": "CPython", "version": "3.14.7", "free_threaded": False, "variant": []}


def each_round(*values: float) -> dict[str, float]:
    return {str(number): values[number % len(values)] for number in ROUNDS if values}


def series(runner: str, *values: float, **changed: object) -> SeriesValues:
    of_all: dict[str, Any] = {
        "name": ["primes", "published", runner],
        "title": "Elapsed",
        "unit": "ns",
        "better": "lower",
        "is_speed": True,
        "values": each_round(*values),
        "reference": each_round(100, 101),
        "noise": 1.01,
        "decides": True,
        "reference_decides": True,
        "why": "",
        "needs": ["aiohttp"],
        "code": ["same", "same"],
    }
    return cast("SeriesValues", of_all | changed)


def run(*of: SeriesValues, **changed: object) -> RunValues:
    of_all: dict[str, Any] = {
        "machine": "a-machine",
        "processor": "a processor",
        "build": "CPython 3.15.2",
        "run": "one",
        "started": "2026-11-01",
        "reference": REFERENCE,
        "is_reference": False,
        "packages": {"aiohttp": "3.14", "idna": "3.1"},
        "installed": {"aiohttp": "3.14", "idna": "3.1"},
        "series": [*of],
    }
    return cast("RunValues", of_all | changed)


RATE = {"better": "higher", "unit": "per_s"}
BYTES = {"unit": "bytes", "is_speed": False}
FITTED = {"calibration": {"turns_per_ms": 15_000}}
FIRST = run(
    *(series("same", 100, 101), series("slower", 1e6, 1.1e6), series("much_faster", 100), series("rate", 100, **RATE)),
    *(series("memory", 4e6, **BYTES), series("less", 80, **BYTES), series("neither", 10, better="neither", **BYTES)),
    *(series("gone", 1), series("code", 100), series("quick", 100, decides=False), series("nothing", why="timed out")),
    *(series("unknown", 100, noise=None), series("alike", 100, noise=None), series("stopped", 0), series("ten", 10)),
    *(series("fitted", 100, **FITTED), series("moved", 100, **FITTED), series("reaches", 100, noise=1.04)),
    build="CPython 3.14.7",
)
FEW = {str(number): 50.0 for number in range(1, 6)}
SECOND = run(
    *(series("same", 101, 100), series("slower", 1.3e6), series("much_faster", 20, 21), series("rate", 400, **RATE)),
    *(series("memory", 6e6, **BYTES), series("less", 40, **BYTES), series("neither", 30, better="neither", **BYTES)),
    *(series("new", 1), series("code", 50, code=["other", "same"]), series("quick", 50), series("nothing", 1)),
    *(
        series("unknown", 50, noise=None),
        series("alike", 90, 110),
        series("stopped", 0, 0),
        series("ten", 0, values=FEW),
    ),
    *(series("fitted", 50, calibration={"turns_per_ms": 15_150}), series("moved", 50, calibration={})),
    series("reaches", 102, 106, 106, 112),
)
OF_REFERENCE = run(series("same", 100, reference={}), series("slower", 100), is_reference=True)
CELLS = {
    "first": [FIRST],
    "second": [SECOND],
    "of the reference build": [OF_REFERENCE],
    "empty": [run()],
    "of one series": [run(series("same", 100))],
    "with another dependency": [run(series("same", 100, needs=["aiohttp", "idna"]))],
    "of two runs": [run(series("same", 50)), run(series("slower", 1e6), run="earlier", started="2026-10-30")],
}
OTHER_RUN = {"run": "two"}
PAIRS: list[tuple[str, str, dict[str, Any]]] = [
    ("first", "second", {}),
    ("second", "first", {}),
    ("first", "second", OTHER_RUN),
    ("first", "second", {**OTHER_RUN, "packages": {"idna": "3.2"}}),
    ("first", "second", {**OTHER_RUN, "reference": {**REFERENCE, "version": "3.13.1"}}),
    ("of the reference build", "second", OTHER_RUN),
    ("second", "of the reference build", OTHER_RUN),
    ("of the reference build", "of the reference build", OTHER_RUN),
    ("first", "first", {}),
    ("empty", "empty", {}),
    ("of two runs", "second", {}),
    ("second", "of two runs", {"is_reference": True}),
    ("of one series", "of one series", {"installed": {"aiohttp": "3.13.5", "idna": "3.2"}}),
    ("of one series", "of one series", {"installed": {"idna": "3.2"}}),
    *(
        (one, other, {**OTHER_RUN, "packages": {"aiohttp": "3.14", "idna": "3.2"}})
        for one, other in permutations(("of one series", "with another dependency"))
    ),
    *(
        ("of one series", "of one series", {**OTHER_RUN, "reference": {**REFERENCE, name: "another"}})
        for name in IDENTITY
    ),
    *(
        ("of one series", "of one series", {**OTHER_RUN, "reference": {**REFERENCE, **changed}})
        for changed in ({"jit": None}, {"jit": False}, {"flags": ""}, {"variant": None})
    ),
]
"""Which cells are compared, and what differs in the second."""


def told(row: Row) -> list[Any]:
    numbers = [None if math.isinf(each) else each for each in row.change[:3]] if row.change else None
    sides = [[*map(middle, side)] for side in row.sides]
    return [row.series["name"][2], row.kind, row.said, row.doubt, numbers, sides, row.packages]


def middle(values: Mapping[str, float]) -> float | None:
    return median_interval([*values.values()]).median if values else None


def test_the_comparisons_are_what_the_page_says() -> None:
    pairs = []
    for first, second, changed in PAIRS:
        rows = rows_of(CELLS[first], [cast("RunValues", each | changed) for each in CELLS[second]])
        pairs.append([first, second, changed, [*map(told, rows)], summary(rows), way(rows)])
    said = json.dumps({"cells": CELLS, "pairs": pairs}, ensure_ascii=False, separators=(",", ":"))
    said = said.replace('{"name":', '\n{"name":').replace('],["', '],\n["') + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        COMPARISONS.write_text(said, encoding="utf-8")
    assert COMPARISONS.read_text(encoding="utf-8") == said


def test_the_summary_says_how_many_differ_which_way_and_by_how_much() -> None:
    assert opening([FIRST], [SECOND]).summary == [
        "3 faster: 4.00 times as fast at the median, up to 4.88",
        "1 slower: 0.806 times as fast",
        "2 larger in amount: 2.25 times as much at the median, up to 3.00",
        "1 smaller in amount: 0.500 times as much",
        "1 reaching into the noise",
        "1 with noise not known",
        "2 without a difference",
        "2 not decided",
        "6 not comparable, 2 of them: only one of the two has it",
    ]


def test_a_difference_has_its_bounds_both_medians_and_a_bar_on_the_side_of_what_is_more() -> None:
    found = opening([FIRST], [SECOND])
    assert (found.of, found.by) == (
        "CPython 3.15.2, a-machine (a processor, 2026-11-01)",
        "CPython 3.14.7, a-machine (a processor, 2026-11-01)",
    )
    shown = {row.runner: row for row in found.differences}
    assert next(iter(shown)) == "much_faster"
    assert [*shown][-2:] == ["unknown", "reaches"]
    rate, slower, memory = (shown[name] for name in ("rate", "slower", "memory"))
    assert (rate.what, rate.change, rate.below) == ("primes: published. Elapsed", "4.00 times as fast", "4.00")
    assert [median.words for median in (rate.first, rate.second)] == ["100/s", "400/s"]
    assert [median.words.replace(NO_BREAK, " ") for median in (slower.first, slower.second)] == ["1.05 ms", "1.30 ms"]
    assert (rate.bar.kind, slower.bar.kind, memory.bar.kind) == ("better", "worse", "worse")
    assert (rate.bar.start, slower.bar.end) == ("50.00", "50.00")
    assert float(slower.bar.start) < 50 < float(rate.bar.end) < 100
    assert shown["neither"].bar.kind == ""
    assert [shown[name].below.partition(";")[0] for name in ("memory", "less")] == ["worse", "better"]
    assert "worse" not in shown["slower"].below + shown["neither"].below
    assert shown["reaches"].below.endswith("; reaches into the noise")
    assert shown["unknown"].below == "2.00; noise not known"


def test_values_of_the_reference_build_are_those_measured_beside_the_other() -> None:
    beside = [run(series("a", 300, reference=each_round(150)))]
    reference = [run(series("a", 100, reference={}), is_reference=True, build="CPython 3.14.7", run="two")]
    (row,) = opening(reference, beside).differences
    assert row.change == "0.500 times as fast"
    assert (row.first.words, row.second.words) == (f"150{NO_BREAK}ns", f"300{NO_BREAK}ns")
    assert opening(reference, beside).way == opening(beside, reference).way
    assert opening(beside, reference).way == (
        "Where two runs are compared, each value of CPython 3.14.7 is of the run that measured CPython 3.15.2 beside"
        " it."
    )


def test_through_the_reference_each_value_has_the_reference_s_below_it() -> None:
    a = [run(series("a", 100, reference=each_round(200)), build="CPython 3.13.1")]
    found = opening(a, [run(series("a", 100, reference=each_round(100)), run="two")])
    (row,) = found.differences
    assert row.change == "0.500 times as fast"
    assert (row.first.words, row.second.words) == (f"100{NO_BREAK}ns", f"100{NO_BREAK}ns")
    assert (row.first.reference, row.second.reference) == (f"reference 200{NO_BREAK}ns", f"reference 100{NO_BREAK}ns")
    assert found.way.startswith("Where two runs are compared, each value is divided by the reference build's")
    assert opening(a, [run(series("a", 50))]).way == ""


def test_a_cell_of_several_runs_has_the_series_of_all_and_is_named_with_their_days() -> None:
    first = CELLS["of two runs"]
    second = [run(series("same", 100), series("slower", 2e6))]
    found = opening(first, second)
    assert found.by == "CPython 3.15.2, a-machine (a processor, 2026-10-30 to 2026-11-01)"
    assert [row.runner for row in found.differences] == ["same", "slower"]
    assert [row.first.reference for row in found.differences] == ["", f"reference 100{NO_BREAK}ns"]
    assert found.summary[-1] == "2 slower: 0.500 times as fast at the median, down to 0.500"
    assert found.way.startswith("Where two runs are compared")


def test_what_is_more_than_a_phone_has_room_for_is_folded_with_its_number() -> None:
    names = [f"runner_{number}" for number in range(MOST_SHOWN + 1)]
    a, b = ([run(*(series(name, value) for name in names))] for value in (100, 50))
    found = opening(a, b)
    assert len(found.differences) == MOST_SHOWN
    assert found.folded == ["1 further difference"]
    assert opening(a, a).folded == ["21 others: no difference, not decided, not comparable"]


def test_a_change_of_nothing_has_a_place_at_the_end() -> None:
    assert Change(0, 0, 0, 12).size == math.inf
    (row,) = opening([run(series("a", 100, **BYTES))], [run(series("a", 0, **BYTES))]).differences
    assert (row.change, row.bar.start) == ("0 times as much", "0.00")
