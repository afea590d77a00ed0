"""Tests the statistics on the runs in results/: measures nothing, and takes less than a minute."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean, median, variance
from typing import NamedTuple

from generate.data import between_runs
from generate.data import read as load
from generate.data.between_runs import BetweenRuns, Block, Excess
from generate.data.estimates import RunRounds, estimate_run, log_variance, pool
from generate.data.gate import check_records
from generate.data.selection import OWN_VALUE, Divisor, Result, pool_results
from generate.downloads.validation import Compared, Detection, Planted, Prediction, Share, Work
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Metric
from runners.harness.record.model import SeriesKey

SCENARIOS = catalogue.find()
POINT = re.compile(r"c\d+_w\d+_.*elapsed_ns")
"""A column of one point of the map."""
QUICK_ROUNDS = 3
ENOUGH = 20
"""Tests from which a scenario has a share of its own."""
PLAIN = 1.5
"""A quick run should detect nearly all differences by this factor."""
PLANTED: tuple[tuple[float, Work], ...] = ((1.2, "computes"), (1.1, "waits"))
PLANTED_RUNS = 3
TIMED = ("ns", "per_s")
"""Units of work that takes time; delays and latencies name their kind."""
KINDS: Mapping[Compared, tuple[str, ...]] = {
    "value": ("value",),
    "ratio": ("within", "across"),
    "within": ("within",),
    "across": ("across",),
}
ROWS: list[tuple[Compared, bool, bool]] = [
    *((compared, first, False) for compared in KINDS for first in (True, False)),
    *(("value", True, True), ("ratio", True, True)),
]
"""What is compared, whether only by each scenario's first metric, and whether on the map."""


@dataclass(frozen=True)
class SeriesRuns:
    """One series, or one pair of series, and the runs that count."""

    result: str
    """Machine and build."""
    key: SeriesKey
    block: Block
    is_first: bool
    """True for the scenario's first metric."""
    runs: Sequence[RunRounds]
    """Newest first; every value is above 0."""

    @property
    def is_control(self) -> bool:
        return self.key.role == "control"

    @property
    def is_evidence(self) -> bool:
        """False for a control's ratio, which shows nothing about candidates."""
        return not self.is_control or self.block.compared == "value"

    @property
    def is_map(self) -> bool:
        return SCENARIOS[self.key.scenario].cases[self.key.case].map

    @cached_property
    def excess(self) -> float | None:
        """How much the runs differ beyond their rounds; None for one run."""
        return excess(self.runs)


def read(results: Path) -> list[SeriesRuns]:
    """Read the published runs: every value and ratio on the log scale."""
    records = check_records([file for file in load.load(results).files if not file.local], SCENARIOS)
    return [
        each
        for name, scenario in SCENARIOS.items()
        for result in pool_results(scenario, records, BetweenRuns()).values()
        for each in series_runs(name, result)
    ]


def series_runs(scenario: str, result: Result) -> Iterator[SeriesRuns]:
    """Yield every value and ratio that a result has on the log scale; of the map, those of each point."""
    keys = dict.fromkeys(key for run in result.runs for key in run.series if key.scenario == scenario)
    for key in (key for key in keys if key.role != "reference"):
        newest = result.runs_with(key)[0]
        metrics, columns = newest.metrics(key), newest.series[key].values
        points = [Metric(name, "", "ns", "lower") for name in columns if POINT.fullmatch(name)]
        for metric in (each for each in points or metrics if each.unit != "count"):
            for divisor in _divisors(result, key):
                runs, _ = result.rounds_by_run(key, metric, divisor)
                if runs and all(min(run.values) > 0 for run in runs):
                    block = result.block(key, metric, divisor.compared)
                    is_first = bool(points) or metric is metrics[0]
                    yield SeriesRuns(result.key.key, key, block, is_first, runs)


def _divisors(result: Result, key: SeriesKey) -> Iterator[Divisor]:
    runs = result.runs_with(key)
    baseline = runs[0].series[key].baseline
    yield OWN_VALUE
    if baseline != key:
        yield Divisor("within", baseline)
    if key.role == "subject":
        yield Divisor("across", key._replace(role="reference"))
        if any(run.counterpart and not run.counterpart.is_reference for run in runs):
            yield Divisor("across", key, is_counterpart=True)


def excess(runs: Sequence[RunRounds]) -> float | None:
    """Return how much runs of one series differ beyond their rounds (variance, log scale); None for fewer than two."""
    estimates = [estimate_run(run, math.log) for run in runs if len(run.values) > 1 and min(run.values) > 0]
    s2s = [s2 for _, s2 in estimates if s2 is not None]
    return variance([y for y, _ in estimates]) - fmean(s2s) if len(estimates) > 1 else None


def between_runs_table(every: Iterable[SeriesRuns], without: str = "") -> BetweenRuns:
    """Return the table of how much runs differ, without one of them if named."""
    return between_runs.table(
        (each.block, own)
        for each in every
        if each.is_evidence
        and (own := excess([run for run in each.runs if run.run != without]) if without else each.excess) is not None
    )


def without_series(between: BetweenRuns, own: SeriesRuns) -> BetweenRuns:
    """Return the table as it would be without one series."""
    known = between.blocks.get(own.block)
    if known is None or own.excess is None or not own.is_evidence:
        return between
    left = known.series - 1
    mean = (known.mean * known.series - own.excess) / left if left else 0.0
    return BetweenRuns({**between.blocks, own.block: Excess(mean, left)})


class HeldOut(NamedTuple):
    """One run, and what the others predicted."""

    is_inside: bool
    half_width: float
    """Of the range of a further run: its upper end over the estimate, less 1."""


def hold_out(series: SeriesRuns, run: RunRounds, between: float) -> HeldOut | None:
    """Compare one run with the range that the others predict; None if they predict none."""
    others, own = pool([each for each in series.runs if each is not run], between), pool([run], between)
    if others is None or own is None or not others.has_range:
        return None
    is_inside = others.another_low <= own.runs[0].value <= others.another_high
    return HeldOut(is_inside, others.another_high / others.value - 1)


def halves_differ(series: SeriesRuns, between: float) -> bool | None:
    """True if estimates of two disjoint halves of the runs differ beyond their combined range; None without a range."""
    first, second = (pool(series.runs[start::2], between) for start in (0, 1))
    if first is None or second is None or not (first.has_range and second.has_range):
        return None
    return first.over(second).differs


class Outcome(NamedTuple):
    """The result of holding out each run of a series."""

    series: SeriesRuns
    held: list[HeldOut]
    unseen: list[HeldOut]
    """The same by a table without the held-out run."""
    long_run: float
    halves: bool | None


def predictions(every: Sequence[SeriesRuns]) -> list[Prediction]:
    several = [each for each in every if len(each.runs) > 1 and each.is_evidence]
    unseen = {run: between_runs_table(every, run) for run in sorted({run.run for each in several for run in each.runs})}
    between = between_runs_table(every)
    outcomes = [_outcome(each, between, unseen) for each in several]
    made = []
    for compared, first, is_map in ROWS:
        alike = [each for each in outcomes if each.series.block.compared in KINDS[compared]]
        counted = [each for each in alike if (each.series.is_first or not first) and each.series.is_map == is_map]
        if counted:
            made.append(_prediction(compared, counted, first=first, is_map=is_map))
    return made


def _outcome(series: SeriesRuns, between: BetweenRuns, unseen: Mapping[str, BetweenRuns]) -> Outcome:
    expected = without_series(between, series).variance(series.block)
    held = (hold_out(series, run, expected) for run in series.runs)
    harder = (hold_out(series, run, unseen[run.run].variance(series.block)) for run in series.runs)
    estimate = pool(series.runs, between.variance(series.block))
    long_run = estimate.high / estimate.value - 1 if estimate and estimate.has_range else math.inf
    return Outcome(series, [*filter(None, held)], [*filter(None, harder)], long_run, halves_differ(series, expected))


def _prediction(compared: Compared, counted: Sequence[Outcome], *, first: bool, is_map: bool) -> Prediction:
    inside: dict[str, list[bool]] = defaultdict(list)
    for each in counted:
        inside[each.series.key.scenario] += [held.is_inside for held in each.held]
    return Prediction(
        compared,
        first,
        is_map,
        len(counted),
        _share(each for tests in inside.values() for each in tests),
        _share(held.is_inside for each in counted for held in each.unseen),
        round(median(held.half_width for each in counted for held in each.held), 4),
        round(median(each.long_run for each in counted), 4),
        _share(each.halves for each in counted if each.halves is not None),
        {name: _share(tests) for name, tests in sorted(inside.items()) if len(tests) >= ENOUGH},
    )


def detection(every: Sequence[SeriesRuns]) -> Detection:
    """Test what the rule can tell apart: controls, quick runs, and differences planted in controls."""
    between = between_runs_table(every)
    ratios = [each for each in every if each.block.compared == "within" and not each.is_map]
    controls = [each for each in ratios if each.is_control]
    first = [each for each in controls if each.is_first]
    excesses = ((each.block, each.excess) for each in every if not each.is_evidence)
    steady = between_runs.table((block, own) for block, own in excesses if own is not None)
    quick = _quick(between, [each for each in ratios if each.is_first])
    return Detection(
        _share(_differs(between, each, each.runs) for each in first),
        _share(_differs(between, each, each.runs) for each in controls),
        _share(_differs(between, each, [run]) for each in first for run in each.runs),
        *quick,
        [_planted(steady, first, factor, work) for factor, work in PLANTED],
    )


def _differs(between: BetweenRuns, series: SeriesRuns, runs: Sequence[RunRounds]) -> bool:
    estimate = pool(runs, between.variance(series.block))
    return estimate is not None and estimate.differs


def _planted(steady: BetweenRuns, controls: Iterable[SeriesRuns], factor: float, work: Work) -> Planted:
    """Slow down each three runs of a control by *factor*, and count how often that is seen."""
    seen: dict[str, list[bool]] = defaultdict(list)
    for series in controls:
        scenario = SCENARIOS[series.key.scenario]
        is_timed = not scenario.metrics[0].kind and scenario.metrics[0].unit in TIMED
        if is_timed and scenario.cases[series.key.case].steady == (work == "waits"):
            for start in range(0, len(series.runs) - PLANTED_RUNS + 1, PLANTED_RUNS):
                three = series.runs[start : start + PLANTED_RUNS]
                slowed = [run._replace(values=[factor * value for value in run.values]) for run in three]
                estimate = pool(slowed, steady.variance(series.block))
                is_seen = estimate is not None and estimate.low > 1
                seen[f"{series.block.scenario}: {series.block.block}"].append(is_seen)
    missed = {name: _share(tests) for name, tests in sorted(seen.items()) if not all(tests)}
    return Planted(factor, work, _share(each for tests in seen.values() for each in tests), missed)


def _quick(between: BetweenRuns, ratios: Iterable[SeriesRuns]) -> tuple[Share, Share, Share]:
    """Return for quick runs: controls that differ, plain differences that are seen, and wrong decisions."""
    blocks: dict[object, list[SeriesRuns]] = defaultdict(list)
    for each in ratios:
        blocks[each.result, each.block].append(each)
    controls, seen, wrong = [], [], []
    for block in blocks.values():
        truths = [pool(each.runs, between.variance(each.block)) for each in block]
        for index, run in (pair for window in windows(block, QUICK_ROUNDS) for pair in window.items()):
            quick, truth = pool([run], between.variance(block[index].block)), truths[index]
            if quick is None or truth is None:
                continue
            if block[index].is_control:
                controls.append(quick.differs)
            elif truth.differs:
                is_right = (quick.value > 1) == (truth.value > 1)
                wrong.append(quick.differs and not is_right)
                if max(truth.value, 1 / truth.value) >= PLAIN:
                    seen.append(quick.differs and is_right)
    return _share(controls), _share(seen), _share(wrong)


def windows(block: Sequence[SeriesRuns], rounds: int) -> Iterator[Mapping[int, RunRounds]]:
    """Yield what quick runs of fewer rounds would have measured: runs by index in *block*."""
    runs: dict[str, dict[int, RunRounds]] = defaultdict(dict)
    for index, series in enumerate(block):
        for run in series.runs:
            runs[run.run][index] = run
    for by_index in runs.values():
        for start in range(0, min(len(run.values) for run in by_index.values()) - rounds + 1, rounds):
            cut = {index: run._replace(values=run.values[start : start + rounds]) for index, run in by_index.items()}
            known = [each for run in cut.values() if (each := log_variance(run.values)) is not None]
            yield {i: run._replace(block_variance=fmean(known) if known else None) for i, run in cut.items()}


def _share(tests: Iterable[bool]) -> Share:
    every = [*tests]
    return Share(sum(every), len(every))
