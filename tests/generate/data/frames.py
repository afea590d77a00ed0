"""Rows of synthetic records, and the samples to look at in them."""

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

from factory import some_scenarios

from generate.data.between_runs import BetweenRuns
from generate.data.checked import CheckedRecord
from generate.data.files import ResultFile
from generate.data.gate import check_records
from generate.data.selection import Result, pool_results
from generate.data.table import Summary, summarise, summary_row
from runners.harness.record.model import Record, Series

SCENARIOS = some_scenarios()
PRIMES = "published"


def make_file(record: Record, path: str = "a.json") -> ResultFile:
    return ResultFile(path, record, "0" * 64, local=path.startswith("local/"), size_bytes=1)


def make_files(*records: Record) -> list[ResultFile]:
    return [make_file(record, f"{number}.json") for number, record in enumerate(records)]


def make_rows(*records: Record) -> list[Any]:
    return as_rows(summarise_all(check_records(make_files(*records), SCENARIOS)))


def as_rows(summaries: Iterable[Summary]) -> list[Any]:
    """Return objects with an attribute a public column."""
    return [SimpleNamespace(**summary_row(summary)) for summary in summaries]


def summarise_all(checked: Sequence[CheckedRecord]) -> list[Summary]:
    return [row for name, results in pooled(checked).items() for each in results for row in summarise(each, name)]


def pooled(checked: Sequence[CheckedRecord]) -> dict[str, list[Result]]:
    """Pool the runs of some records, by scenario."""
    return {name: [*pool_results(each, checked, BetweenRuns()).values()] for name, each in SCENARIOS.items()}


def row(rows: Iterable[Any], runner: str, role: str = "subject", metric: str = "elapsed_ns", case: str = PRIMES) -> Any:  # noqa: ANN401 - a row
    (only,) = [
        each for each in rows if (each.runner, each.role, each.metric, each.case) == (runner, role, metric, case)
    ]
    return only


def list_values(record: Record, runner: str, role: str = "subject", name: str = "elapsed_ns") -> dict[int, Any]:
    series = next(s for s in record.series if (s.runner, s.role, s.case) == (runner, role, PRIMES))
    return by_round(series, name)


def by_round(series: Series, name: str = "elapsed_ns") -> dict[int, Any]:
    return {row.round: row.values[name] for row in series.samples.rows()}


def is_subject(runner: str) -> Any:  # noqa: ANN401 - a function for `altered`
    def where(series: Series) -> bool:
        return series.key == ("primes", PRIMES, runner, "subject")

    return where


def impossible(series: dict[str, Any]) -> None:
    series["samples"]["values"]["cpu_us"] = [10**10] * 12
