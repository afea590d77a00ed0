"""Tests rules of thumb and models: at how many points of the map are they as good as the best? Pure.

In a round, a rule is right at a point if its model took at most AS_FAST times as long as the fastest model.
Each round gives a share of the points, and the rounds of all runs give the estimate.
"""

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from statistics import fmean
from typing import NamedTuple

from generate.data.between_runs import Block
from generate.data.checked import CheckedRecord
from generate.data.estimates import AS_FAST, Bounds, Decision, Estimate, RunRounds, pool
from generate.data.work_map import MAIN_KIND, SCENARIO, Cost, MapPoint, Point, WorkMap
from runners.harness.record.build_names import release

FEW_TASKS = 100
SHORT_WAIT_US = 10_000
SHORT_COMPUTING_US = 100_000
LONG_COMPUTING_US = 500_000
LONG_TASK_US = 1_000


class Setting(NamedTuple):
    """What a rule may know about the machine and the Python."""

    cores: int
    has_gil: bool


EXPECTED = Bounds(0.8, math.inf)
"""Share of points at which a rule must be right. Set before a map was measured, like our own rule's."""
OWN_EXPECTED = Bounds(0.9, math.inf)


class Rule(NamedTuple):
    name: str
    text: str
    models: tuple[str, ...]
    """Every model that it may name."""
    choose: Callable[[Point, Setting], str | None]
    """Returns the model it names at a point, if any."""
    derived_from: frozenset[str] = frozenset()
    """Releases whose maps it was made from ("3.14", "3.14t"). It is tested on others."""
    expected: Bounds = EXPECTED


class Score(NamedTuple):
    """How often a rule is right on one map."""

    rule: Rule
    points: int
    """Points at which it names a model."""
    map_points: int
    share: Estimate
    """Share of those points at which it is right."""
    is_test: bool
    """True if the rule was made without the map of this release."""

    @property
    def verdict(self) -> Decision:
        """Judge the share by the rule's own bound."""
        return self.share.decide(self.rule.expected)


def _computing(point: Point, _setting: Setting) -> str | None:
    return "process_pool" if point.compute_us > point.wait_us else None


def _few_short_waits(point: Point, _setting: Setting) -> str | None:
    waits = point.compute_us <= point.wait_us
    return "threads" if waits and point.tasks <= FEW_TASKS and point.wait_us <= SHORT_WAIT_US else None


def _many_long_waits(point: Point, _setting: Setting) -> str | None:
    waits = point.compute_us <= point.wait_us
    return "asyncio_tasks" if waits and point.tasks > FEW_TASKS and point.wait_us > SHORT_WAIT_US else None


def _source_rule(point: Point, setting: Setting) -> str | None:
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


CLAIM_RULES = {
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
"""Rules that a claims file may name. "Few" and "short" were set before anything was measured."""

OWN = Rule(
    "ours",
    "One task, or less than 0.1 s of computing in all and no waiting: a plain loop. With the GIL, from 0.5 s of"
    " computing in tasks of 1 ms or more: processes, behind an event loop if the tasks wait. Without the GIL, from"
    " 0.1 s of such computing: a pool of threads, or a thread for each task if the tasks wait. Anything else:"
    " asyncio on uvloop.",
    ("sync_loop", "process_pool", "asyncio_processes", "thread_pool", "threads", "asyncio_uvloop"),
    _our_own,
    frozenset({"3.14", "3.14t"}),
    OWN_EXPECTED,
)
"""Made from the maps of one release, to be tested on the others."""

RULES = (
    OWN,
    Rule(
        "S5.7",
        "As we read it, since it gives no numbers: tasks that compute longer than they wait: processes; up to 100 tasks"
        " that wait up to 10 ms: threads; more tasks that wait longer: asyncio. It leaves the rest open.",
        ("process_pool", "threads", "asyncio_tasks"),
        _source_rule,
    ),
    Rule("always asyncio", "asyncio, whatever the work.", ("asyncio_tasks",), lambda _point, _setting: "asyncio_tasks"),
    Rule(
        "always threads", "A thread for each task, whatever the work.", ("threads",), lambda _point, _setting: "threads"
    ),
)


def score(drawn: WorkMap, rule: Rule) -> Score | None:
    """Score *rule* on a map; None if it names no model, or a model without a measurement."""
    points, setting = judged_points(drawn), Setting(drawn.cores, drawn.has_gil)
    named = [(at, runner) for at in points if (runner := rule.choose(at.point, setting))]
    if {runner for _, runner in named} - drawn.models:
        return None
    result, build = drawn.result, drawn.result.record.build
    runs = [RunRounds(run.run, [*_shares(run, named)]) for run in result.runs]
    share = pool(runs, result.between.variance(Block("within", SCENARIO, "", "share_of_points")), is_share=True)
    if share is None:
        return None
    is_test = release(build.version) + "t" * build.free_threaded not in rule.derived_from
    share = replace(share, is_partial=bool(result.why_undecided))
    return Score(rule, len(named), len(points), share, is_test)


def _shares(run: CheckedRecord, named: Sequence[tuple[MapPoint, str]]) -> Iterator[float]:
    """Yield the share of points at which the rule is right, for each round of a run."""
    right: dict[int, list[bool]] = {}
    for at, runner in named:
        fastest = at.measured[0].key
        keys = (fastest._replace(runner=runner), fastest)
        own, least = (series.by_round(at.point.elapsed) if (series := run.find(key)) else {} for key in keys)
        for number, least_ns in least.items():
            right.setdefault(number, []).append(number in own and own[number] <= AS_FAST * least_ns)
    return (fmean(each) for each in right.values())


class OneModel(NamedTuple):
    """One model over all points of a map."""

    runner: str
    points: int
    """Points at which it was measured, or ruled out by arithmetic."""
    best: int
    """Points at which it is the fastest or as fast."""
    median: float
    """Median of its ratios to the fastest."""
    worst: Cost


def judged_points(drawn: WorkMap) -> list[MapPoint]:
    """Return the points that count for models and rules: points of the main kind whose tasks do something."""
    kind = (at for at in drawn.points if at.point.kind == MAIN_KIND)
    return [at for at in kind if at.measured and (at.point.compute_us or at.point.wait_us)]


def one_model_each(drawn: WorkMap) -> list[OneModel]:
    """Return every model, those with the largest share of best points first."""
    points = judged_points(drawn)
    costs = {runner: [*filter(None, (at.cost(runner) for at in points))] for runner in sorted(drawn.models)}
    every = [_over_all(runner, known) for runner, known in costs.items() if known]
    return sorted(every, key=lambda each: (-each.best / each.points, each.median, each.runner))


def _over_all(runner: str, costs: Sequence[Cost]) -> OneModel:
    return OneModel(
        runner,
        points=len(costs),
        best=sum(each.is_best for each in costs),
        median=statistics.median(each.ratio for each in costs),
        worst=max(costs, key=lambda each: each.ratio),
    )
