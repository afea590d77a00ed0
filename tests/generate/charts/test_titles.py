"""The titles of charts: each names the finding of its data."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from factory import REFERENCE, Plan, altered, build, make_record
from msgspec import structs
from sample_site import draw_charts, letters, write_results

from generate.charts.chart import Chart
from generate.charts.kinds import KINDS
from generate.charts.kinds.samples import depth_title, latencies_title
from generate.data import between_runs
from generate.words import patterns
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.contract import Case, Ideal
from runners.harness.record.codec import encode
from runners.harness.record.model import Package

METRIC = "time for all letters"
AHEAD = f"{patterns.TITLE_AHEAD}. {patterns.AHEAD_BY}"
ALL_ALIKE, ALL_UNDECIDED = patterns.TITLE_ALL_ALIKE + ". {values}", patterns.TITLE_ALL_UNDECIDED + ". {values}"
SLOW, FAST = {"thread_pool": 2.0}, {"thread_pool": 0.5}
ALL = catalogue.find()


@pytest.fixture(autouse=True)
def calm_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs differ little, so that a single one can show a tie."""
    monkeypatch.setattr(between_runs, "DEFAULT", dict.fromkeys(["value", "within", "across"], 0.01**2))


def draw_title(results: Path, scenarios: Mapping[str, Scenario], kind: str) -> str:
    finding = next(chart.finding for chart in draw_charts(results, scenarios) if chart.kind == kind)
    return finding.replace("\N{NO-BREAK SPACE}", " ")


def letters_title(tmp_path: Path, *plans: Plan, kind: str = "bars", **changed: Any) -> str:  # noqa: ANN401 - fields of a scenario
    scenarios = {"letters": replace(letters()["letters"], **changed)}
    write_results(tmp_path, {f"{number}.json": plan for number, plan in enumerate(plans)}, scenarios)
    return draw_title(tmp_path, scenarios, kind)


def slots(pattern: str, title: str) -> dict[str, str]:
    """Return what a title has in the slots of its pattern."""
    written = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(pattern)).replace("<ratio>.+?", "<ratio>.+")
    match = re.fullmatch(written, title)
    assert match, f"{title!r} is not {pattern!r}"
    return match.groupdict()


APART = {"apart": ("thread_pool",)}
GATHER_FIRST = Plan(speed={"thread_pool": 0.25, "asyncio_gather": 0.5})
BOTH_FAILED = Plan(status={"thread_pool": "failed", "asyncio_gather": "failed"})


@pytest.mark.parametrize(
    ("plan", "changed", "pattern", "expected"),
    [
        (Plan(speed=FAST), {}, AHEAD, {"names": "thread pool"}),
        (Plan(speed=SLOW), {}, AHEAD, {"names": "asyncio gather and sync loop"}),
        (Plan(), {}, ALL_ALIKE, {}),
        (Plan(rounds=1), {}, ALL_UNDECIDED, {}),
        (BOTH_FAILED, {}, patterns.TITLE_EVERY_VALUE, {"metric": "Time for all letters"}),
        (Plan(speed=SLOW), {"are_choices": False}, patterns.TITLE_EVERY_VALUE, {"metric": "Time for all letters"}),
        (GATHER_FIRST, APART, AHEAD, {"names": "asyncio gather"}),
    ],
)
def test_bars_title_names_the_leaders(
    tmp_path: Path, plan: Plan, changed: dict[str, Any], pattern: str, expected: dict[str, str]
) -> None:
    parts = slots(pattern, letters_title(tmp_path, plan, **changed))
    assert {name: parts[name] for name in expected} == expected
    assert ("thread pool" in parts.get("best", "")) == (changed == APART)


@pytest.mark.parametrize(
    ("speed", "changed", "rival"),
    [
        (FAST, {}, "sync loop"),
        ({"asyncio_gather": 1.5, "thread_pool": 2.0}, {}, "thread pool"),
        ({"asyncio_gather": 1.5, "thread_pool": 2.0}, APART, "asyncio gather"),
    ],
)
def test_distance_is_a_ratio_to_a_runner_with_the_same_work(
    tmp_path: Path, speed: dict[str, float], changed: dict[str, Any], rival: str
) -> None:
    parts = slots(AHEAD, letters_title(tmp_path, Plan(speed=speed), **changed))
    ratio = slots(patterns.DISTANCE_AS_RATIO, parts["distance"])
    assert ratio["name"] == rival
    number, low, high = map(float, re.findall(r"[\d.]+", ratio["ratio"]))
    assert 1.3 < low <= number <= high


@pytest.mark.parametrize(
    ("changed", "best", "distance"),
    [
        ({"kind": "delay"}, patterns.TITLE_BEST["delay"], patterns.DISTANCE_AS_VALUE),
        ({"unit": "per_s", "better": "higher"}, patterns.TITLE_BEST["rate"], patterns.DISTANCE_AS_RATIO),
        ({"unit": "bytes"}, patterns.TITLE_LOWEST.format(metric=METRIC), patterns.DISTANCE_AS_VALUE),
        ({"better": "higher"}, patterns.TITLE_HIGHEST.format(metric=METRIC), patterns.DISTANCE_AS_VALUE),
    ],
)
def test_a_title_has_the_words_of_its_metric(tmp_path: Path, changed: dict[str, Any], best: str, distance: str) -> None:
    first, *others = letters()["letters"].metrics
    metrics = (first._replace(**changed), *others)
    parts = slots(AHEAD, letters_title(tmp_path, Plan(speed=FAST), metrics=metrics, ideal=Ideal("none")))
    assert parts["best"] == best
    slots(distance, parts["distance"])


@pytest.mark.parametrize(
    ("other", "build_named"),
    [
        (Plan(speed={"thread_pool": 0.25}), "3.13"),
        (Plan(speed={"thread_pool": 4.0}), "3.13"),
        (Plan(build=build("3.12.8", free_threaded=True), speed=FAST), "3.12t"),
    ],
)
def test_builds_title_names_the_largest_difference(tmp_path: Path, other: Plan, build_named: str) -> None:
    is_faster = other.speed["thread_pool"] < 1
    pattern = f"{patterns.TITLE_BUILD_DIFFERS[is_faster]}. {patterns.BUILD_BY}"
    parts = slots(pattern, letters_title(tmp_path, Plan(build=REFERENCE), other, kind="builds"))
    assert (parts["build"], parts["reference"], parts["name"]) == (build_named, "3.12", "Thread pool")
    assert ("fast" in parts["ratio"]) == is_faster


@pytest.mark.parametrize(("rounds", "title"), [(6, patterns.TITLE_BUILDS_ALIKE), (1, patterns.TITLE_BUILDS_UNDECIDED)])
def test_builds_may_be_alike_or_undecided(tmp_path: Path, rounds: int, title: str) -> None:
    plans = Plan(build=REFERENCE, rounds=rounds), Plan(rounds=rounds)
    assert letters_title(tmp_path, *plans, kind="builds") == title


def test_build_that_differs_in_its_version_only_is_preferred(tmp_path: Path) -> None:
    other = Plan(build=structs.replace(build("3.13.1"), compiler="GCC 16.2.0"), speed={"thread_pool": 0.1})
    plans = Plan(build=REFERENCE), other, Plan(build=build("3.11.9"), speed={"thread_pool": 4.0})
    assert " on 3.11. " in letters_title(tmp_path, *plans, kind="builds")


@pytest.mark.parametrize("variant", [(), ("gevent 25.9.1",)])
def test_other_packages_are_named_unless_the_build_is(tmp_path: Path, variant: tuple[str, ...]) -> None:
    scenario = letters()["letters"]
    needing = replace(scenario.runners["thread_pool"], packages=("gevent",))
    scenarios = {"letters": replace(scenario, runners={**scenario.runners, "thread_pool": needing})}
    new, old = ({"gevent": Package(version, None, requires=())} for version in ("26.9.0", "25.9.1"))
    other = structs.replace(build("3.13.1"), variant=variant)
    for name, plan in {
        "new": Plan(build=REFERENCE, packages=new),
        "old": Plan(other, speed=FAST, packages=old),
    }.items():
        record = structs.replace(make_record(scenarios, plan), reference_packages=new)
        (tmp_path / f"{name}.json").write_bytes(encode(record))
    chart = next(chart for chart in draw_charts(tmp_path, scenarios) if chart.kind == "builds")
    assert ("gevent 25.9.1, not 26.9.0" in chart.summary) == (not variant)
    assert chart.subtitle.endswith(patterns.MORE_DIFFERS.format(values="")) == (not variant)


MARKS = {4: "default", 40: "FastAPI"}


def curve(results: Path, times: Sequence[float], rounds: int, marks: Mapping[float, str]) -> Chart:
    """Draw how long a pool takes with some numbers of threads, 0 being 4 by default."""
    sizes = [{"size": "all", "workers": amount} for amount in (0, 1, 2, 40, 512)]
    cases = {f"all, {size['workers']} threads": Case(size, {}, block="all") for size in sizes}
    scenario = replace(letters()["letters"], cases=cases, marks=lambda _cores: marks)

    def lengthen(series: dict[str, Any]) -> None:
        columns, time = series["samples"]["values"], times[[*cases].index(series["case"])]
        columns["elapsed_ns"] = [round(each * time) for each in columns["elapsed_ns"]]

    plan = Plan(build=REFERENCE, rounds=rounds, speed={"sync_loop": 20.0, "asyncio_gather": 20.0})
    record = altered(make_record({"letters": scenario}, plan), lambda series: series.runner == "thread_pool", lengthen)
    (results / "a.json").write_bytes(encode(record))
    return next(chart for chart in draw_charts(results, {"letters": scenario}) if chart.kind == "curve")


@pytest.mark.parametrize(
    ("times", "plan", "pattern", "expected"),
    [
        ((1, 1, 1, 1, 1), (6, MARKS), patterns.CURVE_ALIKE, {"least": "1", "most": "512 threads"}),
        ((2, 8, 4, 2, 2), (6, MARKS), patterns.CURVE_ARE_ENOUGH, {"name": "thread pool", "amount": "4 threads"}),
        ((1, 1, 1, 2, 2), (6, MARKS), patterns.CURVE_TOO_MANY, {"amount": "40"}),
        ((2, 8, 4, 2, 1), (6, MARKS), patterns.CURVE_MOST, {"amount": "512 threads"}),
        ((2, 2, 2, 2, 2), (1, MARKS), patterns.CURVE_UNDECIDED, {"most": "512 threads"}),
        ((2, 8, 4, 2, 2), (6, {}), patterns.CURVE_ENDS, {"name": "thread pool"}),
    ],
)
def test_curve_title_has_how_much_is_enough(
    tmp_path: Path, times: Sequence[float], plan: tuple[int, dict[float, str]], pattern: str, expected: dict[str, str]
) -> None:
    chart, marks = curve(tmp_path, times, *plan), plan[1]
    parts = slots(pattern, chart.title.replace("\N{NO-BREAK SPACE}", " "))
    assert {name: parts[name] for name in expected} == expected
    named = chart.figure["layout"]["xaxis"]["ticktext"]
    assert (named[:2] == ["4<br>default", "40<br>FastAPI"]) is bool(marks)
    assert len(chart.figure["data"][-1]["error_y"]["array"]) == (5 if marks else 4)
    assert (chart.case, bool(chart.subtitle)) == ("all", bool(marks))


def test_depths_name_each_queue_the_fullest_first() -> None:
    expected = (("99,999", "a"), ("4", "“c, slow”"), ("0", "b"))
    depths = ", ".join(patterns.QUEUES_DEPTH.format(items=items, name=name) for items, name in expected)
    assert depth_title({"b": 0, "a": 99_999, "c, slow": 4}) == patterns.QUEUES_FULLEST.format(depths=depths)


def test_depths_are_the_greatest_and_not_those_of_the_trace(tmp_path: Path) -> None:
    def fill(series: dict[str, Any]) -> None:
        columns = series["samples"]["values"]
        columns["depth_max_count"] = [49_999 for _ in columns["depth_max_count"]]

    scenarios = {"queue_depth": ALL["queue_depth"]}
    record = altered(make_record(scenarios, Plan(build=REFERENCE)), lambda series: series.runner == "unbounded", fill)
    (tmp_path / "a.json").write_bytes(encode(record))
    assert "49,999" in draw_title(tmp_path, scenarios, "depth")


def test_latencies_title_names_both_extremes() -> None:
    times = slots(
        patterns.LATENCIES_WITHIN, latencies_title({"threads": 12_000.0, "b": 20_000.0, "c, slow": 360_000.0})
    )
    first, last = (slots(patterns.LATENCIES_BY, time) for time in times["times"].split(", ", 1))
    assert (first["name"], last["name"]) == ("threads", "“c, slow”")
    assert (first["time"][:4], last["time"][:3]) == ("12.0", "360")
    assert ", " not in latencies_title({"a": 1_000.0})


def test_answered_by_names_a_kind_of_chart() -> None:
    named = {scenario.answered_by for scenario in ALL.values()} - {""}
    assert named
    assert named <= KINDS.keys()
