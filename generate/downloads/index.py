"""What can be downloaded: the raw results and what is made of them for machines to read. Pure: paths and bytes."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import msgspec

from generate.analysis.summaries import to_frame
from generate.claims.cards import cards_json
from generate.downloads.browser_values import leading_cells, values_json
from generate.downloads.pyperf import pyperf_suite
from generate.downloads.tables import sample_tables, summary_tables
from generate.results.load import SCHEMA_FILE
from generate.results.model import RawFile
from generate.results.runs import by_run
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.record.build_names import build_name
from runners.harness.record.schema import json_schema

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from generate.analysis.collection import CurrentResults
    from generate.analysis.gated import GatedRecord
    from generate.analysis.summary import Summary
    from generate.claims.board import Board
    from generate.results.model import FileHeader
    from generate.results.runs import ResultRun
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.cells_file import Outcomes

FOLDER = "data"
SUMS = "SHA256SUMS"
TERMS = (ROOT / "results" / "LICENSE", ROOT / "CITATION.cff")
"""How the data may be used, and is cited."""


def downloads(
    site: CurrentResults, board: Board, seen: Sequence[GatedRecord], rows: Sequence[Summary], results: Path
) -> dict[str, bytes | RawFile]:
    """Return every file below data/ by its path below the folder to write to.

    Raw files are all that there are. Tables are of the current files (*seen*, *rows*): nothing stands in them twice.
    The reference build's rows are left out, since most files repeat them, and what they are for stands in
    `reference_ratio`.
    """
    made: dict[str, bytes | RawFile] = {
        f"raw/{file.path}": RawFile(results / file.path, file.sha256, file.size_bytes, file.modified_ns)
        for file in site.files
    }
    made |= {**summary_tables(to_frame(rows)), **sample_tables(seen)}
    made |= {f"pyperf/{one.file.path}": suite for one in seen if (suite := pyperf_suite(one))}
    made |= {f"values/{key}.json": values_json(cell) for key, cell in leading_cells(site).items()}
    made |= {f"verdicts/{cell.key}.json": cards_json(board, cell) for cell in board.cells}
    made["verdicts.json"] = board.as_json()
    made["metrics.json"] = _json({name: _metric(scenario) for name, scenario in site.scenarios.items()})
    made["index.json"] = index(site.files, site.runs, site.leading)
    made[SCHEMA_FILE] = _json(json_schema())
    made |= {path.name: path.read_bytes() for path in TERMS}
    made[SUMS] = _sums(made)
    return {f"docs/{FOLDER}/{path}": content for path, content in made.items()}


def index(files: Sequence[FileHeader], outcomes: Sequence[Outcomes], leading: Collection[str]) -> bytes:
    """Return all runs with their cells, the address, size and hash of each file, and what became of hosted cells.

    *leading* are the paths of the files that pages and tables are made from.
    """
    runs = [_run(one, leading) for one in by_run(files)]
    return _json({"schema_version": 1, "runs": runs, "outcomes": msgspec.to_builtins(list(outcomes))})


def _run(one: ResultRun, leading: Collection[str]) -> dict[str, Any]:
    return {
        "id": one.name.rpartition("/")[2],
        "started": one.started,
        "profile": one.run.profile,
        "rounds": one.run.rounds,
        "commit": one.run.commit,
        "trigger": one.run.trigger,
        "url": one.run.url,
        "cells": [{**_cell(file), "leads": file.path in leading} for file in one.files],
    }


def _cell(file: FileHeader) -> dict[str, Any]:
    return {
        "run": file.run.id,
        "machine": file.machine.label,
        "build": build_name(file.build),
        "reference_build": build_name(file.reference_build),
        "complete": file.complete,
        "raw": f"raw/{file.path}",
        "sha256": file.sha256,
        "size_bytes": file.size_bytes,
    }


def _metric(scenario: Scenario) -> dict[str, str | None]:
    """Tell what a scenario's first metric is, and which column of a sample holds it: none where it is reckoned."""
    metric = scenario.metrics[0]
    column = None if metric.compute else metric.name
    return {"title": metric.title, "unit": metric.unit, "better": metric.better, "column": column}


def _sums(made: Mapping[str, bytes | RawFile]) -> bytes:
    """Return what `sha256sum --check` reads in the folder of the data."""
    lines = [f"{_sha256(made[path])}  {path}\n" for path in sorted(made)]
    return "".join(lines).encode()


def _sha256(content: bytes | RawFile) -> str:
    return content.sha256 if isinstance(content, RawFile) else hashlib.sha256(content).hexdigest()


def _json(told: object) -> bytes:
    return (json.dumps(told, indent=1, ensure_ascii=False) + "\n").encode()
