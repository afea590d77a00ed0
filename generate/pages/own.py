"""The page of each function of your own that `try` measured: table, pictures, its place on the map, code to paste."""

from generate.charts import svg
from generate.charts.lines import Line, line_figure
from generate.charts.rows import Row, bar_figure
from generate.charts.scale import Scale, amounts_axis, number_axis
from generate.charts.traces import Figure
from generate.data.own_results import OwnResult, Timing
from generate.data.work_map import SCENARIO
from generate.own import advise, advised, describe_place, describe_work, list_failures, name_on_build, tables
from generate.pages.maps import first_map
from generate.pages.pieces import SiteContext
from generate.pages.templates import page, path_to_root
from generate.words import patterns
from generate.words.log_lines import log_line
from generate.words.numbers import format_value
from generate.words.units import axis_scale
from runners.harness.catalogue.family_colours import FAMILIES
from runners.harness.own.record import ModelName

OTHER_FAMILIES = {"loop": "sync", "to_thread": "threads", "loops_in_threads": "threads", "greenlets": "gevent"}
"""Families of models whose names do not begin with them. All others are asyncio's."""
LEAST_SIZES = 3
"""Fewer sizes of a pool make no curve."""


def pages(context: SiteContext) -> dict[str, str]:
    """Return a page for each record under results/local."""
    return {(path := f"own/{name}.md"): _page(context, result, path) for name, result in context.site.own.items()}


def _page(context: SiteContext, result: OwnResult, path: str) -> str:
    scenario = context.site.scenarios.get(SCENARIO)
    return page(
        "own.md",
        record=result.record,
        work=[*map(log_line, describe_work(result))],
        advice=advise(result),
        tables=[*tables(result)],
        bars=_bars(result),
        curves=_curves(result),
        picture=svg.picture,
        key=svg.key,
        places=describe_place(result, scenario, lambda gil: first_map(context, gil=gil)) if scenario else [],
        failures=[*map(log_line, list_failures(result))],
        code=advised(result),
        function=result.record.work.function.rpartition(":")[2],
        root=path_to_root(path),
    )


def family(model: ModelName) -> str:
    named = OTHER_FAMILIES.get(model, model.partition("_")[0])
    return named if named in FAMILIES else "asyncio"


def _bars(result: OwnResult) -> Figure | None:
    tied = result.tied if len(result.timings) > 1 and len(result.tied) > 1 else []
    rows = [
        Row(name_on_build(result, each.series), family(each.series.model), [each.time], each in tied)
        for each in sorted(result.timings, key=lambda each: each.time.value)
    ]
    return bar_figure(rows, "ns") if rows else None


def _curves(result: OwnResult) -> Figure | None:
    """Draw the time over the size of a pool, for each model with several sizes."""
    lines: dict[tuple[int, ModelName], list[Timing]] = {}
    for each in result.timings:
        if each.series.workers:
            lines.setdefault((each.series.build, each.series.model), []).append(each)
    drawn = [line for line in lines.values() if len(line) >= LEAST_SIZES]
    if not drawn:
        return None
    sizes = sorted({each.series.workers or 1 for line in drawn for each in line})
    times = [each.time.value for line in drawn for each in line]
    unit = axis_scale("ns", times)
    up = number_axis(patterns.OWN_CURVES.format(unit.sign), Scale.for_values(times, []), unit.size)
    return line_figure([_line(result, line) for line in drawn], amounts_axis(patterns.OWN_SIZES, sizes, {}), up)


def _line(result: OwnResult, timings: list[Timing]) -> Line:
    series, sizes = timings[0].series, [each.series.workers or 1 for each in timings]
    times = [each.time.value for each in timings]
    legend = "; ".join(f"{size}: {format_value(time, 'ns', 2)}" for size, time in zip(sizes, times, strict=True))
    name = name_on_build(result, series).replace(f"{series.workers} ", "")
    return Line(name, family(series.model), sizes, times, legend)
