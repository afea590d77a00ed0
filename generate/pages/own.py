"""The page of each function of your own that `try` measured: table, pictures, its place on the map, code to paste."""

from collections.abc import Sequence

from markupsafe import Markup

from generate.charts import svg
from generate.charts.rows import Row, bar_figure
from generate.data.own_results import OwnResult, Timing
from generate.data.work_map import SCENARIO
from generate.own import (
    advise,
    describe_places,
    describe_work,
    name_on_build,
    not_run,
    table,
)
from generate.pages.maps import first_map
from generate.pages.pieces import SiteContext
from generate.pages.templates import page, path_to_root
from generate.words import patterns
from generate.words.log_lines import log_line
from runners.harness.catalogue.family_colours import FAMILIES
from runners.harness.own.record import OwnSeries

OTHER_FAMILIES = {"loop": "sync", "to_thread": "threads", "loops_in_threads": "threads", "greenlets": "gevent"}
"""Families of models whose names do not begin with them. All others are asyncio's."""


def pages(context: SiteContext) -> dict[str, str]:
    """Return a page for each record under results/local."""
    return {(path := f"own/{name}.md"): _page(context, result, path) for name, result in context.site.own.items()}


def _page(context: SiteContext, result: OwnResult, path: str) -> str:
    record, known = result.record, context.site.scenarios.get(SCENARIO)
    return page(
        "own.md",
        record=record,
        work=[*map(log_line, describe_work(result))],
        advice=advise(result),
        table_lines="\n".join(table(result)),
        not_run=[*map(log_line, not_run(result))],
        picture=_bars(result.timings),
        places=describe_places(
            result, {gil: first_map(context, gil=gil) for gil in (True, False)}, known.runners if known else {}
        ),
        code=result.advice.series if result.timings else None,
        function=record.work.function.rpartition(":")[2],
        root=path_to_root(path),
    )


def family(series: OwnSeries) -> str:
    """Return the family that a model is drawn as."""
    named = OTHER_FAMILIES.get(series.model, series.model.partition("_")[0])
    return named if named in FAMILIES else "asyncio"


def _bars(timings: Sequence[Timing]) -> Markup:
    if not timings:
        return Markup()
    tied = len(timings[0].result.tied) > 1
    rows = [
        Row(
            name_on_build(each.result, each.series),
            family(each.series),
            [each.time],
            tied and each.standing in {"best", "as fast"},
        )
        for each in sorted(timings, key=lambda each: each.time.value)
    ]
    return svg.picture(bar_figure(rows, "ns"), patterns.OWN_BARS)
