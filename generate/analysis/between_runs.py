"""What several full runs of one machine and build say of a series: how far it moves from run to run. Pure.

An interval is of its run: what differs between runs, as memory layout and the hour do, is in none. Runs stand beside
each other where they measured the same with the same: the scenario, the runner, its packages, the version of the
record, the interpreter and the processor; of the map also what tasks had to compute. They come from what is kept of
every file; none is parsed again.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from generate.analysis import calibration
from generate.analysis.gated import why_busy
from generate.analysis.selection import Cell, in_precedence
from generate.results.runs import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.analysis.summary import Summary
    from generate.results.model import FileHeader, SeriesMedian
    from generate.text.over_runs import OverRuns
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.model import Record

MOST_RUNS = 5
"""So many are looked at, in order of precedence, so that what it takes does not grow with history."""

RunsOfCell = dict[tuple[Cell, str], list["FileHeader"]]
"""By machine and build, and scenario: the files of runs that stand beside each other, the current one first."""
Place = tuple[str, str, str, str, str, str]
"""Path, scenario, case, runner, role and metric."""


class Spread(NamedTuple):
    """What the runs say of one number in one of their files: a median in its metric's unit, or a ratio."""

    low: float
    """The smallest of the runs' medians."""
    high: float
    """The largest."""
    outside: int
    """How many of the others' medians lie outside this one's interval."""
    moved: bool
    """Whether the interval of another run does not overlap with this one's."""


class SeveralRuns(NamedTuple):
    """What the runs say of one metric of a series in one of their files."""

    runs: int
    """How many there are, this one among them."""
    value: Spread
    ratio: Spread | None
    """Of its ratio to the baseline; None of the baseline itself, and where a run has no ratio."""


def counts(file: FileHeader | Record) -> bool:
    """Say whether a file is of a full run that ended, on a machine that was not busy with something else."""
    return not file.run.is_quick and file.complete and not why_busy(file.machine)


def runs_of_cells(files: Iterable[FileHeader]) -> RunsOfCell:
    """Return the files of runs that stand beside each other: at least two, at most MOST_RUNS, one of each run."""
    by_cell: RunsOfCell = defaultdict(list)
    for _, file in in_precedence(file for file in files if counts(file)):
        cell = Cell.of(file)
        for scenario in file.scenario_sha256:
            runs = by_cell[cell, scenario]
            if len(runs) < MOST_RUNS and _is_alike(file, runs, scenario):
                runs.append(file)
    return {key: runs for key, runs in by_cell.items() if len(runs) > 1}


def _is_alike(file: FileHeader, runs: Sequence[FileHeader], scenario: str) -> bool:
    """Say whether *file* is of another run than those that are there, of the method of the first."""
    first = runs[0] if runs else file
    own, other = (
        (each.schema_version, each.scenario_sha256[scenario], each.build, each.machine.cpu, each.machine.usable_cores)
        for each in (file, first)
    )
    is_other_work = calibration.difference(file.run.calibration, first.run.calibration)
    return own == other and not is_other_work and key_of(file) not in map(key_of, runs)


def further(runs: RunsOfCell) -> list[FileHeader]:
    """Return the files that stand beside a current one, in order of path."""
    by_path = {file.path: file for beside in runs.values() for file in beside[1:]}
    return [by_path[path] for path in sorted(by_path)]


def scenarios_beside(runs: RunsOfCell) -> dict[str, set[str]]:
    """Return by path the scenarios in which a file stands beside others: of no other are its series several runs'."""
    by_path: dict[str, set[str]] = defaultdict(set)
    for (_, scenario), files in runs.items():
        for file in files:
            by_path[file.path].add(scenario)
    return by_path


def having(runs: RunsOfCell, records: Iterable[GatedRecord]) -> dict[tuple[Cell, str], list[GatedRecord]]:
    """Return of the runs that stand beside each other those that are among *records*: at least two."""
    by_path = {gated.file.path: gated for gated in records}
    found = {key: [by_path[file.path] for file in files if file.path in by_path] for key, files in runs.items()}
    return {key: beside for key, beside in found.items() if len(beside) > 1}


def spreads(runs: RunsOfCell, medians: Mapping[str, Sequence[SeriesMedian]]) -> dict[Place, SeveralRuns]:
    """Return what the runs say of each series that several of them have measured; *medians* are by a file's hash.

    A series of which a round failed is left out, and so is a runner whose file differs, or whose packages do.
    """
    by_place: dict[Place, SeveralRuns] = {}
    for (_, scenario), files in runs.items():
        alike: dict[tuple[str, ...], list[tuple[str, SeriesMedian]]] = defaultdict(list)
        for file in files:
            for series in medians.get(file.sha256, ()):
                if series.scenario == scenario and series.status == "ok" and series.median is not None:
                    place = series.case, series.runner, series.role, series.metric
                    alike[*place, series.unit, series.source_sha256, series.packages].append((file.path, series))
        for (case, runner, role, metric, *_), beside in alike.items():
            if len(beside) > 1:
                places = [(path, scenario, case, runner, role, metric) for path, _ in beside]
                by_place |= zip(places, _several([series for _, series in beside]), strict=True)
    return by_place


class RunAgreement(NamedTuple):
    """How far a number of further full runs agrees with the interval of the current one."""

    series: int
    """How many have several runs."""
    pairs: int
    """A further run of one of them each."""
    outside: int
    """Pairs whose further number lies outside the current interval."""
    moved: int
    """Series of which the interval of another run does not overlap with the current one."""
    usual: float
    """By what share the numbers of half of the series differ at most; 0 where none has several runs."""


class RunAgreements(NamedTuple):
    """How far runs agree on values, and on ratios to the baseline."""

    values: RunAgreement
    ratios: RunAgreement


def agreements(table: Iterable[Summary], scenarios: Mapping[str, Scenario]) -> RunAgreements:
    """Return how far runs agree, by the first metric of each scenario; *table* has the current rows."""
    first = {name: scenario.metrics[0].name for name, scenario in scenarios.items()}
    rows = [row for row in table if row.runs > 1 and row.metric == first.get(row.scenario)]
    subjects = [row for row in rows if row.role == "subject"]  # the control's ratios are the noise
    return RunAgreements(
        _agreement((row.values_of_runs, row.runs_moved) for row in rows),
        _agreement((row.ratios_of_runs, row.runs_ratio_moved) for row in subjects),
    )


def _agreement(of_series: Iterable[tuple[OverRuns | None, bool]]) -> RunAgreement:
    """Return how far runs agree on the numbers of some series, each with whether it moved."""
    found = [(runs, moved) for runs, moved in of_series if runs]
    apart = [runs.high / runs.low - 1 for runs, _ in found if runs.low and runs.high]
    usual = statistics.median(apart) if apart else 0.0
    pairs, outside = sum(runs.runs - 1 for runs, _ in found), sum(runs.outside or 0 for runs, _ in found)
    return RunAgreement(len(found), pairs, outside, sum(moved for _, moved in found), usual)


def _several(beside: Sequence[SeriesMedian]) -> Iterator[SeveralRuns]:
    """Go through the runs that have a series: what the others are to each."""
    values = _spreads([(each.low, each.median, each.high) for each in beside])
    ratios = _spreads([(each.ratio_low, each.ratio, each.ratio_high) for each in beside])
    for place, value in enumerate(values):
        yield SeveralRuns(len(beside), value, ratios[place] if ratios else None)


def _spreads(ends: Sequence[tuple[float | None, float | None, float | None]]) -> list[Spread]:
    """Return what the others are to each run's number, which stands between the ends of its interval.

    Nothing where a run has no number.
    """
    known = [(low or 0.0, number, high or 0.0) for low, number, high in ends if number is not None]
    if len(known) < len(ends):
        return []
    numbers = [number for _, number, _ in known]
    return [
        Spread(
            min(numbers),
            max(numbers),
            outside=sum(not low <= number <= high for number in numbers),
            moved=any(above < low or below > high for below, _, above in known),
        )
        for low, _, high in known
    ]
