"""What can be downloaded: the raw results and what is made of them for machines to read. Pure: paths and bytes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from generate.data.files import RawFile
from generate.data.read import SCHEMA_FILE
from generate.data.table import to_frame
from generate.data.validation import FILE as VALIDATION
from generate.downloads.pyperf import pyperf_suite
from generate.downloads.run_index import generated_from, indexed_pools, indexed_runs, pooled_in, standings
from generate.downloads.scenario_metrics import metrics
from generate.downloads.tables import sample_tables, summary_tables
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.record.schema import json_schema
from runners.harness.run.session import Revision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.claims.board import Board
    from generate.data.files import FileHeader
    from generate.data.gate import CheckedRecord
    from generate.data.results import Results
    from generate.data.table import Summary
    from generate.downloads.run_index import Index

FOLDER = "data"
SUMS = "SHA256SUMS"
DATA_LICENSE = ROOT / "results" / "LICENSE"
"""How the data may be used."""
HOW_TO_READ = "README.txt"
"""The name under which it is served, which is of no page."""
README = ROOT / "results" / "README.md"
"""What result files hold, and how to read them."""
CODE_LICENSE = ROOT / "LICENSE"
"""How the code may be used, which the data's licence says lies beside their folder."""
CITATION = Path(__file__).with_name("CITATION.cff")
"""How the data are cited; the code has a file of its own."""


INDEX_VERSION = 2
TABLES_VERSION = 2
"""Of the columns of the tables, and of pyperf's files: raised where one goes or changes its meaning."""


class Sources(NamedTuple):
    """What the data is made from beside what was made of the results, and where it will stand."""

    results: Path
    docs: Path
    site_url: str = ""
    """Ending with a slash; empty where it is not known."""
    revision: Revision = Revision()
    """Of the code that makes them."""


def downloads(
    site: Results, board: Board, records: Sequence[CheckedRecord], rows: Sequence[Summary], sources: Sources
) -> dict[str, bytes | RawFile]:
    """Return every file below data/, and the licence of the code, by its path below the folder to write to.

    Raw files are all that there are; tables and pyperf's files are of the runs that are pooled. *records* are all files
    through the gate, *rows* the summaries.
    """
    files: dict[str, bytes | RawFile] = {
        f"raw/{file.path}": RawFile(sources.results / file.path, file.sha256, file.size_bytes, file.modified_ns)
        for file in site.files
    }
    files |= {**summary_tables(to_frame(rows)), **sample_tables(site.current)}
    pooled = pooled_in(site)
    suites = ((gated.file.path, pyperf_suite(gated, pooled.get(gated.file.path, ()))) for gated in records)
    files |= {f"pyperf/{path}": suite for path, suite in suites if suite}
    files["verdicts.json"] = board.as_json()
    files["metrics.json"] = _json(metrics(site.scenarios))
    files["index.json"] = index(site, records, sources.revision)
    files[SCHEMA_FILE] = _json(json_schema())
    files[DATA_LICENSE.name] = DATA_LICENSE.read_bytes()
    files[HOW_TO_READ] = README.read_bytes()
    if (validated := sources.docs / VALIDATION).exists():
        files[VALIDATION] = validated.read_bytes()
    files[CITATION.name] = citation(CITATION.read_text(encoding="utf-8"), site.files, sources.site_url)
    lines = [f"{_sha256(files[path])}  {path}\n" for path in sorted(files)]
    files[SUMS] = "".join(lines).encode()  # as `sha256sum --check` reads it
    served = {f"{FOLDER}/{path}": content for path, content in files.items()}
    return {
        f"docs/{path}": content for path, content in {**served, CODE_LICENSE.name: CODE_LICENSE.read_bytes()}.items()
    }


def citation(text: str, files: Sequence[FileHeader], site_url: str) -> bytes:
    """Return how to cite what stands here: *text*, the day of the newest published run, and the address where known."""
    days = [file.run.started[:10] for file in files if not file.local]
    dated = [f'date-released: "{max(days)}"\n'] if days else []
    return "".join([text, *dated, *([f'url: "{site_url}"\n'] if site_url else [])]).encode()


def index(site: Results, records: Sequence[CheckedRecord], revision: Revision) -> bytes:
    """Return all runs with their files, which of them are pooled, and what became of hosted cells."""
    content: Index = {
        "schema_version": INDEX_VERSION,
        "tables_version": TABLES_VERSION,
        "generated_from": generated_from(site.files, revision),
        "runs": indexed_runs(site.files, standings(site, records)),
        "pools": indexed_pools(site),
        "outcomes": [*site.runs],
    }
    return _json(msgspec.to_builtins(content))


def _sha256(content: bytes | RawFile) -> str:
    return content.sha256 if isinstance(content, RawFile) else hashlib.sha256(content).hexdigest()


def _json(content: object) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()
