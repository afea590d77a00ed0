"""The page Choose: an answer for each setting of its sliders, rendered at build time, with everyday work as examples.

At a measured point the answer names the fastest models and what the usual ones cost. At any other it has no time, only
the models that arithmetic leaves and the nearest measurements.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product, starmap
from typing import Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from generate.charts.grids import cost_step, duration
from generate.data.estimates import Estimate
from generate.data.selection import Result
from generate.data.work_map import (
    MAIN_KIND,
    SCENARIO,
    MapPoint,
    Point,
    Standing,
    WorkMap,
    bounds_left,
    bracket,
    memory_at,
    ranked,
    workers,
)
from generate.pages.maps import MOST_NAMED, list_models, measured_maps, model_names, short_name
from generate.pages.pieces import Functions, SiteContext, measured_on
from generate.pages.templates import fragment, not_drawn
from generate.words import patterns
from generate.words.builds import describe_build
from generate.words.machines import add_article
from generate.words.names import capital, list_names, strip_markup
from generate.words.numbers import (
    count_noun,
    format_estimate,
    format_range,
    format_ratio,
    format_ratio_with_range,
    format_value,
    format_with_range,
    round_digits,
)
from generate.words.repeat import MAP_COMMAND
from runners.harness.catalogue.scenarios import Runner, Scenario
from runners.harness.contract import Metric
from runners.harness.record.model import SeriesKey

MAPS = "assets/maps"
"""Folder of the answers below docs/, with a file per map."""
KINDS = {
    "timers": "loops in Python, waits for a timer",
    "sockets": "loops in Python, waits for a local server",
    "hashing": "computes in C without the GIL (hashing), waits for a timer",
}
SLIDERS = {"tasks": "Tasks at once", "compute": "Each computes", "wait": "Each waits"}
PAGE = "choose.md"
OPENS_WITH = Point(MAIN_KIND, 1_000, 0, 100_000)
"""The first setting of the sliders: a thousand calls of an API."""
USUAL = ("sync_loop", "thread_pool", "threads", "asyncio_tasks", "process_pool")
"""The models of most programs, the simplest first: an answer has what each of them costs."""
HOW_MANY = Markup('{} (<a href="articles/how-many-threads.html">how many threads?</a>)')
BLOCKS = Markup('{} <a href="articles/why-your-event-loop-stalls.html">What stalls a loop</a>')

EVERYDAY = "everyday"
NEAREST = {
    "1,000 API calls of 100 ms": Point("timers", 1_000, 0, 100_000),
    "compress 200 files": Point("hashing", 100, 1_000, 0),
    "20 requests of 20 ms and 10 ms of JSON": Point("timers", 10, 10_000, 10_000),
    "read 500 small files": Point("timers", 1_000, 0, 0),
    "40 images, 5 ms of Python each": Point("timers", 100, 10_000, 0),
    "50 queries of 20 ms, 20 ms of computing": Point("timers", 100, 100, 10_000),
}
"""By piece of everyday work, the nearest point of the map; chosen before we looked at results of either."""


class ModelCost(NamedTuple):
    """What a model costs, compared with the fastest."""

    model: str
    family: str
    words: str
    rank: float
    """Orders the costs of one answer: its ratio, or the least time that it may take."""
    step: int = 0
    """Its colour."""


class Direct(NamedTuple):
    """What was measured of a piece of everyday work, and the simplest of its fastest models."""

    words: str
    start: str


class Answer(NamedTuple):
    """The answer for one setting of the sliders."""

    point: Point
    lead: str
    named: Sequence[str]
    costs: Sequence[ModelCost]
    """Of the usual models, except the fastest."""
    more: Sequence[str] = ()
    """Further sentences, some with links."""
    direct: Direct | None = None
    """The everyday work nearest to this point."""
    perhaps: str = ""
    """Names the models that may be as fast."""
    rows: Sequence[dict[str, Any]] = ()
    has_memory: bool = False
    """True if memory was measured at this point."""

    @property
    def start(self) -> str:
        """The file to start from: of the everyday work, else of the simplest model; empty if it names none."""
        if self.direct:
            return f"{EVERYDAY}/{self.direct.start}"
        return f"{SCENARIO}/{_simplest(self.named)}" if self.named else ""


def describe_work(point: Point) -> str:
    """Describe a piece of work: "10 tasks that each compute 1 ms and wait 10 ms"."""
    ending = "s" if point.tasks == 1 else ""
    computes = f"hash{'es' if ending else ''}" if point.kind == "hashing" else f"compute{ending}"
    amounts = ((point.compute_us, computes), (point.wait_us, f"wait{ending}"))
    done = " and ".join(f"{verb} {us / 1_000:g} ms" for us, verb in amounts if us) or f"end{ending} at once"
    return f"{count_noun(point.tasks, 'task')} that {'' if ending else 'each '}{done}"


def same_work(point: Point) -> Point:
    """Return *point*, as the main kind if its tasks have nothing to hash, or no socket to wait for."""
    amount_us = {"hashing": point.compute_us, "sockets": point.wait_us}.get(point.kind, 0)
    return point if amount_us else point._replace(kind=MAIN_KIND)


class Answers:
    """The answers of one map; *everyday* has what was measured of everyday work, by the nearest point."""

    def __init__(
        self, drawn: WorkMap, runners: Mapping[str, Runner], everyday: Mapping[Point, Direct] | None = None
    ) -> None:
        self._drawn, self._runners, self._everyday = drawn, runners, everyday or {}

    def at(self, setting: Point) -> Answer:
        point = same_work(setting)
        at = self._drawn.at(point)
        answer = self._measured(at) if at else self._unmeasured(point)
        late = [BLOCKS.format(patterns.CHOOSE_BLOCKS.format(duration(point.compute_us)))]
        is_late = bool(at and point.compute_us) and "asyncio_tasks" in answer.named
        return answer._replace(more=[*late * is_late, *answer.more], direct=self._everyday.get(point))

    def _measured(self, at: MapPoint) -> Answer:
        memory = {each.runner: memory_at(self._drawn.result, each.runner, at.point) for each in at.measured}
        if not any(memory.values()):
            memory.clear()
        perhaps = patterns.CHOOSE_PERHAPS.format(models=list_models(at.undecided, self._runners))
        return Answer(
            at.point,
            self._lead(at),
            at.best,
            sorted(filter(None, (self._cost(at, name, memory) for name in USUAL)), key=lambda cost: cost.rank),
            perhaps=perhaps if at.undecided else "",
            rows=[self._row(each, at, memory) for each in at.standings],
            has_memory=bool(memory),
        )

    def _lead(self, at: MapPoint) -> str:
        pattern = patterns.CHOOSE_FASTEST
        if self._drawn.why_undecided:
            pattern = patterns.CHOOSE_UNDECIDED
        elif len(model_names(at.best, self._runners)) > MOST_NAMED:
            pattern = patterns.CHOOSE_ANY
        models = _with_time(list_models(at.best, self._runners), at.measured[0])
        return pattern.format(models=models, why=self._drawn.why_undecided)

    def _cost(self, at: MapPoint, name: str, memory: Mapping[str, Estimate | None]) -> ModelCost | None:
        """Return what a model costs: "1.9 times as long, 14 MB more". None if it costs nothing, or that is unknown."""
        cost = at.cost(name)
        if cost is None or cost.state in {"fastest", "undecided"}:
            return None
        if cost.is_bound:
            return self._model_cost(name, self._bound(name, cost.time_ns), cost.ratio, cost_step(cost))
        extra = _compare_memory(memory.get(name), memory.get(at.measured[0].runner))
        if cost.is_best and not extra:
            return None
        time = patterns.AS_FAST if cost.is_best else patterns.TIMES_AS_LONG.format(format_ratio(cost.ratio))
        return self._model_cost(name, ", ".join(filter(None, [time, extra])), cost.ratio, cost_step(cost))

    def _model_cost(self, name: str, words: str, rank: float, step: int = 0) -> ModelCost:
        return ModelCost(short_name(name, self._runners), self._runners[name].family, words, rank, step)

    def _bound(self, name: str, least_ns: float, *, is_by_turns: bool = True) -> str:
        """Format the least time of a model, and how many tasks it runs at once if that is the reason."""
        time, room = format_value(least_ns, "ns", 2), workers(self._runners[name], self._drawn.cores)
        if not room or not is_by_turns:
            return patterns.AT_LEAST.format(time)
        pattern = patterns.AT_LEAST_IN_TURN if room == 1 else patterns.AT_LEAST_BY_POOL
        words = pattern.format(time=time, room=room)
        return HOW_MANY.format(words) if name == "thread_pool" else words

    def _unmeasured(self, point: Point) -> Answer:
        """Answer by arithmetic, without a time: who may be fast, and the nearest measurements."""
        left, excluded = bounds_left(self._drawn, point, self._runners)
        works_as = MapPoint(point, "", ()).works_as
        named = list(dict.fromkeys(works_as(name) or name for name in left)) if excluded else []
        models = list_models(named, self._runners) if named else ""
        lead = patterns.CHOOSE_LEAVES.format(models=models) if named else patterns.CHOOSE_NOTHING
        least_ns = min((bound.least_ns for bound in left.values()), default=0)
        cores = count_noun(self._drawn.cores, "core")
        least = patterns.CHOOSE_LEAST.format(time=format_value(least_ns, "ns", 2), cores=cores)
        costs = [
            self._model_cost(name, self._bound(name, bound.least_ns, is_by_turns=bound.is_by_turns), bound.least_ns)
            for name, bound in excluded.items()
            if name in USUAL
        ]
        less, greater = bracket(self._drawn, point)
        timers = self._drawn.at(point._replace(kind=MAIN_KIND))
        around = [*(("less work", at) for at in less), *(("more work", at) for at in greater)]
        around += [("timers", timers)] if timers else []
        return Answer(
            point, lead, named, costs, [*([least] if least_ns else []), *(self._nearby(how, at) for how, at in around)]
        )

    def _nearby(self, how: str, at: MapPoint) -> Markup:
        models, time = list_models(at.best, self._runners), format_with_range(at.measured[0].estimate, "ns")
        link = Markup('<a href="#{}">{}</a>').format(at.point.key, describe_work(at.point))
        return Markup("{}{}: {}, {}").format(patterns.CHOOSE_NEAR.format(how=how), link, models, time)

    def _row(self, standing: Standing, at: MapPoint, memory: Mapping[str, Estimate | None]) -> dict[str, Any]:
        """Return a model's row of the table: estimates, text and what is below; or why it has none."""
        runner, works_as = self._runners[standing.runner], at.works_as(standing.runner)
        note = patterns.WORKS_LIKE_MODEL.format(model=self._runners[works_as].label) if works_as else ""
        if standing.estimate is None or standing.behind is None:
            why = self._bound(standing.runner, standing.bound_ns) if standing.bound_ns else standing.reason
            return {"runner": runner, "note": note, "cells": [], "why": why}
        ratio, _, between = format_ratio_with_range(standing.behind).rstrip(")").partition(" (")
        state = standing.state if standing.state in {"as fast", "undecided"} else ""
        below = "; ".join(filter(None, [between, state]))
        costs = (
            self._drawn.result.estimate(standing.key, Metric(f"{at.point.column}_{name}", "", "us", "lower"))
            for name in ("worst_us", "cpu_us")
        )
        cells = [
            (standing.estimate, format_estimate(standing.estimate, "ns"), format_range(standing.estimate, "ns")),
            (standing.behind, "1", "") if standing.state == "fastest" else (standing.behind, ratio, below),
            *((cost, format_estimate(cost, "us"), "") for cost in costs),
        ]
        if memory:
            cells.append((memory[standing.runner], format_estimate(memory[standing.runner], "bytes"), ""))
        return {"runner": runner, "note": note, "cells": cells}


def _compare_memory(own: Estimate | None, fastest: Estimate | None) -> str:
    """Format how much more or less memory a model takes: "14 MB more"; empty if the ranges overlap."""
    if own is None or fastest is None or (own.low <= fastest.high and fastest.low <= own.high):
        return ""
    pattern = patterns.CHOOSE_MORE_MEMORY if own.value > fastest.value else patterns.CHOOSE_LESS_MEMORY
    return pattern.format(format_value(round_digits(abs(own.value - fastest.value), 2), "bytes"))


def list_choices(context: SiteContext) -> dict[str, list[Any]]:
    """Return the values that the sliders offer, from all maps: kind, tasks, and times in us."""
    points = [at.point for drawn in measured_maps(context) for at in drawn.points]
    kind, *amounts = ({*values} for values in zip(*points, strict=True))
    return {"kind": [each for each in KINDS if each in kind], **dict(zip(SLIDERS, map(sorted, amounts), strict=True))}


def render_fetched(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Yield the path and JSON of each map's answers: by setting, HTML or the setting with the same work."""
    for drawn in measured_maps(context):
        answers = _answers(context, drawn)
        alike = {point: same_work(point) for point in starmap(Point, product(*list_choices(context).values()))}
        rendered = {p.key: _render(drawn, answers.at(p)) if p == same else same.key for p, same in alike.items()}
        content = {"measured": [p.key for p, same in alike.items() if drawn.at(same)], "answers": rendered}
        yield f"{MAPS}/{drawn.result.key.key}.json", json.dumps(content, ensure_ascii=False)


def _answers(context: SiteContext, drawn: WorkMap) -> Answers:
    everyday = _everyday_result(context, drawn)
    direct = describe_everyday(context.site.scenarios[EVERYDAY], everyday) if everyday else {}
    return Answers(drawn, context.site.scenarios[SCENARIO].runners, direct)


def _render(drawn: WorkMap, answer: Answer) -> tuple[Markup, Markup]:
    """Render an answer: what it says, and its table."""
    result = drawn.result
    machine = f"{add_article(result.machine_name)} ({strip_markup(result.record.machine.cpu)})"
    runs = f"{count_noun(len(result.runs), 'run')}, {result.record.run.started[:10]}"
    foot = f"{describe_work(answer.point)}. {describe_build(result.build)} on {machine}, {runs}."
    table = fragment("choose_models.html", answer=answer, foot=foot, raw=quote(result.file.path))
    return fragment("choose_answer.html", answer=answer), table


def _everyday_result(context: SiteContext, drawn: WorkMap) -> Result | None:
    """Return the result of everyday work on a map's machine and build."""
    return next((each for each in context.site.current.get(EVERYDAY, []) if each.key == drawn.result.key), None)


def describe_everyday(scenario: Scenario, result: Result) -> dict[Point, Direct]:
    """Return what was measured of everyday work, by the nearest point of the map."""
    known = {}
    for case, point in NEAREST.items():
        keys = [SeriesKey(EVERYDAY, case, runner, "subject") for runner in scenario.runners]
        if standings := ranked(result, keys, scenario.metrics[0]):
            words = [f"{capital(scenario.case_label(case))}.", *_compare_directly(scenario, standings)]
            known[point] = Direct(" ".join(words), _simplest([each.runner for each in standings if each.is_best]))
    return known


def _simplest(models: Sequence[str]) -> str:
    return next(name for name in (*USUAL, *models) if name in models)


def _with_time(models: str, fastest: Standing) -> str:
    return f"{models} ({format_value(fastest.estimate.value, 'ns', 2)})" if fastest.estimate else models


def _compare_directly(scenario: Scenario, standings: Sequence[Standing]) -> Iterator[str]:
    names = {name: runner.label for name, runner in scenario.runners.items()}
    best = list_names([names[each.runner] for each in standings if each.is_best])
    yield patterns.CHOOSE_FASTEST.format(models=_with_time(best, standings[0]))
    if perhaps := list_names([names[each.runner] for each in standings if each.state == "undecided"]):
        yield patterns.CHOOSE_PERHAPS.format(models=perhaps)
    behind = [
        (each.runner, format_ratio(each.behind.value)) for each in standings if each.behind and each.state == "behind"
    ]
    if behind:
        yield patterns.CHOOSE_SLOWER.format(models=", ".join(f"{names[runner]} ({times})" for runner, times in behind))


class ChooseFunctions(Functions):
    def choose_form(self) -> Markup:
        """Return the sliders with their first answer; without a map, how to measure one. `choose_form()`."""
        maps = measured_maps(self._context)
        if not maps:
            return not_drawn(MAP_COMMAND)
        files: dict[str, dict[str, str]] = defaultdict(dict)
        for drawn in maps:
            result = drawn.result
            files[result.machine_key.key][strip_markup(result.build)] = f"{self._root}{MAPS}/{result.key.key}.json"
        first, choices = maps[0], list_choices(self._context)
        opens = OPENS_WITH if first.at(OPENS_WITH) else first.points[0].point
        sliders = [
            (name, label, [(stop, _label(name, stop)) for stop in choices[name]], choices[name].index(value))
            for (name, label), value in zip(SLIDERS.items(), opens[1:], strict=True)
        ]
        return fragment(
            "choose_form.html",
            files=files,
            machines={drawn.result.machine_key.key: drawn.result.machine_name for drawn in maps},
            opens=opens,
            sliders=sliders,
            kinds={kind: KINDS[kind] for kind in choices["kind"]},
            examples=self.choose_examples(),
            answer=_render(first, _answers(self._context, first).at(opens)),
        )

    def choose_examples(self) -> Markup:
        """Return everyday work as links to its answers; empty without a map. `choose_examples()`."""
        page, opens = ("", OPENS_WITH) if self._page == PAGE else (f"{self._root}choose.html", None)
        return fragment("choose_examples.html", examples=self._examples(), page=page, opens=opens)

    def everyday_answers(self) -> Markup:
        """Return the answers for everyday work, with what was measured of it directly. `everyday_answers()`."""
        first = next(iter(measured_maps(self._context)), None)
        if first is None:
            return measured_on([], self._root)
        answers, everyday = _answers(self._context, first), _everyday_result(self._context, first)
        rows = [(words, describe_work(at), _render(first, answers.at(at))[0]) for words, at in self._examples()]
        foot = measured_on(filter(None, [first.result, everyday]), self._root)
        return fragment("everyday.html", rows=rows, foot=foot)

    def _examples(self) -> list[tuple[str, Point]]:
        maps, scenario = measured_maps(self._context), self._context.site.scenarios.get(EVERYDAY)
        known = [(case, point) for case, point in NEAREST.items() if maps and maps[0].at(point)]
        return [(capital(scenario.case_label(case)), point) for case, point in known if scenario]


def _label(slider: str, stop: int) -> str:
    return f"{stop:,}" if slider == "tasks" else duration(stop)
