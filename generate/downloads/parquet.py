"""Tables as Parquet. Pure: frames to bytes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import pandas as pd


def parquet(frame: pd.DataFrame, text: Collection[str]) -> bytes:
    """Return *frame* as Parquet, the same bytes for the same rows. *text*: its columns of text, which may be empty."""
    typed = frame.astype(dict.fromkeys([name for name in frame.columns if name in text], "string"))
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
