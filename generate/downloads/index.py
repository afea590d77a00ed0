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
from generate.results.runs import by_run
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError
from runners.harness.record.build_names import build_name
from runners.harness.record.schema import json_schema

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from generate.analysis.collection import CurrentResults
    from generate.analysis.gated import GatedRecord
    from generate.analysis.summary import Summary
    from generate.claims.board import Board
    from generate.results.load import ResultFile
    from generate.results.runs import ResultRun
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.cells_file import Outcomes

FOLDER = "data"
SUMS = "SHA256SUMS"
TERMS = (ROOT / "results" / "LICENSE", ROOT / "CITATION.cff")
"""How the data may be used, and is cited."""


def downloads(
    site: CurrentResults, board: Board, seen: Sequence[GatedRecord], rows: Sequence[Summary], results: Path
) -> dict[str, bytes]:
    """Return every file below data/ by its path below the folder to write to.

    Raw files are all that there are. Tables are of the files that lead (*seen*, *rows*): nothing stands in them twice.
    The reference build's rows are left out, since most files repeat them, and what they are for stands in
    `reference_ratio`. Raises UserError for a file that changed meanwhile.
    """
    made = {f"raw/{file.path}": _raw(results, file) for file in site.files}
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


def _raw(results: Path, file: ResultFile) -> bytes:
    """Return a file as it is. Raises UserError where that is not what was read before."""
    content = (results / file.path).read_bytes()
    if hashlib.sha256(content).hexdigest() != file.sha256:
        msg = f"{file.path} was changed while it was read: end what measures, and do this again"
        raise UserError(msg)
    return content


def index(files: Sequence[ResultFile], outcomes: Sequence[Outcomes], leading: Collection[str]) -> bytes:
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


def _cell(file: ResultFile) -> dict[str, Any]:
    record = file.record
    return {
        "run": record.run.id,
        "machine": record.machine.label,
        "build": build_name(record.build),
        "reference_build": build_name(record.reference_build),
        "complete": record.complete,
        "raw": f"raw/{file.path}",
        "sha256": file.sha256,
        "size_bytes": file.size_bytes,
    }


def _metric(scenario: Scenario) -> dict[str, str | None]:
    """Tell what a scenario's first metric is, and which column of a sample holds it: none where it is reckoned."""
    metric = scenario.metrics[0]
    column = None if metric.compute else metric.name
    return {"title": metric.title, "unit": metric.unit, "better": metric.better, "column": column}


def _sums(made: Mapping[str, bytes]) -> bytes:
    """Return what `sha256sum --check` reads in the folder of the data."""
    lines = [f"{hashlib.sha256(content).hexdigest()}  {path}\n" for path, content in sorted(made.items())]
    return "".join(lines).encode()


def _json(told: object) -> bytes:
    return (json.dumps(told, indent=1, ensure_ascii=False) + "\n").encode()
