"""Binds the site together: what every page shares, and the list of all files that make it up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from generate.export import summary_tables
from generate.figures import charts
from generate.fragments import Book
from generate.load import SCHEMA_FILE
from generate.nav import site_file
from generate.pages import pages
from generate.render import render

if TYPE_CHECKING:
    import pandas as pd

    from generate.board import Board
    from generate.plotly_bundle import Bundle
    from generate.site import Site
    from generate.validation import Validation
    from generate.write import Content

ASSETS = Path(__file__).parent / "assets"


def make_book(site: Site, board: Board, bundle: Bundle, validated: Validation) -> Book:
    """Draw the charts of every case."""
    scenarios = site.scenarios
    drawn = {(name, case): charts(site, name, case) for name in scenarios for case in scenarios[name].cases}
    return Book(site, board, drawn, f"assets/{bundle.name}", validated)


def csv_of(frame: pd.DataFrame) -> dict[str, bytes]:
    """Return a CSV of each scenario.

    The reference build's rows are left out: most files repeat them, and what they are for stands in `reference_ratio`.
    """
    return summary_tables(frame[frame["role"] != "reference"])


def everything(book: Book, bundle: Bundle, frame: pd.DataFrame, results: Path, docs: Path) -> dict[str, Content]:
    """Return every file of the site by its path below the folder to write to."""
    schema = f"data/{SCHEMA_FILE}" if (results / SCHEMA_FILE).is_file() else ""
    made: dict[str, Content] = {**pages(book, schema), **render(book, docs)}
    made |= {f"assets/{path.name}": path for path in ASSETS.iterdir()}
    made[f"assets/{bundle.name}"] = bundle.data
    for chart in (chart for drawn in book.charts.values() for chart in drawn):
        made[chart.path] = json.dumps(chart.spec, separators=(",", ":"), ensure_ascii=False)
    made |= {f"data/raw/{file.path}": results / file.path for file in book.site.files}
    made |= csv_of(frame)
    made["data/verdicts.json"] = book.board.as_json()
    if schema:
        made[schema] = results / SCHEMA_FILE
    return {**{f"docs/{path}": content for path, content in made.items()}, "mkdocs.yml": site_file(made)}
