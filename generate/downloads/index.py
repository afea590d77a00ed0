"""All downloads: the raw results, and the tables and JSON files made from them."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from generate.claims.board import Board
from generate.data.files import ResultFile
from generate.data.read import SCHEMA_FILE
from generate.data.results import Results
from generate.data.schema import json_schema
from generate.downloads.datapackage import datapackage
from generate.downloads.pyperf import pyperf_suite
from generate.downloads.run_index import index, pooled_in
from generate.downloads.scenario_metrics import metrics
from generate.downloads.tables import sample_tables, summary_tables
from generate.downloads.validation import FILE as VALIDATION
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.run.revision import Revision

FOLDER = "docs/data"
SUMS = "SHA256SUMS"
DATA_LICENSE = ROOT / "results" / "LICENSE"
README = ROOT / "results" / "README.md"
HOW_TO_READ = "README.txt"
"""The README's name among the downloads. No page of the site has this name."""
CODE_LICENSE = ROOT / "LICENSE"
"""The data's licence refers to it one folder up."""
CITATION = Path(__file__).with_name("CITATION.cff")
"""For the data; the code has its own."""


class Origin(NamedTuple):
    """The addresses of the site and the project, and the code that makes the site."""

    site_url: str = ""
    """Ending with a slash; empty if unknown."""
    revision: Revision = Revision()
    repository: str = ""
    """Address of the project; empty if unknown."""


def downloads(site: Results, board: Board, docs: Path, origin: Origin) -> dict[str, bytes | ResultFile]:
    """Return every file below data/, and the code's licence, by its path below the folder to write to.

    Raw files are complete. Tables and pyperf's files hold the pooled runs.
    """
    tables = {**summary_tables(site.table), **sample_tables(site.current)}
    pooled = pooled_in(site)
    suites = {
        f"pyperf/{record.file.path}": pyperf_suite(record, pooled[record.file.path])
        for record in site.records
        if record.file.path in pooled
    }
    files: dict[str, bytes | ResultFile] = {
        **{f"raw/{file.path}": file for file in site.files},
        **tables,
        **{path: suite for path, suite in suites.items() if suite},
        "verdicts.json": board.as_json(),
        "metrics.json": _json(metrics(site.scenarios)),
        "index.json": _json(msgspec.to_builtins(index(site, origin.revision))),
        **{name: _json(content) for name, content in datapackage(tables, origin.site_url).items()},
        SCHEMA_FILE: _json(json_schema()),
        DATA_LICENSE.name: DATA_LICENSE.read_bytes(),
        HOW_TO_READ: README.read_bytes(),
        CITATION.name: citation(site.files, origin),
    }
    if (validated := docs / VALIDATION).exists():
        files[VALIDATION] = validated.read_bytes()
    lines = [f"{_sha256(files[path])}  {path}\n" for path in sorted(files)]
    files[SUMS] = "".join(lines).encode()  # the format of `sha256sum --check`
    return {f"{FOLDER}/{path}": content for path, content in files.items()} | {
        f"docs/{CODE_LICENSE.name}": CODE_LICENSE.read_bytes()
    }


def citation(files: Sequence[ResultFile], origin: Origin) -> bytes:
    """Return how to cite the data, with the day of the newest published run and the known addresses."""
    day = max((file.record.run.started[:10] for file in files if not file.local), default="")
    facts = {"date-released": day, "url": origin.site_url, "repository-code": origin.repository}
    lines = [f'{name}: "{fact}"\n' for name, fact in facts.items() if fact]
    return "".join([CITATION.read_text(encoding="utf-8"), *lines]).encode()


def _sha256(content: bytes | ResultFile) -> str:
    return content.sha256 if isinstance(content, ResultFile) else hashlib.sha256(content).hexdigest()


def _json(content: object) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()
