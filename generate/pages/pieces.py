"""Pieces that several kinds of pages share: a case's tables, a chart, a change, provenance, a runner's code."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from generate.pages.tables import changes, tables
from generate.pages.templates import fragment, page_path, path_to_root
from generate.words import patterns
from generate.words.builds import describe_build, describe_optimisation
from generate.words.machines import add_article, format_ownership
from generate.words.names import list_names_briefly, strip_markup
from generate.words.numbers import count_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generate.charts.chart import Chart
    from generate.data.results import Results
    from generate.data.selection import Result, ResultKey
    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Runner


def case_html(context: SiteContext, scenario: str, case: str, page: str, *, has_tabs: bool = False) -> Markup:
    """Return a case's tables; on the scenario's own page with its charts and, with tabs, the tables of other builds."""
    site, is_own = context.site, page == page_path(scenario)
    first = site.first(scenario, case)
    others = [cell for cell in site.on_one_machine(scenario, case) if cell != first] if is_own else []
    carried = [cell for cell in others if not cell.record.build.variant] if has_tabs else []
    known = site.scenarios[scenario]
    own = [chart for chart in context.charts.get((scenario, case), []) if is_own and chart.results == (first,)]
    return fragment(
        "case.html",
        first=first,
        shown=first and tables(site, first, scenario, case),
        charts=[chart_html(context, chart, scenario, page, is_folded=chart.kind != "bars") for chart in own],
        has_bars=all(chart.kind != "bars" for chart in own),
        tabs=[(cell, tables(site, cell, scenario, case, is_brief=True)) for cell in carried],
        linked=[cell for cell in others if cell not in carried],
        group=f"{scenario}_{list(known.cases).index(case) + 1}",
        words=known.case_words(case),
        runners=known.runners,
        **_addresses(scenario, page),
    )


def chart_html(context: SiteContext, chart: Chart, scenario: str, page: str, *, is_folded: bool = False) -> Markup:
    """Return a chart: its finding (the fold's first line if *is_folded*), picture, data, and provenance."""
    is_own = page == page_path(scenario)
    return fragment(
        "chart.html",
        chart=chart,
        is_folded=is_folded,
        is_in_case=is_own and len(chart.results) == 1,
        has_case=not is_own,
        anchor=Path(chart.path).stem,
        plotly=context.plotly,
        **_addresses(scenario, page),
    )


def _addresses(scenario: str, page: str) -> dict[str, str]:
    root = path_to_root(page)
    code = "" if page == page_path(scenario) else f"{root}scenarios/{scenario}.html"
    return {"scenario": scenario, "root": root, "code": code}


def change_html(site: Results, scenario: str, case: str, *, is_open: bool = False) -> Markup:
    """Return the table of what a change changed, if runners of a case are its before and after; empty if not."""
    cell = site.first(scenario, case)
    if cell is None or not (rows := changes(site, cell, scenario, case)):
        return Markup()
    words = site.scenarios[scenario].case_words(case)
    return fragment("change.html", rows=rows, cell=cell, case=case, words=words, is_open=is_open)


def measured_on(cells: Iterable[Result], root: str) -> Markup:
    """Return the foot of an answer: one line on machine, build and runs, which opens to the rest."""
    by_key: dict[ResultKey, list[Result]] = defaultdict(list)
    for each in cells:
        by_key[each.key].append(each)
    brief = patterns.MEASURED_WITH.format(sources="; ".join(map(_source, by_key.values())))
    return fragment("measured_on.html", brief=brief, details=[*map(_details, by_key.values())], root=root)


def _source(results: Sequence[Result]) -> str:
    """Format "CPython 3.14.7 on a 2-core AMD cloud VM, 8 to 11 runs" for results of one machine and build."""
    first, counts = results[0], sorted({len(each.runs) for each in results})
    return patterns.MEASURED_ON_MACHINE.format(
        build=describe_build(first.build),
        machine=f"{add_article(strip_markup(first.machine_name))}{format_ownership(first.machine, first.key.local)}",
        runs=f"{counts[0]} to {counts[-1]:,} runs" if len(counts) > 1 else count_noun(counts[0], "run"),
    )


def _details(results: Sequence[Result]) -> str:
    first = results[0]
    days = sorted(run.file.record.run.started[:10] for each in results for run in each.runs)
    pattern = patterns.MEASURED_IN_ONE_DAY if days[0] == days[-1] else patterns.MEASURED_BETWEEN
    return pattern.format(
        build=describe_build(first.build),
        processor=strip_markup(first.record.machine.cpu),
        how=describe_optimisation(first.record.build),
        first=days[0],
        last=days[-1],
    )


def how_they_were_built(cells: Iterable[Result]) -> str:
    """Return a sentence on how the builds of *cells* were optimised, the commonest way first; empty without any."""
    by_way: dict[str, list[str]] = defaultdict(list)
    for cell in {cell.build: cell for cell in sorted(cells, key=lambda cell: cell.order)}.values():
        by_way[describe_optimisation(cell.record.build)].append(describe_build(cell.build))
    if not by_way:
        return ""
    common = max(by_way, key=lambda way: len(by_way[way]))
    others = [f"{list_names_briefly(names)}: {way}" for way, names in by_way.items() if way != common]
    return "; ".join([patterns.PYTHONS_BUILT.format(how=common), *others]) + "."


def code_block(runner: Runner, highlight: str | None = None) -> Markup:
    """Return a runner's file as a fenced block of Markdown, with its path as the title."""
    longest = max((len(run) for run in re.findall(r"`+", runner.code)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = f' hl_lines="{highlight}"' if highlight else ""
    title = f"runners/{runner.scenario}/{runner.path.name}"
    block = f'{fence}python title="{title}"{lines}\n{runner.code.rstrip()}\n{fence}'
    unsearched = f"<section markdown data-search-exclude>\n\n{block}\n\n</section>"  # the search would find `import`
    return Markup(unsearched)  # noqa: S704 - a fence holds text


def measured_hashes(results: Sequence[Result], runner: Runner) -> list[str]:
    """Return the hashes of *runner*'s file as the first of *results* measured it; empty if it did not."""
    wanted = (runner.scenario, runner.name, "subject")
    every = (series for result in results[:1] for series in result.record.series)
    return sorted({series.source_sha256 for series in every if (series.scenario, series.runner, series.role) == wanted})


def hashes_of_other_code(results: Sequence[Result], runner: Runner) -> str:
    """Return those that are not of *runner*'s current file, shortened."""
    measured = measured_hashes(results, runner)
    return ", ".join(short_hash(sha256) for sha256 in measured if sha256 != runner.source_sha256)


def short_hash(sha256: str) -> str:
    """Return as much of a hash as pages show."""
    return sha256[:12]
