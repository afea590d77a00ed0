"""The sections of a scenario's page that are of one machine. The page comes with those of its current machine."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from markupsafe import Markup

from generate.charts.chart import in_order
from generate.charts.figures import draw
from generate.claims.sentences import build_words
from generate.pages.short_answer import answer, overview_case
from generate.pages.source_formats import extras
from generate.pages.tables import RatioCell
from generate.pages.templates import case_html, chart_html, fragment, root_of
from generate.text.names import label
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary
    from generate.pages.context import SiteContext

FOLDER = "assets/machines"
"""Where what the filter fetches lies below docs/: a folder a machine."""


def page_path(name: str) -> str:
    """Return where the page of a scenario lies below docs/."""
    return f"scenarios/{name}.md"


def sections(context: SiteContext, name: str) -> dict[str, Markup]:
    """Return what the page of scenario *name* has of the current machine, by section.

    The sections are the short answer, each case and what was found in it (by its number), of which build the findings
    are, the builds and the facts.
    """
    site, path = context.site, page_path(name)
    titles = {case: _titles(context, name, case) for case in site.scenarios[name].cases}
    overview = overview_case(site, name)
    parts = {
        "answer": [answer(site, name, titles[overview])],
        "builds": [_builds_compared(site, name)],
        "found-on": [],
        "facts": [],
    }
    if cell := site.first(name):
        parts["found-on"] = [Markup("What was found on <bdi>{}</bdi>, case by case:").format(build_words(cell.build))]
        parts["facts"] = [fragment("facts.html", cell=cell, root=root_of(path), open=False)]
    for number, (case, found) in enumerate(titles.items(), start=1):
        charts = context.charts.get((name, case), [])
        parts[f"found-{number}"] = [Markup.escape(found[0] if found else "not measured yet")]
        parts[f"case-{number}"] = [
            case_html(context, name, case, path, charts=charts),
            *extras(site, name, case),
            *(chart_html(context, chart, name, path, is_folded=True) for chart in charts if len(chart.cells) > 1),
        ]
    return {section: _piece(section, content) for section, content in parts.items()}


def _piece(section: str, content: Sequence[Markup]) -> Markup:
    """Return the element in which the filter puts another machine's section; within a line where that stands in one."""
    tag = "span" if section.startswith("found") else "div"
    head = Markup('<{} data-piece="{}" data-search-exclude>').format(tag, section)
    return Markup().join([head, *content, Markup("</{}>").format(tag)])


def _titles(context: SiteContext, name: str, case: str) -> list[str]:
    """Return what was found in a case on its current cell: the titles of its charts."""
    cell = context.site.first(name, case)
    return [chart.title for chart in context.charts.get((name, case), []) if cell in chart.cells]


def of_other_machines(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Go through what the filters fetch, path and JSON: the sections of each machine but the current, its charts."""
    site = context.site
    for host in sorted({cell.host for cells in site.current.values() for cell in cells}):
        names, alone = [name for name in site.scenarios if host in site.hosts(name)[1:]], site.of_host(host)
        charts = {
            key: [replace(chart, path=f"{FOLDER}/{host.key}/{chart.path.rpartition('/')[2]}") for chart in of_case]
            for key, of_case in draw(alone, names).items()
        }
        for name in names:
            pieces = sections(replace(context, site=alone, charts=charts), name)
            yield f"{FOLDER}/{host.key}/{name}.json", _json(pieces)
        for chart in (chart for drawn in charts.values() for chart in drawn):
            yield chart.path, _json(chart.figure)


def _json(content: Mapping[str, object]) -> str:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False)


def comparable(site: CurrentResults, name: str) -> list[CellResult]:
    """Return the cells of the current machine that were measured beside the reference build of the current one."""
    cells, first = site.beside_each_other(name), site.first(name)
    return [cell for cell in cells if first and cell.record.reference_build == first.record.reference_build]


def _builds_compared(site: CurrentResults, name: str) -> Markup:
    """Return the table of builds against the reference build of their run."""
    cells, scenario = comparable(site, name), site.scenarios[name]
    if len(cells) < 2:  # noqa: PLR2004 - one is alone
        return fragment("one_build.html")
    rows = {case: _rows(site, cells, name, case) for case in scenario.cases}
    return fragment(
        "comparison.html",
        metric=scenario.metrics[0].title.lower(),
        reference=build_name(cells[0].record.reference_build),
        builds=[cell.build for cell in cells],
        cases={scenario.case_words(case): rows[case] for case in rows if rows[case]},
    )


def _rows(
    site: CurrentResults, cells: list[CellResult], name: str, case: str
) -> list[tuple[str, str | None, list[RatioCell]]]:
    """Return a row a runner: its name, its family, and what it took on each build, against the reference build.

    They stand as in the current cell's table: the best first.
    """
    metric, first = site.scenarios[name].metrics[0].name, site.first(name, case)
    by_runner: dict[str, dict[str, Summary]] = defaultdict(dict)
    for cell in sorted(cells, key=lambda cell: cell != first):
        for row in in_order(site.rows_of(cell, name, case)):
            if row.metric == metric and row.role == "subject":
                by_runner[row.runner][cell.build] = row
    known = site.scenarios[name].runners
    return [
        (
            known[runner].words if runner in known else label(runner),
            next(iter(rows.values())).family,
            [_against_reference(cell, rows.get(cell.build)) for cell in cells],
        )
        for runner, rows in by_runner.items()
    ]


def _against_reference(cell: CellResult, row: Summary | None) -> RatioCell:
    if row is None:
        return RatioCell("not measured")
    compared = row.against_reference
    if compared is None:
        return RatioCell("no value" if row.status == "ok" else row.status.replace("_", " "))
    if cell.record.build == cell.record.reference_build:
        return RatioCell("1")
    ratio = RatioCell.of(compared, row.noise)
    return ratio._replace(note="") if ratio.is_quiet else ratio  # so many columns have room for grey alone
