"""Tables of the results to download, as CSV and Parquet: paths and bytes."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from generate.data.table import sample_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import pandas as pd

    from generate.data.selection import Result

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\n")
"""A spreadsheet runs a cell that begins with one of these; a file's texts may come from anybody."""


def summary_tables(frame: pd.DataFrame) -> dict[str, bytes]:
    """Return the summaries of all scenarios and of each. Empty for an empty *frame*."""
    parts = ((str(name), rows) for name, rows in frame.groupby("scenario", sort=True))
    return _tables(parts, "summaries", ".csv", bytes)


def sample_tables(results: Mapping[str, Sequence[Result]]) -> dict[str, bytes]:
    """Return the samples of all pooled runs, one row a sample and metric, of all scenarios and of each.

    Their CSV is compressed: it has some hundred bytes a row.
    """
    measured = sorted(name for name, pooled in results.items() if pooled)
    parts = ((f"{name}-samples", sample_frame(results[name], name)) for name in measured)
    return _tables(parts, "samples", ".csv.gz", lambda text: gzip.compress(text, mtime=0))


def _tables(
    parts: Iterable[tuple[str, pd.DataFrame]], total: str, suffix: str, pack: Callable[[bytes], bytes]
) -> dict[str, bytes]:
    """Return the CSV and Parquet of each part, and of all as *total*. A file of gzip may have several members."""
    head, texts, columnar = b"", {}, {}
    for name, frame in parts:
        head = pack(csv(frame.head(0)))
        texts[name], columnar[name] = pack(csv(frame, header=False)), parquet(frame)
    if not texts:
        return {}
    texts[total], columnar[total] = b"".join(texts.values()), _joined([*columnar.values()])
    rows = {f"{name}{suffix}": head + text for name, text in texts.items()}
    return rows | {f"{name}.parquet": table for name, table in columnar.items()}


def csv(frame: pd.DataFrame, *, header: bool = True) -> bytes:
    """Return *frame* as CSV, without text that a spreadsheet would run."""
    safe = frame.copy(deep=False)
    for name in frame.select_dtypes("object"):
        texts = [text for text in frame[name].unique() if text is not None]
        changed = {text: harmless for text in texts if (harmless := without_formula(text)) != text}
        safe[name] = frame[name].replace(changed) if changed else frame[name]
    return safe.to_csv(index=False, header=header, lineterminator="\n").encode()


def without_formula(text: str) -> str:
    """Return *text* as a cell that a spreadsheet does not run, with line ends that a CSV writer quotes."""
    lines = text.replace("\r", "\n")
    return f"'{lines}" if lines.startswith(FORMULA_SIGNS) else lines


def parquet(frame: pd.DataFrame) -> bytes:
    """Return *frame* as Parquet, the same bytes for the same rows."""
    text = frame.select_dtypes("object").columns  # if all of it is absent, DuckDB can't see that it is text
    typed = frame.astype(dict.fromkeys(text, "string"))
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(config={"threads": "1"}) as database:
        path = Path(folder, "table.parquet")
        database.from_df(typed).write_parquet(str(path), compression="zstd")
        return path.read_bytes()


def _joined(tables: Sequence[bytes]) -> bytes:
    """Return the rows of several Parquet files, which have the same columns, as one."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(config={"threads": "1"}) as database:
        parts = [Path(folder, f"{number}.parquet") for number in range(len(tables))]
        for part, table in zip(parts, tables, strict=True):
            part.write_bytes(table)
        path = Path(folder, "table.parquet")
        database.read_parquet([*map(str, parts)]).write_parquet(str(path), compression="zstd")
        return path.read_bytes()
