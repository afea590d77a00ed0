"""What several full runs of one build say of a series, and which runs may say it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import pytest
from factory import Plan, build, make
from frames import file_of
from msgspec.structs import replace
from sample_site import letters

from generate.analysis.between_runs import (
    MOST_RUNS,
    SeveralRuns,
    Spread,
    agreements,
    further,
    runs_of_cells,
    scenarios_beside,
    spreads,
)
from generate.analysis.gated import apply_gate
from generate.analysis.summaries import summarise
from generate.results.model import SeriesMedian

if TYPE_CHECKING:
    from collections.abc import Callable

    from generate.results.model import FileHeader
    from runners.harness.record.model import Record


def header(path: str, change: Callable[[Record], Record] | None = None, **plan: Any) -> FileHeader:  # noqa: ANN401 - fields of a Plan
    record = make(letters(), Plan(**{"run_id": path[0], **plan}))
    file = file_of(change(record) if change else record, path)
    return dataclasses.replace(file.header, sha256=path)  # that of synthetic files is always the same


def machine(**facts: Any) -> Callable[[Record], Record]:  # noqa: ANN401 - fields of a Machine
    return lambda record: replace(record, machine=replace(record.machine, **facts))


def beside(*files: FileHeader) -> list[str]:
    return [file.path for runs in runs_of_cells(files).values() for file in runs]


def test_full_runs_of_one_machine_and_build_stand_beside_each_other_the_current_one_first() -> None:
    files = [header("a.json"), header("b.json")]
    assert beside(*files) == beside(*reversed(files)) == ["b.json", "a.json"]
    assert [file.path for file in further(runs_of_cells(files))] == ["a.json"]


@pytest.mark.parametrize(
    "other",
    [
        header("a.json", profile="quick"),
        header("a.json", complete=False),
        header("a.json", machine(load_before=2.5)),
        header("a.json", machine(steal_share=0.02)),
        header("a.json", machine(cpu="Another CPU")),
        header("a.json", machine(usable_cores=4)),
        header("a.json", machine="another-host"),
        header("a.json", build=build("3.14.0")),
        header("a.json", lambda record: replace(record, build=replace(record.build, pgo=False))),
        header("a.json", lambda record: replace(record, scenario_sha256={"letters": "0" * 64})),
        header("a.json", lambda record: replace(record, schema_version=1)),
        header("a.json", run_id="b"),
        header("local/a.json", run_id="a"),
    ],
)
def test_what_may_not_decide_or_was_measured_otherwise_stands_beside_nothing(other: FileHeader) -> None:
    assert beside(header("b.json"), other) == []


@pytest.mark.parametrize(("turns", "stand"), [(15_000, True), (15_150, True), (15_151, False), (14_800, False)])
def test_maps_stand_beside_each_other_where_their_tasks_computed_the_same_within_1_per_cent(
    turns: int, *, stand: bool
) -> None:
    def fitted(turns: int) -> Callable[[Record], Record]:
        return lambda record: replace(record, run=replace(record.run, calibration={"turns_per_ms": turns}))

    found = beside(header("a.json", fitted(turns)), header("b.json", fitted(15_000)))
    assert found == (["b.json", "a.json"] if stand else [])


def test_a_busy_run_does_not_hide_the_quiet_ones_before_it() -> None:
    assert beside(header("a.json"), header("b.json"), header("c.json", machine(load_before=9.0))) == [
        "b.json",
        "a.json",
    ]


def test_a_file_stands_beside_others_in_the_scenarios_alone_in_which_it_is_one_of_so_many_runs() -> None:
    files = [header(f"{letter}.json") for letter in "abcdefgh"]
    found = scenarios_beside(runs_of_cells(files))
    assert {path: found.get(path) for path in ("c.json", "d.json")} == {"c.json": None, "d.json": {"letters"}}


def test_history_of_any_length_is_looked_at_as_far_as_its_newest_runs() -> None:
    files = [header(f"{letter}.json") for letter in "abcdefgh"]
    assert beside(*files) == [f"{letter}.json" for letter in "hgfedcba"[:MOST_RUNS]]


def kept(median: float, low: float, high: float, **other: Any) -> SeriesMedian:  # noqa: ANN401 - fields of the row
    facts: dict[str, Any] = {"runner": "sync_loop", "status": "ok", "source_sha256": "f" * 64, "packages": ""}
    facts |= {"ratio": None, "ratio_low": None, "ratio_high": None} | other
    return SeriesMedian(
        scenario="letters",
        case="published",
        role="subject",
        metric="elapsed_ns",
        unit="ns",
        rounds=12,
        median=median,
        low=low,
        high=high,
        **facts,
    )


def several(*rows: SeriesMedian) -> list[SeveralRuns]:
    """Return what the runs that have *rows*, one each, say of each other."""
    files = [header(f"{letter}.json") for letter in "cba"[: len(rows)]]
    medians = {file.sha256: [row] for file, row in zip(files, rows, strict=True)}
    by_path = spreads(runs_of_cells(files), medians)
    return [by_path[path] for path in sorted(by_path, reverse=True)]


def spreads_of(*rows: SeriesMedian) -> list[Spread]:
    """Return the same of their values."""
    return [each.value for each in several(*rows)]


def test_of_one_run_nothing_is_said_between_runs() -> None:
    assert spreads_of(kept(1.0, 0.9, 1.1)) == []


def test_medians_within_each_other_s_intervals_have_not_moved() -> None:
    assert spreads_of(kept(1.0, 0.9, 1.1), kept(1.05, 0.95, 1.2)) == [Spread(1.0, 1.05, 0, moved=False)] * 2


def test_a_median_outside_an_interval_that_overlaps_is_counted_and_has_not_moved() -> None:
    first, second = spreads_of(kept(1.0, 0.9, 1.1), kept(1.15, 1.05, 1.3))
    assert (first.outside, second.outside) == (1, 1)
    assert not first.moved
    assert not second.moved


def test_intervals_that_do_not_overlap_have_moved_upwards_or_downwards() -> None:
    quiet, again, off = spreads_of(kept(1.0, 0.9, 1.1), kept(1.0, 0.8, 1.25), kept(1.3, 1.2, 1.4))
    assert (quiet.low, quiet.high) == (1.0, 1.3)
    assert (quiet.moved, again.moved, off.moved) == (True, False, True)
    assert (quiet.outside, again.outside, off.outside) == (1, 1, 2)


@pytest.mark.parametrize(
    "other",
    [{"source_sha256": "0" * 64}, {"packages": "aiohttp 3.14.1"}, {"status": "partial"}, {"runner": "thread_pool"}],
)
def test_another_file_of_a_runner_other_packages_or_a_failed_round_say_nothing(other: dict[str, str]) -> None:
    assert spreads_of(kept(1.0, 0.9, 1.1), kept(2.0, 1.9, 2.1, **other)) == []


def test_ratios_have_a_spread_of_their_own_which_may_stay_where_values_move() -> None:
    ratio = {"ratio": 0.5, "ratio_low": 0.49, "ratio_high": 0.51}
    first, second = several(
        kept(1.0, 0.9, 1.1, **ratio), kept(2.0, 1.9, 2.1, **{**ratio, "ratio": 0.52, "ratio_high": 0.53})
    )
    assert first.runs == second.runs == 2
    assert first.value.moved
    assert first.ratio == Spread(0.5, 0.52, 1, moved=False)
    assert second.ratio == Spread(0.5, 0.52, 0, moved=False)


def test_where_a_run_has_no_ratio_none_is_said_to_have_moved() -> None:
    assert [
        each.ratio for each in several(kept(1.0, 0.9, 1.1, ratio=0.5, ratio_low=0.4, ratio_high=0.6), kept(1, 1, 1))
    ] == [
        None,
        None,
    ]


def test_each_summary_has_what_the_other_runs_say_of_it_and_is_alone_without_any() -> None:
    record = make(letters(), Plan())
    records = apply_gate([file_of(record, "c.json")], letters())
    place = ("c.json", "letters", "published", "thread_pool", "subject", "elapsed_ns")
    found = SeveralRuns(2, Spread(1.0, 3.0, 1, moved=True), Spread(0.4, 0.6, 0, moved=False))
    rows = summarise(records, {place: found})
    (moved,) = (row for row in rows if row.runs > 1)
    assert (moved.runs_ratio_low, moved.runs_ratio_high) == (0.4, 0.6)
    assert (moved.runs_ratio_outside, moved.runs_ratio_moved) == (0, False)
    assert (moved.runner, moved.case, moved.role, moved.metric) == ("thread_pool", "published", "subject", "elapsed_ns")
    assert (moved.runs, moved.runs_low, moved.runs_high, moved.runs_outside, moved.runs_moved) == (2, 1.0, 3.0, 1, True)
    alone = rows[0]
    assert (alone.runs, alone.runs_low, alone.runs_high, alone.runs_outside, alone.runs_moved) == (
        1,
        None,
        None,
        0,
        False,
    )
    assert alone.runs_ratio_low is alone.runs_ratio_high is None


def test_how_far_runs_agree_counts_values_and_ratios_apart_and_no_ratio_of_a_control() -> None:
    record = make(letters(), Plan())
    records = apply_gate([file_of(record, "c.json")], letters())
    place = ("c.json", "letters", "published", "thread_pool", "subject", "elapsed_ns")
    control = (*place[:3], "sync_loop", "control", place[5])
    found = {
        place: SeveralRuns(3, Spread(1.0, 3.0, 2, moved=True), Spread(0.5, 0.6, 1, moved=False)),
        control: SeveralRuns(3, Spread(1.0, 1.5, 1, moved=False), Spread(0.9, 1.1, 2, moved=True)),
    }
    values, ratios = agreements(summarise(records, found), letters())
    assert (values.series, values.pairs, values.outside, values.moved) == (2, 4, 3, 1)
    assert values.usual == pytest.approx(1.25)
    assert (ratios.series, ratios.pairs, ratios.outside, ratios.moved) == (1, 2, 1, 0)
    assert ratios.usual == pytest.approx(0.2)
