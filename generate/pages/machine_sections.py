"""The parts of a scenario's page that are of one machine. The page comes with those of the machine that leads it."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from generate.charts.figures import draw
from generate.pages.short_answer import answer, facts
from generate.pages.source_formats import extras
from generate.pages.templates import case_html, chart_html, fragment
from generate.text.numbers import format_ratio, format_ratio_interval
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from generate.analysis.selection import CellResult, Host
    from generate.analysis.summary import Summary
    from generate.pages.templates import SiteContext
    from runners.harness.catalogue.scenarios import Scenario

FOLDER = "assets/machines"
"""Where what the filter fetches lies below docs/: a folder a machine."""


def pieces(context: SiteContext, name: str) -> dict[str, Markup]:
    """Return the pieces by name: the short answer, each case (by its number), the builds, the facts."""
    path, leads = page_path(name), context.site.leads[name]
    found = {
        "answer": [answer(context.site, name)],
        "builds": [comparison(context, name) or fragment("one_build.html")],
    }
    found["facts"] = [facts(leads[0], path)] if leads else []
    for number, case in enumerate(context.site.scenarios[name].cases, start=1):
        charts = context.charts.get((name, case), [])
        of_builds = [chart_html(context, chart, name, path) for chart in charts if chart.kind == "builds"]
        found[f"case-{number}"] = [
            case_html(context, name, case, path, charts),
            *extras(context.site, name, case),
            *of_builds,
        ]
    return {piece: fragment("piece.html", name=piece, parts=parts) for piece, parts in found.items()}


def page_path(name: str) -> str:
    """Return where the page of a scenario lies below docs/."""
    return f"scenarios/{name}.md"


def of_other_machines(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Go through what the filters fetch, path and JSON: the pieces of each machine that does not lead, its charts."""
    for host in sorted({cell.host for cells in context.site.leads.values() for cell in cells}):
        led = [name for name in context.site.scenarios if host in context.site.hosts(name)[1:]]
        yield from _of_machine(_book_of(context, host, led), host, led)


def _book_of(context: SiteContext, host: Host, names: list[str]) -> SiteContext:
    """Return the context as if there were no other machine than *host*."""
    site = context.site.of_host(host)
    drawn = {
        key: [replace(chart, path=f"{FOLDER}/{host.key}/{chart.path.rpartition('/')[2]}") for chart in charts]
        for key, charts in draw(site, names).items()
    }
    return replace(context, site=site, charts=drawn)


def _of_machine(context: SiteContext, host: Host, names: list[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        yield f"{FOLDER}/{host.key}/{name}.json", _json(pieces(context, name))
    for chart in (chart for charts in context.charts.values() for chart in charts):
        yield chart.path, _json(chart.figure)


def _json(told: Mapping[str, Any]) -> str:
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False)


def comparison(context: SiteContext, name: str) -> Markup | str:
    """Return the table of builds against the reference build of their run; empty where none can be compared."""
    leads = context.site.leads[name]
    if not leads:
        return ""
    reference = leads[0].record.reference_build
    cells = [cell for cell in context.site.beside_each_other(name) if cell.record.reference_build == reference]
    scenario = context.site.scenarios[name]
    if len(cells) == 1:
        return ""
    cases = [{"name": case, "rows": _compared(context, cells, scenario, case)} for case in scenario.cases]
    return fragment(
        "comparison.html",
        metric=scenario.metrics[0].title.lower(),
        reference=build_name(reference),
        builds=[cell.build for cell in cells],
        cases=[case for case in cases if case["rows"]],
    )


def _compared(context: SiteContext, cells: list[CellResult], scenario: Scenario, case: str) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Summary]] = defaultdict(dict)
    for cell in cells:
        for row in context.site.rows_of(cell, scenario.name, case):
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
    return {"text": format_ratio(compared.ratio), "interval": interval, "quiet": not row.is_told(compared)}
