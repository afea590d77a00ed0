"""What is kept of a result file for good: its header, and the median and interval of each series and metric.

Other processes import it to work through many files.
"""

from __future__ import annotations

import functools
import gc
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from generate.analysis.gated import apply_gate
from generate.results.cache import Entry
from generate.results.load import UnusableError
from generate.results.model import Problem, SeriesMedian
from generate.statistics.intervals import median_intervals, paired_ratios, without_nan
from generate.text.mistakes import mistake_words
from runners.harness.catalogue.scenarios import find

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generate.analysis.gated import GatedRecord
    from generate.results.load import FoundFile
    from generate.statistics.intervals import Intervals
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Series

OURS = "report it: it is a mistake of this project"


def entry(file: FoundFile, scenarios: Mapping[str, Scenario]) -> bytes | Problem:
    """Parse a file; return what to keep of it as a line of JSON, or why it can't be used. Raises nothing for a file."""
    try:
        found = file.read()
        (record,) = apply_gate([found], scenarios)
        gated = replace(found, refused=tuple(record.refused.items()))
        return msgspec.json.encode(Entry.of(gated, medians(record)))
    except UnusableError as error:
        return error.problem(file.path)
    except Exception as error:  # noqa: BLE001 - whatever a file breaks, the others are used
        return broken_by(file.path, error)


def broken_by(path: str, error: Exception) -> Problem:
    """Return the problem of a file that this project's code can't stand."""
    return Problem(path, "", f"the generator breaks on it: {mistake_words(error)}", OURS)


def medians(record: GatedRecord) -> list[SeriesMedian]:
    """Return the median of each metric of each series, in order; those of the reference build's stand in another file.

    What the sanity gate refuses has failed, and no value.
    """
    rows: list[tuple[tuple[Any, ...], list[float], list[float]]] = []
    for key, series in record.view.series.items():
        status = "failed" if key in record.refused else series.status
        metrics = record.view.metrics(series) if series.role != "reference" else ()
        facts = (*key, status, series.source_sha256, _packages(record, series))
        for metric in metrics:
            values, ratios = [*record.by_round(series, metric).values()], _ratios(record, series, metric)
            rows.append(((*facts, metric.name, metric.unit, len(values)), values, ratios))
    of_values = _numbers(median_intervals([values for _, values, _ in rows]))
    of_ratios = _numbers(median_intervals([ratios for _, _, ratios in rows]))
    return [
        SeriesMedian(*facts, *value, *ratio)
        for (facts, _, _), value, ratio in zip(rows, of_values, of_ratios, strict=True)
    ]


def _packages(record: GatedRecord, series: Series) -> str:
    """Return the versions of the packages that a series needs, and of those that its baseline does."""
    both = (record.view.versions(each) for each in (series, record.view.baseline(series)) if each)
    return "; ".join(dict.fromkeys(filter(None, both)))


def _ratios(record: GatedRecord, series: Series, metric: Metric) -> list[float]:
    """Return the series over its baseline, paired by round; nothing of the baseline itself."""
    baseline = record.view.baseline(series)
    if baseline is None or baseline is series:
        return []
    return paired_ratios(record.by_round(series, metric), record.by_round(baseline, metric))


def _numbers(intervals: Intervals) -> Iterator[tuple[float | None, ...]]:
    """Go through the rows: median, lower and upper end."""
    return zip(*map(without_nan, (intervals.median, intervals.low, intervals.high)), strict=True)


def begin() -> None:
    """Make a process of its own ready: what it decodes holds no cycles, and the collector took half of its time."""
    gc.disable()


@functools.cache
def _catalogue() -> Mapping[str, Scenario]:
    return find()


def entry_by_catalogue(file: FoundFile) -> bytes | Problem:
    """Do what `entry` does, by the catalogue's own scenarios."""
    return entry(file, _catalogue())
