"""Compares two results, series by series: the second over the first. For terminal, workflows and site.

Runs that measured both are paired round by round. Otherwise each is divided by the reference build of its
own runs, and the ratio of those two has the variances of both. Results with different reference builds, packages
or work are not compared.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from generate.data.between_runs import BetweenRuns
from generate.data.checked import (
    CheckedRecord,
    calibration_difference,
    changed_packages,
    package_difference,
    required_versions,
)
from generate.data.estimates import Estimate
from generate.data.files import ResultKey, build_identity
from generate.data.selection import Result, pool_results
from generate.words import patterns
from generate.words.builds import describe_build
from generate.words.names import describe_status
from generate.words.numbers import describe, outcome
from generate.words.units import find_kind, is_speed
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.contract import Metric
from runners.harness.record.build_names import build_name
from runners.harness.record.model import SeriesKey

Side = Mapping[str, Result]
"""The results of a machine and build, by scenario."""
Pair = tuple[Result, Result]


Outcome = Literal["differs", "same", "undecided", "not compared"]
Way = Literal["faster", "better", "slower", "worse", "more", "less"]
ONLY_ONE = "only one of the two has it"
WOULD_CANCEL = "what changed in both would cancel; measure both in one run"
BOTH_ARE_REFERENCES = "both are the reference build, of different runs: nothing was measured next to both"
MAX_NAMED = 10
"""Most differences listed in a summary."""


@dataclass(frozen=True, slots=True)
class Row:
    """One series and metric of two results."""

    key: SeriesKey
    metric: Metric
    values: tuple[Estimate | None, Estimate | None]
    """The first's and the second's, in the paired runs if there are any, else in all of their own."""
    ratio: Estimate | None = None
    """Second over first, of raw values; None if they are not compared."""
    why_not: str = ""
    is_paired: bool = False
    """False if compared through the reference build."""
    packages: Sequence[str] = ()
    """Packages whose versions differ: "yarl 1.22.0 and 1.23.0"."""

    @property
    def outcome(self) -> Outcome:
        if self.ratio is None:
            return "not compared"
        words = outcome(self.ratio)
        return "differs" if words == "less" or words == "more" else words  # noqa: PLR1714 - tells the type checker

    @property
    def way(self) -> Way:
        """The direction in which the second differs. Lateness and memory are not speed."""
        is_more = self.ratio is not None and self.ratio.value > 1
        if self.metric.better == "neither":
            return "more" if is_more else "less"
        is_better = is_more is (self.metric.better == "higher")
        if is_speed(self.metric):
            return "faster" if is_better else "slower"
        return "better" if is_better else "worse"

    @property
    def text(self) -> str:
        if self.ratio is None:
            return patterns.COMPARE_NOT.format(reason=self.why_not)
        return describe(self.ratio, find_kind(self.metric))


def pool_sides(
    records: Sequence[CheckedRecord], scenarios: Mapping[str, Scenario], between: BetweenRuns
) -> dict[ResultKey, dict[str, Result]]:
    """Pool the runs of each machine and build, by scenario in the order of their series."""
    names = dict.fromkeys(key.scenario for record in records for key in record.series)
    results: dict[ResultKey, dict[str, Result]] = {}
    for name in names:
        for key, result in pool_results(scenarios[name], records, between).items():
            results.setdefault(key, {})[name] = result
    return results


def list_metrics(records: Sequence[CheckedRecord]) -> list[str]:
    metrics = (record.metrics(key) for record in records for key in record.series)
    return sorted({metric.name for each in metrics for metric in each})


def compare(first: Side, second: Side, metric: str = "") -> list[Row]:
    """Compare two results: a row for each series of either, in order of name.

    *metric* replaces each scenario's first metric, in the scenarios that have it.
    """
    names = sorted({*first, *second})
    return [row for name in names for row in _compare_scenario(first.get(name), second.get(name), name, metric)]


def _compare_scenario(first: Result | None, second: Result | None, name: str, metric_name: str) -> Iterator[Row]:
    shared = _in_shared_runs(first, second) if first and second else None
    sides = [side for side in (first, second) if side]
    every = (key for side in sides for run in side.runs for key in run.series)
    for key in sorted({key for key in every if key.scenario == name and key.role == "subject"}):
        run = next(side.runs_with(key)[0] for side in sides if side.runs_with(key))
        known = run.metrics(key)
        for metric in [each for each in known if each.name == metric_name] if metric_name else known[:1]:
            yield _row(first, second, shared, key, metric)


def _row(first: Result | None, second: Result | None, shared: Pair | None, key: SeriesKey, metric: Metric) -> Row:
    row = Row(key, metric, _values(first, second, key, metric))
    if first is None or second is None or not (first.runs_with(key) and second.runs_with(key)):
        return replace(row, why_not=ONLY_ONE)
    runs = first.runs_with(key)[0], second.runs_with(key)[0]
    sides = zip(("first", "second"), runs, row.values, strict=True)
    failed = (_no_value(side, run, key) for side, run, value in sides if value is None)
    why = next(filter(None, failed), "") or _work_difference(*runs, key)
    paired = _paired(shared, runs, key, metric) if shared and not why else None
    ratio = why or paired or _through_reference(first, second, key, metric)
    if isinstance(ratio, str):
        return replace(row, why_not=ratio)
    imported = ((run.file.record.packages, run.packages(key)) for run in runs)
    differing = changed_packages(*(required_versions(*each) for each in imported))
    versions = [f"{name} {ours} and {theirs}" for name, (ours, theirs) in differing.items()]
    values = _values(*shared, key, metric) if shared and paired else row.values
    return replace(row, values=values, ratio=ratio, is_paired=paired is not None, packages=versions)


def _values(
    first: Result | None, second: Result | None, key: SeriesKey, metric: Metric
) -> tuple[Estimate | None, Estimate | None]:
    a, b = (side.estimate(key, metric) if side and side.runs_with(key) else None for side in (first, second))
    return a, b


def _in_shared_runs(first: Result, second: Result) -> Pair | None:
    """Return both with only the runs that measured both, the first as the second's counterpart; None without any."""
    if first.machine_key._replace(local=False) != second.machine_key._replace(local=False):
        return None
    theirs = {run.run: run for run in first.runs}
    shared = [(theirs[run.run], replace(run, counterpart=theirs[run.run])) for run in second.runs if run.run in theirs]
    if not shared:
        return None
    ours, others = zip(*shared, strict=True)
    return replace(first, runs=ours), replace(second, runs=others)


def _paired(shared: Pair, runs: tuple[CheckedRecord, CheckedRecord], key: SeriesKey, metric: Metric) -> Estimate | None:
    """Return the ratio over the shared runs; None if their code differs from that of the newest *runs*."""
    codes = [[run.series[key].code for run in side.runs_with(key)[:1]] for side in shared]
    is_current = codes == [[run.series[key].code] for run in runs]
    return shared[1].against_counterpart(key, metric) if is_current else None


def _no_value(side: str, run: CheckedRecord, key: SeriesKey) -> str:
    series = run.series[key]
    if series.rejected:
        return f"{side}: {series.rejected}"
    if not series.has_samples:
        return f"{side}: {describe_status(series.status)}: {series.reason or 'no reason given'}"
    return ""


def _work_difference(first: CheckedRecord, second: CheckedRecord, key: SeriesKey) -> str:
    """Describe how the work of the two differs; empty if it is the same."""
    if first.series[key].source_sha256 != second.series[key].source_sha256:
        return "the runner's code differs"
    a, b = first.file.record, second.file.record
    if a.scenario_sha256.get(key.scenario) != b.scenario_sha256.get(key.scenario):
        return "the scenario's code differs"
    if not first.scenarios[key.scenario].calibrates:
        return ""
    differing = calibration_difference(a.run.calibration, b.run.calibration)
    return f"tasks computed different amounts in the two runs: {differing}" if differing else ""


def _through_reference(first: Result, second: Result, key: SeriesKey, metric: Metric) -> Estimate | str:
    """Return the ratio of the two ratios to the reference build, or why there is none."""
    if why := _no_common_reference(first.runs_with(key)[0], second.runs_with(key)[0], key):
        return why
    a, b = first.against_reference(key, metric), second.against_reference(key, metric)
    if a is None or b is None:
        return f"the {'first' if a is None else 'second'} has no ratio to the reference build"
    if not a.scale == b.scale == "log":
        return "counts, or values of 0, have no ratio through the reference build"
    return b.over(a)


def _no_common_reference(first: CheckedRecord, second: CheckedRecord, key: SeriesKey) -> str:
    a, b = first.file.record, second.file.record
    if build_identity(a.reference_build) != build_identity(b.reference_build):
        names = (
            f"{describe_build(build_name(each.reference_build))} ({each.reference_build.compiler})" for each in (a, b)
        )
        return f"different reference builds: {' and '.join(names)}"
    if build_identity(a.build) == build_identity(b.build) == build_identity(a.reference_build):
        return BOTH_ARE_REFERENCES
    differing = package_difference(a, b, first.packages(key))
    return f"the reference builds have {differing}: {WOULD_CANCEL}" if differing else ""


def largest_first(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that differ, the largest difference in either direction first."""
    numbers = ((row, row.ratio.value) for row in rows if row.outcome == "differs" and row.ratio)
    sizes = ((row, abs(math.log(number)) if 0 < number < math.inf else math.inf) for row, number in numbers)
    return [row for row, _ in sorted(sizes, key=lambda each: -each[1])]


def counts(rows: Sequence[Row]) -> list[str]:
    """Count the outcomes in words: "12 faster", "3 otherwise worse", "40 without a difference", "5 undecided"."""
    numbers: Counter[str] = Counter(row.way if row.outcome == "differs" else row.outcome for row in rows)
    return [words.format(numbers[outcome]) for outcome, words in patterns.COMPARE_OUTCOMES.items() if numbers[outcome]]


def reasons(rows: Sequence[Row]) -> list[tuple[str, int]]:
    """Return the reasons why rows are not compared, each with its number of rows, the commonest first."""
    return Counter(row.why_not for row in rows if row.outcome == "not compared").most_common()


def sum_up(second: str, first: str, rows: Sequence[Row]) -> list[str]:
    """Summarise a comparison for a terminal or a log: how many differ, and the largest differences."""
    if not rows:
        return []
    lines = [
        patterns.COMPARE_SUMMARY.format(second=second, first=first, rows=len(rows), counts=", ".join(counts(rows)))
    ]
    differing = largest_first(rows)
    for row in differing[:MAX_NAMED]:
        series = patterns.COMPARE_SERIES.format(**row.key._asdict())
        lines.append(f"  {row.way}: {series}: {row.text}")
    hidden = len(differing) - MAX_NAMED
    return [*lines, patterns.COMPARE_MORE.format(hidden)] if hidden > 0 else lines
