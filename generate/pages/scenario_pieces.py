"""The pieces of a scenario's page that follow the choice of a machine and a build."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from markupsafe import Markup

from generate.charts.chart import in_order
from generate.claims.sentences import build_words
from generate.pages import choices
from generate.pages.short_answer import answer, overview_case
from generate.pages.source_formats import extras
from generate.pages.tables import RatioCell
from generate.pages.templates import case_html, chart_html, fragment, root_of
from generate.text.names import label
from generate.text.statuses import status_words
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary
    from generate.pages.context import SiteContext


def page_path(name: str) -> str:
    """Return where the page of a scenario lies below docs/."""
    return f"scenarios/{name}.md"


def pieces(context: SiteContext, name: str) -> dict[str, Markup]:
    """Return what the page of scenario *name* has of the current machine, by piece, as the page comes with it.

    The pieces are the short answer, each case, what was found in it and its builds beside each other (by its number),
    of which build the findings are, the builds and the facts.
    """
    return {piece: _element(piece, content) for piece, content in _of_machine(context, name).items()}


def _element(piece: str, content: Markup) -> Markup:
    """Return the element whose content a choice replaces; within a line where the piece stands in one."""
    tag = "span" if piece.startswith("found") else "div"
    return Markup('<{0} data-piece="{1}" data-search-exclude>{2}</{0}>').format(tag, piece, content)


def _of_machine(context: SiteContext, name: str) -> dict[str, Markup]:
    """Return all pieces, of the current machine."""
    site, path = context.site, page_path(name)
    parts = {"builds": _builds_compared(site, name), **_of_build(context, name)}
    for number, case in enumerate(site.scenarios[name].cases, start=1):
        charts = (chart for chart in context.charts.get((name, case), []) if len(chart.cells) > 1)
        of_case = [chart_html(context, chart, name, path, is_folded=True) for chart in charts]
        parts[f"builds-of-case-{number}"] = Markup().join(of_case)
    return parts


def _of_build(context: SiteContext, name: str) -> dict[str, Markup]:
    """Return the pieces that are of one build: of that which is chosen, else of the current one."""
    site, path = context.site, page_path(name)
    titles = {case: _titles(context, name, case) for case in site.scenarios[name].cases}
    cell = site.first(name)
    found_on = Markup("What was found on <bdi>{}</bdi>, case by case:")
    parts = {
        "answer": answer(site, name, titles[overview_case(site, name)]),
        "found-on": found_on.format(build_words(cell.build)) if cell else Markup(),
        "facts": fragment("facts.html", cell=cell, root=root_of(path), open=False) if cell else Markup(),
    }
    for number, (case, found) in enumerate(titles.items(), start=1):
        parts[f"found-{number}"] = Markup.escape(found[0] if found else "not measured")
        of_case = case_html(context, name, case, path, charts=context.charts.get((name, case), []))
        parts[f"case-{number}"] = Markup().join([of_case, *extras(site, name, case)])
    return parts


def _titles(context: SiteContext, name: str, case: str) -> list[str]:
    """Return what was found in a case on its current cell: the titles of its charts."""
    cell = context.site.first(name, case)
    return [chart.title for chart in context.charts.get((name, case), []) if cell in chart.cells]


def fetched(context: SiteContext, alone: SiteContext) -> Iterator[tuple[str, str]]:
    """Go through what pages fetch of one machine, path and JSON: the pieces of scenarios, and charts.

    *alone* is the site as if there were no other machine. Of the pieces that are of a build, each page comes with
    those of its current build.
    """
    site = alone.site
    chosen = {cell.build: choices.of_build(alone, cell.build) for cell in site.cells()}
    for name, (first, *_) in ((name, cells) for name, cells in site.current.items() if cells):
        is_own = context.site.hosts(name)[0] == first.host
        others = [cell.build for cell in site.beside_each_other(name) if cell.build != first.build]
        builds = {build: _of_build(chosen[build], name) for build in others}
        if builds or not is_own:
            yield choices.path(first.host, name), choices.encoded({} if is_own else _of_machine(alone, name), builds)
        if not is_own:
            charts = (chart for case in site.scenarios[name].cases for chart in alone.charts.get((name, case), []))
            yield from ((chart.path, choices.as_json(chart.figure)) for chart in charts)


def _builds_compared(site: CurrentResults, name: str) -> Markup:
    """Return the table of builds against the reference build of their run."""
    cells, scenario = site.beside_one_reference(name), site.scenarios[name]
    if len(cells) < 2:  # noqa: PLR2004 - one is alone
        return fragment("one_build.html")
    having = {case: [cell for cell in cells if site.rows_of(cell, name, case)] for case in scenario.cases}
    return fragment(
        "comparison.html",
        metric=scenario.metrics[0].title.lower(),
        reference=build_name(cells[0].record.reference_build),
        cases=[
            (
                scenario.case_words(case),
                [cell.build for cell in alike],
                _rows(site, alike, name, case),
                [
                    (cell.build, packages)
                    for cell in alike
                    if (packages := cell.other_packages(site.rows_of(cell, name, case)))
                ],
            )
            for case, alike in having.items()
            if alike
        ],
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
        return RatioCell("no value" if row.status == "ok" else status_words(row.status))
    if cell.gated.is_reference:
        return RatioCell("1")
    ratio = RatioCell.of(compared, row.noise)
    return ratio._replace(note="") if ratio.is_quiet else ratio  # so many columns have room for grey alone
