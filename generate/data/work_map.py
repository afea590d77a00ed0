"""The map: the fastest models at each point, for a number of tasks that compute and then wait. Pure.

Models are compared by their ratios, paired by round, to the model with the lowest estimate.
"""

import functools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from generate.data.estimates import AS_FAST, Estimate, holm
from generate.data.selection import Result
from runners.harness.catalogue.scenarios import Runner
from runners.harness.contract import Metric
from runners.harness.record.model import SeriesKey

State = Literal["fastest", "as fast", "undecided", "behind", "not measured"]
BEST = frozenset[State]({"fastest", "as fast"})


SCENARIO = "crossover"
MAIN_KIND = "timers"
"""The kind of task that is measured at every point, and by which models and rules are judged."""
COLUMN = re.compile(r"c([0-9]+)_w([0-9]+)_(?:elapsed|bound)_ns")
"""A column of a sample: microseconds of computing and of waiting."""
MEMORY_KIND = "memory"
"""The kind whose samples only measure the memory of one point."""
COMPUTES_IN: Mapping[str, str] = {
    "asyncio_processes": "processes",
    "asyncio_processes_chunks": "processes",
    "asyncio_to_thread": "threads",
}
"""Models that let another family compute for them."""
AS_WITHOUT_COMPUTING: Mapping[str, str] = {
    "asyncio_processes": "asyncio_tasks",
    "asyncio_processes_chunks": "asyncio_tasks",
}
"""Models that only hand over the computing, with the model that they equal without any."""


class Point(NamedTuple):
    """A point of the map; times in us."""

    kind: str
    """What tasks do: timers, sockets or hashing."""
    tasks: int
    compute_us: int
    wait_us: int

    @property
    def column(self) -> str:
        """Prefix of its columns."""
        return f"c{self.compute_us}_w{self.wait_us}"

    @property
    def elapsed(self) -> Metric:
        """Time for all its tasks."""
        return Metric(f"{self.column}_elapsed_ns", "", "ns", "lower")

    @property
    def key(self) -> str:
        """Names its answer on Choose, in addresses and in the file of answers: "timers/1000/0/100000"."""
        return "/".join(map(str, self))


@dataclass(frozen=True)
class Standing:
    """How a model, or another candidate, compares with the others."""

    key: SeriesKey
    estimate: Estimate | None = None
    behind: Estimate | None = None
    """Its ratio to the fastest, paired by round."""
    state: State = "not measured"
    bound_ns: float = 0.0
    """Its least time by arithmetic, if that is why it was not measured."""
    reason: str = ""
    """Why it has neither estimate nor bound."""

    @property
    def runner(self) -> str:
        return self.key.runner

    @property
    def is_best(self) -> bool:
        """True for the fastest, and for those as fast within AS_FAST."""
        return self.state in BEST


class Cost(NamedTuple):
    """What a model costs at one point, compared with the fastest."""

    point: Point
    time_ns: float
    ratio: float
    """Its time over the fastest model's."""
    state: State

    @property
    def is_best(self) -> bool:
        return self.state in BEST

    @property
    def is_bound(self) -> bool:
        """True if time and ratio are bounds from arithmetic, not measurements."""
        return self.state == "not measured"


@dataclass(frozen=True)
class MapPoint:
    """One point with every model: the fastest first, then those ruled out by arithmetic, then the others."""

    point: Point
    case: str
    standings: Sequence[Standing]

    @property
    def measured(self) -> list[Standing]:
        """The models that have an estimate, the fastest first."""
        return [each for each in self.standings if each.estimate]

    @property
    def best(self) -> list[str]:
        """The fastest model and those as fast, without models that do the same here."""
        return self._named("fastest", "as fast")

    @property
    def undecided(self) -> list[str]:
        """The models that are undecided against the fastest."""
        return [name for name in self._named("undecided") if name not in self.best]

    def _named(self, *states: State) -> list[str]:
        named = (each.runner for each in self.standings if each.state in states)
        return list(dict.fromkeys(self.works_as(name) or name for name in named))

    def works_as(self, runner: str) -> str:
        """Return the model that *runner* equals if it has no computing to hand over; else empty."""
        return "" if self.point.compute_us else AS_WITHOUT_COMPUTING.get(runner, "")

    def standing(self, runner: str) -> Standing | None:
        return next((each for each in self.standings if each.runner == runner), None)

    def cost(self, runner: str) -> Cost | None:
        """Return what a model costs here; None if it has neither a measurement nor a bound."""
        own = self.standing(runner)
        if own is None or not self.measured or not self.measured[0].estimate:
            return None
        if own.estimate and own.behind:
            return Cost(self.point, own.estimate.value, own.behind.value, own.state)
        fastest_ns = self.measured[0].estimate.value
        return Cost(self.point, own.bound_ns, own.bound_ns / fastest_ns, own.state) if own.bound_ns else None


@dataclass(frozen=True, eq=False)
class WorkMap:
    result: Result
    points: Sequence[MapPoint]

    @property
    def cores(self) -> int:
        """Number of usable cores."""
        return self.result.record.machine.usable_cores

    @property
    def has_gil(self) -> bool:
        return self.result.record.build.gil_at_start

    @property
    def why_undecided(self) -> str:
        """Why it decides nothing at any point; empty if it may decide."""
        ranges = (each.behind.has_range for at in self.points for each in at.measured[1:] if each.behind)
        return self.result.why_undecided or ("" if any(ranges) else "one round: no range")

    @functools.cached_property
    def models(self) -> set[str]:
        """The models that were measured, or ruled out by arithmetic, at some point."""
        return {each.runner for at in self.points for each in at.standings if each.estimate or each.bound_ns}

    def at(self, point: Point) -> MapPoint | None:
        """Return the measured *point*; None without a measurement."""
        return next((each for each in self.points if each.point == point and each.measured), None)


@functools.lru_cache(maxsize=64)  # claims, pages and articles use the same
def work_map(result: Result) -> WorkMap:
    by_case: dict[str, dict[SeriesKey, set[str]]] = {}
    for key, series in (each for run in result.runs for each in run.series.items()):
        if key.scenario == SCENARIO and key.role == "subject":
            by_case.setdefault(key.case, {}).setdefault(key, set()).update(series.values)
    cases = {name: case.parameters["kind"] for name, case in result.newest.scenarios[SCENARIO].cases.items()}
    timed = {case: columns for case, columns in by_case.items() if cases[case] != MEMORY_KIND}
    points = [at for case, columns in timed.items() for at in _points(result, case, columns)]
    return WorkMap(result, sorted(points, key=lambda at: at.point))


def _points(result: Result, case: str, columns: Mapping[SeriesKey, set[str]]) -> Iterator[MapPoint]:
    parameters = result.newest.scenarios[SCENARIO].cases[case].parameters
    kind, tasks = str(parameters["kind"]), int(parameters["tasks"])
    matches = {COLUMN.fullmatch(name) for names in columns.values() for name in names} - {None}
    for compute_us, wait_us in {(int(match[1]), int(match[2])) for match in matches if match}:
        point = Point(kind, tasks, compute_us, wait_us)
        measured = ranked(result, columns, point.elapsed)
        others = [_not_measured(result, point, key) for key in columns.keys() - {each.key for each in measured}]
        others.sort(key=lambda each: (each.bound_ns or math.inf, each.runner))
        yield MapPoint(point, case, [*measured, *others])


def ranked(result: Result, keys: Iterable[SeriesKey], metric: Metric) -> list[Standing]:
    """Return the *keys* with a value, the lowest first, each compared with the lowest."""
    known = ((key, result.estimate(key, metric)) for key in keys)
    ordered = sorted(
        ((key, estimate) for key, estimate in known if estimate), key=lambda each: (each[1].value, each[0].runner)
    )
    ratios = [result.ratio(key, ordered[0][0], metric) for key, _ in ordered]
    slower = [False, *holm([ratio.p_value() if ratio else 1.0 for ratio in ratios[1:]])]
    states = (_state(ratio, differs=differs) for ratio, differs in zip(ratios, slower, strict=False))
    return [
        Standing(key, estimate, ratio, "fastest" if key == ordered[0][0] else state)
        for (key, estimate), ratio, state in zip(ordered, ratios, states, strict=True)
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
    series = result.series(key)
    return Standing(key, reason=(series and (series.rejected or series.reason)) or "not measured here")


LARGEST_DEFAULT = 32
"""Most threads of a default pool, which has four more threads than cores."""
MOST_NEAR = 3
STEP = 10
"""Replaces 0 among times in us: one step of ten below the shortest."""


def workers(runner: Runner, cores: int) -> int:
    """Return the most tasks that a model runs at once, with a pool of the default size; 0 for no limit."""
    sizes = {"one": 1, "workers": cores, "default pool": min(LARGEST_DEFAULT, cores + 4)}
    return sizes.get(runner.at_once or "", 0)


class Bound(NamedTuple):
    """The least time that a model takes, in ns."""

    turns_ns: float
    """Limit by the most tasks that it runs at once."""
    computing_ns: float
    """Limit by the cores, which compute everything before the last wait."""

    @property
    def least_ns(self) -> float:
        return max(self)

    @property
    def is_by_turns(self) -> bool:
        """True if a larger pool would be faster."""
        return self.turns_ns > self.computing_ns


def lower_bound(drawn: WorkMap, runner: Runner, point: Point) -> Bound:
    return _bound(drawn, runner, point, point.compute_us * computing_share(drawn, point.kind))


def _bound(drawn: WorkMap, runner: Runner, point: Point, compute_us: float) -> Bound:
    turns = math.ceil(point.tasks / (workers(runner, drawn.cores) or point.tasks))
    family = COMPUTES_IN.get(runner.name, runner.family)
    needs_gil = drawn.has_gil and point.kind != "hashing"
    is_parallel = family in {"processes", "interpreters"} or (family == "threads" and not needs_gil)
    computing_us = point.tasks * compute_us / (drawn.cores if is_parallel else 1)
    return Bound(1e3 * turns * (compute_us + point.wait_us), 1e3 * (computing_us + point.wait_us))


@functools.lru_cache(maxsize=64)
def computing_share(drawn: WorkMap, kind: str) -> float:
    """Return the least share of its nominal time that computing takes: all builds of a run do the same turns."""
    runners = drawn.result.newest.scenarios[SCENARIO].runners
    computing = [at for at in drawn.points if at.point.kind == kind and at.point.compute_us and not at.point.wait_us]
    shares = (
        each.estimate.value / _bound(drawn, runners[each.runner], at.point, at.point.compute_us).least_ns
        for at in computing
        for each in at.measured
        if each.estimate and each.runner in runners
    )
    return min([1.0, *shares])


def upper_ns(drawn: WorkMap, runner: str, point: Point) -> float:
    """Return an upper bound of a model's time, from measured points; infinity without any.

    It could work in batches of a measured size whose tasks do as much or more, or compute first, then wait.
    """
    batches = [
        math.ceil(point.tasks / at.point.tasks) * standing.estimate.value
        for at in drawn.points
        if at.point.kind == point.kind and at.point.compute_us >= point.compute_us and at.point.wait_us >= point.wait_us
        if (standing := at.standing(runner)) and standing.estimate
    ]
    if point.compute_us and point.wait_us:
        parts = (point._replace(wait_us=0), point._replace(compute_us=0))
        batches.append(sum(upper_ns(drawn, runner, part) for part in parts))
    return min(batches, default=math.inf)


def bounds_left(
    drawn: WorkMap, point: Point, runners: Mapping[str, Runner]
) -> tuple[dict[str, Bound], dict[str, Bound]]:
    """Return the bounds of models that may be fastest at *point*, lowest first, and of those that can't.

    A model is excluded if its lower bound exceeds another model's upper bound.
    """
    bounds = {
        name: lower_bound(drawn, runner, point)
        for name, runner in runners.items()
        if name in drawn.models and _takes_part(runner, point)
    }
    enough_ns = min((upper_ns(drawn, name, point) for name in bounds), default=math.inf)
    ordered = dict(sorted(bounds.items(), key=lambda each: each[1].least_ns))
    left = [name for name, bound in ordered.items() if bound.least_ns <= enough_ns] or [*ordered][:1]
    return {name: ordered[name] for name in left}, {name: ordered[name] for name in ordered if name not in left}


def _takes_part(runner: Runner, point: Point) -> bool:
    """True if *runner* takes part at points of this kind and number of tasks."""
    work = {"kind": point.kind, "tasks": point.tasks}
    return all(value in runner.only.get(name, (value,)) for name, value in work.items())


def memory_at(result: Result, runner: str, point: Point) -> Estimate | None:
    """Return the memory of a model at *point* in a process that measured nothing before; None without it."""
    if point.kind != MAIN_KIND or SCENARIO not in result.newest.scenarios:
        return None
    work = {"kind": MEMORY_KIND, "tasks": point.tasks}
    metric = Metric(f"{point.column}_fresh_memory_bytes", "", "bytes", "lower")
    for name, case in result.newest.scenarios[SCENARIO].cases.items():
        if all(case.parameters[key] == value for key, value in work.items()):
            return result.estimate(SeriesKey(SCENARIO, name, runner, "subject"), metric)
    return None


def bracket(drawn: WorkMap, point: Point) -> tuple[list[MapPoint], list[MapPoint]]:
    """Return the nearest measured points of its kind with at most, and with at least, the work of *point*."""
    alike = [at for at in drawn.points if at.point.kind == point.kind and at.point != point and at.measured]
    less = [at for at in alike if _is_within(at.point, point)]
    more = [at for at in alike if _is_within(point, at.point)]
    lower = [at for at in less if not any(at is not other and _is_within(at.point, other.point) for other in less)]
    upper = [at for at in more if not any(at is not other and _is_within(other.point, at.point) for other in more)]
    return _nearest(lower, point), _nearest(upper, point)


def _nearest(points: Sequence[MapPoint], point: Point) -> list[MapPoint]:
    """Return the few that are nearest to *point*, by steps of ten."""

    def steps(at: MapPoint) -> float:
        return sum(abs(math.log10(max(a, STEP) / max(b, STEP))) for a, b in zip(at.point[1:], point[1:], strict=True))

    return sorted(points, key=steps)[:MOST_NEAR]


def _is_within(inner: Point, outer: Point) -> bool:
    """True if *inner* has at most the tasks, computing and waiting of *outer*."""
    return all(mine <= theirs for mine, theirs in zip(inner[1:], outer[1:], strict=True))
