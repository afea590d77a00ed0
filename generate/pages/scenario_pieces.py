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
from generate.pages.templates import case_html, chart_html, fragment, result_of, root_of
from generate.words.builds import describe_build
from generate.words.names import describe_status, label_runner
from generate.words.numbers import NOT_MEASURED
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from generate.data.results import Results
    from generate.data.selection import MachineKey, Result
    from generate.data.table import Summary
    from generate.pages.context import SiteContext


def page_path(name: str) -> str:
    """Return where the page of a scenario lies below docs/."""
    return f"scenarios/{name}.md"


def pieces(context: SiteContext, name: str) -> dict[str, Markup]:
    """Return the pieces that the page of scenario *name* comes with, of the result that it begins with.

    They are the short answer, each case, its finding and its builds next to each other (by its number), the build that
    the findings are of, the builds and the facts. A case that is folded has a link in its place.
    """
    site = context.site
    folded, first = folded_cases(site, name), site.first(name)
    of_page = _of_machine(context, name, first, set(site.scenarios[name].cases) - {*folded})
    for number, case in _numbered(context, name, folded):
        link = fragment("every_series.html", cell=site.first(name, case), root=root_of(page_path(name)))
        of_page |= {f"case-{number}": link, f"builds-of-case-{number}": Markup()}
    return {piece: _element(piece, content) for piece, content in of_page.items()}


def folded_cases(site: Results, name: str) -> list[str]:
    """Return the measured cases of which the page shows only the finding: all but the overview's.

    They are most of a long page, and few readers open them: the rest is fetched when somebody begins to read.
    """
    overview = overview_case(site, name)
    return [case for case in site.scenarios[name].cases if case != overview and site.first(name, case)]


def _element(piece: str, content: Markup) -> Markup:
    """Return the element whose content a choice replaces; a span for a piece within a line."""
    tag = "span" if piece.startswith("found") else "div"
    return Markup('<{0} data-piece="{1}" data-search-exclude>{2}</{0}>').format(tag, piece, content)


def path_of_folds(name: str, host: MachineKey) -> str:
    """Return where the folded pieces of a scenario's page lie below docs/; they are of its first machine."""
    return choices.path(host, f"{name}-folded")


def folds(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Yield the folded pieces of each page, path and JSON."""
    for name in context.site.scenarios:
        if folded := folded_cases(context.site, name):
            of_page = {**_of_cases(context, name, None, folded), **_builds_of_cases(context, name, folded)}
            yield path_of_folds(name, context.site.machine_keys(name)[0]), choices.as_json(of_page)


def _numbered(context: SiteContext, name: str, cases: Container[str]) -> list[tuple[int, str]]:
    """Return those of *cases* that a scenario has, each with its number."""
    every = enumerate(context.site.scenarios[name].cases, start=1)
    return [(number, case) for number, case in every if case in cases]


def _of_machine(context: SiteContext, name: str, cell: Result | None, cases: Container[str]) -> dict[str, Markup]:
    """Return all pieces of the machine that *context* begins with, with those of *cases*."""
    of_result = {"builds": _builds_compared(context.site, name), **_of_result(context, name, cell)}
    return {**of_result, **_of_cases(context, name, None, cases), **_builds_of_cases(context, name, cases)}


def _builds_of_cases(context: SiteContext, name: str, cases: Container[str]) -> dict[str, Markup]:
    """Return the pieces with builds next to each other, by the number of the case."""
    parts = {}
    for number, case in _numbered(context, name, cases):
        charts = (chart for chart in context.charts.get((name, case), []) if len(chart.cells) > 1)
        of_case = [chart_html(context, chart, name, page_path(name), is_folded=True) for chart in charts]
        parts[f"builds-of-case-{number}"] = Markup().join(of_case)
    return parts


def _of_cases(context: SiteContext, name: str, build: str | None, cases: Container[str]) -> dict[str, Markup]:
    """Return the pieces with tables and charts: of *build*, or of the result that pages begin with."""
    parts = {}
    for number, case in _numbered(context, name, cases):
        cell = result_of(context.site, name, case, build)
        charts = context.charts.get((name, case), [])
        of_case = case_html(context, name, case, page_path(name), build=build, charts=charts)
        more = extras(context.site, name, case, cell=cell) if cell else []
        parts[f"case-{number}"] = Markup().join([of_case, *more])
    return parts


def _of_result(context: SiteContext, name: str, cell: Result | None) -> dict[str, Markup]:
    """Return the other pieces that are of one build."""
    site, path = context.site, page_path(name)
    found_in = {case: titles(context, name, case, cell) for case in site.scenarios[name].cases}
    found_on = Markup("What was found on <bdi>{}</bdi>, case by case:")
    parts = {
        "answer": answer(site, name, cell, found_in, path),
        "found-on": found_on.format(describe_build(cell.build)) if cell else Markup(),
        "facts": fragment("facts.html", cell=cell, root=root_of(path), open=False) if cell else Markup(),
    }
    for number, found in enumerate(found_in.values(), start=1):
        parts[f"found-{number}"] = Markup.escape(found[0] if found else "not measured")
    return parts


def titles(context: SiteContext, name: str, case: str, cell: Result | None) -> list[str]:
    """Return what was found in a case on the build of *cell*: the titles of its charts, first the one that answers."""
    answering, build = context.site.scenarios[name].answered_by, cell.build if cell else None
    of_case = result_of(context.site, name, case, build)
    found = [chart for chart in context.charts.get((name, case), []) if of_case in chart.cells]
    return [chart.title for chart in sorted(found, key=lambda chart: bool(answering) and chart.kind != answering)]


def fetched(context: SiteContext, alone: SiteContext) -> Iterator[tuple[str, str]]:
    """Yield what pages fetch of one machine, path and JSON: the pieces of scenarios, and charts.

    *alone* is the site as if there were no other machine. Each page comes with the pieces of its first build.
    """
    site = alone.site
    for name, cells in site.current.items():
        first = site.first(name)
        if first is None:
            continue
        is_own = context.site.machine_keys(name)[0] == first.machine_key
        cases = site.scenarios[name].cases
        builds = {
            cell.build: {**_of_result(alone, name, cell), **_of_cases(alone, name, cell.build, cases)}
            for cell in cells
            if cell.build != first.build
        }
        if builds or not is_own:
            of_machine = {} if is_own else _of_machine(alone, name, first, cases)
            yield choices.path(first.machine_key, name), choices.encoded(of_machine, builds)
        if not is_own:
            charts = (chart for case in cases for chart in alone.charts.get((name, case), []))
            yield from ((chart.path, choices.as_json(chart.figure)) for chart in charts)


def _builds_compared(site: Results, name: str) -> Markup:
    """Return the table of builds, each compared with the reference build of its runs."""
    cells, scenario = site.with_one_reference(name), site.scenarios[name]
    if len(cells) < 2:  # noqa: PLR2004 - one build has nothing to be compared with
        return fragment("one_build.html")
    having = {case: [cell for cell in cells if site.case_rows(cell, name, case)] for case in scenario.cases}
    return fragment(
        "comparison.html",
        metric=scenario.metrics[0],
        reference=build_name(cells[0].record.reference_build),
        cases=[
            (
                f"{name}-{number}-ratios",  # the chart of these builds links to it
                scenario.case_words(case),
                [cell.build for cell in alike],
                _rows(site, alike, name, case),
                [
                    (cell.build, packages)
                    for cell in alike
                    if (packages := cell.other_packages(site.case_rows(cell, name, case)))
                ],
            )
            for number, (case, alike) in enumerate(having.items(), start=1)
            if alike
        ],
    )


def _rows(site: Results, cells: list[Result], name: str, case: str) -> list[tuple[str, str | None, list[RatioCell]]]:
    """Return a row a runner: its name, its family, and its ratio on each build to the reference build.

    They are in the order of the first build's table: the best first.
    """
    metric, first = site.scenarios[name].metrics[0].name, site.first(name, case)
    by_runner: dict[str, dict[str, Summary]] = defaultdict(dict)
    for cell in sorted(cells, key=lambda cell: cell != first):
        for row in in_order(site.case_rows(cell, name, case)):
            if row.metric == metric and row.role == "subject":
                by_runner[row.runner][cell.build] = row
    known = site.scenarios[name].runners
    return [
        (
            known[runner].words if runner in known else label_runner(runner),
            next(iter(rows.values())).family,
            [_against_reference(rows.get(cell.build)) for cell in cells],
        )
        for runner, rows in by_runner.items()
    ]


def _against_reference(row: Summary | None) -> RatioCell:
    if row is None:
        return RatioCell(NOT_MEASURED)
    if row.reference_ratio is None:
        return RatioCell("no value" if row.status == "ok" else describe_status(row.status))
    return RatioCell.as_number(row.reference_ratio, row.better)
