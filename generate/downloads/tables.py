"""Tables of the results for download, as CSV and Parquet, by path."""

from __future__ import annotations

import gzip
import itertools
import tempfile
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pandas as pd

from generate.data.table import PER_ROUND, sample_columns, sample_rows, summary_columns, summary_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from generate.data.selection import Result
    from generate.data.table import Column, Summary

DTYPES: Mapping[object, str] = {
    str: "string",
    str | None: "string",
    bool: "bool",
    bool | None: "boolean",
    int: "int64",
    float | None: "float64",
}
CSV_VALUES = {
    "string": "harmless({0}) AS {0}",
    "bool": "CASE WHEN {0} THEN 'True' ELSE 'False' END AS {0}",
    "boolean": "CASE WHEN {0} THEN 'True' WHEN NOT {0} THEN 'False' END AS {0}",
}
"""How columns of a type are written in CSV."""
HARMLESS = r"""CREATE MACRO harmless(text) AS
    CASE WHEN regexp_matches(text, '^[=+@\t\r\n-]') THEN '''' ELSE '' END || replace(text, chr(13), chr(10))"""
"""Spreadsheets run cells that begin with these signs, and a file's texts may come from anybody."""


def summary_tables(rows: Iterable[Summary]) -> dict[str, bytes]:
    """Return the summaries of all scenarios, and of each; empty without rows."""
    ordered = sorted(map(summary_row, rows), key=itemgetter("scenario"))
    parts = itertools.groupby(ordered, key=itemgetter("scenario"))
    return _tables(parts, "summaries", summary_columns(), ".csv", bytes)


def sample_tables(results: Mapping[str, Sequence[Result]]) -> dict[str, bytes]:
    """Return the samples of all pooled runs, a row per sample and metric, for all scenarios and for each.

    Their CSV is compressed: a row has a few hundred bytes.
    """
    measured = sorted(name for name, pooled in results.items() if pooled)
    parts = ((f"{name}-samples", sample_rows(results[name], name)) for name in measured)
    return _tables(parts, "samples", sample_columns(), ".csv.gz", lambda text: gzip.compress(text, 6, mtime=0))


def _tables(
    parts: Iterable[tuple[str, Iterable[dict[str, Any]]]],
    total: str,
    columns: Mapping[str, Column],
    suffix: str,
    pack: Callable[[bytes], bytes],
) -> dict[str, bytes]:
    """Return the CSV and Parquet of each part, and of all as *total*. A gzip file may have several members."""
    texts, tables = {}, {}
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(config={"threads": "1"}) as database:
        database.execute(HARMLESS)
        for name, rows in parts:
            tables[name] = Path(folder, f"{name}.parquet")
            texts[name] = pack(_write(database, rows, columns, tables[name]))
        if not texts:
            return {}
        joined = database.read_parquet([*map(str, tables.values())])
        tables[total] = Path(folder, f"{total}.parquet")
        joined.write_parquet(str(tables[total]), compression="zstd")
        texts[total] = b"".join(texts.values())
        head = pack((",".join(columns) + "\n").encode())
        files = {f"{name}{suffix}": head + text for name, text in texts.items()}
        return files | {path.name: path.read_bytes() for path in tables.values()}


def _write(
    database: duckdb.DuckDBPyConnection, rows: Iterable[dict[str, Any]], columns: Mapping[str, Column], path: Path
) -> bytes:
    """Write rows as Parquet, and return them as CSV without its header."""
    types = {name: DTYPES[column.kind] for name, column in columns.items()}
    frame = pd.DataFrame([*rows], columns=[*columns])
    if {*PER_ROUND} <= types.keys():
        frame = frame[frame["round"].map(len) > 0].explode([*PER_ROUND])  # a series may have no sample
    table = database.from_df(frame.astype(types))
    table.write_parquet(str(path), compression="zstd")
    text = path.with_suffix(".csv")
    values = (CSV_VALUES.get(kind, "{0}").format(f'"{name}"') for name, kind in types.items())
    table.project(", ".join(values)).write_csv(str(text), header=False)
    return text.read_bytes()
