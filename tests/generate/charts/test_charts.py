"""Charts: what they draw, of which build, and what they say in words."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from factory import REFERENCE, Plan
from msgspec import structs
from plotly.graph_objects import Figure
from sample_site import book_of, put

from generate.articles.functions import ResultFunctions
from generate.charts import kinds
from generate.charts.figures import draw, find_kinds
from generate.charts.kinds.bars import _named
from generate.pages.machine_sections import sections
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.families import FAMILIES

if TYPE_CHECKING:
    from pathlib import Path

    from generate.charts.chart import Chart
    from generate.pages.context import SiteContext

ALL = catalogue.find()
SCENARIOS = {name: ALL[name] for name in ("blocking_server", "heartbeat", "queue_depth")}
OTHER = "cpython-3.13.1"
AXIS = {"s": 1e3, "ms": 1, "µs": 1e-3, "ns": 1e-6, "GB": 1e3, "MB": 1, "kB": 1e-3}
"""How many of an axis' unit a unit in words is."""


@pytest.fixture(scope="module")
def two_builds(tmp_path_factory: pytest.TempPathFactory) -> SiteContext:
    results = tmp_path_factory.mktemp("results")
    put(results, {"0.json": Plan(build=REFERENCE), "1.json": Plan()}, SCENARIOS)
    return book_of(results, SCENARIOS)


def all_of(of: SiteContext, *kinds: str) -> list[Chart]:
    return [chart for charts in of.charts.values() for chart in charts if chart.kind in kinds]


def lines(chart: Chart) -> list[dict[str, Any]]:
    return [trace for trace in chart.figure["data"] if not trace.get("fill")]


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
    chart = """subject.chart("Planted", "Words.", {"data": [], "layout": {}})"""
    (tmp_path / "planted.py").write_text(
        f"PLACE = 0\ndef draw(subject):\n    return {chart} if subject.case == {first!r} else None\n"
    )
    monkeypatch.setattr(kinds, "__path__", [*kinds.__path__, str(tmp_path)])
    charts = draw(two_builds.site, SCENARIOS)
    assert charts["heartbeat", first][0].path == "assets/charts/heartbeat-1-planted.json"
    assert {key for key, drawn in charts.items() if any(chart.kind == "planted" for chart in drawn)} == {
        ("heartbeat", first)
    }
    context = replace(two_builds, charts=charts)
    assert "Planted" in sections(context, "heartbeat")["case-1"]
    shown = ResultFunctions(context, "index.md").chart
    assert "Planted" in shown("heartbeat", first, kind="planted")
    assert "Nothing to draw" in shown("heartbeat", second, kind="planted")


def test_a_sweep_has_a_band_for_each_line_and_the_medians_lie_in_it(two_builds: SiteContext) -> None:
    sweeps = all_of(two_builds, "sweep")
    assert sweeps
    for chart in sweeps:
        bands = {trace["name"]: trace for trace in chart.figure["data"] if trace.get("fill")}
        assert bands.keys() == {trace["name"] for trace in lines(chart)}
        for trace in lines(chart):
            count, band = len(trace["x"]), bands[trace["name"]]
            assert band["x"] == [*trace["x"], *reversed(trace["x"])]
            lows, highs = band["y"][:count], [*reversed(band["y"][count:])]
            assert all(low <= y <= high for low, y, high in zip(lows, trace["y"], highs, strict=True))
            assert lows != highs
            assert "error_y" not in trace


def test_latencies_rise_on_a_log_axis_to_all_requests(two_builds: SiteContext) -> None:
    charts = all_of(two_builds, "latencies")
    assert charts
    for chart in charts:
        assert chart.figure["layout"]["xaxis"]["type"] == "log"
        for trace in chart.figure["data"]:
            assert trace["x"] == sorted(trace["x"])
            assert trace["y"] == sorted(trace["y"])
            assert trace["y"][-1] == 100


def test_every_line_has_the_marks_of_its_family(two_builds: SiteContext) -> None:
    drawn = [trace for chart in all_of(two_builds, "builds", "sweep", "latencies", "depth") for trace in lines(chart)]
    assert {trace["mode"] for trace in drawn} == {"lines+markers"}
    assert all(trace["marker"]["maxdisplayed"] <= 10 for trace in drawn if len(trace["x"]) > 50)


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
def test_the_words_of_a_chart_of_lines_say_where_each_begins_and_ends(two_builds: SiteContext, kind: str) -> None:
    for chart in all_of(two_builds, kind):
        told = dict(re.findall(r"(\w+) ([\d.,]+[^;]*?)(?:;|\.$)", chart.summary.partition(": ")[2]))
        for trace in lines(chart):
            last, unit = re.findall(r"([\d.,]+)\s?(\D*)$", told[trace["name"]])[0]
            assert float(last.replace(",", "")) * AXIS.get(unit, 1) == pytest.approx(trace["y"][-1], rel=0.01)


def test_the_words_of_latencies_give_two_percentiles_of_each_runner(two_builds: SiteContext) -> None:
    for chart in all_of(two_builds, "latencies"):
        for trace in chart.figure["data"]:
            found = re.search(rf"{trace['name']} ([\d.]+)\N{{NO-BREAK SPACE}}m?s and ([\d.]+)", chart.summary)
            assert found, chart.summary
            half, most = map(float, found.groups())
            assert trace["x"][0] <= half <= most <= trace["x"][-1] * 1.01


def test_where_no_runner_has_a_value_nothing_is_drawn(tmp_path: Path) -> None:
    put(tmp_path, {"0.json": Plan(status=dict.fromkeys(SCENARIOS["heartbeat"].runners, "failed"))}, SCENARIOS)
    drawn = book_of(tmp_path, SCENARIOS).charts
    assert {name for (name, _), charts in drawn.items() if charts} == {"blocking_server", "queue_depth"}


def test_grey_is_what_was_compared_and_tells_no_difference(two_builds: SiteContext) -> None:
    site = two_builds.site
    (name, case), cell = ("heartbeat", next(iter(ALL["heartbeat"].cases))), site.current["heartbeat"][0]
    row = next(row for row in site.rows_of(cell, name, case) if row.ratio not in {None, 1})
    alike = structs.replace(row, ratio=1.001, ratio_low=0.99, ratio_high=1.01, ratio_decided=True)
    assert _named(alike)["meta"]["quiet"]
    assert not _named(structs.replace(row, ratio=None))["meta"]["quiet"]
    assert not _named(structs.replace(row, ratio=1))["meta"]["quiet"]
