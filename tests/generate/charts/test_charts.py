"""Charts: what they draw, of which build, and what they say in words."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from factory import REFERENCE, Plan, build
from msgspec import structs
from plotly.graph_objects import Figure
from sample_site import book_of, letters, put

from generate.articles.functions import ResultFunctions
from generate.charts import kinds
from generate.charts.bars import Bar, BarPlot, Row
from generate.charts.chart import Measure
from generate.charts.figures import draw, find_kinds
from generate.charts.kinds.builds import MOST_LINES, _most_changed, _names, _narrow
from generate.charts.kinds.sweep import kinds_of, parameter_words
from generate.charts.lines import COLOURS, Axis, Line, LinePlot, Point, numbered
from generate.charts.scale import Scale
from generate.pages.scenario_pieces import folds
from generate.text.builds import short_build
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.families import FAMILIES

if TYPE_CHECKING:
    from pathlib import Path

    from generate.charts.chart import Chart
    from generate.pages.context import SiteContext

ALL = catalogue.find()
SCENARIOS = {name: ALL[name] for name in ("blocking_server", "heartbeat", "queue_depth")}
OTHER = "cpython-3.13.1"
NS = {"s": 1e9, "ms": 1e6, "µs": 1e3, "ns": 1}
"""By its sign in words."""


@pytest.fixture(scope="module")
def two_builds(tmp_path_factory: pytest.TempPathFactory) -> SiteContext:
    results = tmp_path_factory.mktemp("results")
    put(results, {"0.json": Plan(build=REFERENCE), "1.json": Plan()}, SCENARIOS)
    return book_of(results, SCENARIOS)


def all_of(of: SiteContext, *kinds: str) -> list[Chart]:
    return [chart for charts in of.charts.values() for chart in charts if chart.kind in kinds]


def lines(chart: Chart) -> list[dict[str, Any]]:
    return list(chart.figure["data"])


def unit_of_axis(chart: Chart) -> float:
    found = re.search(r"\((m?s|µs|ns)\)", chart.figure["layout"]["yaxis"]["title"]["text"])
    return NS[found[1]] if found else 1


def test_every_chart_is_a_figure_that_plotly_takes(two_builds: SiteContext) -> None:
    charts = all_of(two_builds, *find_kinds())
    assert {chart.kind for chart in charts} == find_kinds().keys() == {"bars", "builds", "sweep", "latencies", "depth"}
    for chart in charts:
        assert len(Figure(json.loads(json.dumps(chart.figure))).data) == len(chart.figure["data"])
        assert all(trace["meta"]["family"] in FAMILIES for trace in chart.figure["data"])


def test_a_kind_is_one_module_that_is_found_drawn_and_shown(
    two_builds: SiteContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, *_ = ALL["heartbeat"].cases
    (tmp_path / "planted.py").write_text(
        "from generate.charts.lines import Axis, LinePlot\n"
        "from generate.charts.scale import Scale\n"
        "PLACE = 0\n"
        "def draw(subject):\n"
        "    axis = Axis.of('Nothing', Scale(0, 1, log=False))\n"
        f"    is_wanted = subject.case == {first!r}\n"
        "    return subject.chart('Planted', 'Words.', LinePlot([], axis, axis)) if is_wanted else None\n"
    )
    monkeypatch.setattr(kinds, "__path__", [*kinds.__path__, str(tmp_path)])
    charts = draw(two_builds.site, SCENARIOS)
    assert charts["heartbeat", first][0].path == "assets/charts/heartbeat-1-planted.json"
    assert {key for key, drawn in charts.items() if any(chart.kind == "planted" for chart in drawn)} == {
        ("heartbeat", first)
    }
    context = replace(two_builds, charts=charts)
    assert any("Planted" in folded for path, folded in folds(context) if path.endswith("heartbeat-folded.json"))
    shown = ResultFunctions(context, "index.md").chart
    assert "Planted" in shown("heartbeat", first, kind="planted")
    assert "Nothing to draw" in shown("heartbeat", second, kind="planted")


def test_a_sweep_has_a_line_for_each_kind_of_cases_with_its_intervals(two_builds: SiteContext) -> None:
    (first, *_), (chart, *others) = ALL["heartbeat"].cases, all_of(two_builds, "sweep")
    assert {other.cases for other in others} == {chart.cases}  # of the other build
    assert first not in chart.cases  # no limit is no number
    assert chart.summary.endswith(", from 1 (jobs that never await) or 4 (jobs that await) to 200.")
    named = {trace["name"]: trace for trace in lines(chart)}
    kinds = ("jobs that never await", "jobs that await")
    assert {f"job queue with worker tasks ({kind})" for kind in kinds} <= named.keys()
    assert all(any(kind in case for case in chart.cases) for kind in kinds)
    for trace in named.values():
        assert trace["x"] == sorted(trace["x"])
        ends = trace["error_y"]
        assert len(ends["array"]) == len(ends["arrayminus"]) == len(trace["y"])
        assert min(ends["array"] + ends["arrayminus"]) >= 0
        assert max(ends["array"] + ends["arrayminus"]) > 0


def test_what_sets_kinds_of_cases_apart_is_read_from_their_names() -> None:
    never, await_them = ({f"published, {kind}, {n} at once": n for n in (4, 64)} for kind in ("never", "await"))
    assert kinds_of([never, await_them]) == ["never", "await"]
    assert kinds_of([never]) == [""]
    assert parameter_words("limit", never) == "at once (limit)"
    assert parameter_words("limit", {"1 computes": 1, "2 compute": 2}) == "limit"


def test_latencies_rise_on_a_log_axis_to_all_requests(two_builds: SiteContext) -> None:
    charts = all_of(two_builds, "latencies")
    assert charts
    for chart in charts:
        assert chart.figure["layout"]["xaxis"]["type"] == "log"
        for trace in chart.figure["data"]:
            assert trace["x"] == sorted(trace["x"])
            assert trace["y"] == sorted(trace["y"])
            assert trace["y"][-1] == 100


def test_lines_over_numbers_are_joined_and_builds_are_dots(two_builds: SiteContext) -> None:
    joined = [trace for chart in all_of(two_builds, "sweep", "latencies", "depth") for trace in lines(chart)]
    assert {trace["mode"] for trace in joined} == {"lines+markers"}
    assert all(trace["marker"]["maxdisplayed"] <= 10 for trace in joined if len(trace["x"]) > 50)
    dots = [trace for chart in all_of(two_builds, "builds") for trace in lines(chart)]
    assert {trace["mode"] for trace in dots} == {"markers"}


def test_each_interval_is_drawn_at_the_point_that_it_is_of(two_builds: SiteContext) -> None:
    for chart in all_of(two_builds, "builds"):
        drawn = {line.name: line for _, line in chart.plot.legend}
        for trace in lines(chart):
            points = drawn[trace["name"]].points
            has_interval = [point.high is not None for point in points]
            assert has_interval[0] is False, "the reference build is 1 by definition"
            reach = trace.get("error_y", {"array": [None] * len(points)})["array"]
            assert [each is not None for each in reach] == has_interval


def test_no_two_series_of_a_chart_look_alike(two_builds: SiteContext) -> None:
    for chart in all_of(two_builds, "builds", "sweep", "latencies", "depth"):
        traces = lines(chart)
        looks = {(str(trace["meta"]), trace.get("line", {}).get("dash")) for trace in traces}
        assert len(looks) == len(traces), chart.path
    many = numbered(Line("x", "asyncio", [], "") for _ in range(30))
    assert len({(line.colour, line.dash) for line in many}) == 30
    assert len({(line.colour, line.is_small) for line in many[: 2 * COLOURS]}) == 2 * COLOURS


def test_an_implementation_looks_alike_in_all_charts_unless_another_of_its_family_has_its_colour() -> None:
    def numbers(*wanted: int) -> list[int]:
        return [line.number for line in numbered(Line(str(each), "asyncio", [], "", each) for each in wanted)]

    assert numbers(3) == [3]
    assert numbers(3, 1) == [3, 1]
    assert numbers(COLOURS + 3, 3) == [0, 3]
    assert numbers(2, 2) == [2, 0]


def test_an_implementation_s_look_is_its_place_among_its_family_in_the_scenario(two_builds: SiteContext) -> None:
    for (scenario, _), charts in two_builds.charts.items():
        runners = SCENARIOS[scenario].runners.values()
        for line in [line for chart in charts if chart.kind == "builds" for _, line in chart.plot.legend]:
            place = [each.words for each in runners if each.family == line.family].index(line.name)
            assert line.number == place or place >= COLOURS


def test_builds_without_the_gil_stand_apart_at_the_right(tmp_path: Path) -> None:
    builds = [REFERENCE, build("3.13.1", free_threaded=True), build("3.14.7")]
    put(tmp_path, {f"{number}.json": Plan(build=each) for number, each in enumerate(builds)}, letters())
    (chart,) = all_of(book_of(tmp_path, letters()), "builds")[:1]
    axis = chart.figure["layout"]["xaxis"]
    assert axis["ticktext"] == ["3.12", "3.14", "3.13<br>no GIL"]
    one, two, apart = axis["tickvals"]
    assert apart - two > two - one
    assert all(len(set(trace["x"])) == 3 for trace in lines(chart))


def test_the_legend_of_builds_has_that_of_the_title_too(tmp_path: Path) -> None:
    fast = Plan(build=build("3.13.1"), speed={"thread_pool": 0.25})
    plans = Plan(build=REFERENCE), fast, Plan(build=build("3.14.7"))
    put(tmp_path, {f"{number}.json": plan for number, plan in enumerate(plans)}, letters())
    (chart,) = all_of(book_of(tmp_path, letters()), "builds")[:1]
    assert chart.title.startswith("On 3.13 thread pool ran ")
    for _, line in chart.plot.legend:
        assert re.findall(r"\(([^()]*)\)", line.words) == ["3.12", "3.13", "3.14"]


def test_what_makes_a_version_a_pre_release_has_a_line_of_its_own_below_the_axis() -> None:
    builds = [
        build("3.15.0rc2", free_threaded=True),
        build("3.15.0"),
        build("3.14.7", free_threaded=True),
        build("3.15.0a1"),
        build("3.15.0b2"),
    ]
    assert [_narrow(short_build(each), each) for each in builds] == [
        "3.15\nrc2\nno GIL",
        "3.15",
        "3.14\nno GIL",
        "3.15\na1",
        "3.15\nb2",
    ]


def test_builds_of_one_release_are_named_by_their_versions() -> None:
    def names(*versions: str) -> list[str]:
        cells: Any = [SimpleNamespace(record=SimpleNamespace(build=build(version))) for version in versions]
        return _names(cells)

    assert names("3.12.8", "3.13.1") == ["3.12", "3.13"]
    assert names("3.12.8", "3.13.1", "3.13.2") == ["3.12", "3.13.1", "3.13.2"]


def test_of_many_runners_those_are_drawn_that_differ_most_between_builds_without_the_gil_first() -> None:
    cells: Any = [
        SimpleNamespace(record=SimpleNamespace(build=build("3.14.7", free_threaded=free))) for free in (False, True)
    ]
    with_gil = {f"r{number}": (1.0 + number, None, None) for number in range(MOST_LINES + 2)}
    names = [*with_gil]
    assert _most_changed(names, cells[:1], [with_gil], "") == names[2:]
    assert _most_changed(names, cells[:1], [with_gil], "r0") == ["r0", *names[3:]]
    assert _most_changed(names, cells, [with_gil, {"r0": (0.9, None, None)}], "") == ["r0", *names[3:]]
    assert _most_changed(names[:3], cells[:1], [with_gil], "") == names[:3]


def test_each_build_has_charts_of_its_own_and_the_leading_one_comes_first(two_builds: SiteContext) -> None:
    for charts in filter(None, two_builds.charts.values()):
        bars = [chart for chart in charts if chart.kind == "bars"]
        assert [[cell.build for cell in chart.cells] for chart in bars] == [["cpython-3.12.8"], [OTHER]]
        assert [f"-bars-{OTHER}.json" in chart.path for chart in bars] == [False, True]
        (of_all,) = (chart for chart in charts if chart.kind == "builds")
        assert [cell.build for cell in of_all.cells] == ["cpython-3.12.8", OTHER]
    paths = [chart.path for charts in two_builds.charts.values() for chart in charts]
    assert len(paths) == len(set(paths))


@pytest.mark.parametrize("kind", ["builds", "sweep"])
def test_the_legend_says_where_each_line_begins_and_ends(two_builds: SiteContext, kind: str) -> None:
    for chart in all_of(two_builds, kind):
        for (_, line), trace in zip(chart.plot.legend, lines(chart), strict=True):
            assert line.name == trace["name"]
            ends = re.sub(r" \([^()]*\)", "", line.words)  # of builds each end has its build in brackets
            last, unit = re.findall(r"([\d.,]+)\s?(\D*)$", ends)[0]
            amount = float(last.replace(",", "")) * NS.get(unit, 1)
            assert amount == pytest.approx(trace["y"][-1] * unit_of_axis(chart), rel=0.01)


def test_the_legend_of_latencies_gives_two_percentiles_of_each_runner(two_builds: SiteContext) -> None:
    for chart in all_of(two_builds, "latencies"):
        for (_, line), trace in zip(chart.plot.legend, lines(chart), strict=True):
            half, most = map(float, re.findall(r"within ([\d.]+)", line.words))
            assert trace["x"][0] * 0.99 <= half <= most <= trace["x"][-1] * 1.01


def test_every_chart_has_a_title_an_axis_in_words_and_of_the_current_build_a_picture(two_builds: SiteContext) -> None:
    for chart in all_of(two_builds, *find_kinds()):
        assert len(chart.title) > 10
        assert chart.figure["layout"]["title"] == {"text": chart.title}
        assert chart.plot.axis[0].isupper() or chart.plot.axis[0].isdigit()
        assert chart.picture.startswith("<svg") == (OTHER not in chart.path)
        for key, line in chart.plot.legend:
            assert f"family-{line.family}" in key


def test_a_bar_has_its_name_its_number_and_its_place_by_value_and_by_family(tmp_path: Path) -> None:
    put(tmp_path, {"a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.5, "asyncio_gather": 0.25})}, letters())
    chart = next(chart for chart in all_of(book_of(tmp_path, letters()), "bars"))
    words = [trace for trace in chart.figure["data"] if trace.get("mode") == "text"]
    written = [each["text"][0].strip() for each in words]
    names, numbers = written[::2], written[1::2]
    assert names == ["asyncio gather", "thread pool", "sync loop"]
    assert re.findall(r"<text x=\"0\" y=\"\d+\">([^<]+)<", chart.picture) == names
    assert re.findall(r'class="value"[^>]*>([^<]+)<', chart.picture) == numbers
    assert chart.figure["layout"]["meta"]["families"] == [2, 1, 0]
    medians = [trace["x"][0] for trace in chart.figure["data"] if trace["type"] == "bar"]
    assert medians == sorted(medians)
    assert chart.figure["layout"]["meta"]["best"] == medians[0]


def test_a_sample_too_far_out_is_written_at_the_edge_and_any_other_is_drawn() -> None:
    def plot(*amounts: float) -> BarPlot:
        row = Row("a", "sync", [Bar(100.0, 90.0, 110.0)], samples=[*enumerate(amounts, start=1)])
        measure = Measure(1.0, "Time (ns)", "; lower is better")
        return BarPlot([row], "ns", measure, Scale.of([100.0], [110.0]), is_higher_better=False)

    def drawn(figure: dict[str, Any]) -> tuple[list[float], list[str]]:
        dots, *words = (trace for trace in figure["data"] if trace["type"] == "scatter")
        return dots["x"], [each["text"][0].strip().replace("\N{NO-BREAK SPACE}", " ") for each in words]

    near = plot(100.0, 160.0).figure()
    assert drawn(near) == ([100.0, 160.0], ["a", "100 ns"])
    assert near["layout"]["xaxis"]["range"][1] > 160
    assert drawn(plot(100.0, 170.0, 2320.0).figure()) == ([100.0], ["a", "100 ns", "170 ns, 2.32 µs →"])


def test_a_line_of_many_points_has_few_in_its_picture() -> None:
    axis = Axis.of("x", Scale(0.0, 1000.0, log=False))
    line = Line("a", "threads", [Point(n, n) for n in range(1000)], "")
    svg = LinePlot([line], axis, axis).picture()
    assert svg.count("L") <= 31
    assert svg.count("<rect") <= 8


def test_where_no_runner_has_a_value_nothing_is_drawn(tmp_path: Path) -> None:
    put(tmp_path, {"0.json": Plan(status=dict.fromkeys(SCENARIOS["heartbeat"].runners, "failed"))}, SCENARIOS)
    drawn = book_of(tmp_path, SCENARIOS).charts
    assert {name for (name, _), charts in drawn.items() if charts} == {"blocking_server", "queue_depth"}


def test_grey_is_what_shows_no_difference_and_not_what_is_undecided(two_builds: SiteContext) -> None:
    site = two_builds.site
    (name, case), cell = ("heartbeat", next(iter(ALL["heartbeat"].cases))), site.current["heartbeat"][0]
    row = next(row for row in site.rows_of(cell, name, case) if row.ratio not in {None, 1})
    alike = structs.replace(row, ratio=1.001, ratio_low=0.99, ratio_high=1.01, ratio_decided=True)
    assert alike.is_noise
    assert not structs.replace(alike, ratio_decided=False).is_noise
    assert not structs.replace(alike, ratio=None).is_noise
    assert not structs.replace(alike, ratio=1, ratio_low=1, ratio_high=1).is_noise
    assert not structs.replace(alike, ratio=5, ratio_low=4.9, ratio_high=5.1).is_noise
