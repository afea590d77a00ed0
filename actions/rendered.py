"""Makes the site of a few result files in memory, to see whether that can be done at all. Our side.

A file may be all that its schema asks for and still hold numbers that something on the way to a page breaks on. Were it
published, every later site would break on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.__main__ import judge
from generate.downloads.index import downloads
from generate.results.collector import held_off
from generate.site.pipeline import everything, make_context
from generate.site.plotly_js import Bundle
from generate.statistics import validation
from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from pathlib import Path

NO_CHARTS = Bundle("none.js", b"", "none: nothing is shown")
DOCS = catalogue.ROOT / "docs"


@held_off()
def as_a_site(results: Path) -> None:
    """Make the pages and downloads of the result files in a folder, and of nothing else, and forget them.

    Raises whatever they raise.
    """
    judged = judge(results, DOCS)
    everything(make_context(judged.site, judged.board, NO_CHARTS, validation.read(DOCS)), NO_CHARTS, DOCS)
    downloads(judged.site, judged.board, judged.seen, judged.frame, results)
