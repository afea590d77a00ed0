"""The short answer that a scenario's page begins with: who differs from the baseline, by how much, and who does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.pages.tables import runs_words
from generate.pages.templates import STATUS_WORDS, fragment
from generate.statistics.intervals import FEWEST_PAIRS
from generate.text.numbers import say, short
from generate.text.units import kind_of_metric

if TYPE_CHECKING:
    from markupsafe import Markup

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary


def answer(site: CurrentResults, name: str) -> Markup:
    """Return the short answer of a scenario's first case with something to compare, from its current cell."""
    scenario = site.scenarios[name]
    cell = site.first(name)
    if cell is None:
        return fragment("answer.html", cell=None)
    case, rows = _first_case(site, cell, name)
    metric = scenario.metrics[0]
    kind = kind_of_metric(metric)
    baseline_case, baseline = scenario.baseline_of(scenario.block_of(case))
    of_metric = [row for row in rows if row.metric == metric.name and row.role == "subject"]
    others = [row for row in of_metric if (case, row.runner) != (baseline_case, baseline)]
    compared = [row for row in others if row.ratio is not None]
    decided = [row for row in compared if _is_decided(row)]
    return fragment(
        "answer.html",
        cell=cell,
        case=case,
        baseline=baseline if compared else "",
        baseline_case=baseline_case if baseline_case != case else "",
        beyond=[(row.runner, say(row.against_baseline, kind, row.noise)) for row in decided if row.differs],
        within=[row.runner for row in decided if not row.differs],
        undecided=[row.runner for row in compared if not _is_decided(row)],
        pairs=max((row.ratio_pairs for row in compared), default=0),
        fewest=FEWEST_PAIRS,
        moved=[(row.runner, short(runs_words(row))) for row in of_metric if row.runs_moved],
        without=[(row.runner, status_words(row)) for row in others if row.ratio is None],
    )


def _is_decided(row: Summary) -> bool:
    """Say whether a row's difference from the baseline, or that there is none, is decided."""
    compared = row.against_baseline
    return compared is not None and compared.decided and (row.differs or not compared.quick)


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
