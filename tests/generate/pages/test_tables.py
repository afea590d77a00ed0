"""Scales, tables, ab's figures and charts: the pure parts."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import REFERENCE, Plan, altered, make, some_scenarios
from msgspec import structs
from sample_site import book_of, letters, put

from generate.charts.chart import in_order
from generate.charts.kinds import sweep
from generate.charts.lines import COLOURS, short_rate
from generate.charts.scale import Scale
from generate.data import apache_bench
from generate.data.estimates import RunRounds, fixed, pool
from generate.pages.scenario import Count
from generate.pages.tables import RatioCell, note_of, tables
from generate.pages.templates import TEMPLATES, fragment
from generate.site.families_css import SHAPES, families_css, luminance
from generate.site.pipeline import ASSETS
from generate.words.units import DURATION
from runners.harness.catalogue.families import FAMILIES, Family
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.contract import Case
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from generate.pages.context import SiteContext
    from generate.pages.tables import Row
    from runners.harness.record.model import Series

STYLE = "".join(path.read_text() for path in ASSETS.glob("*.css"))


def test_a_bar_begins_at_zero() -> None:
    scale = Scale.of([10.0, 20.0], [25.0])
    assert [scale.percent(amount) for amount in (0, 12.5, 25.0, 99.0)] == [0, 50, 100, 100]


def test_medians_far_apart_are_drawn_on_a_log_scale() -> None:
    scale = Scale.of([1.0, 100.0], [1.1, 100.0])
    assert scale.log
    assert [scale.percent(amount) for amount in (1.0, 10.0, 100.0, 0.0)] == [0, 50, 100, 0]


@pytest.mark.parametrize(
    ("scale", "ticks"),
    [
        (Scale(0.0, 1.24, log=False), [0, 0.25, 0.5, 0.75, 1.0]),
        (Scale(0.0, 100.0, log=False), [0, 20, 40, 60, 80, 100]),
        (Scale(1.0, 2_000.0, log=True), [1, 10, 100, 1_000]),
        (Scale(1.0, 1e12, log=True), [1, 1e3, 1e6, 1e9, 1e12]),
    ],
)
def test_an_axis_names_few_round_numbers(scale: Scale, ticks: list[float]) -> None:
    assert scale.ticks() == pytest.approx(ticks)


@pytest.mark.parametrize("medians", [[], [0.0], [0.0, 5.0], [3.0]])
def test_every_scale_has_a_length(medians: list[float]) -> None:
    assert 0 <= Scale.of(medians, []).percent(1.0) <= 100


def sample(tmp_path: Path, rounds: int = 12) -> SiteContext:
    put(tmp_path, {"a.json": Plan(build=REFERENCE, rounds=rounds, speed={"thread_pool": 0.5})}, letters())
    return book_of(tmp_path, letters())


def rows_of(context: SiteContext) -> dict[str, Row]:
    site = context.site
    table = tables(site, site.current["letters"][0], "letters", "published").tables[0]
    return {row.summary.runner: row for row in table.rows}


def test_rows_are_in_order_of_value_without_the_control(tmp_path: Path) -> None:
    site = sample(tmp_path).site
    table = tables(site, site.current["letters"][0], "letters", "published").tables[0]
    numbers = [row.summary.number for row in table.rows]
    assert numbers == sorted(numbers, key=lambda number: number or 0.0)
    assert {row.summary.role for row in table.rows} == {"subject"}
    assert table.check.startswith("no difference seen (")


def test_rows_without_a_value_are_last(tmp_path: Path) -> None:
    row = rows_of(sample(tmp_path))["sync_loop"].summary
    rows = [
        structs.replace(row, runner=name, value=fixed(value) if value else None, better="higher")
        for name, value in (("few", 1.0), ("none", None), ("many", 9.0))
    ]
    assert [each.runner for each in in_order(rows)] == ["many", "few", "none"]


def test_a_metric_with_one_value_throughout_has_no_table(tmp_path: Path) -> None:
    metric = letters()["letters"].metrics[0]
    whole = letters()["letters"]
    counts = metric._replace(name="size", title="Letters sorted", unit="count", compute=lambda _: 8)
    scenarios = {"letters": replace(whole, metrics=(metric, counts))}
    put(tmp_path, {"a.json": Plan(build=REFERENCE)}, scenarios)
    site = book_of(tmp_path, scenarios).site
    found = tables(site, site.current["letters"][0], "letters", "published")
    assert [table.metric.name for table in found.tables] == ["elapsed_ns"]
    assert found.constants == [("Letters sorted", "8")]


def test_the_best_and_its_ties_are_by_own_pairs(tmp_path: Path) -> None:
    plans = {f"{n}.json": Plan(build=REFERENCE, run_id=f"r{n}", seed=n) for n in range(3)}
    put(tmp_path / "ties", plans, letters())
    ties = rows_of(book_of(tmp_path / "ties", letters()))
    assert all(row.is_best for row in ties.values())
    ahead = rows_of(sample(tmp_path / "ahead"))
    assert [runner for runner, row in ahead.items() if row.is_best] == ["thread_pool"]


def test_what_does_something_else_is_never_the_best(tmp_path: Path) -> None:
    apart = {"letters": replace(letters()["letters"], apart=("thread_pool",))}
    put(tmp_path, {"a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.5})}, apart)
    rows = rows_of(book_of(tmp_path, apart))
    assert not rows["thread_pool"].is_best
    assert any(row.is_best for row in rows.values())


@pytest.mark.parametrize(
    ("ratios", "text", "is_quiet"),
    [
        ([0.5, 0.51, 0.5], "2.0 times as fast", False),
        ([2.0, 2.01, 2.0], "takes 2.0 times as long", False),
        ([1.0, 1.001, 0.999], "no difference", True),
        ([0.7, 1.4, 1.0], "undecided", True),
    ],
)
def test_a_ratio_has_three_outcomes(ratios: list[float], text: str, *, is_quiet: bool) -> None:
    estimate = pool([RunRounds(f"r{n}", [ratio] * 6, 1e-6) for n, ratio in enumerate(ratios)], 1e-6)
    cell = RatioCell.in_words(estimate, DURATION)
    assert (cell.text, cell.is_quiet) == (text, is_quiet)
    assert RatioCell.in_words(fixed(1.0), DURATION).text == "the baseline"
    assert RatioCell.in_words(None, DURATION) == RatioCell()


def test_a_number_above_1_is_better() -> None:
    half = pool([RunRounds("r", [0.5] * 6, 1e-6)], 1e-6)
    assert half
    numbers = [RatioCell.as_number(half, better).text for better in ("lower", "higher", "neither")]
    assert numbers == ["2.0", "0.50", "0.50"]
    assert RatioCell.as_number(fixed(1.0), "lower").text == "1"


def test_a_check_that_fails_says_so(tmp_path: Path) -> None:
    record = altered(make(letters(), Plan(build=REFERENCE)), lambda series: series.role == "control", slower)
    (tmp_path / "a.json").write_bytes(encode(record))
    site = book_of(tmp_path, letters()).site
    check = tables(site, site.current["letters"][0], "letters", "published").tables[0].check
    assert re.fullmatch(r"takes 3\.\d times as long \([\d.]+ to [\d.]+\), though it is the same code", check)


def slower(series: dict[str, Any]) -> None:
    values = series["samples"]["values"]
    values["elapsed_ns"] = [3 * value for value in values["elapsed_ns"]]


def test_a_note_in_one_case_comes_before_that_of_the_runner(tmp_path: Path) -> None:
    row, scenario = rows_of(sample(tmp_path))["sync_loop"].summary, letters()["letters"]
    notes = {"sync_loop": "in all", "sync_loop/published": "here"}
    assert note_of(replace(scenario, notes=notes), row) == "here"
    assert note_of(replace(scenario, notes=notes), structs.replace(row, case="tenth")) == "in all"
    assert note_of(scenario, row) == ""


def test_what_was_not_measured_is_sorted_last() -> None:
    rows = [({"name": "x", "title": "X"}, [Count(), Count("all", "3 of 3")])]
    page = fragment("coverage.html", builds=["a", "b"], rows=rows, root="")
    assert '<td class="none" data-sort="">not measured</td>' in page
    assert '<td class="all">3 of 3</td>' in page


def test_no_two_families_look_alike() -> None:
    assert len({family.symbol for family in FAMILIES.values()}) == len(FAMILIES)
    assert len({SHAPES[family.symbol] for family in FAMILIES.values()}) == len(FAMILIES)


def test_a_new_family_needs_no_other_file() -> None:
    styles = families_css({**FAMILIES, "newcomer": Family("#101010", "#f0f0f0", "hexagon")})
    assert "--family-newcomer: #101010" in styles.partition("slate")[0]
    assert "--family-newcomer: #f0f0f0" in styles.partition("slate")[2]
    assert "--symbol-newcomer: hexagon;" in styles
    assert ".family-newcomer { --family: var(--family-newcomer); --shape: polygon(" in styles
    elsewhere = [*ASSETS.iterdir(), *(ROOT / "generate").rglob("*.py"), *TEMPLATES.iterdir(), ROOT / "CONTRIBUTING.md"]
    listed = re.compile(r"threads\W+processes\W+gevent\W+asyncio")
    assert not [path.name for path in elsewhere if listed.search(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("scheme", ["default", "slate"])
def test_ink_and_marks_stand_out_from_the_paper(scheme: str) -> None:
    block = re.search(rf'\[data-md-color-scheme="{scheme}"\] {{\n +--paper.*?\n *}}', STYLE, re.DOTALL)
    assert block
    colours = dict(re.findall(r"--([\w-]+): (#\w+);", block[0]))
    for name in ("ink", "ink-soft", "link", "quiet", "caution"):
        assert contrast(colours[name], colours["paper"]) >= 4.5, name
    for name, family in FAMILIES.items():
        assert contrast(family.light if scheme == "default" else family.dark, colours["paper"]) >= 3, name


@pytest.mark.parametrize("scheme", ["default", "slate"])
def test_each_colour_of_a_family_stands_out(scheme: str) -> None:
    paper = re.search(rf'\[data-md-color-scheme="{scheme}"\] {{\n +--paper: (#\w+);', STYLE)
    block = re.search(rf'\[data-md-color-scheme="{scheme}"\] {{\n(.*?)}}', families_css(), re.DOTALL)
    assert paper
    assert block
    for name in FAMILIES:
        colours = re.findall(rf"--family-{name}(?:-\d)?: (#\w+);", block[1])
        assert len(set(colours)) == COLOURS
        assert min(contrast(colour, paper[1]) for colour in colours) >= 3, name


def contrast(one: str, two: str) -> float:
    dark, light = sorted(luminance(channels(each)) for each in (one, two))
    return (light + 0.05) / (dark + 0.05)


def channels(colour: str) -> list[float]:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    return [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]


def of_server(plan: Plan) -> Series:
    return next(each for each in make(some_scenarios(), plan).series if each.runner == "threading_server")


def test_ab_computes_its_two_means_from_the_total() -> None:
    series = of_server(Plan(rounds=2))
    found = apache_bench.report(series, at_once=12)
    assert found
    assert found.requests == 240
    assert found.mean_across_ms == pytest.approx(1e3 / found.per_second, rel=0.05)
    assert found.mean_ms == pytest.approx(12 * found.mean_across_ms)
    assert [percent for percent, _ in found.percentiles] == [50, 66, 75, 80, 90, 95, 98, 99, 100]
    total = found.times[-1]
    assert total.name == "total"
    assert total.minimum is not None
    assert total.middle is not None
    assert total.minimum <= total.middle <= (total.maximum or 0.0) == found.percentiles[-1][1]


def test_ab_s_parts_of_a_request_add_up() -> None:
    series = of_server(Plan(rounds=1))
    values = {**series.samples.values, "connect_steps_us": [[100, *[0] * 119]], "receive_all_us": [120 * 50]}
    whole = msgspec.structs.replace(series, samples=msgspec.structs.replace(series.samples, values=values))
    found = apache_bench.report(whole, at_once=12)
    assert found
    means = {times.name: times.mean for times in found.times}
    assert list(means) == ["connect", "processing", "waiting", "total"]
    assert means["connect"] == pytest.approx(0.1)
    assert means["connect"] + means["processing"] == pytest.approx(means["total"])
    assert means["waiting"] == pytest.approx(means["processing"] - 0.05)


def test_under_ab_s_table_stands_that_ab_itself_reads_lower() -> None:
    text = (TEMPLATES / "ab.html").read_text(encoding="utf-8")
    assert "ab itself makes its first request alone" in text
    assert f"{100 * (1 - 10 / 11):.0f} % fewer" in text


def test_ab_has_nothing_to_say_of_a_server_that_never_answered() -> None:
    series = of_server(Plan(rounds=2, status={"threading_server": "timed_out"}))
    assert apache_bench.report(series, at_once=12) is None


def test_a_chart_s_data_have_no_style(tmp_path: Path) -> None:
    chart = sample(tmp_path).charts["letters", "published"][0]
    assert not re.search(r"#[0-9a-f]{6}|rgb|'template'", str(chart.figure))


def swept(*limits: int, case: str) -> list[float]:
    cases = {f"limit {limit}": Case({"size": "a", "jobs": 9, "limit": limit}, warm_up={}) for limit in limits}
    scenario = replace(letters()["letters"], cases={**cases, "other": Case({"size": "b", "jobs": 9, "limit": 1}, {})})
    return list(sweep.swept(scenario, case)[1].values())


def test_cases_that_differ_in_one_number_are_a_sweep() -> None:
    assert swept(64, 1, 4, 0, case="limit 4") == [1, 4, 64]
    assert swept(64, 1, 4, 0, case="limit 0") == []
    assert swept(64, 1, case="limit 1") == []
    assert swept(64, 1, 4, case="other") == []


@pytest.mark.parametrize(("amount", "expected"), [(0.0, 0.0), (123456.7, 123460.0), (0.00123456, 0.0012346)])
def test_charts_keep_five_digits(amount: float, expected: float) -> None:
    assert short_rate(amount) == expected
