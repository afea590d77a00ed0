"""Binds the pages together: what all of them share, and the list of all files that make them up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from generate.feed import feed
from generate.figures import draw
from generate.fragments import Book
from generate.nav import THEME, site_file
from generate.pages import pages
from generate.render import render

if TYPE_CHECKING:
    from generate.board import Board
    from generate.plotly_bundle import Bundle
    from generate.site import Site
    from generate.validation import Validation
    from generate.write import Content

OVERRIDES = Path(__file__).parent / THEME
ASSETS = Path(__file__).parent / "assets"
"""The styles and scripts of the site, as they are on it."""


def make_book(site: Site, board: Board, bundle: Bundle, validated: Validation) -> Book:
    """Draw the charts of every case."""
    return Book(site, board, draw(site, site.scenarios), bundle.path, validated)


def everything(book: Book, bundle: Bundle, docs: Path, site_url: str = "") -> dict[str, Content]:
    """Return every page, and what a page loads, by its path below the folder to write to."""
    made: dict[str, Content] = {**pages(book), **render(book, docs)}
    made |= {f"assets/{path.name}": path for path in sorted(ASSETS.iterdir())}
    made[bundle.path] = bundle.data
    for chart in (chart for drawn in book.charts.values() for chart in drawn):
        made[chart.path] = json.dumps(chart.spec, separators=(",", ":"), ensure_ascii=False)
    made["feed.xml"] = feed(book.site.files, site_url)
    files: dict[str, Content] = {f"docs/{path}": content for path, content in made.items()}
    files |= {f"{THEME}/{path.name}": path for path in OVERRIDES.iterdir()}
    return {**files, "mkdocs.yml": site_file(made, site_url)}
