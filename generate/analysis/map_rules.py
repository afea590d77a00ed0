"""Rules of thumb, tested: at how many points of the map a rule names a model that is as good as the best. Pure.

A rule is right at a point in a round where its model took at most a tenth longer than the fastest model of that point,
or no longer than the noise reaches. In each round that makes a share of the points; over the rounds these have a median
with an interval. Where tasks neither compute nor wait a model does nothing but start: such points are left out.
"""

from __future__ import annotations

import math
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from generate.analysis.one_model import CLOSE, judged_points
from generate.statistics.bounds import Bounds, Decision
from generate.statistics.intervals import Interval, median_interval
from runners.harness.record.build_names import release

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from generate.analysis.work_map import MapPoint, Point, WorkMap

FEW_TASKS = 100
SHORT_WAIT_US = 10_000
SHORT_COMPUTING_US = 100_000
LONG_COMPUTING_US = 500_000
LONG_TASK_US = 1_000


class Setting(NamedTuple):
    """What a rule may ask of the machine and the Python."""

    cores: int
    has_gil: bool


EXPECTED = Bounds(0.8, math.inf)
"""The share of the points at which a rule has to be right: written before a map was measured, as our own rule's was."""
EXPECTED_OF_OURS = Bounds(0.9, math.inf)


class Rule(NamedTuple):
    """A rule of thumb."""

    name: str
    words: str
    models: tuple[str, ...]
    """The runners that it names."""
    choose: Callable[[Point, Setting], str | None]
    """The runner that it names at a point; None where it says nothing."""
    derived_from: frozenset[str] = frozenset()
    """The releases whose maps it was made from: "3.14", "3.14t". On others it is tested."""
    expected: Bounds = EXPECTED
    """The share of the points at which it has to be right."""


class Gap(NamedTuple):
    """Around the computing from which our own rule names processes: between what a map has points."""

    below_us: int
    above_us: int
    has_waits: bool
    """Whether tasks of a point with so much computing also wait."""

    @property
    def least(self) -> str:
        """The most computing in all that lies below, in words: "0.1 s"."""
        return f"{self.below_us / 1e6:g} s"

    @property
    def most(self) -> str:
        """The least that lies above."""
        return f"{self.above_us / 1e6:g} s"


class Score(NamedTuple):
    """How often a rule is right on one map."""

    rule: Rule
    points: int
    """Where it names a model."""
    of_points: int
    """That the map has."""
    share: Interval
    """Of the points where it names a model, those where it is right, by round."""
    shares: Sequence[float]
    """The same, round by round."""
    wrong: Sequence[Point]
    """Where it is wrong in most rounds."""
    is_whole: bool
    """Whether every round has every point."""
    is_test: bool
    """Whether the rule was made without the map of this release."""

    @property
    def verdict(self) -> Decision:
        """Whether it holds: where its whole interval lies."""
        return self.rule.expected.decide(self.share.low, self.share.high)


def _computing(point: Point, _setting: Setting) -> str | None:
    return "process_pool" if point.compute_us > point.wait_us else None


def _few_short_waits(point: Point, _setting: Setting) -> str | None:
    waits = point.compute_us <= point.wait_us
    return "threads" if waits and point.tasks <= FEW_TASKS and point.wait_us <= SHORT_WAIT_US else None


def _many_long_waits(point: Point, _setting: Setting) -> str | None:
    waits = point.compute_us <= point.wait_us
    return "asyncio_tasks" if waits and point.tasks > FEW_TASKS and point.wait_us > SHORT_WAIT_US else None


def _of_the_source(point: Point, setting: Setting) -> str | None:
    return _computing(point, setting) or _few_short_waits(point, setting) or _many_long_waits(point, setting)


def _our_own(point: Point, setting: Setting) -> str:
    computing_us = point.tasks * point.compute_us
    if point.tasks == 1 or (point.wait_us == 0 and computing_us < SHORT_COMPUTING_US):
        return "sync_loop"
    are_long = point.compute_us >= LONG_TASK_US
    if not setting.has_gil and are_long and computing_us >= SHORT_COMPUTING_US:
        return "threads" if point.wait_us else "thread_pool"
    if setting.has_gil and are_long and computing_us >= LONG_COMPUTING_US:
        return "asyncio_processes" if point.wait_us else "process_pool"
    return "asyncio_uvloop"


RULES_OF_CLAIMS = {
    rule.name: rule
    for rule in (
        Rule(
            "computing: processes",
            "Tasks that compute longer than they wait: processes.",
            ("process_pool",),
            _computing,
        ),
        Rule(
            "few short waits: threads",
            "Up to 100 tasks that wait up to 10 ms: threads.",
            ("threads",),
            _few_short_waits,
        ),
        Rule("many long waits: asyncio", "More tasks that wait longer: asyncio.", ("asyncio_tasks",), _many_long_waits),
    )
}
"""What a claims file may name, by name: what was few and what was short was set before anything was measured."""

OWN = Rule(
    "ours",
    "One task, or less than 0.1 s of computing in all and no waiting: a plain loop. With the GIL, from 0.5 s of"
    " computing in tasks of 1 ms or more: processes, behind an event loop where the tasks wait. Without the GIL, from"
    " 0.1 s of such computing: a pool of threads, or a thread for each task where the tasks wait. Anything else:"
    " asyncio on uvloop.",
    ("sync_loop", "process_pool", "asyncio_processes", "thread_pool", "threads", "asyncio_uvloop"),
    _our_own,
    frozenset({"3.14", "3.14t"}),
    EXPECTED_OF_OURS,
)
"""Made from the maps of one release, to be tested on the others."""

RULES = (
    OWN,
    Rule(
        "S5.7",
        "As we read it, since it gives no numbers: tasks that compute longer than they wait: processes; up to 100 tasks"
        " that wait up to 10 ms: threads; more tasks that wait longer: asyncio. Of the rest it says nothing.",
        ("process_pool", "threads", "asyncio_tasks"),
        _of_the_source,
    ),
    Rule("always asyncio", "asyncio, whatever the work.", ("asyncio_tasks",), lambda _point, _setting: "asyncio_tasks"),
    Rule(
        "always threads", "A thread for each task, whatever the work.", ("threads",), lambda _point, _setting: "threads"
    ),
)


def untested(drawn: WorkMap) -> Gap | None:
    """Say where a map has no point by which our own rule's bound could be tested; None where it has none on a side."""
    points = [at.point for at in judged_points(drawn) if at.point.compute_us >= LONG_TASK_US]
    computing = {point: point.tasks * point.compute_us for point in points}
    below = [us for us in computing.values() if us < LONG_COMPUTING_US]
    above = [us for us in computing.values() if us >= LONG_COMPUTING_US]
    if not below or not above:
        return None
    waits = any(point.wait_us for point, us in computing.items() if us >= LONG_COMPUTING_US)
    return Gap(max(below), min(above), has_waits=waits)


def points_named(drawn: WorkMap, rule: Rule) -> dict[Point, tuple[MapPoint, str]]:
    """Return the measured points of a map at which *rule* names a model, each with the runner."""
    record = drawn.gated.file.record
    setting = Setting(record.machine.usable_cores, record.build.gil_at_start)
    return {at.point: (at, runner) for at in judged_points(drawn) if (runner := rule.choose(at.point, setting))}


def measured_models(drawn: WorkMap) -> set[str]:
    """Return the models that a map has at some point: measured, or behind by arithmetic."""
    every = (standing for at in drawn.points for standing in at.standings)
    return {each.runner for each in every if each.elapsed_ns is not None or each.bound_ns is not None}


def score(drawn: WorkMap, rule: Rule) -> Score | None:
    """Judge *rule* over the map of one build.

    None where it names no model at any measured point, and where one that it names could not be measured anywhere: the
    rule is not wrong because a package is not there.
    """
    record = drawn.gated.file.record
    named = points_named(drawn, rule)
    if {runner for _, runner in named.values()} - measured_models(drawn):
        return None
    right = {point: _right_by_round(drawn, at, runner) for point, (at, runner) in named.items()}
    rounds = sorted({number for each in right.values() for number in each})
    shares = [fmean(each[number] for each in right.values() if number in each) for number in rounds]
    if not shares:
        return None
    wrong = [point for point, each in right.items() if sum(each.values()) * 2 < len(each)]
    is_whole = all(len(each) == len(rounds) for each in right.values())
    is_test = release(record.build.version) + "t" * record.build.free_threaded not in rule.derived_from
    return Score(rule, len(named), len(judged_points(drawn)), median_interval(shares), shares, wrong, is_whole, is_test)


def _right_by_round(drawn: WorkMap, at: MapPoint, runner: str) -> Mapping[int, bool]:
    """Say for each round in which the fastest was measured whether *runner* was as good."""
    fastest, own = drawn.times(at, at.front[0].runner), drawn.times(at, runner)
    most = max(CLOSE, drawn.reach(at))
    return {number: number in own and own[number] <= most * least for number, least in fastest.items()}
