"""The board of verdicts, the cards behind its squares, and the tables of a source. Pure functions that return HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from generate.commands import hosted, local
from generate.fragments import fragment, root_of
from generate.hosted_machines import whose
from generate.leading import Host
from generate.naming import plain, slug
from generate.sources import SOURCES
from generate.verdict_words import (
    SHORT,
    SYMBOLS,
    build_words,
    contradiction,
    detectable_words,
    expectation,
    is_leaning,
    listed,
    name_of,
    noise_words,
    printed_words,
    sentence,
)
from generate.wording import NOT_MEASURED, counted, format_interval, format_value
from runners.harness.catalogue import select

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from generate.board import Board, Difference, Square
    from generate.claims import Claim, TableCell
    from generate.fragments import Book
    from generate.leading import Cell, Column
    from generate.questions import Judgeable, Question
    from generate.verdicts import Evidence, Judged
    from runners.harness.catalogue import Scenario


def board_html(book: Book, page: str) -> Markup:
    """Return the board: a table a machine, claims by builds, and before each where its builds differ."""
    board = book.board
    machines = [_machine(board, name, local=local) for name, local in board.machines()]
    families = sorted({family for claim in board.claims.claims for family in _families(board, claim)})
    sources = {claim.source for claim in board.claims.claims}
    return fragment(
        "verdict_board.html",
        machines=machines,
        sources=sorted(sources),
        families=families,
        verdicts=list(SYMBOLS),
        symbols=SYMBOLS,
        short=SHORT,
        faults=board.faults,
        root=root_of(page),
    )


def _machine(board: Board, name: str, *, local: bool) -> dict[str, Any]:
    columns, leading = board.of_machine(name, local), board.leading()
    rows = [
        {
            "claim": claim,
            "families": _families(board, claim),
            "squares": [_square(square, has_card=square.column in leading) for square in board.row(claim, columns)],
        }
        for claim in board.claims.claims
    ]
    return {
        "name": name,
        "local": local,
        "key": Host(name, local).key,
        "builds": [build_words(column.build) for column in columns],
        "rows": rows,
        "differences": [_difference(found) for found in board.differences(columns)],
    }


def _families(board: Board, claim: Claim) -> list[str]:
    """Name the families of the runners that a claim is about."""
    questions = [asked.question for asked in board.asked[claim.id] if asked.question]
    return sorted({question.scenario.runners[name].family for question in questions for name in question.runners})


def _square(square: Square, *, has_card: bool = True) -> dict[str, Any]:
    """Return what a square shows. Its link is for readers without JavaScript: not every machine has cards on a page."""
    verdict, leans = square.verdict, square.leans
    return {
        "verdict": verdict,
        "leans": leans,
        "symbol": SYMBOLS[verdict],
        "words": SHORT[verdict],
        "build": build_words(square.column.build),
        "cell": square.column.key,
        "link": f"claims/{square.claim.source}.html#{square.anchor if has_card else slug(square.claim.id)}",
    }


def _difference(found: Difference) -> dict[str, Any]:
    return {
        "claim": found.asked.claim,
        "id": found.asked.id,
        "part": name_of(found.asked.part),
        "builds": [
            (SYMBOLS[verdict], verdict, listed([*map(build_words, builds)])) for verdict, builds in found.builds
        ],
    }


def differences_html(book: Book, page: str) -> Markup:
    """Return the claims that the builds of the leading machine decide differently, and which builds there are."""
    board = book.board
    columns = board.leading()
    return fragment(
        "differences.html",
        builds=[build_words(column.build) for column in columns],
        differences=[_difference(found) for found in board.differences(columns)],
        root=root_of(page),
    )


def source_verdicts(book: Book, source: str, page: str) -> Markup:
    """Return every claim of a source: what it says, its bounds, and a card for each build of the leading machine."""
    board = book.board
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


def cards_json(board: Board, column: Column) -> bytes:
    """Return the cards of a cell, by claim, for the board to open."""
    cards = {
        square.claim.id: {"says": square.claim.says, "parts": [*map(_part, square.parts)]}
        for square in board.on(column)
    }
    told = {"build": build_words(column.build), "machine": plain(column.machine), "cards": cards}
    told["whose"] = whose(column.machine, column.local)
    return msgspec.json.encode(told)


def _card(square: Square) -> dict[str, Any]:
    return {
        "square": _square(square),
        "anchor": square.anchor,
        "machine": square.column.machine,
        "local": square.column.local,
        "parts": [_part(part) for part in square.parts],
    }


def _part(judged: Judged) -> dict[str, Any]:
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


def _commands(asked: Judgeable, found: Evidence | None) -> dict[str, str]:
    """Return the commands that measure what a part of a claim needs: as it was measured, where it was."""
    if asked.question is None:
        return {"command": "", "hosted": ""}
    record, name = found.seen.file.record if found else None, asked.question.scenario.name
    return {"command": local(name, record, asked.question.runners), "hosted": hosted(name, record)}


def _facts(asked: Judgeable, question: Question, found: Evidence) -> dict[str, str]:
    unit = "ratio" if question.is_of_ratios else question.metric.unit
    what = "pair" if question.is_of_ratios else "round"
    return {
        "Expected": expectation(asked),
        "Interval": "; ".join(format_interval(each.low, each.high, unit) for each in found.compared),
        "Noise floor": noise_words(found),
        "Smallest difference it could see": detectable_words(found),
        "Samples": counted(min(each.count for each in found.compared), what),
    }


def source_tables(book: Book, source: str, page: str) -> Markup:
    """Return the tables of a source: what it printed, and what the leading result has beside it."""
    of_source = book.board.claims.tables.get(source, ())
    tables = [
        {
            "title": table.title,
            "columns": table.columns,
            "note": table.note,
            "rows": [{"name": row.name, "cells": [_figure(book, cell) for cell in row.cells]} for row in table.row],
        }
        for table in of_source
    ]
    scenarios = {cell.scenario for table in of_source for row in table.row for cell in row.cells}
    measured = [book.site.lead(name) for name in sorted(scenarios) if name in book.site.scenarios]
    cell = next((found for found in measured if found), None)
    return fragment("source_tables.html", tables=tables, cell=cell, cited=SOURCES[source], root=root_of(page))


def _figure(book: Book, cell: TableCell) -> dict[str, str]:
    measured = _measured(book, cell) if cell.scenario else ""
    return {"printed": cell.printed, "measured": measured}


def _measured(book: Book, cell: TableCell) -> str:
    site = book.site
    metric = _checked(site.scenarios, cell)
    lead: Cell | None = site.lead(cell.scenario, cell.case)
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
