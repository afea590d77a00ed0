"""Charts: what they draw, of which build, and that all looks differ."""

from __future__ import annotations

import json
import re
from colorsys import rgb_to_hls
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from factory import REFERENCE, Plan, build
from plotly.graph_objects import Figure
from sample_site import DOCS, charts_of, letters, put

from generate.charts import kinds
from generate.charts.bars import Bar, BarPlot, Row, bars_of, picture
from generate.charts.figures import draw, find_kinds
from generate.charts.kinds.builds import MOST_LINES, _most_changed, _names, _narrow
from generate.charts.kinds.sweep import kinds_of, parameter_words
from generate.charts.lines import COLOURS, Axis, Line, LinePlot, Point, numbered
from generate.charts.measure import Measure
from generate.charts.scale import Scale
from generate.data.estimates import Estimate, RunRounds, fixed, pool
from generate.site import pipeline
from generate.site.families_css import families_css
from generate.words.builds import abbreviate_build
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.families import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from generate.charts.chart import Chart

ALL = catalogue.find()
SCENARIOS = {name: ALL[name] for name in ("blocking_server", "heartbeat", "queue_depth")}
FIRST, OTHER = "cpython-3.13.1", "cpython-3.12.8"
TIME = Measure(1.0, "Time (ns)", "; lower is better")


@pytest.fixture(scope="module")
def two_builds(tmp_path_factory: pytest.TempPathFactory) -> list[Chart]:
    results = tmp_path_factory.mktemp("results")
    put(results, {"0.json": Plan(build=REFERENCE), "1.json": Plan()}, SCENARIOS)
    return charts_of(results, SCENARIOS)


def of_kinds(charts: Sequence[Chart], *kinds: str) -> list[Chart]:
    return [chart for chart in charts if chart.kind in kinds]


def lines(chart: Chart) -> list[dict[str, Any]]:
    return [trace for trace in chart.figure["data"] if not trace["meta"].get("is_run")]


def runs(figure: dict[str, Any]) -> list[dict[str, Any]]:
    return [trace for trace in figure["data"] if trace["meta"].get("is_run")]


def pooled(*medians: float, rounds: int = 6) -> Estimate:
    spread = [0.99, 1.01] * (rounds // 2) or [1.0]
    found = pool([RunRounds(str(n), [each * part for part in spread]) for n, each in enumerate(medians)], 0.001)
    assert found
    return found


def test_every_chart_is_a_figure_that_plotly_takes(two_builds: list[Chart]) -> None:
    assert {chart.kind for chart in two_builds} == find_kinds().keys()
    for chart in two_builds:
        assert len(Figure(json.loads(json.dumps(chart.figure))).data) == len(chart.figure["data"])
        assert all(trace["meta"]["family"] in FAMILIES for trace in chart.figure["data"])


def test_a_module_in_the_folder_is_a_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "planted.py").write_text(
        "from generate.charts.lines import Axis, LinePlot\n"
        "from generate.charts.scale import Scale\n"
        "PLACE = 0\n"
        "def draw(subject):\n"
        "    axis = Axis.of('Nothing', Scale(0, 1, log=False))\n"
        "    is_wanted = subject.case == 'published'\n"
        "    return subject.chart('Planted', 'Words.', LinePlot([], axis, axis)) if is_wanted else None\n"
    )
    monkeypatch.setattr(kinds, "__path__", [*kinds.__path__, str(tmp_path)])
    put(tmp_path / "results", {"0.json": Plan(build=REFERENCE)}, letters())
    site, _ = pipeline.pool_results(tmp_path / "results", DOCS, letters())
    first, *others = draw(site, letters())["letters", "published"]
    assert (first.kind, first.path) == ("planted", "assets/charts/letters-1-planted.json")
    assert "planted" not in {chart.kind for chart in others}


def test_a_bar_has_its_estimate_its_range_and_a_dot_a_run() -> None:
    estimate = pooled(90.0, 100.0, 120.0)
    plot = BarPlot([Row("a", "sync", [Bar(estimate)])], "ns", TIME)
    bar, dots, *_ = plot.figure()["data"]
    assert bar["x"] == [pytest.approx(estimate.value, rel=1e-4)]
    assert bar["x"][0] - bar["error_x"]["arrayminus"][0] == pytest.approx(estimate.low, rel=1e-3)
    assert bar["x"][0] + bar["error_x"]["array"][0] == pytest.approx(estimate.high, rel=1e-3)
    assert dots["x"] == [pytest.approx(run.value, rel=1e-4) for run in estimate.runs]
    assert len(set(dots["y"])) == 3
    svg = plot.picture()
    assert (svg.count("<circle"), svg.count("<line")) == (3, 1)
    assert len({*re.findall(r'cy="([\d.]+)"', svg)}) == 3


def test_a_value_without_a_range_has_no_whisker() -> None:
    estimate = pooled(100.0, rounds=1)
    assert not estimate.has_range
    plot = BarPlot([Row("a", "sync", [Bar(estimate)])], "ns", TIME)
    assert "error_x" not in plot.figure()["data"][0]
    assert "<line" not in plot.picture()
    assert "one round: no range" in plot.figure()["data"][0]["hovertext"][0]


def test_rows_that_tie_share_a_bracket_and_keep_their_colours() -> None:
    rows = [Row(name, "uvloop", [Bar(fixed(1.0))], is_tied=name != "c") for name in "abcd"]
    plot = BarPlot(rows, "ns", TIME)
    assert plot.picture().count('class="bracket"') == 2
    assert [shape["y0"] for shape in plot.figure()["layout"]["shapes"]] == [-0.5, 0.5, 2.5]
    assert plot.picture().count('<g class="family-uvloop">') == 4


def test_names_and_labels_are_escaped() -> None:
    svg = picture([Row("<b>", "sync", [Bar(fixed(1.0))])], "ns", 'a "label" & <more>')
    assert "&lt;b&gt;" in svg
    assert 'aria-label="a &#34;label&#34; &amp; &lt;more&gt;"' in svg


def test_a_missing_value_is_no_bar() -> None:
    assert bars_of(None) == []


def test_a_runner_that_failed_is_not_drawn(tmp_path: Path) -> None:
    put(tmp_path, {"0.json": Plan(build=REFERENCE, status={"thread_pool": "failed"})}, letters())
    (chart,) = of_kinds(charts_of(tmp_path, letters()), "bars")[:1]
    assert {trace.get("name") for trace in chart.figure["data"]} == {None, "asyncio gather", "sync loop"}
    assert "No value: thread pool (failed)." in chart.summary


def test_without_any_value_nothing_is_drawn(tmp_path: Path) -> None:
    put(tmp_path, {"0.json": Plan(status=dict.fromkeys(SCENARIOS["heartbeat"].runners, "failed"))}, SCENARIOS)
    paths = [chart.path for chart in charts_of(tmp_path, SCENARIOS)]
    assert paths
    assert not any("heartbeat" in path for path in paths)


def test_a_range_far_out_is_cut_off_and_every_value_shown() -> None:
    assert Scale.of([10.0, 20.0], [1_000.0]) == Scale(0.0, 40.0, log=False)
    assert Scale.of([10.0, 20.0], [25.0]) == Scale(0.0, 25.0, log=False)
    assert Scale.of([0.0], [5.0]) == Scale(0.0, 5.0, log=False)
    assert Scale.of([1.0, 1_000.0], [0.001, 5_000.0]) == Scale(0.1, 2_000.0, log=True)


def test_a_sweep_has_a_line_for_each_kind_with_its_ranges(two_builds: list[Chart]) -> None:
    (first, *_), (chart, *others) = ALL["heartbeat"].cases, of_kinds(two_builds, "sweep")
    assert {other.cases for other in others} == {chart.cases}  # of the other build
    assert first not in chart.cases  # no limit is no number
    named = {trace["name"]: trace for trace in lines(chart)}
    names = ("jobs that never await", "jobs that await")
    assert {f"job queue with worker tasks ({kind})" for kind in names} <= named.keys()
    assert all(any(kind in case for case in chart.cases) for kind in names)
    for trace in named.values():
        assert trace["x"] == sorted(trace["x"])
        ends = trace["error_y"]
        assert len(ends["array"]) == len(ends["arrayminus"]) == len(trace["y"])
        assert min(ends["array"] + ends["arrayminus"]) >= 0
        assert max(ends["array"] + ends["arrayminus"]) > 0


def test_kinds_of_cases_are_read_from_their_names() -> None:
    never, await_them = ({f"published, {kind}, {n} at once": n for n in (4, 64)} for kind in ("never", "await"))
    assert kinds_of([never, await_them]) == ["never", "await"]
    assert kinds_of([never]) == [""]
    assert parameter_words("limit", never) == "at once (limit)"
    assert parameter_words("limit", {"1 computes": 1, "2 compute": 2}) == "limit"


def test_latencies_rise_on_a_log_axis_to_all_requests(two_builds: list[Chart]) -> None:
    charts = of_kinds(two_builds, "latencies")
    assert charts
    for chart in charts:
        assert chart.figure["layout"]["xaxis"]["type"] == "log"
        for trace in chart.figure["data"]:
            assert trace["x"] == sorted(trace["x"])
            assert trace["y"] == sorted(trace["y"])
            assert trace["y"][-1] == 100


def test_what_takes_one_run_names_the_newest(tmp_path: Path) -> None:
    old, new = (Plan(build=REFERENCE, run_id=name) for name in ("old", "fixture-new"))
    put(tmp_path, {"0.json": old, "1.json": new}, SCENARIOS)
    charts = charts_of(tmp_path, SCENARIOS)
    for chart in of_kinds(charts, "latencies", "depth"):
        assert "the run of 2026-01-01" in chart.summary
        assert len(chart.runs) == 1
    assert {len(chart.runs) for chart in of_kinds(charts, "bars")} == {2}


def test_lines_over_numbers_are_joined_and_builds_are_points(two_builds: list[Chart]) -> None:
    joined = [trace for chart in of_kinds(two_builds, "sweep", "latencies", "depth") for trace in lines(chart)]
    assert {trace["mode"] for trace in joined} == {"lines+markers"}
    assert all(trace["marker"]["maxdisplayed"] <= 10 for trace in joined if len(trace["x"]) > 50)
    assert {trace["mode"] for chart in of_kinds(two_builds, "builds") for trace in lines(chart)} == {"markers"}


def test_each_build_has_its_range_and_runs_but_the_reference(two_builds: list[Chart]) -> None:
    for chart in of_kinds(two_builds, "builds"):
        drawn = {line.name: line for _, line in chart.plot.legend}
        for trace in lines(chart):
            reference, other = drawn[trace["name"]].points
            assert (reference.y, reference.low, reference.runs) == (1.0, None, [])
            assert other.low is not None
            assert len(other.runs) == 1
            assert [each is None for each in trace["error_y"]["array"]] == [True, False]
        assert sum(len(trace["x"]) for trace in runs(chart.figure)) == len(drawn)


def test_above_1_is_better_in_ratios(tmp_path: Path) -> None:
    put(tmp_path, {"0.json": Plan(build=REFERENCE), "1.json": Plan(speed={"thread_pool": 0.5})}, letters())
    (chart,) = of_kinds(charts_of(tmp_path, letters()), "builds")[:1]
    faster = next(trace for trace in lines(chart) if trace["name"] == "thread pool")
    assert faster["y"][1] > 1.5
    assert chart.plot.axis == "Times as fast as on 3.12; above 1 is better"


def test_no_two_series_of_a_chart_look_alike(two_builds: list[Chart]) -> None:
    for chart in of_kinds(two_builds, "builds", "sweep", "latencies", "depth"):
        looks = {(str(trace["meta"]), trace.get("line", {}).get("dash")) for trace in lines(chart)}
        assert len(looks) == len(lines(chart)), chart.path
    many = numbered(Line("x", "asyncio", [], "") for _ in range(30))
    assert len({(line.colour, line.dash) for line in many}) == 30
    assert len({(line.colour, line.is_small) for line in many[: 2 * COLOURS]}) == 2 * COLOURS


def test_a_runner_keeps_its_look_if_its_colour_is_free() -> None:
    def numbers(*wanted: int) -> list[int]:
        return [line.number for line in numbered(Line(str(each), "asyncio", [], "", each) for each in wanted)]

    assert numbers(3) == [3]
    assert numbers(3, 1) == [3, 1]
    assert numbers(COLOURS + 3, 3) == [0, 3]
    assert numbers(2, 2) == [2, 0]


def test_no_family_has_the_red_of_verdicts() -> None:
    colours = re.findall(r"--family-[\w-]+: #(\w{2})(\w{2})(\w{2});", families_css())
    assert len(colours) == 2 * COLOURS * len(FAMILIES)
    for colour in colours:
        hue, *_ = rgb_to_hls(*(int(part, 16) / 255 for part in colour))
        assert 0.05 < hue < 0.95, colour


def test_builds_without_the_gil_are_apart_at_the_right(tmp_path: Path) -> None:
    builds = [REFERENCE, build("3.13.1", free_threaded=True), build("3.14.7")]
    put(tmp_path, {f"{number}.json": Plan(build=each) for number, each in enumerate(builds)}, letters())
    (chart,) = of_kinds(charts_of(tmp_path, letters()), "builds")[:1]
    axis = chart.figure["layout"]["xaxis"]
    assert axis["ticktext"] == ["3.12", "3.14", "3.13<br>no GIL"]
    one, two, apart = axis["tickvals"]
    assert apart - two > two - one
    assert all(len(set(trace["x"])) == 3 for trace in lines(chart))


def test_the_suffix_of_a_pre_release_has_a_line_of_its_own() -> None:
    builds = [build("3.15.0rc2", free_threaded=True), build("3.15.0"), build("3.15.0a1")]
    assert [_narrow(abbreviate_build(each), each) for each in builds] == ["3.15\nrc2\nno GIL", "3.15", "3.15\na1"]


def test_builds_of_one_release_are_named_by_their_versions() -> None:
    def names(*versions: str) -> list[str]:
        cells: Any = [SimpleNamespace(record=SimpleNamespace(build=build(version))) for version in versions]
        return _names(cells)

    assert names("3.12.8", "3.13.1") == ["3.12", "3.13"]
    assert names("3.12.8", "3.13.1", "3.13.2") == ["3.12", "3.13.1", "3.13.2"]


def test_of_many_runners_those_that_differ_most_are_drawn() -> None:
    cells: Any = [
        SimpleNamespace(record=SimpleNamespace(build=build("3.14.7", free_threaded=free))) for free in (False, True)
    ]
    with_gil = {f"r{number}": fixed(1.0 + number) for number in range(MOST_LINES + 2)}
    names = [*with_gil]
    assert _most_changed(names, cells[:1], [with_gil], "") == names[2:]
    assert _most_changed(names, cells[:1], [with_gil], "r0") == ["r0", *names[3:]]
    assert _most_changed(names, cells, [with_gil, {"r0": fixed(0.9)}], "") == ["r0", *names[3:]]
    assert _most_changed(names[:3], cells[:1], [with_gil], "") == names[:3]


def test_the_path_of_a_chart_names_any_build_but_the_first(two_builds: list[Chart]) -> None:
    bars = of_kinds(two_builds, "bars")
    for chart in bars:
        (cell,) = chart.cells
        assert (f"-bars-{OTHER}.json" in chart.path) == (cell.build == OTHER)
    assert {cell.build for chart in bars for cell in chart.cells} == {FIRST, OTHER}
    for chart in of_kinds(two_builds, "builds"):
        assert [cell.build for cell in chart.cells] == [OTHER, FIRST]
    paths = [chart.path for chart in two_builds]
    assert len(paths) == len(set(paths))


def test_the_legend_of_latencies_gives_two_percentiles(two_builds: list[Chart]) -> None:
    for chart in of_kinds(two_builds, "latencies"):
        for (_, line), trace in zip(chart.plot.legend, lines(chart), strict=True):
            half, most = map(float, re.findall(r"within ([\d.]+)", line.words))
            assert trace["x"][0] * 0.99 <= half <= most <= trace["x"][-1] * 1.01


def test_every_chart_has_words_and_for_the_first_build_a_picture(two_builds: list[Chart]) -> None:
    for chart in two_builds:
        assert len(chart.title) > 10
        assert chart.figure["layout"]["title"] == {"text": chart.title}
        assert chart.plot.axis[0].isupper() or chart.plot.axis[0].isdigit()
        assert chart.picture.startswith("<svg") == (OTHER not in chart.path)
        for key, line in chart.plot.legend:
            assert f"family-{line.family}" in key
            assert line.words


def test_picture_and_figure_have_the_same_names_and_numbers(tmp_path: Path) -> None:
    put(tmp_path, {"a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.5, "asyncio_gather": 0.25})}, letters())
    (chart,) = of_kinds(charts_of(tmp_path, letters()), "bars")[:1]
    words = [trace for trace in chart.figure["data"] if trace.get("mode") == "text"]
    numbers = [each["text"][0].strip() for each in words if "is_number" in each["meta"]]
    names = [each["text"][0].strip() for each in words if "is_number" not in each["meta"]]
    assert names == ["asyncio gather", "thread pool", "sync loop"]
    assert re.findall(r"<text x=\"0\" y=\"\d+\">([^<]+)<", chart.picture) == names
    assert re.findall(r'class="value"[^>]*>([^<]+)<', chart.picture) == numbers
    assert chart.figure["layout"]["meta"]["families"] == [2, 1, 0]
    values = [trace["x"][0] for trace in chart.figure["data"] if trace["type"] == "bar"]
    assert values == sorted(values)


def test_a_line_of_many_points_has_few_in_its_picture() -> None:
    axis = Axis.of("x", Scale(0.0, 1000.0, log=False))
    line = Line("a", "threads", [Point(n, n) for n in range(1000)], "")
    svg = LinePlot([line], axis, axis).picture()
    assert svg.count("L") <= 31
    assert svg.count("<rect") <= 8
