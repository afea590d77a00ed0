"""The page Choose: an answer for each setting of its form, rendered at build time, and everyday work next to the map.

At a measured point the answer names the fastest and the slower models. At any other it has no time, only the models
that arithmetic leaves and the nearest measurements.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product, starmap
from typing import Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from generate.charts.grids import duration
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
from generate.pages.pieces import Functions, SiteContext
from generate.pages.templates import fragment
from generate.words import patterns
from generate.words.builds import describe_build
from generate.words.machines import add_article
from generate.words.names import list_names, strip_markup
from generate.words.numbers import (
    count_noun,
    format_estimate,
    format_range,
    format_ratio,
    format_ratio_with_range,
    format_value,
    format_with_range,
)
from generate.words.patterns import NOT_MEASURED
from runners.harness.catalogue.scenarios import Runner
from runners.harness.contract import Metric
from runners.harness.record.model import SeriesKey

MAPS = "assets/maps"
"""Folder of the answers below docs/, with a file per map."""
KINDS = {
    "timers": "loops in Python, waits for a timer",
    "sockets": "loops in Python, waits for a local server",
    "hashing": "computes in C without the GIL (hashing), waits for a timer",
}
OPENS_WITH = Point(MAIN_KIND, 1_000, 0, 100_000)
"""The first setting of the form: a thousand calls of an API."""
WORKERS = {
    "thread_pool": "threads",
    "process_pool": "processes",
    "process_pool_chunks": "processes",
    "interpreter_pool": "interpreters",
}
"""Workers of the models whose pools have a default size."""
HOW_MANY = Markup('{} <a href="articles/choosing-by-the-map.html#how-many-threads">How many threads?</a>')

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


class Answer(NamedTuple):
    """The answer for one setting of the form."""

    point: Point
    lead: str
    named: Sequence[str]
    more: Sequence[str]
    """Sentences, which may have links."""
    near: Sequence[str] = ()
    """The nearest measurements, for a point without one."""
    rows: Sequence[dict[str, Any]] = ()
    has_memory: bool = False
    """True if memory was measured at this point."""


def describe_work(point: Point) -> str:
    """Describe a piece of work: "10 tasks that each compute 1 ms and wait 10 ms"."""
    ending = "s" if point.tasks == 1 else ""
    amounts = ((point.compute_us, f"compute{ending}"), (point.wait_us, f"wait{ending}"))
    done = " and ".join(f"{verb} {us / 1_000:g} ms" for us, verb in amounts if us) or f"end{ending} at once"
    return f"{count_noun(point.tasks, 'task')} that {'' if ending else 'each '}{done}"


def same_work(point: Point) -> Point:
    """Return *point*, as the main kind if its tasks have nothing to hash, or no socket to wait for."""
    amount_us = {"hashing": point.compute_us, "sockets": point.wait_us}.get(point.kind, 0)
    return point if amount_us else point._replace(kind=MAIN_KIND)


class Answers:
    def __init__(self, drawn: WorkMap, runners: Mapping[str, Runner]) -> None:
        self._drawn, self._runners = drawn, runners

    def at(self, setting: Point) -> Answer:
        point = same_work(setting)
        at = self._drawn.at(point)
        if at is None:
            return self._unmeasured(point)
        excluded = [(each.runner, each.bound_ns) for each in at.standings if each.bound_ns]
        more = [
            *self._others(at),
            *self._too_small([name for name, _ in excluded if name in WORKERS]),
            *self._too_slow([(name, bound) for name, bound in excluded if name not in WORKERS]),
            *self._on_sockets(at),
        ]
        memory = {each.runner: memory_at(self._drawn.result, each.runner, point) for each in at.measured}
        has_memory = any(memory.values())
        rows = [self._row(each, at, memory if has_memory else {}) for each in at.standings]
        return Answer(point, self._lead(at), at.best, more, rows=rows, has_memory=has_memory)

    def _lead(self, at: MapPoint) -> str:
        pattern = patterns.CHOOSE_FASTEST
        if self._drawn.why_undecided:
            pattern = patterns.CHOOSE_UNDECIDED
        elif len(model_names(at.best, self._runners)) > MOST_NAMED:
            pattern = patterns.CHOOSE_ANY
        return pattern.format(models=self._fastest(at), why=self._drawn.why_undecided)

    def _fastest(self, at: MapPoint) -> str:
        return f"{list_models(at.best, self._runners)} ({format_estimate(at.measured[0].estimate, 'ns')})"

    def _others(self, at: MapPoint) -> Iterator[str]:
        """Yield the models that may be as fast, and those that are slower."""
        if at.undecided:
            yield patterns.CHOOSE_PERHAPS.format(models=list_models(at.undecided, self._runners))
        slower = [
            (short_name(each.runner, self._runners), each.behind.value)
            for each in at.standings
            if each.behind and each.state == "behind" and not at.works_as(each.runner)
        ]
        if slower:
            (name, ratio), *others = slower
            first = f"{name} ({patterns.TIMES_AS_LONG.format(format_ratio(ratio))})"
            models = [first, *(f"{n} ({format_ratio(r)})" for n, r in others)]
            yield patterns.CHOOSE_SLOWER.format(models=", ".join(models))

    def _too_small(self, pools: Sequence[str]) -> Iterator[str]:
        """Yield the models whose pools have too few workers by default."""
        if not pools:
            return
        first, *others = sorted(pools, key=lambda name: name != "thread_pool")
        sizes = {name: (short_name(name, self._runners), self._workers(name)) for name in pools}
        named = [
            "{} ({} {} here)".format(*sizes[first], WORKERS[first]),
            *("{} ({})".format(*sizes[n]) for n in others),
        ]
        words = patterns.CHOOSE_TOO_SMALL.format(pools=", ".join(named))
        yield HOW_MANY.format(words) if first == "thread_pool" else words

    def _too_slow(self, models: Sequence[tuple[str, float]]) -> Iterator[str]:
        """Yield the models that arithmetic excludes, with their least times in ns."""
        by_bound: dict[str, list[str]] = defaultdict(list)
        for name, bound_ns in models:
            by_bound[format_value(bound_ns, "ns", 2)].append(name)
        if by_bound:
            bounds = [f"{list_models(names, self._runners)} (at least {least})" for least, names in by_bound.items()]
            yield patterns.CHOOSE_TOO_SLOW.format(models="; ".join(bounds))

    def _on_sockets(self, at: MapPoint) -> Iterator[str]:
        sockets = self._drawn.at(at.point._replace(kind="sockets")) if at.point.kind == MAIN_KIND else None
        if sockets and not self._drawn.why_undecided:
            yield patterns.CHOOSE_SOCKETS.format(models=self._fastest(sockets))

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
        pools = [name for name, bound in excluded.items() if name in WORKERS and bound.is_by_turns]
        slow = [(n, bound.least_ns) for n, bound in excluded.items() if n not in pools and not works_as(n)]
        more = [*([least] if least_ns else []), *self._too_small(pools), *self._too_slow(slow)]
        less, greater = bracket(self._drawn, point)
        timers = self._drawn.at(point._replace(kind=MAIN_KIND))
        around = [("Less work", at) for at in less] + [("More work", at) for at in greater]
        around += [("With timers", timers)] if timers else []
        return Answer(point, lead, named, more, [self._nearby(how, at) for how, at in around])

    def _nearby(self, how: str, at: MapPoint) -> str:
        models, time = list_models(at.best, self._runners), format_with_range(at.measured[0].estimate, "ns")
        return f"{how}: {describe_work(at.point)}: {models}, {time}"

    def _workers(self, name: str) -> int:
        return workers(self._runners[name], self._drawn.cores)

    def _row(self, standing: Standing, at: MapPoint, memory: Mapping[str, Estimate | None]) -> dict[str, Any]:
        """Return a model's row of the table: estimates, text and what is below; or why it has none."""
        runner, works_as = self._runners[standing.runner], at.works_as(standing.runner)
        note = patterns.WORKS_LIKE_MODEL.format(model=self._runners[works_as].label) if works_as else ""
        if standing.estimate is None or standing.behind is None:
            why = self._bound(standing) if standing.bound_ns else standing.reason
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

    def _bound(self, standing: Standing) -> str:
        room = self._workers(standing.runner)
        pattern = patterns.AT_LEAST_IN_TURN if room == 1 else patterns.AT_LEAST_BY_POOL
        return pattern.format(time=format_value(standing.bound_ns, "ns", 2), room=room)


def list_choices(context: SiteContext) -> dict[str, list[Any]]:
    """Return the values that the form offers, from all maps: kind, tasks, and times in us."""
    points = [at.point for drawn in measured_maps(context) for at in drawn.points]
    kind, *amounts = ({*values} for values in zip(*points, strict=True))
    named = zip(("tasks", "compute", "wait"), map(sorted, amounts), strict=True)
    return {"kind": [each for each in KINDS if each in kind], **dict(named)}


def render_fetched(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Yield the path and JSON of each map's answers: by setting, HTML or the setting with the same work."""
    for drawn in measured_maps(context):
        runners = context.site.scenarios[SCENARIO].runners
        alike = {point: same_work(point) for point in starmap(Point, product(*list_choices(context).values()))}
        answers = {_key(p): _render(drawn, runners, p) if p == same else _key(same) for p, same in alike.items()}
        content = {"measured": [_key(p) for p, same in alike.items() if drawn.at(same)], "answers": answers}
        yield f"{MAPS}/{drawn.result.key.key}.json", json.dumps(content, ensure_ascii=False)


def _key(point: Point) -> str:
    return "/".join(map(str, point))


def _render(drawn: WorkMap, runners: Mapping[str, Runner], point: Point) -> tuple[Markup, Markup]:
    """Render an answer: its sentences, and its table."""
    answer, result = Answers(drawn, runners).at(point), drawn.result
    machine = f"{add_article(result.machine_name)} ({strip_markup(result.record.machine.cpu)})"
    runs = f"{count_noun(len(result.runs), 'run')}, {result.record.run.started[:10]}"
    foot = f"{describe_work(answer.point)}. {describe_build(result.build)} on {machine}, {runs}."
    table = fragment("choose_models.html", answer=answer, foot=foot, raw=quote(result.file.path))
    return fragment("choose_answer.html", answer=answer), table


class ChooseFunctions(Functions):
    def choose_form(self) -> Markup:
        """Return the form with its first answer and the others' addresses; empty without a map. `choose_form()`."""
        maps = measured_maps(self._context)
        if not maps:
            return Markup("")
        files: dict[str, dict[str, str]] = defaultdict(dict)
        for drawn in maps:
            result = drawn.result
            files[result.machine_key.key][strip_markup(result.build)] = f"{self._root}{MAPS}/{result.key.key}.json"
        first, choices = maps[0], list_choices(self._context)
        return fragment(
            "choose_form.html",
            files=files,
            machines={drawn.result.machine_key.key: drawn.result.machine_name for drawn in maps},
            opens=OPENS_WITH,
            options=_options(choices),
            kinds={kind: KINDS[kind] for kind in choices["kind"]},
            answer=_render(first, self._context.site.scenarios[SCENARIO].runners, OPENS_WITH),
        )

    def choose_small(self) -> Markup:
        """Return a form that leads to Choose; empty without a map. `choose_small()`."""
        if not measured_maps(self._context):
            return Markup("")
        options = _options(list_choices(self._context))
        return fragment("choose_small.html", root=self._root, opens=OPENS_WITH, options=options)

    def everyday_table(self) -> Markup:
        """Compare the map's advice for everyday work with its measurements. `everyday_table()`."""
        site = self._context.site
        rows = [_everyday(self._context, case, point) for case, point in NEAREST.items() if EVERYDAY in site.current]
        first = site.first(EVERYDAY) if rows else None
        drawn = _map_on(self._context, first) if first else None
        return fragment("everyday.html", rows=rows, result=drawn and drawn.result)


def _options(choices: Mapping[str, list[Any]]) -> dict[str, list[tuple[int, str]]]:
    """Return the options of each select: values and labels."""
    times = {name: [(us, duration(us) if us else "not at all") for us in choices[name]] for name in ("compute", "wait")}
    return {"tasks": [(number, f"{number:,}") for number in choices["tasks"]], **times}


def _map_on(context: SiteContext, result: Result) -> WorkMap | None:
    return next((drawn for drawn in measured_maps(context) if drawn.result.key == result.key), None)


def _everyday(context: SiteContext, case: str, point: Point) -> dict[str, str]:
    """Return a row: the map's advice at the nearest point, and the measurement of the work itself."""
    site, scenario = context.site, context.site.scenarios[EVERYDAY]
    result = site.first(EVERYDAY, case)
    drawn = _map_on(context, result) if result else None
    at = drawn.at(point) if drawn else None
    keys = [SeriesKey(EVERYDAY, case, runner, "subject") for runner in scenario.runners]
    standings = ranked(result, keys, scenario.metrics[0]) if result else []
    names = {name: runner.label for name, runner in scenario.runners.items()}
    best = list_names([names[each.runner] for each in standings if each.is_best]) or NOT_MEASURED
    perhaps = list_names([names[each.runner] for each in standings if each.state == "undecided"])
    slower = [(names[each.runner], each.behind.value) for each in standings if each.behind and each.state == "behind"]
    nearest = describe_work(point)
    models = site.scenarios[SCENARIO].runners if SCENARIO in site.scenarios else {}
    return {
        "work": scenario.case_label(case),
        "nearest": nearest.replace("compute", patterns.HASHING_WORK) if point.kind == "hashing" else nearest,
        "advised": NOT_MEASURED if at is None else "undecided" if at.is_undecided else list_models(at.best, models),
        "best": patterns.BEST_AND_PERHAPS.format(best=best, perhaps=perhaps) if perhaps else best,
        "slower": ", ".join(f"{name} ({format_ratio(ratio)})" for name, ratio in slower),
    }
