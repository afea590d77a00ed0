"""A small site of synthetic records, for the tests of the pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from factory import make

from generate.analysis.collection import CurrentResults
from generate.analysis.gated import apply_gate
from generate.analysis.selection import select_current
from generate.analysis.summaries import summarise
from generate.claims.board import Board
from generate.claims.read import read
from generate.downloads.index import downloads
from generate.results.load import load
from generate.site.pipeline import everything, make_context
from generate.site.plotly_js import Bundle
from generate.statistics.validation import Validation
from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from factory import Plan

    from generate.pages.context import SiteContext
    from generate.site.write import Content
    from runners.harness.catalogue.scenarios import Scenario

HERE = Path(__file__).parent
DOCS = HERE / "sample_docs"
BUNDLE = Bundle("plotly-0.min.js", b"window.Plotly = { react: async () => {} };", "a stand-in")


def letters() -> dict[str, Scenario]:
    return find(HERE / "sample_catalogue", "sample_catalogue")


def put(results: Path, plans: Mapping[str, Plan], scenarios: Mapping[str, Scenario]) -> None:
    for name, plan in plans.items():
        path = results / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(make(scenarios, plan)))


def book_of(results: Path, scenarios: Mapping[str, Scenario], docs: Path = DOCS) -> SiteContext:
    loaded = load(results)
    seen = apply_gate(select_current(loaded.files), scenarios)
    site = CurrentResults.of(scenarios, loaded, seen, summarise(seen))
    return make_context(site, Board.of(read(docs), scenarios, seen), BUNDLE, Validation())


def site_of(results: Path, scenarios: Mapping[str, Scenario], docs: Path) -> dict[str, Content]:
    loaded = load(results)
    seen = apply_gate(select_current(loaded.files), scenarios)
    site = CurrentResults.of(scenarios, loaded, seen, summarise(seen))
    context = make_context(site, Board.of(read(docs), scenarios, seen), BUNDLE, Validation())
    return everything(context, BUNDLE, docs)


def data_of(results: Path, scenarios: Mapping[str, Scenario], docs: Path = DOCS) -> dict[str, bytes]:
    loaded = load(results)
    seen = apply_gate(select_current(loaded.files), scenarios)
    rows = summarise(seen, references=False)
    site = CurrentResults.of(scenarios, loaded, seen, rows)
    return downloads(site, Board.of(read(docs), scenarios, seen), seen, rows, results)


def text_of(files: Mapping[str, Content], path: str) -> str:
    content = files[path]
    assert isinstance(content, str)
    return content
