"""Tests the statistics on the runs in results/: measures nothing, and takes less than a minute."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from types import MappingProxyType
from typing import TYPE_CHECKING

from generate.data import read as load
from generate.data.between_runs import BetweenRuns
from generate.data.between_runs import table as block_table
from generate.data.estimates import pool
from generate.data.gate import check_records
from generate.data.selection import pool_results
from generate.data.validation import (
    Detection,
    Planted,
    Prediction,
    Share,
    between_runs_table,
    halves_differ,
    hold_out,
    series_runs,
    windows,
    without_series,
)
from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from generate.data.estimates import Estimate, RunRounds
    from generate.data.validation import Compared, HeldOut, SeriesRuns, Work
    from runners.harness.catalogue.scenarios import Scenario

QUICK_ROUNDS = 3
ENOUGH = 20
"""Tests from which a scenario has a share of its own."""
PLAIN = 1.5
"""A quick run is to see nearly all differences of so many times."""
PLANTED: tuple[tuple[float, Work], ...] = ((1.2, "computes"), (1.1, "waits"))
RUNS_OF_PLANTED = 3
TIMED = ("ns", "per_s")
"""Units of work that takes time; delays and latencies name their kind."""
KINDS: Mapping[Compared, tuple[str, ...]] = MappingProxyType(
    {"value": ("value",), "ratio": ("within", "across"), "within": ("within",), "across": ("across",)}
)


@dataclass(frozen=True)
class Committed:
    """All series of the published runs, and the table that they make."""

    series: Sequence[SeriesRuns]
    between: BetweenRuns
    of_controls: BetweenRuns
    """Made of controls only: how much a candidate as steady as its baseline differs between runs."""
    scenarios: Mapping[str, Scenario]

    def pool(self, series: SeriesRuns, runs: Sequence[RunRounds]) -> Estimate | None:
        """Return the estimate over some runs of a series."""
        return pool(runs, self.between.variance(series.block))

    def is_map(self, series: SeriesRuns) -> bool:
        """True for a point of the map."""
        return self.scenarios[series.block.scenario].cases[series.key.case].map

    def work(self, series: SeriesRuns) -> Work:
        """Return what a series mostly does."""
        return "waits" if self.scenarios[series.block.scenario].cases[series.key.case].steady else "computes"


def read(results: Path) -> Committed:
    """Read the published runs."""
    scenarios = catalogue.find()
    records = check_records([file for file in load.load(results).files if not file.local], scenarios)
    series = [
        each
        for name, scenario in scenarios.items()
        for each in series_runs(name, pool_results(scenario, records, BetweenRuns()).values())
    ]
    controls = [(each.block, each.excess) for each in series if not each.is_evidence and each.excess is not None]
    return Committed(series, between_runs_table(series), block_table(controls), scenarios)


@dataclass(frozen=True)
class Outcome:
    """The result of holding out each run of a series."""

    series: SeriesRuns
    held: Sequence[HeldOut]
    unseen: Sequence[HeldOut]
    """The same by a table without the held-out run."""
    long_run: float
    halves: bool | None


def outcomes(committed: Committed) -> list[Outcome]:
    """Hold out each run of each series that has several."""
    several = [each for each in committed.series if len(each.runs) > 1 and each.is_evidence]
    runs = sorted({run.run for each in several for run in each.runs})
    unseen = {run: between_runs_table(committed.series, run) for run in runs}
    return [_outcome(committed, each, unseen) for each in several]


def _outcome(committed: Committed, series: SeriesRuns, unseen: Mapping[str, BetweenRuns]) -> Outcome:
    between = without_series(committed.between, series).variance(series.block)
    held = [hold_out(series, run, between) for run in series.runs]
    harder = [hold_out(series, run, unseen[run.run].variance(series.block)) for run in series.runs]
    estimate = committed.pool(series, series.runs)
    return Outcome(
        series,
        [each for each in held if each],
        [each for each in harder if each],
        estimate.high / estimate.value - 1 if estimate and estimate.has_range else math.inf,
        halves_differ(series, between),
    )


def predictions(committed: Committed) -> list[Prediction]:
    """Count how often runs lie in the range that the others predict; those of the map apart."""
    every = outcomes(committed)
    rows: list[tuple[Compared, bool, bool]] = [
        (compared, first, False) for compared in KINDS for first in (True, False)
    ]
    rows += [("value", True, True), ("ratio", True, True)]
    made = []
    for compared, first, is_map in rows:
        counted = [
            each
            for each in every
            if each.series.block.compared in KINDS[compared]
            and (each.series.is_first or not first)
            and committed.is_map(each.series) == is_map
        ]
        if counted:
            made.append(_prediction(compared, counted, first=first, is_map=is_map))
    return made


def _prediction(compared: Compared, counted: Sequence[Outcome], *, first: bool, is_map: bool) -> Prediction:
    inside: dict[str, list[bool]] = defaultdict(list)
    for each in counted:
        inside[each.series.block.scenario] += [held.is_inside for held in each.held]
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


def detection(committed: Committed) -> Detection:
    """Test what the rule can tell apart: controls, quick runs, and differences planted in controls."""
    ratios = [each for each in committed.series if each.block.compared == "within" and not committed.is_map(each)]
    controls = [each for each in ratios if each.is_control]
    first = [each for each in controls if each.is_first]
    quick, seen, wrong = _quick(committed, [each for each in ratios if each.is_first])
    return Detection(
        _share(_differs(committed, each, each.runs) for each in first),
        _share(_differs(committed, each, each.runs) for each in controls),
        _share(_differs(committed, each, [run]) for each in first for run in each.runs),
        _share(quick),
        _share(seen),
        _share(wrong),
        [_planted(committed, first, factor, work) for factor, work in PLANTED],
    )


def _differs(committed: Committed, series: SeriesRuns, runs: Sequence[RunRounds]) -> bool:
    estimate = committed.pool(series, runs)
    return estimate is not None and estimate.differs


def _planted(committed: Committed, controls: Iterable[SeriesRuns], factor: float, work: Work) -> Planted:
    """Slow down each three runs of a control by *factor*, and count how often that is seen."""
    seen: dict[str, list[bool]] = defaultdict(list)
    for series in controls:
        metric = committed.scenarios[series.block.scenario].metrics[0]
        if metric.kind or metric.unit not in TIMED or committed.work(series) != work:
            continue
        for start in range(0, len(series.runs) - RUNS_OF_PLANTED + 1, RUNS_OF_PLANTED):
            three = series.runs[start : start + RUNS_OF_PLANTED]
            slowed = [run._replace(values=[factor * value for value in run.values]) for run in three]
            estimate = pool(slowed, committed.of_controls.variance(series.block))
            seen[f"{series.block.scenario}: {series.block.block}"].append(estimate is not None and estimate.low > 1)
    missed = {name: _share(tests) for name, tests in sorted(seen.items()) if not all(tests)}
    return Planted(factor, work, _share(each for tests in seen.values() for each in tests), missed)


def _quick(committed: Committed, ratios: Iterable[SeriesRuns]) -> tuple[list[bool], list[bool], list[bool]]:
    """Return for quick runs: controls that differ, plain differences that are seen, and wrong decisions."""
    blocks: dict[object, list[SeriesRuns]] = defaultdict(list)
    for each in ratios:
        blocks[each.result, each.block].append(each)
    controls, seen, wrong = [], [], []
    for block in blocks.values():
        truths = [committed.pool(each, each.runs) for each in block]
        for window in windows(block, QUICK_ROUNDS):
            for index, run in window.items():
                series, truth = block[index], truths[index]
                found = committed.pool(series, [run])
                if found is None or truth is None:
                    continue
                if series.is_control:
                    controls.append(found.differs)
                elif truth.differs:
                    is_right = (found.value > 1) == (truth.value > 1)
                    wrong.append(found.differs and not is_right)
                    if max(truth.value, 1 / truth.value) >= PLAIN:
                        seen.append(found.differs and is_right)
    return controls, seen, wrong


def _share(tests: Iterable[bool]) -> Share:
    every = [*tests]
    return Share(sum(every), len(every))


def table(predicted: Sequence[Prediction], detected: Detection) -> Iterator[str]:
    """Yield the lines of the figures, each with its bound."""
    heads = f"{'inside':>15} {'unseen':>7} {'another':>8} {'range':>7} {'halves':>7}  lowest"
    yield f"{'held-out runs':22} {'series':>6} {heads}"
    for each in predicted:
        what = f"{each.compared}, {'map' if each.is_map else 'first' if each.first else 'all'}"
        name, worst = each.lowest
        yield (
            f"{what:22} {each.series:6} {_counted(each.inside):>15} {each.inside_unseen.share:7.1%} "
            f"{each.half_width:8.0%} {each.long_run:7.0%} {each.halves.share:7.1%}  {name} {_counted(worst)}"
        )
    yield f"{'controls told apart':40} {_counted(detected.controls)} (at most 5%)"
    yield f"{'  all metrics':40} {_counted(detected.controls_all)} (at most 5%)"
    yield f"{'  by one run':40} {_counted(detected.controls_one_run)} (at most 5%)"
    yield f"{'  by a quick run':40} {_counted(detected.controls_quick)}"
    yield f"{'quick runs that decide the wrong way':40} {_counted(detected.quick_wrong)} (at most 1%)"
    yield f"{'quick runs that see 1.5 times':40} {_counted(detected.quick_seen)}"
    for planted in detected.planted:
        missed = "".join(f"; {name} {_counted(share)}" for name, share in planted.missed.items())
        what = f"planted {planted.factor:g} times, {planted.work}"
        yield f"{what:40} {_counted(planted.seen)} (at least 95%){missed}"


def _counted(share: Share) -> str:
    return f"{share.share:.1%} of {share.of:,}"
