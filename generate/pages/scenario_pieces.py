"""The pieces of a scenario's page that follow the choice of a machine and a build."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from markupsafe import Markup

from generate.charts.chart import in_order
from generate.pages import choices
from generate.pages.short_answer import answer, overview_case
from generate.pages.source_formats import extras
from generate.pages.tables import RatioCell
from generate.pages.templates import case_html, chart_html, fragment, root_of
from generate.text.builds import build_words
from generate.text.names import label
from generate.text.statuses import status_words
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult, Host
    from generate.analysis.summary import Summary
    from generate.pages.context import SiteContext


def page_path(name: str) -> str:
    """Return where the page of a scenario lies below docs/."""
    return f"scenarios/{name}.md"


def pieces(context: SiteContext, name: str) -> dict[str, Markup]:
    """Return what the page of scenario *name* has of the current machine, by piece, as the page comes with it.

    The pieces are the short answer, each case, what was found in it and its builds beside each other (by its number),
    of which build the findings are, the builds and the facts. In the place of a case that is folded stands a link.
    """
    folded = folded_cases(context.site, name)
    of_page = _of_machine(context, name, set(context.site.scenarios[name].cases) - {*folded})
    for number, case in _numbered(context, name, folded):
        link = fragment("every_series.html", cell=context.site.first(name, case), root=root_of(page_path(name)))
        of_page |= {f"case-{number}": link, f"builds-of-case-{number}": Markup()}
    return {piece: _element(piece, content) for piece, content in of_page.items()}


def folded_cases(site: CurrentResults, name: str) -> list[str]:
    """Return the cases of which the page shows what was found alone: those that were measured, but the overview's.

    The rest of these is most of a long page, and few readers open it: it is fetched when somebody begins to read.
    """
    overview = overview_case(site, name)
    return [case for case in site.scenarios[name].cases if case != overview and site.first(name, case)]


def _element(piece: str, content: Markup) -> Markup:
    """Return the element whose content a choice replaces; within a line where the piece stands in one."""
    tag = "span" if piece.startswith("found") else "div"
    return Markup('<{0} data-piece="{1}" data-search-exclude>{2}</{0}>').format(tag, piece, content)


def path_of_folds(name: str, host: Host) -> str:
    """Return where what the page of a scenario has folded, which is of its first machine, lies below docs/."""
    return choices.path(host, f"{name}-folded")


def folds(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Go through what pages have folded, path and JSON: by piece what takes the place of its link."""
    for name in context.site.scenarios:
        if folded := folded_cases(context.site, name):
            of_page = {**_of_cases(context, name, folded), **_builds_of_cases(context, name, folded)}
            yield path_of_folds(name, context.site.hosts(name)[0]), choices.as_json(of_page)


def _numbered(context: SiteContext, name: str, cases: Container[str]) -> list[tuple[int, str]]:
    """Return those of *cases* that a scenario has, each with its number."""
    every = enumerate(context.site.scenarios[name].cases, start=1)
    return [(number, case) for number, case in every if case in cases]


def _of_machine(context: SiteContext, name: str, cases: Container[str]) -> dict[str, Markup]:
    """Return the pieces of the current machine, with those of *cases*."""
    of_builds = {"builds": _builds_compared(context.site, name), **_of_build(context, name)}
    return {**of_builds, **_of_cases(context, name, cases), **_builds_of_cases(context, name, cases)}


def _builds_of_cases(context: SiteContext, name: str, cases: Container[str]) -> dict[str, Markup]:
    """Return the pieces with builds beside each other, by the number of the case."""
    parts = {}
    for number, case in _numbered(context, name, cases):
        charts = (chart for chart in context.charts.get((name, case), []) if len(chart.cells) > 1)
        of_case = [chart_html(context, chart, name, page_path(name), is_folded=True) for chart in charts]
        parts[f"builds-of-case-{number}"] = Markup().join(of_case)
    return parts


def _of_cases(context: SiteContext, name: str, cases: Container[str]) -> dict[str, Markup]:
    """Return the pieces with tables and charts: of the chosen build, else of the current one."""
    parts = {}
    for number, case in _numbered(context, name, cases):
        of_case = case_html(context, name, case, page_path(name), charts=context.charts.get((name, case), []))
        parts[f"case-{number}"] = Markup().join([of_case, *extras(context.site, name, case)])
    return parts


def _of_build(context: SiteContext, name: str) -> dict[str, Markup]:
    """Return the other pieces that are of one build: of that which is chosen, else of the current one."""
    site, path = context.site, page_path(name)
    found_in = {case: titles(context, name, case) for case in site.scenarios[name].cases}
    cell = site.first(name)
    found_on = Markup("What was found on <bdi>{}</bdi>, case by case:")
    parts = {
        "answer": answer(site, name, found_in),
        "found-on": found_on.format(build_words(cell.build)) if cell else Markup(),
        "facts": fragment("facts.html", cell=cell, root=root_of(path), open=False) if cell else Markup(),
    }
    for number, found in enumerate(found_in.values(), start=1):
        parts[f"found-{number}"] = Markup.escape(found[0] if found else "not measured")
    return parts


def titles(context: SiteContext, name: str, case: str) -> list[str]:
    """Return what was found in a case on its current cell: the titles of its charts, first the one that answers."""
    cell, answering = context.site.first(name, case), context.site.scenarios[name].answered_by
    found = [chart for chart in context.charts.get((name, case), []) if cell in chart.cells]
    return [chart.title for chart in sorted(found, key=lambda chart: bool(answering) and chart.kind != answering)]


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
        cases = site.scenarios[name].cases
        sites = {build: chosen[build] for build in others}
        builds = {build: {**_of_build(of, name), **_of_cases(of, name, cases)} for build, of in sites.items()}
        if builds or not is_own:
            pieces = {} if is_own else _of_machine(alone, name, cases)
            yield choices.path(first.host, name), choices.encoded(pieces, builds)
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
                f"{name}-{number}-ratios",  # where the chart of these builds leads
                scenario.case_words(case),
                [cell.build for cell in alike],
                _rows(site, alike, name, case),
                [
                    (cell.build, packages)
                    for cell in alike
                    if (packages := cell.other_packages(site.rows_of(cell, name, case)))
                ],
            )
            for number, (case, alike) in enumerate(having.items(), start=1)
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
    return RatioCell.of(compared, row.noise)
