"""Frames of synthetic records, and the rows and samples to look at in them."""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
from factory import some_scenarios

from generate.data.between_runs import BetweenRuns
from generate.data.checked import CheckedRecord
from generate.data.files import ResultFile
from generate.data.gate import check_records
from generate.data.selection import Result, pool_results
from generate.data.table import Summary, summarise, summary_columns, summary_row
from runners.harness.record.model import Record, Series

SCENARIOS = some_scenarios()
KEYS = ["scenario", "case", "runner", "role", "metric"]
PRIMES = "published"
DTYPES: dict[object, Any] = {
    str: object,
    str | None: object,
    bool: bool,
    bool | None: "boolean",
    int: int,
    float | None: float,
}


def make_file(record: Record, path: str = "a.json") -> ResultFile:
    return ResultFile(path, record, "0" * 64, local=path.startswith("local/"), size_bytes=1)


def make_files(*records: Record) -> list[ResultFile]:
    return [make_file(record, f"{number}.json") for number, record in enumerate(records)]


def make_frame(*records: Record) -> pd.DataFrame:
    return make_checked_frame(check_records(make_files(*records), SCENARIOS))


def make_checked_frame(checked: Sequence[CheckedRecord]) -> pd.DataFrame:
    return make_row_frame(summarise_all(checked))


def make_row_frame(summaries: Iterable[Summary]) -> pd.DataFrame:
    rows = [*map(summary_row, summaries)]
    columns = summary_columns().items()
    series = {name: pd.Series([row[name] for row in rows], dtype=DTYPES[column.kind]) for name, column in columns}
    return pd.DataFrame(series)


def summarise_all(checked: Sequence[CheckedRecord]) -> list[Summary]:
    return [row for name, results in pooled(checked).items() for each in results for row in summarise(each, name)]


def pooled(checked: Sequence[CheckedRecord]) -> dict[str, list[Result]]:
    """Pool the runs of some records, by scenario."""
    return {name: [*pool_results(each, checked, BetweenRuns()).values()] for name, each in SCENARIOS.items()}


def row(frame: pd.DataFrame, runner: str, role: str = "subject", metric: str = "elapsed_ns", case: str = PRIMES) -> Any:  # noqa: ANN401 - a row
    wanted = {"runner": runner, "role": role, "metric": metric, "case": case}
    rows = frame[(frame[list(wanted)] == pd.Series(wanted)).all(axis=1)]
    assert len(rows) == 1
    return rows.iloc[0]


def list_values(record: Record, runner: str, role: str = "subject", name: str = "elapsed_ns") -> dict[int, Any]:
    series = next(s for s in record.series if (s.runner, s.role, s.case) == (runner, role, PRIMES))
    return by_round(series, name)


def by_round(series: Series, name: str = "elapsed_ns") -> dict[int, Any]:
    return {row.round: row.values[name] for row in series.samples.rows()}  # noqa: PD011 - no frame


def is_subject(runner: str) -> Any:  # noqa: ANN401 - a function for `altered`
    def where(series: Series) -> bool:
        return series.key == ("primes", PRIMES, runner, "subject")

    return where


def impossible(series: dict[str, Any]) -> None:
    series["samples"]["values"]["cpu_us"] = [10**10] * 12
