"""A source: its claims with their cards, its tables, and its page where none is written by hand. Pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from generate.claims.cards import PartCard
from generate.claims.hypotheses import metric_of
from generate.claims.model import MistakeError
from generate.claims.sentences import contradiction, printed_words
from generate.pages.templates import fragment, root_of
from generate.pages.templates import page as markdown
from generate.text.names import plain
from generate.text.numbers import NOT_MEASURED, format_value

if TYPE_CHECKING:
    from generate.claims.model import TableCell
    from generate.pages.context import SiteContext


def source_verdicts(context: SiteContext, source: str, page: str) -> Markup:
    """Return every claim of a source: what it says, its bounds, and a card for each build of the current machine."""
    board = context.board
    claims = [
        {
            "claim": claim,
            "printed": [*filter(None, dict.fromkeys(map(printed_words, board.parts[claim.id])))],
            "parts": board.parts[claim.id],
            "verdicts": board.row(claim, board.current_cells()),
        }
        for claim in board.of_source(source)
    ]
    faults = [fault for fault in board.faults if fault.source == source]
    words = {"contradiction": contradiction, "card_of": PartCard.of}
    return fragment("source_verdicts.html", claims=claims, faults=faults, root=root_of(page), **words)


def source_page(context: SiteContext, source: str) -> str:
    """Return the page of a source for which none is written by hand."""
    path, claims = f"claims/{source}.md", context.board.claims
    return markdown(
        "source.md",
        id=source,
        source=claims.sources[source],
        citation=claims.citation(source),
        scenarios=[scenario for scenario in context.site.scenarios.values() if scenario.source == source],
        tables=source_tables(context, source, path) if claims.tables.get(source) else "",
        verdicts=source_verdicts(context, source, path),
    )


def source_list(context: SiteContext) -> Markup:
    """Return a table of all sources, each with a link to its page, as Markdown for a page beside them."""
    claims = context.board.claims
    row = Markup("| {} | [{}]({}.md) |")
    rows = [row.format(claims.citation(name), source.subject, name) for name, source in claims.sources.items()]
    return Markup("\n").join([Markup("| source | re-measured |"), Markup("|---|---|"), *rows])


def source_tables(context: SiteContext, source: str, page: str) -> Markup:
    """Return the tables of a source: what it printed, and what the current result has beside it."""
    of_source = context.board.claims.tables.get(source, ())
    tables = [
        {
            "title": table.title,
            "columns": table.columns,
            "note": table.note,
            "rows": [(row.name, [(cell.printed, _measured(context, cell)) for cell in row.cells]) for row in table.row],
        }
        for table in of_source
    ]
    scenarios = {cell.scenario for table in of_source for row in table.row for cell in row.cells}
    measured = [context.site.first(name) for name in sorted(scenarios) if name in context.site.scenarios]
    cell = next(filter(None, measured), None)
    return fragment(
        "source_tables.html", tables=tables, cell=cell, cited=context.board.claims.sources[source], root=root_of(page)
    )


def _measured(context: SiteContext, figure: TableCell) -> str:
    """Return what was measured beside a figure of the source; nothing beside one that names no scenario."""
    if not figure.scenario:
        return ""
    site = context.site
    try:
        metric = metric_of(figure, site.scenarios).name
    except MistakeError:  # the board reports it
        return NOT_MEASURED
    first = site.first(figure.scenario, figure.case)
    for row in site.rows_of(first, figure.scenario, figure.case) if first else []:
        if (row.runner, row.role, row.metric) == (figure.runner, "subject", metric):
            return format_value(row.median, row.unit) if row.median is not None else plain(row.reason or row.status)
    return NOT_MEASURED
