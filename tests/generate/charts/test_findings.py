"""The titles of charts: on results that differ, each says what these show."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from factory import REFERENCE, Plan, altered, build, make
from msgspec import structs
from sample_site import charts_of, letters, put

from generate.charts.figures import find_kinds
from generate.charts.findings import of_depths, of_latencies
from generate.charts.kinds import builds
from generate.data import between_runs
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Ideal
from runners.harness.record.codec import encode
from runners.harness.record.model import Observed, Package

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from generate.charts.chart import Chart
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Build

SLOW, FAST = {"thread_pool": 2.0}, {"thread_pool": 0.5}
RANGE = r"\([\d.]+ to [\d.]+\)"


@pytest.fixture(autouse=True)
def calm_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs differ little, so that a single one can show a tie."""
    monkeypatch.setattr(between_runs, "DEFAULT", dict.fromkeys(["value", "within", "across"], 0.01**2))


def chart_of(results: Path, scenarios: Mapping[str, Scenario], kind: str) -> Chart:
    return next(chart for chart in charts_of(results, scenarios) if chart.kind == kind)


def title_of(results: Path, scenarios: Mapping[str, Scenario], kind: str) -> str:
    return chart_of(results, scenarios, kind).title.replace("\N{NO-BREAK SPACE}", " ")


def of_letters(
    tmp_path: Path, *plans: Plan, kind: str = "bars", scenarios: Mapping[str, Scenario] | None = None
) -> str:
    scenarios = scenarios or letters()
    put(tmp_path, {f"{number}.json": plan for number, plan in enumerate(plans)}, scenarios)
    return title_of(tmp_path, scenarios, kind)


@pytest.mark.parametrize(
    ("plan", "title"),
    [
        (Plan(speed=FAST), rf"Fastest: thread pool \(\d+ ms\), \d\.\d times as fast {RANGE} as sync loop"),
        (Plan(speed=SLOW), rf"Fastest: \w+ \w+ and \w+ \w+ \(1\.\d s\), \d\.\d times as fast {RANGE} as thread pool"),
        (Plan(), r"No difference between 3 implementations: 1\.\d s"),
        (Plan(rounds=1), r"Undecided between 3 implementations: 1\.\d to 1\.\d s"),
        (
            Plan(status={"thread_pool": "failed", "asyncio_gather": "failed"}),
            r"Time for all letters, sync loop: 1\.\d+ s \([\d.]+ to [\d.]+ s\)",
        ),
    ],
)
def test_bars_say_who_is_ahead_and_how_far(tmp_path: Path, plan: Plan, title: str) -> None:
    assert re.fullmatch(title, of_letters(tmp_path, plan))


@pytest.mark.parametrize(
    ("changed", "title"),
    [
        ({"kind": "delay"}, r"Shortest delay: thread pool \(\d+ ms\), against 1\.\d+ s for sync loop"),
        (
            {"unit": "per_s", "better": "higher"},
            rf"Most per second: .* times as many per second {RANGE} as thread pool",
        ),
        ({"unit": "bytes"}, r"Lowest time for all letters: thread pool \(\d+ MB\), against 1\.\d+ GB for sync loop"),
        ({"better": "higher"}, r"Highest time for all letters: .*, against \d+ ms for thread pool"),
    ],
)
def test_a_title_has_the_words_of_its_metric(tmp_path: Path, changed: dict[str, Any], title: str) -> None:
    whole = letters()["letters"]
    metric: Metric = whole.metrics[0]._replace(**changed)
    scenarios = {"letters": replace(whole, metrics=(metric, *whole.metrics[1:]), ideal=Ideal("none"))}
    assert re.fullmatch(title, of_letters(tmp_path, Plan(speed=FAST), scenarios=scenarios))


@pytest.mark.parametrize(
    ("apart", "rival"),
    [((), "thread pool"), (("thread_pool",), "asyncio gather"), (("asyncio_gather", "thread_pool"), "thread pool")],
)
def test_the_best_is_compared_with_one_that_does_the_same(tmp_path: Path, apart: tuple[str, ...], rival: str) -> None:
    scenarios = {"letters": replace(letters()["letters"], apart=apart)}
    plan = Plan(speed={"asyncio_gather": 1.5, "thread_pool": 2.0})
    title = of_letters(tmp_path, plan, scenarios=scenarios)
    assert re.fullmatch(rf"Fastest: sync loop .* times as fast {RANGE} as {rival}", title)


def test_one_that_does_something_else_is_not_called_the_best(tmp_path: Path) -> None:
    scenarios = {"letters": replace(letters()["letters"], apart=("thread_pool",))}
    title = of_letters(tmp_path, Plan(speed={"thread_pool": 0.25, "asyncio_gather": 0.5}), scenarios=scenarios)
    assert re.fullmatch(r"Fastest apart from thread pool: asyncio gather .* as sync loop", title)


def test_circumstances_are_not_ranked(tmp_path: Path) -> None:
    scenarios = {"letters": replace(letters()["letters"], are_choices=False)}
    title = of_letters(tmp_path, Plan(speed=SLOW), scenarios=scenarios)
    assert re.fullmatch(r"Time for all letters: 1\.\d+ s with .*, 1\.\d+ s with .* and 2\.\d s with thread pool", title)


@pytest.mark.parametrize(
    ("other", "title"),
    [
        (Plan(speed={"thread_pool": 0.25}), rf"On 3\.13, thread pool: [34]\.\d times as fast {RANGE} as on 3\.12"),
        (Plan(speed={"thread_pool": 4.0}), rf"On 3\.13, thread pool: [34]\.\d times as long {RANGE} as on 3\.12"),
        (
            Plan(build=build("3.13.1", free_threaded=True), speed=FAST),
            rf"Without the GIL, on 3\.13, thread pool: [12]\.\d times as fast {RANGE} as on 3\.12",
        ),
        (
            Plan(build=build("3.12.8", free_threaded=True), speed=FAST),
            rf"Without the GIL, on 3\.12, thread pool: [12]\.\d times as fast {RANGE} as with it",
        ),
        (Plan(), r"No difference between builds \(within 10 %\)"),
        (Plan(rounds=1), r"Undecided whether builds differ"),
    ],
)
def test_builds_say_which_differs_most_and_whether_it_has_a_gil(tmp_path: Path, other: Plan, title: str) -> None:
    plans = Plan(build=REFERENCE, rounds=other.rounds), other
    assert re.fullmatch(title, of_letters(tmp_path, *plans, kind="builds"))


def test_runs_that_disagree_leave_builds_undecided(tmp_path: Path) -> None:
    first, second = Plan(speed={"thread_pool": 0.65}), Plan(run_id="fixture-2", speed={"thread_pool": 1.3})
    plans = [Plan(build=REFERENCE), first, Plan(build=REFERENCE, run_id="fixture-2"), second]
    assert of_letters(tmp_path, *plans, kind="builds") == "Undecided whether builds differ"


def with_another_gevent(results: Path, variant: tuple[str, ...] = (), imported_by: str = "thread_pool") -> Chart:
    whole = letters()["letters"]
    needing = replace(whole.runners[imported_by], packages=("gevent",))
    scenarios = {"letters": replace(whole, runners={**whole.runners, imported_by: needing})}
    new, old = ({"gevent": Package(version, None, requires=())} for version in ("26.9.0", "25.9.1"))
    other = structs.replace(build("3.13.1"), variant=variant)
    for name, plan in {
        "new": Plan(build=REFERENCE, packages=new),
        "old": Plan(other, speed=FAST, packages=old),
    }.items():
        record = structs.replace(make(scenarios, plan), reference_packages=new)
        (results / f"{name}.json").write_bytes(encode(record))
    return chart_of(results, scenarios, "builds")


def test_a_package_that_differs_too_is_named(tmp_path: Path) -> None:
    chart = with_another_gevent(tmp_path)
    assert re.fullmatch(r"On 3\.13, thread pool: .* as on 3\.12, with gevent 25\.9\.1, not 26\.9\.0", chart.title)
    assert "On 3.13 packages differ too: gevent 25.9.1, not 26.9.0." in chart.summary


def test_a_package_of_no_drawn_runner_is_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builds, "MOST_LINES", 1)
    chart = with_another_gevent(tmp_path, imported_by="asyncio_gather")
    assert [line.name for _, line in chart.plot.legend] == ["thread pool"]
    assert "packages differ" not in chart.summary


def test_the_name_of_a_variant_says_which_package_is_another(tmp_path: Path) -> None:
    assert "packages differ" not in with_another_gevent(tmp_path, variant=("gevent 25.9.1",)).summary


def below_builds(tmp_path: Path, *others: Build) -> str:
    """Return the caption of a chart of *others* and a reference build."""
    plans = [Plan(build=REFERENCE), *(Plan(build=other, run_id=other.version) for other in others)]
    put(tmp_path, {f"{number}.json": plan for number, plan in enumerate(plans)}, letters())
    return chart_of(tmp_path, letters(), "builds").summary


def test_another_compiler_is_named_with_both_compilers(tmp_path: Path) -> None:
    other = structs.replace(build("3.15.2"), compiler="GCC 16.2.0")
    caption = below_builds(tmp_path, other, build("3.15.0rc2", free_threaded=True))
    assert "3.15.2 was built with GCC 16.2.0, not Clang 20: more than the version differs." in caption
    assert "rc2" not in caption


def test_builds_with_frame_pointers_are_named(tmp_path: Path) -> None:
    plain, free = (build(version, free_threaded=version != "3.15.2") for version in ("3.15.2", "3.15.0rc2"))
    caption = below_builds(tmp_path, *(structs.replace(each, frame_pointers=True) for each in (plain, free)))
    assert "3.15.2 and 3.15.0rc2 (no GIL) were built with frame pointers" in caption


def test_unknown_frame_pointers_are_no_difference(tmp_path: Path) -> None:
    assert "built with" not in below_builds(tmp_path, structs.replace(build("3.15.2"), frame_pointers=None))


@pytest.mark.parametrize(
    ("own", "other", "title", "below"),
    [
        (
            "fork",
            "forkserver",
            r".* as on 3\.12, with fork as the start method, not forkserver",
            "Processes start by forkserver on 3.12, by fork on 3.13, unless their name says otherwise.",
        ),
        ("fork", "fork", r".* as on 3\.12", ""),
        (None, "fork", r".* as on 3\.12", ""),
    ],
)
def test_another_start_method_is_named(
    tmp_path: Path, own: str | None, other: str | None, title: str, below: str
) -> None:
    for name, plan, method in (("a", Plan(build=REFERENCE), other), ("b", Plan(speed=FAST), own)):
        seen = Observed(start_method=method)
        record = make(letters(), plan)
        series = [structs.replace(each, observed=seen) if each.observed else each for each in record.series]
        (tmp_path / f"{name}.json").write_bytes(encode(structs.replace(record, series=tuple(series))))
    chart = chart_of(tmp_path, letters(), "builds")
    assert re.fullmatch(title, chart.title)
    assert below in chart.summary
    assert ("Processes start" in chart.summary) == bool(below)


def test_the_largest_difference_is_named_with_or_without_the_gil(tmp_path: Path) -> None:
    free = Plan(build=build("3.13.1", free_threaded=True), speed={"thread_pool": 0.25})
    plans = Plan(build=REFERENCE), free, Plan(build=build("3.11.9"), speed={"thread_pool": 8.0})
    assert of_letters(tmp_path, *plans, kind="builds").startswith("On 3.11, thread pool: ")


def test_delays_on_two_builds_are_both_given(tmp_path: Path) -> None:
    whole = letters()["letters"]
    late = whole.metrics[0]._replace(kind="delay")
    scenarios = {"letters": replace(whole, metrics=(late, *whole.metrics[1:]))}
    plans = Plan(build=REFERENCE), Plan(build=build("3.12.8", free_threaded=True), speed=FAST)
    title = of_letters(tmp_path, *plans, kind="builds", scenarios=scenarios)
    assert re.fullmatch(r"Without the GIL, on 3\.12, thread pool: [\d.]+ ms, against [\d.]+ s with it", title)


def of_sweep(tmp_path: Path, kinds: str) -> str:
    """Return the title of a sweep on which jobs of these *kinds* take long if 200 are at once."""
    scenarios = {"heartbeat": catalogue.find()["heartbeat"]}

    def slow(series: dict[str, Any]) -> None:
        values = series["samples"]["values"]
        values["heartbeat_worst_delay_ns"] = [9 * value for value in values["heartbeat_worst_delay_ns"]]

    def where(case: str, runner: str) -> bool:
        return (
            case.startswith("published") and kinds in case and case.endswith(" 200 at once") and runner == "job_queue"
        )

    record = make(scenarios, Plan(build=REFERENCE))
    if kinds:
        record = altered(record, lambda series: where(series.case, series.runner), slow)
    (tmp_path / "a.json").write_bytes(encode(record))
    return title_of(tmp_path, scenarios, "sweep")


def test_a_sweep_says_for_each_kind_of_cases_what_changed_most(tmp_path: Path) -> None:
    went = r"job queue with worker tasks \(jobs that never await\) went from [\d.]+ ms to \d+ ms"
    stayed = r"job queue with worker tasks \(jobs that await\) (stayed at|went from) .*"
    assert re.fullmatch(rf"Up to 200 at once: {went}; {stayed}", of_sweep(tmp_path, "never"))


@pytest.mark.parametrize(
    ("deepest", "title"),
    [
        ({"queue, bounded": 1, "a queue": 99_999}, "At most 99,999 items waited in a queue, 1 in queue (bounded)"),
        (
            {"a": 9, "b": 0, "c, slow": 4, "d": 0},
            "At most 9 items waited in a, 4 in c (slow), none after a get in b and d",
        ),
        ({"a": 3, "b": 3}, "No queue was fuller than another: at most 3 items"),
        ({"a": 0}, "No queue was fuller than another: at most 0 items"),
    ],
)
def test_depths_name_each_queue_the_fullest_first(deepest: dict[str, int], title: str) -> None:
    assert of_depths(deepest) == title


def test_depths_are_those_of_the_table_and_not_of_the_trace(tmp_path: Path) -> None:
    scenarios = {"queue_depth": catalogue.find()["queue_depth"]}

    def fill(series: dict[str, Any]) -> None:
        values = series["samples"]["values"]
        values["depth_max_count"] = [49_999 for _ in values["depth_max_count"]]

    record = altered(make(scenarios, Plan(build=REFERENCE)), lambda series: series.runner == "unbounded", fill)
    (tmp_path / "a.json").write_bytes(encode(record))
    assert "49,999 in unbounded queue" in title_of(tmp_path, scenarios, "depth")


def test_latencies_are_told_from_both_ends() -> None:
    within = of_latencies({"threads": 12_000.0, "asyncio, slow": 360_000.0}).replace("\N{NO-BREAK SPACE}", " ")
    title = "99 of 100 requests were answered within 12.0 ms by threads, within 360 ms by asyncio (slow) (one run)"
    assert within == title


def test_what_answers_a_question_is_a_kind_of_chart() -> None:
    named = {scenario.answered_by for scenario in catalogue.find().values()} - {""}
    assert named
    assert named <= find_kinds().keys()
