"""A small site of synthetic records, for the tests of the pages."""

import re
from collections.abc import Mapping
from pathlib import Path

from factory import Plan, make_record

from generate.charts.chart import Chart
from generate.charts.kinds import draw
from generate.data.files import ResultFile
from generate.downloads.index import Origin, downloads
from generate.pages.pieces import SiteContext
from generate.site import pipeline
from generate.site.plotly_js import Bundle
from generate.site.write import Content
from runners.harness.catalogue.scenarios import Scenario, find
from runners.harness.record.codec import encode
from runners.harness.record.model import Record

HERE = Path(__file__).parent
DOCS = HERE / "sample_docs"
BUNDLE = Bundle(b"window.Plotly = { react: async () => {} };", "a stand-in")


def letters() -> dict[str, Scenario]:
    return find(HERE / "sample_catalogue", "sample_catalogue")


def write_results(results: Path, plans: Mapping[str, Plan], scenarios: Mapping[str, Scenario]) -> None:
    for name, plan in plans.items():
        path = results / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(make_record(scenarios, plan)))


def build_context(results: Path, scenarios: Mapping[str, Scenario], docs: Path = DOCS) -> SiteContext:
    return pipeline.make_context(results, docs, options(scenarios))


def build_records_context(folder: Path, *records: Record) -> SiteContext:
    """Build the context of our own scenarios from records, without hand-written pages."""
    results, docs = folder / "results", folder / "docs"
    results.mkdir(parents=True)
    docs.mkdir()
    for number, record in enumerate(records):
        (results / f"{number}.json").write_bytes(encode(record))
    return build_context(results, find(), docs)


def draw_charts(results: Path, scenarios: Mapping[str, Scenario]) -> list[Chart]:
    site = pipeline.read_results(results, DOCS, scenarios)
    return [chart for charts in draw(site, scenarios).values() for chart in charts]


def build_site(results: Path, scenarios: Mapping[str, Scenario], docs: Path) -> Mapping[str, Content]:
    return pipeline.build(results, docs, options(scenarios)).files


def options(scenarios: Mapping[str, Scenario]) -> pipeline.Options:
    return pipeline.Options(BUNDLE, downloads=False, catalogue=scenarios)


def build_downloads(results: Path, scenarios: Mapping[str, Scenario], docs: Path = DOCS) -> dict[str, bytes]:
    context = build_context(results, scenarios, docs)
    made = downloads(context.site, context.board, docs, Origin())
    return {path: read_content(content) for path, content in made.items()}


def read_content(content: bytes | ResultFile) -> bytes:
    return content.location.read_bytes() if isinstance(content, ResultFile) else content


def text_at(files: Mapping[str, Content], path: str) -> str:
    content = files[path]
    assert isinstance(content, str)
    return content


def readable(page: str) -> str:
    """Return what a page shows, for a snapshot: without pictures, code, hashes and facts of the build."""
    page = re.sub(r"<svg.*?</svg>|```.*?```|<form.*?</form>|<pre>.*?</pre>", "", page, flags=re.DOTALL)
    page = re.sub(r"<summary>Machine, build and run.*?</details>|`[0-9a-f]{12}`", "", page, flags=re.DOTALL)
    lines = (" ".join(re.sub(r"<[^>]*>", " ", line).split()) for line in re.split(r"\n|<tr[^>]*>|<li[^>]*>", page))
    return "\n".join(line for line in lines if line)
