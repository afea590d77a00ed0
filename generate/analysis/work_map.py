"""The map: which models are fastest at each point, for so many tasks that compute and then wait. Pure.

A point is a kind of task, a number of tasks, and how long each computes and waits. Models are compared with the one
whose median is least there, paired by round; those whose difference is not beyond the noise are with it at the front.
So are those that are not told apart from it: one or two rounds, or a busy machine, decide nothing, and a map says so.
"""

from __future__ import annotations

import functools
import math
import re
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from generate.analysis.gated import why_busy
from generate.statistics.intervals import FEWEST_PAIRS, median_interval
from generate.statistics.noise import Finding, finding_of, noise_band
from generate.statistics.quick import FEWEST
from generate.text.numbers import counted
from runners.harness.contract import Metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.analysis.ideals import ByRound
    from generate.statistics.intervals import Comparison
    from runners.harness.record.model import Series

SCENARIO = "crossover"
MAIN_KIND = "timers"
"""Of tasks: those that are measured at every point of the map. Models and rules are judged over them."""
COLUMN = re.compile(r"(c([0-9]+)_w([0-9]+))_(?:elapsed|bound)_ns")
"""Of a sample: microseconds of computing and of waiting, and what was measured, or that it takes so long at least."""


class Point(NamedTuple):
    """Where on the map; us."""

    kind: str
    """What tasks wait for, or what they compute: timers, sockets, hashing."""
    tasks: int
    compute_us: int
    wait_us: int

    @property
    def column(self) -> str:
        """What the names of its columns begin with."""
        return f"c{self.compute_us}_w{self.wait_us}"

    def ideal_ns(self, cores: int) -> float:
        """Return the time that no model can beat."""
        return 1e3 * max(self.tasks * self.compute_us / cores, self.compute_us + self.wait_us)


class Placed(NamedTuple):
    """A series among others of its case."""

    series: Series
    median: float
    behind: Comparison | None
    """Beside the one with the least median; None for that one."""
    at_front: bool
    """Whether it is that one, or its difference from it is not beyond the noise."""
    is_undecided: bool
    """Whether it is at the front because nothing is decided: too few rounds, one that failed, or a busy machine."""


class Costs(NamedTuple):
    """What a model costs at one point beside time; medians. What is not known is None."""

    cpu_us: float | None
    memory_bytes: float | None
    """The peak above what the process held before."""
    worst_us: float | None
    """Of the slowest task, from its arrival to its end."""
    memory_low: float | None = None
    """The bounds of the median of memory."""
    memory_high: float | None = None


UNKNOWN = Costs(None, None, None)


@dataclass(frozen=True)
class Standing:
    """How one model does at one point. What was not measured is None."""

    runner: str
    elapsed_ns: float | None
    """Its median."""
    bound_ns: int | None = None
    """So long it takes at least, by arithmetic: it has lost, and was not measured."""
    reason: str = ""
    """Why there is neither."""
    behind: Comparison | None = None
    """Beside the fastest; None for the fastest itself."""
    at_front: bool = False
    """Whether it is the fastest, or its difference from the fastest is not beyond the noise."""
    is_undecided: bool = False
    """Whether it is at the front because nothing is decided between it and the fastest."""
    costs: Costs = UNKNOWN


COMPUTES_IN: Mapping[str, str] = {"asyncio_processes": "processes", "asyncio_to_thread": "threads"}
"""Models of the map, and of everyday work, that have another family compute for them, and which."""
AS_WITHOUT_COMPUTING: Mapping[str, str] = {"asyncio_processes": "asyncio_tasks"}
"""Models of the map that hand over what is computed and nothing else, and as what each works where nothing is."""


def family_at(point: Point, runner: str, families: Mapping[str, str]) -> str:
    """Return the family that a model counts as at *point*: where tasks compute, the one that computes for it.

    With "asyncio" at the front there, readers would think of a loop that computes itself, which may be the slowest.
    """
    return COMPUTES_IN.get(runner, families[runner]) if point.compute_us else families[runner]


@dataclass(frozen=True)
class MapPoint:
    """One point, and every model at it: the fastest first, then those that have lost by arithmetic, then the others."""

    point: Point
    case: str
    """Of the scenario."""
    standings: Sequence[Standing]

    @property
    def front(self) -> list[Standing]:
        """The models at the front; none where nothing was measured."""
        return [standing for standing in self.standings if standing.at_front]

    @property
    def named_front(self) -> list[Standing]:
        """Those that are named as at the front: the fastest, and no model that works as another of them does here."""
        return [each for each in self.front if each.behind is None or not self.works_as(each.runner)]

    def works_as(self, runner: str) -> str:
        """Return as which model *runner* works here, having nothing to hand over; empty where it is one of its own."""
        return "" if self.point.compute_us else AS_WITHOUT_COMPUTING.get(runner, "")

    @property
    def is_undecided(self) -> bool:
        """Whether several models were measured here, and nothing is decided between any of them and the fastest."""
        return nothing_is_decided([standing for standing in self.standings if standing.elapsed_ns is not None])

    def front_families(self, families: Mapping[str, str]) -> list[str]:
        """Return the families at the front, that of the fastest first; *families* are those of the models."""
        return list(dict.fromkeys(family_at(self.point, standing.runner, families) for standing in self.front))

    def of(self, runner: str) -> Standing | None:
        """Return how *runner* does here."""
        return next((standing for standing in self.standings if standing.runner == runner), None)


@dataclass(frozen=True)
class WorkMap:
    """The map of one result file."""

    gated: GatedRecord
    points: Sequence[MapPoint]

    @property
    def rounds(self) -> int:
        """How many rounds were begun: fewer than asked for where the run was cut off."""
        counts = (len(each.samples.round) for each in self.gated.file.record.series if each.scenario == SCENARIO)
        return max(counts, default=0)

    @property
    def why_nothing(self) -> str:
        """Why it decides nothing at any point; empty where it may."""
        few = f"{counted(self.rounds, 'round')}, where {FEWEST} is the least that decides anything"
        return why_busy(self.gated.file.record.machine) or (few if self.rounds < FEWEST else "")

    @property
    def why_undecided(self) -> str:
        """Why it does not decide all that a whole map does: nothing, or only what is plain; empty where it does."""
        return self.why_nothing or (counted(self.rounds, "round") if self.rounds < FEWEST_PAIRS else "")

    def at(self, point: Point) -> MapPoint | None:
        """Return what is known of *point*."""
        return next((each for each in self.points if each.point == point), None)

    def times(self, at: MapPoint, runner: str) -> ByRound:
        """Return a model's times at a point by round, ns; none where it was not measured."""
        series = self.gated.view.series.get(SeriesKey(SCENARIO, at.case, runner, "subject"))
        return self.gated.by_round(series, _elapsed(at.point))

    def reach(self, at: MapPoint) -> float:
        """Return how far the noise reaches at a point, decided or not: a ratio from 1 up, 1 where it is not known."""
        wanted = (SCENARIO, at.case, "control")
        series = self.gated.file.record.series
        control = next((s for s in series if (s.scenario, s.case, s.role) == wanted), None)
        noise = self.gated.noise(control, _elapsed(at.point)) if control else None
        return noise_band(noise)[1] if noise else 1.0


@functools.lru_cache(maxsize=64)  # claims of rules ask for it, and each article for each build that can be chosen
def work_map(gated: GatedRecord) -> WorkMap:
    """Make the map of a file. It has no points where the file has no such scenario."""
    by_case: dict[str, list[Series]] = {}
    for series in gated.file.record.series:
        if series.scenario == SCENARIO and series.role == "subject":
            by_case.setdefault(series.case, []).append(series)
    points = [point for alike in by_case.values() for point in _points(gated, alike)]
    return WorkMap(gated, sorted(points, key=lambda each: each.point))


def _points(gated: GatedRecord, alike: Sequence[Series]) -> Iterator[MapPoint]:
    """Give the points of one case."""
    parameters = gated.view.parameters(alike[0])
    if not parameters:
        return
    names = {name for series in alike for name in series.samples.values}
    for found in {match[1]: match for name in names if (match := COLUMN.fullmatch(name))}.values():
        point = Point(str(parameters["kind"]), int(parameters["tasks"]), int(found[2]), int(found[3]))
        yield _map_point(gated, point, alike)


def _map_point(gated: GatedRecord, point: Point, alike: Sequence[Series]) -> MapPoint:
    ranked = placed(gated, alike, _elapsed(point))
    standings = [
        Standing(
            runner=each.series.runner,
            elapsed_ns=each.median,
            behind=each.behind,
            at_front=each.at_front,
            is_undecided=each.is_undecided,
            costs=_costs(gated, each.series, point),
        )
        for each in ranked
    ]
    measured = {each.series.runner for each in ranked}
    others = [_not_measured(gated, point, series) for series in alike if series.runner not in measured]
    others.sort(key=lambda each: (each.bound_ns or math.inf, each.runner))
    return MapPoint(point, alike[0].case, [*standings, *others])


def placed(gated: GatedRecord, alike: Sequence[Series], metric: Metric) -> list[Placed]:
    """Return those of *alike*, series of one case, that have *metric*, the one with the least median first."""
    times = [(series, by_round) for series in alike if (by_round := gated.by_round(series, metric))]
    medians = [(series, statistics.median(by_round.values())) for series, by_round in times]
    ranked = sorted(medians, key=lambda each: (each[1], each[0].runner))
    found = []
    for series, median in ranked:
        fastest = ranked[0][0]
        if series is fastest:
            found.append(Placed(series, median, None, at_front=True, is_undecided=False))
            continue
        behind = gated.compared(series, fastest, metric)
        finding = finding_of(behind, gated.noise(series, metric)) if behind else Finding.UNDECIDED
        is_undecided = finding is Finding.UNDECIDED
        found.append(Placed(series, median, behind, at_front=finding is not Finding.BEYOND, is_undecided=is_undecided))
    return found


def nothing_is_decided(measured: Sequence[Placed | Standing]) -> bool:
    """Say whether there are several *measured*, the fastest first, and nothing is decided between it and any other."""
    return bool(measured[1:]) and all(each.is_undecided for each in measured[1:])


def _elapsed(point: Point) -> Metric:
    return Metric(f"{point.column}_elapsed_ns", "", "ns", "lower")


def _not_measured(gated: GatedRecord, point: Point, series: Series) -> Standing:
    bound_ns = _median(gated, series, f"{point.column}_bound_ns")
    if bound_ns is not None:
        return Standing(series.runner, None, round(bound_ns))
    return Standing(series.runner, None, reason=gated.refused.get(series.key) or series.reason or "not measured here")


def _costs(gated: GatedRecord, series: Series, point: Point) -> Costs:
    cpu_us, worst_us = (_median(gated, series, f"{point.column}_{name}") for name in ("cpu_us", "worst_us"))
    amounts = _amounts(gated, series, f"{point.column}_memory_bytes")
    if not amounts:
        return Costs(cpu_us, None, worst_us)
    memory = median_interval(amounts)
    return Costs(cpu_us, memory.median, worst_us, memory.low, memory.high)


def _median(gated: GatedRecord, series: Series, column: str) -> float | None:
    amounts = _amounts(gated, series, column)
    return statistics.median(amounts) if amounts else None


def _amounts(gated: GatedRecord, series: Series, column: str) -> list[float]:
    return [*gated.by_round(series, Metric(column, "", "ns", "lower")).values()]
