"""A scenario's page: the question, the short answer, the method, the tables, the code, the data."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from generate.commands import hosted, local
from generate.fragments import SHORT_SHA, case_html, chart_html, code_block, fragment, root_of
from generate.fragments import page as markdown
from generate.pages.parts import answer, board, facts, legend
from generate.pages.special import extras
from generate.sources import citation
from generate.wording import format_ratio, format_ratio_interval
from runners.harness.catalogue import FAMILIES

if TYPE_CHECKING:
    from markupsafe import Markup

    from generate.fragments import Book
    from generate.site import Cell, Site, Summary
    from runners.harness.catalogue import Runner, Scenario


def page(book: Book, name: str) -> str:
    """Return the page of one scenario."""
    scenario = book.site.scenarios[name]
    path = f"scenarios/{name}.md"
    leads = book.site.leads[name]
    used = {runner.family for runner in scenario.runners.values()}
    families = [family for family in FAMILIES if family in used]
    return markdown(
        "scenario.md",
        scenario=scenario,
        families=families,
        answer=answer(book.site, name),
        source=citation(scenario.source),
        legend=legend(families),
        filters=_filters(book.site, name, families),
        cases=[_case(book, scenario, case, path) for case in scenario.cases],
        comparison=comparison(book, name),
        others=_others(book, name, path),
        runners=[_code(leads, runner) for runner in scenario.runners.values()],
        local=local(name),
        hosted=hosted(name),
        downloads=_downloads(book, name, path),
        facts=facts(leads[0], path) if leads else "",
    )


def index(book: Book) -> str:
    """Return the page that lists the scenarios."""
    scenarios = book.site.scenarios.values()
    return markdown("scenarios.md", scenarios=scenarios, board=board(book.site, "scenarios/index.md"))


def _filters(site: Site, name: str, families: list[str]) -> Markup:
    """Return the form that chooses a build and a family for all tables and charts of the page."""
    builds = [cell.build for cell in site.beside_each_other(name)]
    lead = site.lead(name)
    leading = lead.build if lead else ""
    return fragment("page_filters.html", builds=builds[1:] and builds, leading=leading, families=families)


def _case(book: Book, scenario: Scenario, case: str, path: str) -> dict[str, Any]:
    parameters = scenario.cases[case].parameters
    return {
        "name": case,
        "parameters": ", ".join(f"{key} = {amount}" for key, amount in parameters.items()),
        "html": case_html(book, scenario.name, case, path),
        "charts": [
            chart_html(book, chart, scenario.name, path) for chart in book.charts.get((scenario.name, case), [])
        ],
        "extras": extras(book.site, scenario.name, case),
    }


def _code(leads: list[Cell], runner: Runner) -> dict[str, Any]:
    note = f"{runner.title} `sha256 {runner.source_sha256[:SHORT_SHA]}`"
    measured = {
        series.source_sha256
        for cell in leads[:1]
        for series in cell.record.series
        if series.runner == runner.name and series.scenario == runner.scenario and series.role == "subject"
    }
    if not measured:
        note += ", not measured yet."
    elif measured == {runner.source_sha256}:
        note += ", the file that was measured."
    else:
        others = ", ".join(sorted(sha[:SHORT_SHA] for sha in measured))
        note += f". **Changed since:** the figures above are of `{others}`; measure again to see this file's."
    return {"name": runner.name, "note": note, "block": code_block(runner)}


def comparison(book: Book, name: str) -> Markup | str:
    """Return the table of builds against the reference build of their run; empty where none can be compared."""
    leads = book.site.leads[name]
    if not leads:
        return ""
    reference = leads[0].record.reference_build
    cells = [cell for cell in book.site.beside_each_other(name) if cell.record.reference_build == reference]
    scenario = book.site.scenarios[name]
    if len(cells) == 1:
        return ""
    cases = [{"name": case, "rows": _compared(book, cells, scenario, case)} for case in scenario.cases]
    return fragment(
        "comparison.html",
        metric=scenario.metrics[0].title.lower(),
        reference=f"{reference.implementation}-{reference.version}{'t' if reference.free_threaded else ''}",
        builds=[cell.build for cell in cells],
        cases=[case for case in cases if case["rows"]],
    )


def _compared(book: Book, cells: list[Cell], scenario: Scenario, case: str) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Summary]] = defaultdict(dict)
    for cell in cells:
        for row in book.site.rows_of(cell, scenario.name, case):
            if row.metric == scenario.metrics[0].name and row.role == "subject":
                found[row.runner][cell.build] = row
    return [
        {
            "name": runner,
            "family": next(iter(rows.values())).family or "unknown",
            "cells": [_against_reference(rows.get(cell.build)) for cell in cells],
        }
        for runner, rows in sorted(found.items())
    ]


def _against_reference(row: Summary | None) -> dict[str, Any]:
    if row is None:
        return {"text": "not measured", "interval": "", "quiet": True}
    compared = row.against_reference
    if compared is None:
        return {
            "text": "no value" if row.status == "ok" else row.status.replace("_", " "),
            "interval": "",
            "quiet": True,
        }
    if compared.low == compared.high == 1:
        return {"text": "1", "interval": "", "quiet": True}
    interval = format_ratio_interval(compared.low, compared.high)
    return {"text": format_ratio(compared.ratio), "interval": interval, "quiet": not compared.differs}


def _others(book: Book, name: str, path: str) -> Markup | str:
    leads = book.site.leads[name]
    others = [cell for cell in leads if cell.host != leads[0].host]
    return fragment("others.html", cells=others, root=root_of(path)) if others else ""


def _downloads(book: Book, name: str, path: str) -> Markup:
    return fragment("downloads.html", cells=book.site.leads[name], name=name, root=root_of(path))
