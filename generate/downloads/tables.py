"""Tables of the results for download, as CSV and Parquet, by path."""

import gzip
import itertools
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd

from generate.data.selection import Result
from generate.data.table import PER_ROUND, Column, Summary, sample_columns, sample_rows, summary_columns, summary_row

DTYPES: Mapping[object, str] = {
    str: "category",
    str | None: "category",
    bool: "bool",
    bool | None: "boolean",
    int: "int64",
    float | None: "float64",
}
GROUP_ROWS = 10_240
"""Rows that are held in memory until they are compressed."""
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Spreadsheets run cells that begin with these signs, and a file's texts may come from anybody."""


def summary_tables(rows: Iterable[Summary]) -> dict[str, bytes]:
    """Return the summaries of all scenarios, and of each; empty without rows."""
    ordered = sorted(rows, key=attrgetter("scenario"))
    parts = ((name, map(summary_row, each)) for name, each in itertools.groupby(ordered, key=attrgetter("scenario")))
    return _tables(parts, "summaries", summary_columns(), ".csv", bytes)


def sample_tables(results: Mapping[str, Sequence[Result]]) -> dict[str, bytes]:
    """Return the samples of all pooled runs, a row per sample and metric, for all scenarios and for each.

    Their CSV is compressed: a row has a few hundred bytes.
    """
    measured = sorted(name for name, pooled in results.items() if pooled)
    parts = ((f"{name}-samples", sample_rows(results[name], name)) for name in measured)
    return _tables(parts, "samples", sample_columns(), ".csv.gz", lambda text: gzip.compress(text, 3, mtime=0))


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
        for name, rows in parts:
            tables[name] = Path(folder, f"{name}.parquet")
            texts[name] = b"".join(map(pack, _write(database, rows, columns, tables[name])))
        if not texts:
            return {}
        joined = database.read_parquet([*map(str, tables.values())])
        tables[total] = Path(folder, f"{total}.parquet")
        joined.write_parquet(str(tables[total]), compression="zstd", row_group_size=GROUP_ROWS)
        texts[total] = b"".join(texts.values())
        head = pack((",".join(columns) + "\n").encode())
        files = {f"{name}{suffix}": head + texts.pop(name) for name in [*texts]}  # no text twice in memory
        return files | {path.name: path.read_bytes() for path in tables.values()}


def _write(
    database: duckdb.DuckDBPyConnection, rows: Iterable[dict[str, Any]], columns: Mapping[str, Column], path: Path
) -> Iterator[bytes]:
    """Write rows as Parquet, and yield them as CSV without its header, in parts that fit in memory."""
    types = {name: DTYPES[column.kind] for name, column in columns.items()}
    frame = _frame([*rows], types)
    database.from_df(frame).write_parquet(str(path), compression="zstd", row_group_size=GROUP_ROWS)
    for name, kind in types.items():
        if kind == "category":
            frame[name] = frame[name].map(harmless, na_action="ignore")
        elif kind.startswith("bool"):
            frame[name] = frame[name].map(str, na_action="ignore").astype("category")
    text = path.with_suffix(".csv")
    for first in range(0, len(frame), GROUP_ROWS):
        database.from_df(frame[first : first + GROUP_ROWS]).write_csv(str(text), header=False)
        yield text.read_bytes()


def _frame(rows: Sequence[dict[str, Any]], types: Mapping[str, str]) -> pd.DataFrame:
    """Return the rows as a frame; those with columns by round once for each round."""
    columns = {name: [row[name] for row in rows] for name in types}
    if not {*PER_ROUND} <= types.keys():
        return pd.DataFrame(columns).astype(types)
    frame = pd.DataFrame({name: _column(columns[name], types[name]) for name in types if name not in PER_ROUND})
    frame = frame.take(np.repeat(np.arange(len(rows)), [*map(len, columns["round"])])).reset_index(drop=True)
    for name in PER_ROUND:
        frame[name] = _column([*itertools.chain.from_iterable(columns[name])], types[name])
    return frame[[*types]]


def _column(values: list[Any], kind: str) -> "pd.Series[Any]":
    dtype: Any = object if kind == "category" else None  # categories of no text at all would be numbers
    column: Any = pd.Series(values, dtype=dtype)
    return column.astype(kind)  # type: ignore[no-any-return]


def harmless(text: str) -> str:
    """Format a text that a spreadsheet shows as it is."""
    sign = "'" if text.startswith(FORMULAS) else ""
    return (sign + text).replace("\r", "\n")
