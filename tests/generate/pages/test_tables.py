"""Scales, tables, ab's figures and charts: the pure parts."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import REFERENCE, Plan, make, some_scenarios
from msgspec import structs
from sample_site import book_of, letters, put

from generate.analysis import apache_bench
from generate.charts.chart import in_order
from generate.charts.kinds import sweep
from generate.charts.lines import COLOURS, short
from generate.charts.scale import Scale
from generate.pages.scenario import Count
from generate.pages.tables import RatioCell, note_of, ratio_cell, runs_words, shows_move, tables
from generate.pages.templates import TEMPLATES, case_html, fragment
from generate.site.assets import ASSETS
from generate.site.families_css import SHAPES, families_css, luminance
from generate.statistics.intervals import Comparison
from generate.statistics.noise import band_of_median, noise_band
from generate.text.numbers import NO_BREAK, format_bound, format_ratio_interval
from runners.harness.catalogue.families import FAMILIES, Family
from runners.harness.catalogue.scenarios import ROOT, find
from runners.harness.contract import Case

if TYPE_CHECKING:
    from pathlib import Path

    from generate.analysis.summary import Summary
    from generate.pages.context import SiteContext
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


def test_rows_stand_by_value_and_the_control_below_its_baseline(tmp_path: Path) -> None:
    site = sample(tmp_path).site
    rows = tables(site, site.current["letters"][0], "letters", "published").tables[0].rows
    subjects = [row for row in rows if row.role == "subject"]
    medians = [row.median or 0.0 for row in subjects]
    assert medians == sorted(medians)
    assert subjects[0].runner == "thread_pool"
    (control,) = (number for number, row in enumerate(rows) if row.role == "control")
    assert rows[control - 1].runner == rows[control].runner == "sync_loop"
    notes = {(row.runner, row.role): ratio_cell(row).note for row in rows}
    assert notes == {
        ("thread_pool", "subject"): "",
        ("sync_loop", "subject"): "",
        ("sync_loop", "control"): "the noise",
        ("asyncio_gather", "subject"): "median inside the noise",
    }


def test_what_has_no_value_stands_last_and_more_first_where_more_is_better(tmp_path: Path) -> None:
    row = a_row(tmp_path)
    rows = [
        structs.replace(row, runner=name, median=median, better="higher")
        for name, median in (("few", 1.0), ("none", None), ("many", 9.0))
    ]
    assert [each.runner for each in in_order(rows)] == ["many", "few", "none"]


def test_a_metric_with_one_value_throughout_is_a_line_and_no_table(tmp_path: Path) -> None:
    metric = letters()["letters"].metrics[0]
    whole = letters()["letters"]
    counts = metric._replace(name="size", title="Letters sorted", unit="count", compute=lambda _: 8)
    scenarios = {"letters": replace(whole, metrics=(metric, counts))}
    put(tmp_path, {"a.json": Plan(build=REFERENCE)}, scenarios)
    site = book_of(tmp_path, scenarios).site
    found = tables(site, site.current["letters"][0], "letters", "published")
    assert [table.rows[0].metric for table in found.tables] == ["elapsed_ns"]
    assert found.constants == [("Letters sorted", "8")]


def test_the_samples_are_a_column_where_rows_have_not_as_many(tmp_path: Path) -> None:
    site = sample(tmp_path).site
    assert tables(site, site.current["letters"][0], "letters", "published").tables[0].samples == 12


def test_the_noise_of_few_rounds_has_its_median_which_decides_there(tmp_path: Path) -> None:
    for rounds in (3, 8, 9):
        site = sample(tmp_path, rounds).site
        table = tables(site, site.current["letters"][0], "letters", "published").tables[0]
        (control,) = (row for row in table.rows if row.role == "control")
        assert control.ratio is not None
        assert table.noise_median == (format_bound(control.ratio) if rounds < 9 else "")
        assert control.noise is not None
        band = band_of_median if rounds < 9 else noise_band
        assert table.noise == format_ratio_interval(*band(control.noise))


def test_the_noise_of_few_rounds_is_that_though_the_first_runner_has_no_value(tmp_path: Path) -> None:
    quick = Plan(build=REFERENCE, rounds=3, profile="quick", status={"asyncio_gather": "unsupported"})
    put(tmp_path, {"a.json": quick}, letters())
    site = book_of(tmp_path, letters()).site
    table = tables(site, site.current["letters"][0], "letters", "published").tables[0]
    assert table.noise_median


def test_the_noise_floor_is_as_wide_below_1_as_above_whatever_the_control_had(tmp_path: Path) -> None:
    context = sample(tmp_path)
    site, page = context.site, case_html(context, "letters", "published", "scenarios/letters.md")
    table = tables(site, site.current["letters"][0], "letters", "published").tables[0]
    low, high = (float(end) for end in table.noise.split(" to "))
    assert low * high == pytest.approx(1, abs=0.01)
    assert f"Noise floor: {table.noise} (the baseline against itself: {table.noise_measured})." in page


def test_what_a_second_control_bounds_has_a_noise_floor_of_its_own(tmp_path: Path) -> None:
    whole = find()["primes"]
    kept = ("sync_loop", "one_thread", "thread_pool", "process_pool")
    scenarios = {"primes": replace(whole, runners={name: whole.runners[name] for name in kept})}
    put(tmp_path, {"a.json": Plan(build=REFERENCE, speed={"one_thread": 0.8})}, scenarios)
    site = book_of(tmp_path, scenarios).site
    table = tables(site, site.current["primes"][0], "primes", "published").tables[0]
    rows = {row.runner: row for row in table.rows if row.role == "subject"}
    own, of_threads = rows["process_pool"].noise, rows["thread_pool"].noise
    assert own is not None
    assert of_threads is not None
    assert table.noise == format_ratio_interval(*noise_band(own))
    assert table.noise_measured == format_ratio_interval(own.low, own.high)
    assert table.noise_of_threads == format_ratio_interval(*noise_band(of_threads)) != table.noise
    of_letters = sample(tmp_path / "without").site
    assert tables(of_letters, of_letters.current["letters"][0], "letters", "published").tables[0].noise_of_threads == ""


def test_without_a_control_nothing_is_called_noise(tmp_path: Path) -> None:
    site = sample(tmp_path).site
    found = site.rows_of(site.current["letters"][0], "letters", "published")
    rows = {row.runner: row for row in found if row.metric == "elapsed_ns"}
    without = {name: structs.replace(row, noise_low=None, noise_high=None) for name, row in rows.items()}
    assert note(rows["asyncio_gather"]) == "median inside the noise"
    assert note(without["asyncio_gather"]) == "no difference seen"
    assert note(without["thread_pool"]) == ""


def note(row: Summary) -> str:
    assert row.against_baseline is not None
    return RatioCell.of(row.against_baseline, row.noise).note


@pytest.mark.parametrize(
    ("ratio", "low", "high", "note", "is_quiet"),
    [
        (1.1, 1.05, 1.15, "median inside the noise", True),
        (1.25, 1.05, 1.61, "median inside the noise", True),
        (1.4, 1.17, 1.61, "reaches into the noise", False),  # a floor of 0.78 to 1.18 is one of 1.28 the other way up
        (1.4, 0.97, 1.61, "no difference seen", True),
        (1.4, 1.29, 1.61, "", False),
        (0.7, 0.6, 0.8, "reaches into the noise", False),
    ],
)
def test_inside_the_noise_is_what_has_its_median_there(
    ratio: float, low: float, high: float, note: str, *, is_quiet: bool
) -> None:
    control = Comparison(0.98, 0.78, 1.18, 0.96, 12, decided=True)
    cell = RatioCell.of(Comparison(ratio, low, high, 0.96, 12, decided=True), control)
    assert (cell.note, cell.is_quiet) == (note, is_quiet)


def test_what_is_undecided_is_not_grey() -> None:
    cell = RatioCell.of(Comparison(0.5, 0.4, 0.6, 0.75, 3, decided=False), None)
    assert cell.note.startswith("not decided")
    assert not cell.is_quiet


def a_row(tmp_path: Path, **changed: object) -> Summary:
    site = sample(tmp_path).site
    rows = tables(site, site.current["letters"][0], "letters", "published").tables[0].rows
    row = next(row for row in rows if row.runner == "sync_loop")
    return structs.replace(row, **changed)


@pytest.mark.parametrize(
    ("ends_ns", "words"),
    [((1.29e9, 1.95e9), "2 runs: 1.29 to 1.95 s"), ((40.0, 40.0), "2 runs: 40.0 ns"), ((None, None), "")],
)
def test_what_several_runs_measured_is_said_and_nothing_of_one_run(
    tmp_path: Path, ends_ns: tuple[float | None, float | None], words: str
) -> None:
    low, high = ends_ns
    row = a_row(tmp_path, runs=1 if low is None else 2, runs_low=low, runs_high=high)
    assert runs_words(row).replace(NO_BREAK, " ") == words


def test_beside_a_ratio_stands_what_the_other_runs_measured_and_whether_it_moved(tmp_path: Path) -> None:
    row = a_row(tmp_path, ratio=0.5, ratio_low=0.4, ratio_high=0.6, ratio_pairs=12, ratio_decided=True)
    moved = structs.replace(row, runs=3, runs_ratio_low=0.3, runs_ratio_high=0.5, runs_ratio_moved=True)
    assert (ratio_cell(row).runs, ratio_cell(row).has_moved) == ("", False)
    assert (ratio_cell(moved).runs.replace(NO_BREAK, " "), ratio_cell(moved).has_moved) == (
        "3 runs: 0.300 to 0.500",
        True,
    )


def test_a_ratio_whose_runs_all_lie_on_one_side_is_too_close_to_call_and_not_no_difference(tmp_path: Path) -> None:
    noise = {"noise_ratio": None, "noise_low": None, "noise_high": None}
    row = a_row(tmp_path, ratio=0.9, ratio_low=0.8, ratio_high=1.1, ratio_pairs=12, ratio_decided=True, **noise)
    of_runs = [(None, None), (0.8, 1.2), (0.8, 0.95)]
    rows = [structs.replace(row, runs=3, runs_ratio_low=low, runs_ratio_high=high) for low, high in of_runs]
    words = ["no difference seen", "no difference seen", "not clear in this run"]
    assert [ratio_cell(each).note for each in rows] == words
    assert all(ratio_cell(each).is_quiet for each in rows)
    noisy = {"noise_ratio": 1.0, "noise_low": 0.85, "noise_high": 1.15}
    notes = [ratio_cell(structs.replace(each, **noisy)).note for each in rows]
    assert notes == ["median inside the noise", "median inside the noise", "median inside the noise of this run"]


def test_what_moved_by_less_than_is_written_is_not_said_to_have_moved(tmp_path: Path) -> None:
    moved = a_row(tmp_path, runs=2, runs_low=1.2904e9, runs_high=1.2896e9, runs_moved=True)
    ratios = {"runs_ratio_low": 0.50001, "runs_ratio_high": 0.50002, "runs_ratio_moved": True}
    alike = structs.replace(
        moved, ratio=0.5, ratio_low=0.5, ratio_high=0.6, ratio_pairs=12, ratio_decided=True, **ratios
    )
    assert (shows_move(alike), ratio_cell(alike).has_moved) == (False, False)
    assert shows_move(structs.replace(moved, runs_high=1.95e9))


def test_a_note_in_one_case_comes_before_that_of_the_runner(tmp_path: Path) -> None:
    row, scenario = a_row(tmp_path), letters()["letters"]
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
def test_each_colour_of_a_family_stands_out_from_the_paper_and_from_the_others(scheme: str) -> None:
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


def test_a_chart_holds_every_sample_and_no_style(tmp_path: Path) -> None:
    chart = sample(tmp_path).charts["letters", "published"][0]
    assert sum(len(trace["x"]) for trace in chart.figure["data"] if trace["meta"].get("open")) == 3 * 12
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
    assert short(amount) == expected
