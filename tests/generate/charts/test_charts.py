"""Charts: one figure each, which Plotly takes and svg.py draws, with the numbers of the results."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from factory import REFERENCE, Plan, build, make_record
from msgspec import structs
from plotly.graph_objects import Figure
from sample_site import draw_charts, letters, write_results

from generate.charts import svg
from generate.charts.chart import Chart
from generate.charts.kinds import KINDS
from generate.charts.kinds.builds import MOST_ROWS, build_names, most_changed
from generate.charts.lines import Line, line_figure
from generate.charts.rows import Row, bar_figure
from generate.charts.scale import Scale, number_axis
from generate.charts.traces import LINE_COLOURS, MOST_POINTS, colour, thin_out
from generate.data.estimates import Estimate, RunRounds, fixed, pool
from generate.words import patterns
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.family_colours import FAMILIES
from runners.harness.record.codec import encode
from runners.harness.record.model import Observed

ALL = catalogue.find()
SCENARIOS = {name: ALL[name] for name in ("blocking_server", "pool_size", "queue_depth")}
OTHER = "cpython-3.12.8"


@pytest.fixture(scope="module")
def two_builds(tmp_path_factory: pytest.TempPathFactory) -> list[Chart]:
    results = tmp_path_factory.mktemp("results")
    write_results(results, {"0.json": Plan(build=REFERENCE), "1.json": Plan()}, SCENARIOS)
    return draw_charts(results, SCENARIOS)


def with_kind(charts: Sequence[Chart], kind: str) -> list[Chart]:
    return [chart for chart in charts if chart.kind == kind]


def letters_chart(tmp_path: Path, kind: str, *plans: Plan) -> Chart:
    write_results(tmp_path, {f"{number}.json": plan for number, plan in enumerate(plans)}, letters())
    return with_kind(draw_charts(tmp_path, letters()), kind)[0]


def lines(chart: Chart) -> list[dict[str, Any]]:
    return [trace for trace in chart.figure["data"] if "legend" in trace["meta"]]


def ratios(chart: Chart) -> list[dict[str, Any]]:
    return [trace for trace in chart.figure["data"] if "error_y" in trace]


def values(figure: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the traces of estimates in a figure of bars."""
    return [trace for trace in figure["data"] if "error_x" in trace]


def texts(figure: dict[str, Any]) -> list[str]:
    return [trace["text"][0].strip() for trace in figure["data"] if trace.get("mode") == "text"]


def pooled(*medians: float, rounds: int = 6) -> Estimate:
    spread = [0.99, 1.01] * (rounds // 2) or [1.0]
    estimate = pool([RunRounds(str(n), [each * part for part in spread]) for n, each in enumerate(medians)], 0.001)
    assert estimate
    return estimate


def test_every_kind_is_drawn_and_plotly_takes_it(two_builds: list[Chart]) -> None:
    assert {chart.kind for chart in two_builds} == KINDS.keys()
    for chart in two_builds:
        assert len(Figure(json.loads(json.dumps(chart.figure))).data) == len(chart.figure["data"])
        assert all(trace["meta"]["family"] in FAMILIES for trace in chart.figure["data"])
        assert chart.figure["layout"]["title"] == {"text": chart.title}


def test_a_bar_has_its_estimate_range_and_a_dot_a_run() -> None:
    estimate = pooled(90.0, 100.0, 120.0)
    figure = bar_figure([Row("a", "sync", [estimate])], "ns")
    (bar,), (dots,) = values(figure), (trace for trace in figure["data"] if trace["meta"].get("is_run"))
    assert bar["x"] == [pytest.approx(estimate.value, rel=1e-4)]
    assert bar["x"][0] - bar["error_x"]["arrayminus"][0] == pytest.approx(estimate.low, rel=1e-3)
    assert bar["x"][0] + bar["error_x"]["array"][0] == pytest.approx(estimate.high, rel=1e-3)
    assert dots["x"] == [pytest.approx(run.value, rel=1e-4) for run in estimate.runs]
    assert len(set(dots["y"])) == 3
    picture = svg.picture(figure)
    assert (picture.count("<circle"), picture.count("<line")) == (3, 2)


def test_the_picture_has_the_places_of_the_figure() -> None:
    figure = bar_figure([Row("a", "sync", [fixed(100.0)]), Row("b", "threads", [fixed(50.0)])], "ns")
    first, last = figure["layout"]["xaxis"]["range"]
    picture = svg.picture(figure)
    (complete, half) = (float(width) for width in re.findall(r'width="([\d.]+)%" height="12"', picture))
    assert complete == pytest.approx(10_000 / (last - first), rel=0.01)
    assert half == pytest.approx(complete / 2, rel=0.01)
    assert f'fill="{colour("threads")}"' in picture
    tops = [int(top) for top in re.findall(r'<rect x="[\d.]+%" y="(\d+)"', picture)]
    assert tops[1] - tops[0] == figure["layout"]["height"] / 2


def test_values_that_span_much_are_marks_on_a_log_scale() -> None:
    figure = bar_figure([Row("a", "sync", [fixed(1.0)]), Row("b", "sync", [fixed(1_000.0)])], "ns")
    assert figure["layout"]["xaxis"]["type"] == "log"
    assert {trace["type"] for trace in values(figure)} == {"scatter"}
    places = [float(x) for x in re.findall(r'class="mark" x="([\d.]+)%"', svg.picture(figure))]
    assert 0 < places[0] < places[1] < 100
    lines = [float(x) for x in re.findall(r'class="grid" x1="([\d.]+)%"', svg.picture(figure))]
    names = [name.replace("\N{NO-BREAK SPACE}", " ") for name in figure["layout"]["xaxis"]["ticktext"]]
    assert names == ["1 ns", "10 ns", "100 ns", "1 µs"]
    assert (lines[0], lines[-1]) == (places[0], places[1])


def test_a_value_without_a_range_has_no_whisker() -> None:
    assert "<line" not in svg.picture(bar_figure([Row("a", "sync", [pooled(100.0, rounds=1)])], "ns"))


def test_names_and_labels_are_escaped() -> None:
    picture = svg.picture(bar_figure([Row("<b>", "sync", [fixed(1.0)])], "ns"), 'a "label" & <more>')
    assert "<b>" not in picture
    assert 'aria-label="a &#34;label&#34; &amp; &lt;more&gt;"' in picture


def test_a_runner_that_failed_is_not_drawn(tmp_path: Path) -> None:
    chart = letters_chart(tmp_path / "one", "bars", Plan(build=REFERENCE, status={"thread_pool": "failed"}))
    assert {trace["name"] for trace in chart.figure["data"]} == {"asyncio gather", "sync loop"}
    assert "thread pool (failed)" in chart.summary
    write_results(
        tmp_path / "all", {"0.json": Plan(status=dict.fromkeys(letters()["letters"].runners, "failed"))}, letters()
    )
    assert draw_charts(tmp_path / "all", letters()) == []


def test_bars_are_best_first(tmp_path: Path) -> None:
    speed = {"thread_pool": 0.5, "asyncio_gather": 0.25}
    chart = letters_chart(tmp_path, "bars", Plan(build=REFERENCE, speed=speed))
    names = ["asyncio gather", "thread pool", "sync loop"]
    assert [trace["name"] for trace in values(chart.figure)] == texts(chart.figure)[::2] == names


def test_latencies_rise_on_a_log_axis_to_all_requests(two_builds: list[Chart]) -> None:
    charts = with_kind(two_builds, "latencies")
    assert {chart.figure["layout"]["xaxis"]["type"] for chart in charts} == {"log"}
    for trace in (trace for chart in charts for trace in lines(chart)):
        assert (trace["x"], trace["y"]) == (sorted(trace["x"]), sorted(trace["y"]))
        assert trace["y"][-1] == 100


def test_raw_lists_are_of_the_newest_run(tmp_path: Path) -> None:
    old, new = (Plan(build=REFERENCE, run_id=name) for name in ("old", "fixture-new"))
    write_results(tmp_path, {"0.json": old, "1.json": new}, SCENARIOS)
    run_counts = {chart.kind: len(chart.runs) for chart in draw_charts(tmp_path, SCENARIOS)}
    assert (run_counts["latencies"], run_counts["depth"], run_counts["bars"]) == (1, 1, 2)


def test_builds_are_points_with_ranges_but_the_reference(two_builds: list[Chart]) -> None:
    for chart in with_kind(two_builds, "builds"):
        assert [result.build for result in chart.results] == [OTHER, "cpython-3.13.1"]
        for trace in ratios(chart):
            assert trace["customdata"][0] == 1
            assert [end is None for end in trace["error_y"]["array"]] == [True, False]
        dots = [trace for trace in chart.figure["data"] if trace["meta"].get("is_run")]
        assert [len(trace["x"]) for trace in dots] == [1] * len(ratios(chart))


def test_ratio_of_a_faster_build_is_above_1(tmp_path: Path) -> None:
    chart = letters_chart(tmp_path, "builds", Plan(build=REFERENCE), Plan(speed={"thread_pool": 0.5}))
    faster = next(trace for trace in ratios(chart) if trace["name"] == "thread pool")
    assert faster["customdata"][1] > 1.5


def test_builds_without_the_gil_are_apart_at_the_right(tmp_path: Path) -> None:
    builds = [REFERENCE, build("3.13.1", free_threaded=True), build("3.14.7")]
    chart = letters_chart(tmp_path, "builds", *(Plan(build=each) for each in builds))
    axis = chart.figure["layout"]["xaxis"]
    assert axis["ticktext"] == ["3.12", "3.14", "3.13t"]
    oldest, newest, apart = axis["tickvals"]
    assert apart - newest > newest - oldest
    assert all(len(set(trace["x"])) == 3 for trace in ratios(chart))
    assert all(f">{name.partition('<')[0]}</text>" in chart.picture for name in axis["ticktext"])


def test_builds_of_one_release_are_named_by_their_version() -> None:
    assert build_names([build("3.15.0rc2"), build("3.13.1"), build("3.13.2")]) == ["3.15\nrc2", "3.13.1", "3.13.2"]


def test_of_many_runners_those_that_differ_most_are_drawn() -> None:
    ratios = {f"r{number}": fixed(1.0 + number) for number in range(MOST_ROWS + 2)}
    names = [*ratios]
    assert most_changed([ratios]) == names[2:]
    assert most_changed([{"r0": fixed(0.01)}, ratios]) == ["r0", *names[3:]]


DIFFERENT = {
    "compiler": patterns.OTHER_COMPILER.format(compiler="GCC 16.2.0", other="Clang 20"),
    "frame_pointers": patterns.FRAME_POINTERS[True],
    "start_method": patterns.OTHER_START_METHOD.format(method="fork", other="forkserver"),
}


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"compiler": "GCC 16.2.0"}, "compiler"),
        ({"frame_pointers": True}, "frame_pointers"),
        ({"frame_pointers": None}, ""),
        ({"start_method": "fork"}, "start_method"),
        ({"start_method": "forkserver"}, ""),
        ({"start_method": None}, ""),
    ],
)
def test_other_differences_between_builds_are_named(tmp_path: Path, change: dict[str, Any], difference: str) -> None:
    made = {name: value for name, value in change.items() if name != "start_method"}
    other = Plan(structs.replace(build("3.15.2"), **made), speed={"thread_pool": 0.5})
    for name, plan, method in (("a", Plan(REFERENCE), "forkserver"), ("b", other, change.get("start_method"))):
        record = make_record(letters(), plan)
        seen = Observed(start_method=method)
        series = [structs.replace(each, observed=seen) if each.observed else each for each in record.series]
        (tmp_path / f"{name}.json").write_bytes(encode(structs.replace(record, series=tuple(series))))
    chart = with_kind(draw_charts(tmp_path, letters()), "builds")[0]
    assert [name for name, words in DIFFERENT.items() if words in chart.summary] == ([difference] if difference else [])


def test_no_two_lines_of_a_chart_look_alike() -> None:
    axis = number_axis("x", Scale(0.0, 1.0, log=False))
    families = ["asyncio", *["asyncio"] * 3, *["threads"] * 4]
    drawn = [Line(str(number), family, [0.0, 1.0], [0.0, 1.0], "") for number, family in enumerate(families)]
    assert len(families) == 2 + len(LINE_COLOURS)
    traces = line_figure(drawn, axis, axis)["data"]
    assert len({trace["marker"]["color"] for trace in traces}) == len(families)
    assert [trace["marker"]["color"] for trace in traces[::4]] == [colour("asyncio"), colour("threads")]
    dashes = {trace["line"]["dash"] for trace in line_figure(drawn[:4], axis, axis)["data"]}
    assert len(dashes) == 4


def test_long_lines_are_thinned_and_keep_their_ends() -> None:
    kept = thin_out(range(1000))
    assert (len(kept), kept[0], kept[-1]) == (MOST_POINTS, 0, 999)


def test_a_legend_has_the_look_name_and_values_of_each_line(two_builds: list[Chart]) -> None:
    for chart in (chart for chart in two_builds if chart.kind != "bars"):
        assert [name for _, name, _ in chart.legend] == [trace["name"] for trace in lines(chart)]
        for (key, _, legend), trace in zip(chart.legend, lines(chart), strict=True):
            assert trace["marker"]["color"] in key
            assert legend
