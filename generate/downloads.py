"""What can be downloaded beside the raw results: an index, checksums, samples as tables, files for pyperf. Pure."""

from __future__ import annotations

import hashlib
import io
import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from generate.export import FOLDER, sample_tables
from generate.tidy import build_name, samples, summaries
from generate.values import key_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd

    from generate.load import ResultFile
    from generate.tidy import Seen
    from runners.harness.record import Series

INDEX = f"{FOLDER}/index.json"
SUMS = f"{FOLDER}/SHA256SUMS"
PYPERF_VERSION = "1.0"
NS_PER_S = 1e9


def downloads(seen: Sequence[Seen], made: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return every download by its path below docs/. *made* are those that the pages' own generation has written."""
    found = {INDEX: index([one.file for one in seen]), **sample_tables(seen), **parquets(seen)}
    found |= {f"{FOLDER}/pyperf/{one.file.path}": suite for one in seen if (suite := pyperf_suite(one))}
    everything = {**made, **found}
    lines = [
        f"{hashlib.sha256(everything[path]).hexdigest()}  {path.removeprefix(f'{FOLDER}/')}"
        for path in sorted(everything)
    ]
    return {**found, SUMS: ("\n".join(lines) + "\n").encode()}


def index(files: Sequence[ResultFile]) -> bytes:
    """Return all runs with their cells and the address, size and hash of each file."""
    runs: dict[str, list[ResultFile]] = defaultdict(list)
    for file in files:
        runs[file.record.run.id].append(file)
    newest_first = sorted(
        runs.values(), key=lambda of_run: (of_run[0].record.run.started, of_run[0].path), reverse=True
    )
    told = {"schema_version": 1, "runs": [_run(of_run) for of_run in newest_first]}
    return (json.dumps(told, indent=1, ensure_ascii=False) + "\n").encode()


def _run(files: Sequence[ResultFile]) -> dict[str, Any]:
    run = files[0].record.run
    return {
        "id": run.id,
        "started": run.started,
        "profile": run.profile,
        "rounds": run.rounds,
        "commit": run.commit,
        "trigger": run.trigger,
        "url": run.url,
        "cells": [_cell(file) for file in sorted(files, key=lambda file: file.path)],
    }


def _cell(file: ResultFile) -> dict[str, Any]:
    record = file.record
    return {
        "machine": record.machine.label,
        "build": build_name(record.build),
        "reference_build": build_name(record.reference_build),
        "complete": record.complete,
        "raw": f"raw/{file.path}",
        "sha256": file.sha256,
        "size_bytes": file.size_bytes,
    }


def parquets(seen: Sequence[Seen]) -> dict[str, bytes]:
    """Return the summaries and the samples of all results as Parquet, and the samples of each scenario."""
    names = sorted({series.scenario for one in seen for series in one.file.record.series})
    found = {f"{FOLDER}/summaries.parquet": _parquet(summaries(seen))} if names else {}
    return found | {f"{FOLDER}/{name}-samples.parquet": _parquet(samples(seen, name)) for name in names}


def _parquet(frame: pd.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.to_parquet(stream, index=False, compression="zstd")
    return stream.getvalue()


def pyperf_suite(one: Seen) -> bytes | None:
    """Return a file that `pyperf stats` and `pyperf compare_to` read: every series that is a time. None without any.

    A benchmark is a series, named scenario/case/runner; a run of it is a sample, with one value in seconds.
    """
    benchmarks = [made for series in one.file.record.series for made in _benchmarks(one, series)]
    if not benchmarks:
        return None
    record = one.file.record
    facts = {
        "cpu_model_name": record.machine.cpu,
        "platform": record.machine.os,
        "python_implementation": record.build.implementation.lower(),
        "python_version": record.build.version,
        "python_compiler": record.build.compiler,
        "unit": "second",
    }
    suite = {"benchmarks": benchmarks, "metadata": facts, "version": PYPERF_VERSION}
    return (json.dumps(suite, separators=(",", ":"), ensure_ascii=False) + "\n").encode()


def _benchmarks(one: Seen, series: Series) -> Iterator[dict[str, Any]]:
    if series.role != "subject" or key_of(series) in one.refused:
        return
    metric = next((metric for metric in one.view.metrics(series) if metric.name == "elapsed_ns"), None)
    values = one.by_round(series, metric) if metric else {}
    if values:
        name = f"{series.scenario}/{series.case}/{series.runner}"
        runs = [{"values": [value / NS_PER_S]} for value in values.values()]
        yield {"metadata": {"name": name}, "runs": runs}
