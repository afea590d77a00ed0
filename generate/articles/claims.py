"""The cards behind the board's squares, and the tables of a source. Pure functions that return HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from generate.articles.board import square_facts
from generate.claims.sentences import (
    SYMBOLS,
    build_words,
    contradiction,
    detectable_words,
    expectation,
    is_leaning,
    name_of,
    noise_words,
    printed_words,
    sentence,
)
from generate.pages.templates import fragment, root_of
from generate.text.hosted_machines import ownership_note
from generate.text.names import plain
from generate.text.numbers import NOT_MEASURED, counted, format_interval, format_value
from generate.text.repeat import hosted, local
from generate.text.sources import SOURCES
from runners.harness.catalogue.scenarios import select

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from generate.analysis.selection import Cell, CellResult
    from generate.claims.board import Board, ClaimVerdict
    from generate.claims.hypotheses import ClaimPart, Hypothesis
    from generate.claims.read import TableCell
    from generate.claims.verdicts import Evidence, PartVerdict
    from generate.pages.templates import SiteContext
    from runners.harness.catalogue.scenarios import Scenario


def source_verdicts(context: SiteContext, source: str, page: str) -> Markup:
    """Return every claim of a source: what it says, its bounds, and a card for each build of the leading machine."""
    board = context.board
    claims = [
        {
            "claim": claim,
            "printed": [*filter(None, dict.fromkeys(map(printed_words, board.asked[claim.id])))],
            "parts": [
                {
                    "asked": asked,
                    "name": name_of(asked.part),
                    "expected": expectation(asked),
                    "contradiction": contradiction(asked),
                }
                for asked in board.asked[claim.id]
            ],
            "cards": [_card(square) for square in board.row(claim, board.leading())],
        }
        for claim in board.of_source(source)
    ]
    faults = [fault for fault in board.faults if fault.claim.partition(".")[0] in {source, ""}]
    return fragment("source_verdicts.html", claims=claims, faults=faults, symbols=SYMBOLS, root=root_of(page))


def cards_json(board: Board, column: Cell) -> bytes:
    """Return the cards of a cell, by claim, for the board to open."""
    cards = {
        square.claim.id: {"says": square.claim.says, "parts": [*map(_part, square.parts)]}
        for square in board.on(column)
    }
    told = {"build": build_words(column.build), "machine": plain(column.machine), "cards": cards}
    told["whose"] = ownership_note(column.machine, column.local)
    return msgspec.json.encode(told)


def _card(square: ClaimVerdict) -> dict[str, Any]:
    return {
        "square": square_facts(square),
        "anchor": square.anchor,
        "machine": square.column.machine,
        "local": square.column.local,
        "parts": [_part(part) for part in square.parts],
    }


def _part(judged: PartVerdict) -> dict[str, Any]:
    found, asked = judged.evidence, judged.asked
    verdict = judged.leans if is_leaning(judged) and judged.leans else judged.verdict
    return {
        "name": name_of(asked.part),
        "verdict": verdict,
        "symbol": SYMBOLS[verdict],
        "leans": is_leaning(judged),
        "reason": judged.reason if found else "",
        "sentence": sentence(judged),
        **_commands(asked, found),
        "facts": _facts(asked, asked.question, found) if found and asked.question else {},
        "scenario": asked.question.scenario.name if asked.question else "",
        "runners": asked.question.runners if asked.question else [],
        "file": found.seen.file.path if found else "",
    }


def _commands(asked: ClaimPart, found: Evidence | None) -> dict[str, str]:
    """Return the commands that measure what a part of a claim needs: as it was measured, where it was."""
    if asked.question is None:
        return {"command": "", "hosted": ""}
    record, name = found.seen.file.record if found else None, asked.question.scenario.name
    return {"command": local(name, record, asked.question.runners), "hosted": hosted(name, record)}


def _facts(asked: ClaimPart, question: Hypothesis, found: Evidence) -> dict[str, str]:
    unit = "ratio" if question.is_of_ratios else question.metric.unit
    what = "pair" if question.is_of_ratios else "round"
    return {
        "Expected": expectation(asked),
        "Interval": "; ".join(format_interval(each.low, each.high, unit) for each in found.compared),
        "Noise floor": noise_words(found),
        "Smallest difference it could see": detectable_words(found),
        "Samples": counted(min(each.count for each in found.compared), what),
    }


def source_tables(context: SiteContext, source: str, page: str) -> Markup:
    """Return the tables of a source: what it printed, and what the leading result has beside it."""
    of_source = context.board.claims.tables.get(source, ())
    tables = [
        {
            "title": table.title,
            "columns": table.columns,
            "note": table.note,
            "rows": [{"name": row.name, "cells": [_figure(context, cell) for cell in row.cells]} for row in table.row],
        }
        for table in of_source
    ]
    scenarios = {cell.scenario for table in of_source for row in table.row for cell in row.cells}
    measured = [context.site.lead(name) for name in sorted(scenarios) if name in context.site.scenarios]
    cell = next((found for found in measured if found), None)
    return fragment("source_tables.html", tables=tables, cell=cell, cited=SOURCES[source], root=root_of(page))


def _figure(context: SiteContext, cell: TableCell) -> dict[str, str]:
    measured = _measured(context, cell) if cell.scenario else ""
    return {"printed": cell.printed, "measured": measured}


def _measured(context: SiteContext, cell: TableCell) -> str:
    site = context.site
    metric = _checked(site.scenarios, cell)
    lead: CellResult | None = site.lead(cell.scenario, cell.case)
    if lead is None:
        return NOT_MEASURED
    wanted = (cell.runner, "subject", metric)
    for row in site.rows_of(lead, cell.scenario, cell.case):
        if (row.runner, row.role, row.metric) == wanted:
            return format_value(row.median, row.unit) if row.median is not None else plain(row.reason or row.status)
    return NOT_MEASURED


def _checked(scenarios: Mapping[str, Scenario], cell: TableCell) -> str:
    """Return the metric that a cell of a source's table asks for. Raises UnknownNameError."""
    select(scenarios, [cell.scenario], "scenario")
    scenario = scenarios[cell.scenario]
    select(scenario.cases, [cell.case], f"case of {scenario.name}")
    select(scenario.runners, [cell.runner], f"runner of {scenario.name}")
    metrics = [metric.name for metric in scenario.metrics]
    return select(metrics, [cell.metric] if cell.metric else [], f"metric of {scenario.name}")[0]
