"""Makes the site of a few result files in memory, to see whether that can be done at all. Our side.

A file may be all that its schema asks for and still hold numbers that something on the way to a page breaks on. Were it
published, every later site would break on it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from generate.site.pipeline import NO_CHARTS, Options, inputs_of, make
from runners.harness.catalogue import scenarios as catalogue

DOCS = catalogue.ROOT / "docs"


def as_a_site(results: Path) -> None:
    """Make the pages and downloads of the result files in a folder, and of nothing else, and forget them.

    Raises whatever they raise.
    """
    with tempfile.TemporaryDirectory() as cache:
        make(inputs_of(results, DOCS, Options(Path(cache), NO_CHARTS))[0])
