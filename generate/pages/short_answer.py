"""Pieces that several pages have: the short answer, the board, the facts of a cell, the legend."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from generate.pages.templates import STATUS_WORDS, fragment, root_of
from generate.statistics.intervals import FEWEST_PAIRS
from generate.text.numbers import difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary


def answer(site: CurrentResults, name: str) -> Markup:
    """Return the short answer of a scenario's first case with something to compare, from the cell that leads it."""
    scenario = site.scenarios[name]
    cell = next(iter(site.leads[name]), None)
    if cell is None:
        return fragment("answer.html", cell=None)
    case, rows = _first_case(site, cell, name)
    subjects = [row for row in rows if row.metric == scenario.metrics[0].name and row.role == "subject"]
    of_case, baseline = scenario.baseline_of(scenario.block_of(case))
    others = [row for row in subjects if (case, row.runner) != (of_case, baseline)]
    compared = [row for row in others if row.ratio is not None]
    decided = [row for row in compared if row.ratio_decided]
    return fragment(
        "answer.html",
        cell=cell,
        case=case,
        baseline=baseline if compared else "",
        baseline_case=of_case if of_case != case else "",
        beyond=[
            (row.runner, difference(row.against_baseline, row.unit, row.better, row.title))
            for row in decided
            if row.tells
        ],
        within=[row.runner for row in decided if not row.tells],
        undecided=[row.runner for row in compared if not row.ratio_decided],
        pairs=max((row.ratio_pairs for row in compared), default=0),
        fewest=FEWEST_PAIRS,
        without=[(row.runner, status_words(row)) for row in others if row.ratio is None],
    )


def _first_case(site: CurrentResults, cell: CellResult, name: str) -> tuple[str, list[Summary]]:
    """Return the first case in which more than the baseline has a value; where none has, the first with any."""
    rows = {case: site.rows_of(cell, name, case) for case in site.scenarios[name].cases}
    runners = {case: {row.runner for row in rows[case] if row.median is not None} for case in rows}
    enough = [case for case in rows if len(runners[case]) > 1]
    case = (enough or [case for case in rows if runners[case]] or list(rows))[0]
    return case, rows[case]


def status_words(row: Summary) -> str:
    """Say why a series has no value."""
    words = STATUS_WORDS.get(row.status, row.status)
    return f"{words}: {row.reason}" if row.reason else words


def board(site: CurrentResults, page: str) -> Markup:
    """Return the table of scenarios by build: how many series of each were measured on the machine that leads."""
    cells = _columns(site)
    rows = [_board_row(site, name, cells) for name in site.scenarios]
    return fragment("board.html", builds=cells, rows=rows, root=root_of(page), leads=site.cells()[:1])


def _columns(site: CurrentResults) -> list[str]:
    """Return the builds that any scenario's leading machine has, in order of build."""
    found = {cell.build: cell for name in site.scenarios if site.leads[name] for cell in site.beside_each_other(name)}
    return sorted(found, key=lambda build: found[build].order)


def _board_row(site: CurrentResults, name: str, builds: Sequence[str]) -> dict[str, Any]:
    cells = {cell.build: cell for cell in site.beside_each_other(name)} if site.leads[name] else {}
    counted = [_count(site, cells.get(build), name) for build in builds]
    return {"name": name, "title": site.scenarios[name].title, "cells": counted}


def _count(site: CurrentResults, cell: CellResult | None, name: str) -> dict[str, Any]:
    """Count the series of a scenario by whether they have a value."""
    if cell is None:
        return {"kind": "none", "text": "not measured"}
    metric = site.scenarios[name].metrics[0].name
    counts = Counter(
        row.median is not None
        for case in site.scenarios[name].cases
        for row in site.rows_of(cell, name, case)
        if row.role == "subject" and row.metric == metric
    )
    kind = "none" if not counts[True] else "some" if counts[False] else "all"
    return {"kind": kind, "text": f"{counts[True]} of {counts.total()}"}


def facts(cell: CellResult, page: str, *, is_open: bool = False) -> Markup:
    """Return what is known of a cell's machine, build, run and packages."""
    return fragment("facts.html", cell=cell, root=root_of(page), open=is_open)


def legend(families: Sequence[str]) -> Markup:
    """Return the marks of *families*."""
    return fragment("legend.html", families=families)
