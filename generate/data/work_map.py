"""The map: which models are fastest at each point, for so many tasks that compute and then wait. Pure.

Models are compared by their own ratios, paired by round, to the one with the lowest estimate.
"""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from generate.data.estimates import AS_FAST, holm
from generate.words.numbers import NO_RANGE
from runners.harness.contract import Metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generate.data.estimates import Estimate
    from generate.data.selection import Result
    from runners.harness.record.model import SeriesKey

    State = Literal["fastest", "as fast", "undecided", "behind", "not measured"]

SCENARIO = "crossover"
MAIN_KIND = "timers"
"""The kind of task that is measured at every point; models and rules are judged by it."""
COLUMN = re.compile(r"c([0-9]+)_w([0-9]+)_(?:elapsed|bound)_ns")
"""A column of a sample: microseconds of computing and of waiting."""
COMPUTES_IN: Mapping[str, str] = {"asyncio_processes": "processes", "asyncio_to_thread": "threads"}
"""Models, here and in everyday work, that have another family compute for them."""
AS_WITHOUT_COMPUTING: Mapping[str, str] = {"asyncio_processes": "asyncio_tasks"}
"""Models that hand over the computing and nothing else, with the model that they equal if there is none."""


class Point(NamedTuple):
    """A place on the map; us."""

    kind: str
    """What tasks do: timers, sockets, hashing."""
    tasks: int
    compute_us: int
    wait_us: int

    @property
    def column(self) -> str:
        """How the names of its columns begin."""
        return f"c{self.compute_us}_w{self.wait_us}"

    @property
    def elapsed(self) -> Metric:
        """Time for all its tasks."""
        return Metric(f"{self.column}_elapsed_ns", "", "ns", "lower")


@dataclass(frozen=True)
class Standing:
    """How a model, or another candidate, does beside the others."""

    key: SeriesKey
    estimate: Estimate | None = None
    behind: Estimate | None = None
    """Its own ratio to the fastest, paired by round."""
    state: State = "not measured"
    bound_ns: float = 0.0
    """The least time it takes by arithmetic, if it was not measured because of that."""
    reason: str = ""
    """Why it has neither estimate nor bound."""

    @property
    def runner(self) -> str:
        """Its name."""
        return self.key.runner

    @property
    def is_best(self) -> bool:
        """True for the fastest, and for what is as fast within AS_FAST."""
        return self.state in {"fastest", "as fast"}


def family_at(point: Point, runner: str, families: Mapping[str, str]) -> str:
    """Return the family that a model counts as at *point*: the one that computes for it, if tasks compute.

    Told "asyncio", readers would think of a loop that computes itself, which may be the slowest.
    """
    return COMPUTES_IN.get(runner, families[runner]) if point.compute_us else families[runner]


@dataclass(frozen=True)
class MapPoint:
    """One point, and every model at it: the fastest first, then those beaten by arithmetic, then the others."""

    point: Point
    case: str
    standings: Sequence[Standing]

    @property
    def measured(self) -> list[Standing]:
        """The models that have an estimate, the fastest first."""
        return [each for each in self.standings if each.estimate]

    @property
    def best(self) -> list[str]:
        """The fastest model and those as fast; of two that do the same here, one."""
        return self._named("fastest", "as fast")

    @property
    def undecided(self) -> list[str]:
        """The models that may be as fast, or not."""
        return [name for name in self._named("undecided") if name not in self.best]

    def _named(self, *states: State) -> list[str]:
        named = (each.runner for each in self.standings if each.state in states)
        return list(dict.fromkeys(self.works_as(name) or name for name in named))

    def works_as(self, runner: str) -> str:
        """Return the model that *runner* equals here, having nothing to hand over; mostly empty."""
        return "" if self.point.compute_us else AS_WITHOUT_COMPUTING.get(runner, "")

    @property
    def is_undecided(self) -> bool:
        """True if several models were measured, and none is told apart from the fastest."""
        others = self.measured[1:]
        return bool(others) and all(each.state == "undecided" for each in others)

    def families(self, families: Mapping[str, str]) -> list[str]:
        """Return the families that are best or undecided, that of the fastest first; *families* by model."""
        return list(dict.fromkeys(family_at(self.point, name, families) for name in (*self.best, *self.undecided)))

    def of(self, runner: str) -> Standing | None:
        """Return how *runner* does here."""
        return next((each for each in self.standings if each.runner == runner), None)


@dataclass(frozen=True, eq=False)
class WorkMap:
    """The map of a machine and build."""

    result: Result
    points: Sequence[MapPoint]

    @property
    def cores(self) -> int:
        """How many cores its process could use."""
        return self.result.record.machine.usable_cores

    @property
    def has_gil(self) -> bool:
        """False for a build without the GIL."""
        return self.result.record.build.gil_at_start

    @property
    def why_nothing(self) -> str:
        """Why it decides nothing at any point; empty if it may."""
        ranges = (each.behind.has_range for at in self.points for each in at.measured[1:] if each.behind)
        return self.result.why_nothing or ("" if any(ranges) else NO_RANGE)

    @property
    def models(self) -> set[str]:
        """The models that were measured, or beaten by arithmetic, at some point."""
        return {each.runner for at in self.points for each in at.standings if each.estimate or each.bound_ns}

    def at(self, point: Point) -> MapPoint | None:
        """Return what was measured at *point*; None if nothing was."""
        return next((each for each in self.points if each.point == point and each.measured), None)


@functools.lru_cache(maxsize=64)  # claims, pages and articles ask for the same
def work_map(result: Result) -> WorkMap:
    """Make the map of a machine and build; without points if it has none."""
    by_case: dict[str, dict[SeriesKey, set[str]]] = {}
    for series in (series for run in result.runs for series in run.file.record.series):
        if series.scenario == SCENARIO and series.role == "subject":
            columns = by_case.setdefault(series.case, {}).setdefault(series.key, set())
            columns.update(series.samples.values)
    points = [at for case, columns in by_case.items() for at in _points(result, case, columns)]
    return WorkMap(result, sorted(points, key=lambda at: at.point))


def _points(result: Result, case: str, columns: Mapping[SeriesKey, set[str]]) -> Iterator[MapPoint]:
    series = result.series(next(iter(columns)))
    parameters = result.gated.view.parameters(series) if series else {}
    if not parameters:
        return
    kind, tasks = str(parameters["kind"]), int(parameters["tasks"])
    found = {COLUMN.fullmatch(name) for names in columns.values() for name in names} - {None}
    for compute_us, wait_us in {(int(match[1]), int(match[2])) for match in found if match}:
        point = Point(kind, tasks, compute_us, wait_us)
        measured = ranked(result, columns, point.elapsed)
        others = [_not_measured(result, point, key) for key in columns.keys() - {each.key for each in measured}]
        others.sort(key=lambda each: (each.bound_ns or math.inf, each.runner))
        yield MapPoint(point, case, [*measured, *others])


def ranked(result: Result, keys: Iterable[SeriesKey], metric: Metric) -> list[Standing]:
    """Return those of *keys* that have a value of *metric*, the lowest first, each compared with that one."""
    known = ((key, result.estimate(key, metric)) for key in keys)
    found = sorted(
        ((key, estimate) for key, estimate in known if estimate), key=lambda each: (each[1].value, each[0].runner)
    )
    ratios = [result.ratio(key, found[0][0], metric) for key, _ in found]
    slower = [False, *holm([ratio.p_value() if ratio else 1.0 for ratio in ratios[1:]])]
    states = (_state(ratio, differs=differs) for ratio, differs in zip(ratios, slower, strict=False))
    return [
        Standing(key, estimate, ratio, "fastest" if key == found[0][0] else state)
        for (key, estimate), ratio, state in zip(found, ratios, states, strict=True)
    ]


def _state(ratio: Estimate | None, *, differs: bool) -> State:
    if ratio is None:
        return "undecided"
    if ratio.is_within(AS_FAST):
        return "as fast"
    return "behind" if differs and ratio.value > 1 else "undecided"


def _not_measured(result: Result, point: Point, key: SeriesKey) -> Standing:
    bound = result.estimate(key, Metric(f"{point.column}_bound_ns", "", "ns", "lower"))
    if bound is not None:
        return Standing(key, bound_ns=bound.value)
    run = next(iter(result.having(key)), None)
    reason = run and (run.rejected.get(key) or run.view.series[key].reason)
    return Standing(key, reason=reason or "not measured here")
