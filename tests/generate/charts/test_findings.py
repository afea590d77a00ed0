"""The titles of charts: on results that differ, each says what these show."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from factory import REFERENCE, Plan, altered, build, make
from msgspec import structs
from sample_site import book_of, letters, put

from generate.charts import build_findings
from generate.charts.figures import find_kinds
from generate.charts.findings import of_depths, of_latencies
from generate.charts.kinds import builds
from generate.pages.scenario import page
from generate.text.numbers import NO_BREAK, format_ratio
from generate.text.units import MEMORY
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Ideal
from runners.harness.record.codec import encode
from runners.harness.record.model import Observed, Package

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Build

SLOW, FAST = {"thread_pool": 2.0}, {"thread_pool": 0.5}


def titles(context: SiteContext, scenario: str, kind: str) -> list[str]:
    charts = [chart for (name, _), charts in context.charts.items() for chart in charts if name == scenario]
    return [chart.title.replace("\N{NO-BREAK SPACE}", " ") for chart in charts if chart.kind == kind]


def of_letters(
    tmp_path: Path, *plans: Plan, kind: str = "bars", scenarios: Mapping[str, Scenario] | None = None
) -> str:
    scenarios = scenarios or letters()
    put(tmp_path, {f"{number}.json": plan for number, plan in enumerate(plans)}, scenarios)
    return titles(book_of(tmp_path, scenarios), "letters", kind)[0]


@pytest.mark.parametrize(
    ("plan", "title"),
    [
        (Plan(speed=FAST), r"Thread pool took the least time: \d+ ms, [12]\.\d+ times as fast as sync loop"),
        (
            Plan(speed=SLOW),
            r"(Sync loop|Asyncio gather) took the least time, not clearly ahead of (sync loop|asyncio gather): .*pool",
        ),
        (Plan(), r"No difference was seen beyond the noise: 1\.\d+ to 1\.\d+ s"),
        (Plan(rounds=2, speed=FAST), r"Undecided who is ahead: medians from \d+ ms to 1\.\d+ s"),
        (Plan(rounds=3, profile="quick", speed=FAST), r".* times as fast as sync loop \(quick run\)"),
        (
            Plan(status={"thread_pool": "failed", "asyncio_gather": "failed"}),
            r"Time for all letters, sync loop: 1\.\d+ s",
        ),
    ],
)
def test_medians_say_who_was_ahead_and_how_far(tmp_path: Path, plan: Plan, title: str) -> None:
    assert re.fullmatch(title, of_letters(tmp_path, plan))


@pytest.mark.parametrize(
    ("changed", "title"),
    [
        ({"kind": "delay"}, r"The delay was shortest with thread pool: \d+ ms, against 1\.\d+ s for sync loop"),
        (
            {"unit": "per_s", "better": "higher"},
            r".* managed the most, not clearly ahead of .*: .* times as many as thread pool",
        ),
        (
            {"unit": "bytes"},
            r"Thread pool had the lowest time for all letters: \d+ MB, against 1\.\d+ GB for sync loop",
        ),
        (
            {"better": "higher"},
            r".* had the highest time for all letters, not clearly .*: 1\.\d+ s, against \d+ ms for thread pool",
        ),
    ],
)
def test_a_title_has_the_words_of_what_is_measured(tmp_path: Path, changed: dict[str, Any], title: str) -> None:
    whole = letters()["letters"]
    metric: Metric = whole.metrics[0]._replace(**changed)
    scenarios = {"letters": replace(whole, metrics=(metric, *whole.metrics[1:]), ideal=Ideal("none"))}
    assert re.fullmatch(title, of_letters(tmp_path, Plan(speed=FAST), scenarios=scenarios))


@pytest.mark.parametrize(
    ("apart", "rival"),
    [((), "thread pool"), (("thread_pool",), "asyncio gather"), (("asyncio_gather", "thread_pool"), "thread pool")],
)
def test_the_best_is_not_held_against_one_that_does_something_else_where_there_is_another(
    tmp_path: Path, apart: tuple[str, ...], rival: str
) -> None:
    scenarios = {"letters": replace(letters()["letters"], apart=apart)}
    plan = Plan(speed={"asyncio_gather": 1.5, "thread_pool": 2.0})
    title = of_letters(tmp_path, plan, scenarios=scenarios)
    assert re.fullmatch(rf"Sync loop took the least time: .* times as fast as {rival}", title)


def test_one_that_does_something_else_is_not_called_the_best(tmp_path: Path) -> None:
    scenarios = {"letters": replace(letters()["letters"], apart=("thread_pool",))}
    title = of_letters(tmp_path, Plan(speed={"thread_pool": 0.25, "asyncio_gather": 0.5}), scenarios=scenarios)
    assert re.fullmatch(r"Apart from thread pool, asyncio gather took the least time: .* as fast as sync loop", title)


@pytest.mark.parametrize(
    ("other", "title"),
    [
        (Plan(speed={"thread_pool": 0.25}), r"On 3\.13 thread pool ran [34]\.\d+ times as fast as on 3\.12"),
        (Plan(speed={"thread_pool": 4.0}), r"On 3\.13 thread pool took [34]\.\d+ times as long as on 3\.12"),
        (
            Plan(build=build("3.13.1", free_threaded=True), speed=FAST),
            r"Without the GIL, on 3\.13, thread pool ran [12]\.\d+ times as fast as on 3\.12",
        ),
        (
            Plan(build=build("3.12.8", free_threaded=True), speed=FAST),
            r"Without the GIL, on 3\.12, thread pool ran [12]\.\d+ times as fast as with it",
        ),
        (Plan(), r"Builds differ by no more than the noise"),
        (Plan(rounds=2), r"Undecided whether builds differ"),
    ],
)
def test_builds_say_which_differs_most_and_whether_it_has_a_gil(tmp_path: Path, other: Plan, title: str) -> None:
    plans = Plan(build=REFERENCE, rounds=other.rounds), other
    assert re.fullmatch(title, of_letters(tmp_path, *plans, kind="builds"))


@pytest.mark.parametrize(
    ("again", "title"),
    [
        (0.65, r"On 3\.13 thread pool ran 1\.\d+ times as fast as on 3\.12"),
        (1.3, r"Builds differ by no more than one build does between its runs"),
    ],
)
def test_a_difference_that_one_build_shows_between_its_runs_is_none_of_builds(
    tmp_path: Path, again: float, title: str
) -> None:
    other = Plan(speed={"thread_pool": 0.65})
    second = replace(other, run_id="fixture-2", seed=1, slowness=3.0, speed={"thread_pool": again})
    plans = [Plan(build=REFERENCE), other, replace(second, build=REFERENCE, speed={}), second]
    assert re.fullmatch(title, of_letters(tmp_path, *plans, kind="builds"))


def with_another_gevent(tmp_path: Path, variant: tuple[str, ...] = (), imported_by: str = "thread_pool") -> SiteContext:
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
        (tmp_path / f"{name}.json").write_bytes(encode(record))
    return book_of(tmp_path, scenarios)


def test_a_package_that_differs_beside_the_build_is_named_in_the_title_and_below(tmp_path: Path) -> None:
    context = with_another_gevent(tmp_path)
    found, *_ = (chart for charts in context.charts.values() for chart in charts if chart.kind == "builds")
    assert re.fullmatch(r"On 3\.13 thread pool ran .* as on 3\.12, with gevent 25\.9\.1, not 26\.9\.0", found.title)
    assert "On 3.13 packages differ too: gevent 25.9.1, not 26.9.0." in found.summary
    said = "On <bdi>cpython-3.13.1</bdi> packages differ too: <bdi>gevent 25.9.1, not 26.9.0</bdi>."
    assert said in page(context, "letters")


def test_a_package_that_no_drawn_runner_imports_is_not_named_below_a_chart_of_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builds, "MOST_LINES", 1)
    context = with_another_gevent(tmp_path, imported_by="asyncio_gather")
    found, *_ = (chart for charts in context.charts.values() for chart in charts if chart.kind == "builds")
    assert [line.name for _, line in found.plot.legend] == ["thread pool"]
    assert "packages differ" not in found.summary


def below_builds(tmp_path: Path, *others: Build) -> str:
    """Return what stands below a chart of *others* and a reference build."""
    plans = [Plan(build=REFERENCE), *(Plan(build=other, run_id=other.version) for other in others)]
    put(tmp_path, {f"{number}.json": plan for number, plan in enumerate(plans)}, letters())
    found = (chart for charts in book_of(tmp_path, letters()).charts.values() for chart in charts)
    return next(chart.summary for chart in found if chart.kind == "builds")


def test_builds_of_another_compiler_are_named_by_their_whole_version_with_both_compilers(tmp_path: Path) -> None:
    other = structs.replace(build("3.15.2"), compiler="GCC 16.2.0")
    said = below_builds(tmp_path, other, build("3.15.0rc2", free_threaded=True))
    assert "3.15.2 was built with GCC 16.2.0, 3.12.8 with Clang 20, so more than the version differs." in said
    assert "rc2" not in said


def test_builds_that_keep_frame_pointers_are_named_below_the_chart(tmp_path: Path) -> None:
    plain, free = (build(version, free_threaded=version != "3.15.2") for version in ("3.15.2", "3.15.0rc2"))
    said = below_builds(tmp_path, *(structs.replace(each, frame_pointers=True) for each in (plain, free)))
    assert "3.15.2 and 3.15.0rc2 (no GIL) keep frame pointers, 3.12.8 does not." in said


def test_where_builds_are_made_alike_nothing_is_said_of_it(tmp_path: Path) -> None:
    unknown = structs.replace(build("3.15.2"), frame_pointers=None)
    said = below_builds(tmp_path, unknown)
    assert "built with" not in said
    assert "frame pointers" not in said


def with_start_methods(tmp_path: Path, own: str | None, other: str | None) -> SiteContext:
    for name, plan, method in (("a", Plan(build=REFERENCE), other), ("b", Plan(speed=FAST), own)):
        seen = Observed(start_method=method)
        record = make(letters(), plan)
        series = [structs.replace(each, observed=seen) if each.observed else each for each in record.series]
        (tmp_path / f"{name}.json").write_bytes(encode(structs.replace(record, series=tuple(series))))
    return book_of(tmp_path, letters())


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
def test_another_start_method_is_said_beside_the_build(
    tmp_path: Path, own: str | None, other: str | None, title: str, below: str
) -> None:
    context = with_start_methods(tmp_path, own, other)
    found, *_ = (chart for charts in context.charts.values() for chart in charts if chart.kind == "builds")
    assert re.fullmatch(title, found.title)
    assert below in found.summary
    assert ("Processes start" in found.summary) == bool(below)


def test_of_a_variant_its_name_says_which_package_is_another(tmp_path: Path) -> None:
    written = page(with_another_gevent(tmp_path, variant=("gevent 25.9.1",)), "letters")
    assert "cpython-3.13.1+gevent-25.9.1" in written
    assert "packages differ too" not in written


def test_the_largest_difference_is_said_with_or_without_the_gil(tmp_path: Path) -> None:
    free = Plan(build=build("3.13.1", free_threaded=True), speed={"thread_pool": 0.25})
    plans = Plan(build=REFERENCE), free, Plan(build=build("3.11.9"), speed={"thread_pool": 8.0})
    title = of_letters(tmp_path, *plans, kind="builds")
    assert title.startswith("On 3.11 thread pool took ")


@pytest.mark.parametrize(
    ("words", "speed", "named"),
    [
        ("asyncio with a thread pool", 0.495, "thread pool"),
        ("asyncio with a thread pool", 0.4, "asyncio with a thread pool"),
        ("asyncio with a thread pool", 1.0, "thread pool"),
        ("thread pool on uvloop", 0.495, "thread pool on uvloop"),
    ],
)
def test_a_model_that_is_made_of_another_which_differs_as_much_gives_way_to_that(
    tmp_path: Path, words: str, speed: float, named: str
) -> None:
    whole = letters()["letters"]
    made_of_it = replace(whole.runners["asyncio_gather"], words=words)
    scenarios = {"letters": replace(whole, runners={**whole.runners, "asyncio_gather": made_of_it})}
    plans = Plan(build=REFERENCE), Plan(speed={"thread_pool": 0.5, "asyncio_gather": speed})
    assert of_letters(tmp_path, *plans, kind="builds", scenarios=scenarios).startswith(f"On 3.13 {named} ran ")


def test_a_build_of_the_reference_s_release_is_named_by_its_version(tmp_path: Path) -> None:
    plans = Plan(build=build("3.12.9"), speed=FAST), Plan()
    title = of_letters(tmp_path, *plans, kind="builds")
    assert re.fullmatch(r"On 3\.12\.9 thread pool ran .* as on 3\.12\.8", title)


def of_sweep(tmp_path: Path, kinds: str) -> str:
    """Return the title of a sweep on which jobs of these *kinds* take long where 200 are at once."""
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
    return titles(book_of(tmp_path, scenarios), "heartbeat", "sweep")[0]


def test_a_sweep_says_for_each_kind_of_cases_what_changed_most(tmp_path: Path) -> None:
    said = of_sweep(tmp_path, "never")
    went = r"jobs that never await went from \d\.\d+ ms to [789]\d\.\d ms"
    stayed = r"jobs that await stayed at \d\.\d+ ms, within the noise"
    assert re.fullmatch(rf"Job queue with worker tasks, up to 200 at once: {went}; {stayed}", said)


def test_a_sweep_in_which_nothing_changed_says_so(tmp_path: Path) -> None:
    assert of_sweep(tmp_path, "").count("within the noise") == 2


@pytest.mark.parametrize(
    ("deepest", "said"),
    [
        ({"queue, bounded": 1, "a queue": 99_999}, "At most 99,999 items waited in a queue, 1 in queue (bounded)"),
        (
            {"a": 9, "b": 0, "c, slow": 4, "d": 0},
            "At most 9 items waited in a, 4 in c (slow), none after a get in b and d",
        ),
        ({"a": 3, "b": 3}, "No queue was seen fuller than another: at most 3 items"),
        ({"a": 0}, "No queue was seen fuller than another: at most 0 items"),
    ],
)
def test_depths_are_told_of_each_queue_the_fullest_first(deepest: dict[str, int], said: str) -> None:
    assert of_depths(deepest) == said


@pytest.mark.parametrize("answered_by", ["depth", ""])
def test_a_page_begins_with_the_chart_that_answers_its_question(tmp_path: Path, answered_by: str) -> None:
    scenarios = {"queue_depth": replace(catalogue.find()["queue_depth"], answered_by=answered_by)}
    put(tmp_path, {"a.json": Plan(build=REFERENCE)}, scenarios)
    (first,) = re.findall(
        r'<div class="answer"><p><strong>(.*?)</strong>', page(book_of(tmp_path, scenarios), "queue_depth")
    )
    assert ("waited in" in first) == bool(answered_by)


@pytest.mark.parametrize("is_faster", [True, False])
def test_a_title_has_the_ratio_of_the_table_whichever_of_both_is_the_baseline(
    tmp_path: Path, *, is_faster: bool
) -> None:
    def spread(series: dict[str, Any]) -> None:
        values = series["samples"]["values"]
        step = 0.05 if is_faster else 2.0  # no runner can be faster than two cores allow
        factors = [1.1 + step * number for number in range(len(values["elapsed_ns"]))]
        values["elapsed_ns"] = [
            round(value / factor if is_faster else value * factor)
            for value, factor in zip(values["elapsed_ns"], factors, strict=True)
        ]

    record = make(letters(), Plan(build=REFERENCE, speed={"asyncio_gather": 1.5}))
    record = altered(record, lambda series: series.runner == "thread_pool", spread)
    (tmp_path / "a.json").write_bytes(encode(record))
    context = book_of(tmp_path, letters())
    (said,) = re.findall(r", ([\d.]+) times as fast as", titles(context, "letters", "bars")[0])
    rows = (row for row in context.table if (row.runner, row.case, row.role) == ("thread_pool", "published", "subject"))
    ratio = next(row.ratio for row in rows if row.metric == "elapsed_ns")
    assert ratio is not None
    assert said == format_ratio(1 / ratio if is_faster else ratio)


def test_the_title_of_depths_has_the_exact_ones_of_the_table_and_not_those_of_the_trace(tmp_path: Path) -> None:
    scenarios = {"queue_depth": catalogue.find()["queue_depth"]}

    def fill(series: dict[str, Any]) -> None:
        values = series["samples"]["values"]
        values["depth_max_count"] = [49_999 for _ in values["depth_max_count"]]

    record = altered(make(scenarios, Plan(build=REFERENCE)), lambda series: series.runner == "unbounded", fill)
    (tmp_path / "a.json").write_bytes(encode(record))
    (title,) = titles(book_of(tmp_path, scenarios), "queue_depth", "depth")
    assert "49,999 in unbounded queue" in title


def test_what_answers_a_question_is_a_kind_of_chart() -> None:
    named = {scenario.answered_by for scenario in catalogue.find().values()} - {""}
    assert named
    assert named <= find_kinds().keys()


def test_circumstances_are_not_ranked(tmp_path: Path) -> None:
    scenarios = {"letters": replace(letters()["letters"], are_choices=False)}
    title = of_letters(tmp_path, Plan(speed={"thread_pool": 2.0}), scenarios=scenarios)
    assert re.fullmatch(
        r"Time for all letters: 1\.\d+ s with \w+ \w+, 1\.\d+ s with \w+ \w+ and 2\.\d+ s with thread pool", title
    )


def test_of_delays_on_two_builds_both_are_said(tmp_path: Path) -> None:
    whole = letters()["letters"]
    late = whole.metrics[0]._replace(kind="delay")
    scenarios = {"letters": replace(whole, metrics=(late, *whole.metrics[1:]))}
    plans = Plan(build=REFERENCE), Plan(build=build("3.12.8", free_threaded=True), speed=FAST)
    title = of_letters(tmp_path, *plans, kind="builds", scenarios=scenarios)
    said = r"Without the GIL, on 3\.12, the delay with thread pool was [\d.]+ (ms|µs), against [\d.]+ (s|ms) with it"
    assert re.fullmatch(said, title)


def test_latencies_are_told_from_both_ends() -> None:
    within = of_latencies({"threads": 12_000.0, "asyncio, slow": 360_000.0}).replace("\N{NO-BREAK SPACE}", " ")
    assert within == "99 of 100 requests were answered within 12.0 ms by threads, within 360 ms by asyncio (slow)"
    alone = of_latencies({"threads": 12_000.0}).replace("\N{NO-BREAK SPACE}", " ")
    assert alone == "99 of 100 requests were answered within 12.0 ms by threads"


@pytest.mark.parametrize(
    ("ratio", "said"),
    [(0.5, "needed 0.500 of the memory seen"), (0.0246, f"needed 2.46{NO_BREAK}% of the memory seen")],
)
def test_a_small_part_of_what_was_seen_is_said_as_per_cent(ratio: float, said: str) -> None:
    assert build_findings._on_another(ratio, MEMORY) == said
