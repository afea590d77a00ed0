"""The downloads that are made of the results: tables as CSV. Pure: paths and bytes."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from generate.tidy import TEXT, samples

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from generate.tidy import Seen

SAMPLE_COLUMNS = [
    *("path", "cell", "build", "run_id", "scenario", "block", "case", "runner", "role", "status", "reason"),
    *("round", "position", "sample_status", "sample_reason", "metric", "unit", "value"),
]
"""What a row of samples says; the rest is in the summaries, by path, case, runner, role and metric."""
SAMPLE_TEXT = ["sample_status", "sample_reason"]
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet runs a cell that begins with one of these; a file's texts may come from anybody."""


def summary_tables(frame: pd.DataFrame) -> dict[str, bytes]:
    """Return the summaries as CSV, <scenario>.csv for each scenario. *frame* is that of `tidy.summaries`."""
    safe = _without_formulas(frame, TEXT)
    return {f"{name}.csv": _csv(rows) for name, rows in safe.groupby("scenario", sort=True)}


def sample_tables(seen: Sequence[Seen]) -> dict[str, bytes]:
    """Return the samples as CSV, <scenario>-samples.csv for each scenario: one row a sample and metric.

    This is large, some hundred bytes a row: ask for it when it will be written.
    """
    names = sorted({series.scenario for one in seen for series in one.file.record.series})
    return {f"{name}-samples.csv": _csv(_sample_rows(seen, name)) for name in names}


def _sample_rows(seen: Sequence[Seen], scenario: str) -> pd.DataFrame:
    return _without_formulas(samples(seen, scenario)[SAMPLE_COLUMNS], [*TEXT, *SAMPLE_TEXT])


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
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(frame.columns)
    writer.writerows(zip(*(_cells(frame[name]) for name in frame.columns), strict=True))
    return text.getvalue().encode()


def _cells(column: pd.Series[Any]) -> list[Any]:
    """Return what a column holds; None, which is written as nothing, for NaN."""
    found: list[Any] = column.tolist()
    return [None if value != value else value for value in found] if column.dtype == float else found  # noqa: PLR0124 - NaN alone
