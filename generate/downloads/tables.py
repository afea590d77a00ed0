"""The downloads that are made of the results: tables as CSV and Parquet. Pure: paths and bytes."""

from __future__ import annotations

import csv
import gzip
import io
from typing import TYPE_CHECKING, Any

from generate.analysis.summaries import TEXT, samples
from generate.downloads.columns import SAMPLES
from generate.downloads.parquet import joined, parquet

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from generate.analysis.summaries import GatedRecord

SAMPLE_TEXT = ["sample_status", "sample_reason"]
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet runs a cell that begins with one of these; a file's texts may come from anybody."""


def summary_tables(frame: pd.DataFrame) -> dict[str, bytes]:
    """Return the summaries as CSV: all, and those of each scenario. *frame* is that of `tidy.summaries`."""
    if frame.empty:
        return {}
    safe = _without_formulas(frame, TEXT)
    each = {f"{name}.csv": _csv(rows) for name, rows in safe.groupby("scenario", sort=True)}
    return {"summaries.csv": _csv(safe), **each}


def parquet_tables(frame: pd.DataFrame) -> dict[str, bytes]:
    """Return the summaries as Parquet: all, and those of each scenario. *frame* is that of `tidy.summaries`."""
    if frame.empty:
        return {}
    each = {f"{name}.parquet": parquet(rows, TEXT) for name, rows in frame.groupby("scenario", sort=True)}
    return {"summaries.parquet": parquet(frame, TEXT), **each}


def sample_tables(seen: Sequence[GatedRecord]) -> dict[str, bytes]:
    """Return the samples, one row a sample and metric: samples.parquet has all, <scenario>-samples.parquet its own.

    The same as text are samples.csv.gz and <scenario>-samples.csv.gz: plain text has some hundred bytes a row.
    """
    names = sorted({series.scenario for one in seen for series in one.file.record.series})
    if not names:
        return {}
    head = gzip.compress((",".join(SAMPLES) + "\n").encode(), mtime=0)
    text = [*TEXT, *SAMPLE_TEXT]
    columnar, packed = {}, {}
    for name in names:
        frame = samples(seen, name)[[*SAMPLES]]
        columnar[f"{name}-samples.parquet"] = parquet(frame, text)
        packed[f"{name}-samples.csv.gz"] = gzip.compress(_rows(_without_formulas(frame, text)), mtime=0)
    whole = {"samples.csv.gz": head + b"".join(packed.values()), "samples.parquet": joined([*columnar.values()])}
    each = {name: head + rows for name, rows in packed.items()}  # a file of gzip may have several parts
    return {**columnar, **each, **whole}


def _without_formulas(frame: pd.DataFrame, text: Sequence[str]) -> pd.DataFrame:
    """Put an apostrophe before text that a spreadsheet would run."""
    columns = {}
    for name in frame.columns.intersection(list(text)):
        harmful = {cell: f"'{cell}" for cell in frame[name].unique() if str(cell).startswith(FORMULA_SIGNS)}
        if harmful:
            columns[name] = frame[name].replace(harmful)
    return frame.assign(**columns)


def _csv(frame: pd.DataFrame) -> bytes:
    """Write the same bytes as pandas would, in half of its time."""
    return (",".join(frame.columns) + "\n").encode() + _rows(frame)


def _rows(frame: pd.DataFrame) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(zip(*(_cells(frame[name]) for name in frame.columns), strict=True))
    return text.getvalue().encode()


def _cells(column: pd.Series[Any]) -> list[Any]:
    """Return what a column holds; None, which is written as nothing, for NaN."""
    found: list[Any] = column.tolist()
    return [None if value != value else value for value in found] if column.dtype == float else found  # noqa: PLR0124 - NaN alone
