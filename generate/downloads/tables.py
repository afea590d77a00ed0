"""Tables of the results to download, as CSV and Parquet. Pure: paths and bytes."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from generate.data.table import sample_frame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from generate.data.selection import Result

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\n")
"""A spreadsheet runs a cell that begins with one of these; a file's texts may come from anybody."""


def summary_tables(frame: pd.DataFrame) -> dict[str, bytes]:
    """Return the summaries, all and those of each scenario, as CSV and as Parquet. None of an empty *frame*."""
    if frame.empty:
        return {}
    parts = {str(name): rows for name, rows in frame.groupby("scenario", sort=True)}
    texts = {name: csv(rows, header=False) for name, rows in parts.items()}
    columnar = {name: parquet(rows) for name, rows in parts.items()}
    texts["summaries"], columnar["summaries"] = b"".join(texts.values()), joined([*columnar.values()])
    head = csv(frame.head(0))
    tables = {f"{name}.csv": head + rows for name, rows in texts.items()}
    return tables | {f"{name}.parquet": rows for name, rows in columnar.items()}


def sample_tables(results: Mapping[str, Sequence[Result]]) -> dict[str, bytes]:
    """Return the samples of all pooled runs, one row a sample and metric, of the *results* of each scenario.

    samples.parquet has all, <scenario>-samples.parquet its own; the same as text are samples.csv.gz and
    <scenario>-samples.csv.gz: plain text has some hundred bytes a row.
    """
    names = sorted(name for name, of_scenario in results.items() if of_scenario)
    if not names:
        return {}
    head = gzip.compress(csv(sample_frame([], "")), mtime=0)
    columnar, packed = {}, {}
    for name in names:
        frame = sample_frame(results[name], name)
        columnar[f"{name}-samples.parquet"] = parquet(frame)
        packed[f"{name}-samples.csv.gz"] = gzip.compress(csv(frame, header=False), mtime=0)
    whole = {"samples.csv.gz": head + b"".join(packed.values()), "samples.parquet": joined([*columnar.values()])}
    with_heads = {name: head + rows for name, rows in packed.items()}  # a file of gzip may have several parts
    return {**columnar, **with_heads, **whole}


def csv(frame: pd.DataFrame, *, header: bool = True) -> bytes:
    """Return *frame* as CSV, without text that a spreadsheet would run."""
    safe = frame.copy(deep=False)
    for name in frame.select_dtypes("object"):
        texts = [text for text in frame[name].unique() if text is not None]
        changed = {text: harmless for text in texts if (harmless := without_formula(text)) != text}
        safe[name] = frame[name].replace(changed) if changed else frame[name]
    return safe.to_csv(index=False, header=header, lineterminator="\n").encode()


def without_formula(text: str) -> str:
    """Return *text* as a cell that a spreadsheet does not run, in lines that a writer of CSV puts between quotes."""
    lines = text.replace("\r", "\n")
    return f"'{lines}" if lines.startswith(FORMULA_SIGNS) else lines


def parquet(frame: pd.DataFrame) -> bytes:
    """Return *frame* as Parquet, the same bytes for the same rows."""
    text = frame.select_dtypes("object").columns  # where all of it is absent, DuckDB can't see that it is text
    typed = frame.astype(dict.fromkeys(text, "string"))
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(config={"threads": "1"}) as database:
        path = Path(folder, "table.parquet")
        database.from_df(typed).write_parquet(str(path), compression="zstd")
        return path.read_bytes()


def joined(tables: Sequence[bytes]) -> bytes:
    """Return the rows of several Parquet files, which have the same columns, as one."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(config={"threads": "1"}) as database:
        parts = [Path(folder, f"{number}.parquet") for number in range(len(tables))]
        for part, table in zip(parts, tables, strict=True):
            part.write_bytes(table)
        path = Path(folder, "table.parquet")
        database.read_parquet([*map(str, parts)]).write_parquet(str(path), compression="zstd")
        return path.read_bytes()
