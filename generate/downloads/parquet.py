"""Tables as Parquet. Pure: frames to bytes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd


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
