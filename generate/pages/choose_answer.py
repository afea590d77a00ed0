"""The answers of Choose, one for each setting of its form, in words. Pure.

At a measured point: who is fastest, and who is not. At any other no time is given, only the models that arithmetic
leaves and what was measured around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generate.data.work_map import MAIN_KIND, MapPoint, Point, bounds_left, bracket, workers
from generate.words.names import list_names
from generate.words.numbers import (
    count_noun,
    format_estimate,
    format_range,
    format_ratio,
    format_ratio_with_range,
    format_value,
    format_with_range,
)
from runners.harness.contract import Metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generate.data.estimates import Estimate
    from generate.data.work_map import Standing, WorkMap
    from generate.pages.real_clients import Clients
    from runners.harness.catalogue.scenarios import Runner

    Runners = Mapping[str, Runner]

OPENS_WITH = Point(MAIN_KIND, 1_000, 0, 100_000)
"""What the form asks first: a thousand calls of an API."""
MOST_NAMED = 3
"""If more models are as fast as the best, the choice does not matter."""
SHORT_NAMES = {"asyncio_tasks": "asyncio", "asyncio_uvloop": "asyncio on uvloop"}
BOTH_LOOPS = "asyncio with or without uvloop"
WORKERS = {"thread_pool": "threads", "process_pool": "processes", "interpreter_pool": "interpreters"}
"""By model whose pool has a default size, what it consists of."""
MANY, LITTLE_US, LONG_US = 100, 100, 10_000
"""Work that may be calls over a network: so many tasks or more, that compute at most so long and wait so long."""
HOW_MANY = ("How many threads?", "articles/choosing-by-the-map.html#how-many-threads")
LONGER = "Longer waits were not measured; what a model adds to them should be much the same."


class Line(NamedTuple):
    """A sentence, and a link after it."""

    words: str
    link: str = ""
    href: str = ""


class Row(NamedTuple):
    """A model in the table: its estimates, or why it has none."""

    runner: str
    family: str
    words: str
    note: str
    """The model that it equals here; mostly empty."""
    cells: Sequence[tuple[Estimate | None, str, str]]
    """Estimate, words, and what is below them."""
    why: str


class Answer(NamedTuple):
    """The answer for one setting of the form."""

    point: Point
    """Of the map, with the same work."""
    lead: str
    named: Sequence[str]
    """The models that *lead* names, in order."""
    more: Sequence[Line]
    near: Sequence[str] = ()
    """What was measured around a point that was not."""
    rows: Sequence[Row] = ()
    """Empty if the point was not measured."""


def model_names(names: Iterable[str], runners: Runners) -> list[str]:
    """Return models in words; asyncio on both of its loops as one."""
    found = [*names]
    both = {"asyncio_tasks", "asyncio_uvloop"} <= {*found}
    words = [BOTH_LOOPS if both and name in SHORT_NAMES else short_name(name, runners) for name in found]
    return list(dict.fromkeys(words))


def short_name(name: str, runners: Runners) -> str:
    """Return a model in words, as sentences have it."""
    return SHORT_NAMES.get(name) or runners[name].words


def list_models(names: Iterable[str], runners: Runners) -> str:
    """List models in words."""
    words = model_names(names, runners)
    return words[0].replace(" with", ", with", 1) if words == [BOTH_LOOPS] else list_names(words)


def work_words(point: Point) -> str:
    """Return a piece of work in words: "10 tasks that each compute 1 ms and wait 10 ms"."""
    ending = "s" if point.tasks == 1 else ""
    amounts = ((point.compute_us, f"compute{ending}"), (point.wait_us, f"wait{ending}"))
    done = " and ".join(f"{verb} {us / 1_000:g} ms" for us, verb in amounts if us) or f"end{ending} at once"
    return f"{count_noun(point.tasks, 'task')} that {'' if ending else 'each '}{done}"


def same_work(point: Point) -> Point:
    """Return the point of the main kind, if tasks neither hash nor wait for sockets at *point* after all."""
    amount_us = {"hashing": point.compute_us, "sockets": point.wait_us}.get(point.kind, 0)
    return point if amount_us else point._replace(kind=MAIN_KIND)


def answer(drawn: WorkMap, asked: Point, runners: Runners, clients: Clients | None = None) -> Answer:
    """Return the answer of a map at any point."""
    point = same_work(asked)
    at = drawn.at(point)
    if at is None:
        return _unmeasured(drawn, point, runners)
    pools = [each.runner for each in at.standings if each.bound_ns and each.runner in WORKERS]
    slow = [(each.runner, each.bound_ns) for each in at.standings if each.bound_ns and each.runner not in WORKERS]
    more = [
        *_others(at, runners),
        *_excluded(pools, slow, drawn, runners),
        *_with_clients(at, clients),
        *_on_sockets(at, drawn, runners),
    ]
    if point.wait_us and point.wait_us == max(each.point.wait_us for each in drawn.points):
        more.append(Line(LONGER))
    rows = [_row(each, at, drawn, runners) for each in at.standings]
    return Answer(point, _lead(at, drawn, runners), at.best, more, rows=rows)


def _lead(at: MapPoint, drawn: WorkMap, runners: Runners) -> str:
    fastest = fastest_words(at, runners)
    if drawn.why_undecided:
        return f"Undecided: {drawn.why_undecided}. Lowest: {fastest}."
    if len(model_names(at.best, runners)) > MOST_NAMED:
        return f"Any of these: {fastest}. Take the simplest."
    return f"Fastest: {fastest}."


def fastest_words(at: MapPoint, runners: Runners) -> str:
    """Name the best models of a measured point, with the time of the fastest: "threads (105 ms)"."""
    return f"{list_models(at.best, runners)} ({format_estimate(at.measured[0].estimate, 'ns')})"


def _others(at: MapPoint, runners: Runners) -> list[Line]:
    """Name the models that may be as fast, and those that are slower."""
    lines = [Line(f"Perhaps as fast: {list_models(at.undecided, runners)}.")] if at.undecided else []
    slower = [
        f"{short_name(each.runner, runners)} ({format_ratio(each.behind.value)})"
        for each in at.standings
        if each.behind and each.state == "behind" and not at.works_as(each.runner)
    ]
    if slower:
        slower[0] = slower[0].replace("(", "(takes ").replace(")", " times as long)")
        lines.append(Line(f"Slower: {', '.join(slower)}."))
    return lines


def _excluded(pools: Sequence[str], slow: Sequence[tuple[str, float]], drawn: WorkMap, runners: Runners) -> list[Line]:
    """Name the models that arithmetic excludes: pools that are too small, and others with their bounds, ns."""
    lines = []
    if pools:
        first, *others = sorted(pools, key=lambda name: name != "thread_pool")
        sizes = {name: workers(runners[name], drawn.cores) for name in pools}
        named = [f"{short_name(first, runners)} ({sizes[first]} {WORKERS[first]} here)"]
        named += [f"{short_name(name, runners)} ({sizes[name]})" for name in others]
        may_grow = first == "thread_pool"
        lines.append(Line(f"Too small by default: {', '.join(named)}.", *(HOW_MANY if may_grow else ())))
    alike: dict[str, list[str]] = {}
    for name, bound_ns in slow:
        alike.setdefault(format_value(bound_ns, "ns", 2), []).append(name)
    if alike:
        bounds = [f"{list_models(names, runners)} ({written})" for written, names in alike.items()]
        lines.append(Line(f"Too slow by arithmetic: {'; '.join(bounds).replace('(', '(at least ', 1)}."))
    return lines


def _with_clients(at: MapPoint, clients: Clients | None) -> list[Line]:
    """Tell how real HTTP clients did, if the work may be calls over a network."""
    point = at.point
    may_be_calls = point.tasks >= MANY and point.compute_us <= LITTLE_US and point.wait_us >= LONG_US
    if clients is None or point.kind == "hashing" or not may_be_calls:
        return []
    tried = [clients.best[name] for name in at.best if name in clients.best]
    begins = "The order differs with real HTTP clients" if tried and not any(tried) else "With real HTTP clients"
    words = f"{begins}, compared with threads: {clients.against_threads}."
    return [Line(words, "A thousand downloads", "#with-real-clients")]


def _on_sockets(at: MapPoint, drawn: WorkMap, runners: Runners) -> list[Line]:
    sockets = drawn.at(at.point._replace(kind="sockets")) if at.point.kind == MAIN_KIND else None
    if sockets is None or drawn.why_undecided:
        return []
    return [Line(f"With sockets of a local server instead of timers: {fastest_words(sockets, runners)}.")]


def _unmeasured(drawn: WorkMap, point: Point, runners: Runners) -> Answer:
    """Answer by arithmetic: no time, but who may be fast, and what was measured around the point."""
    left, excluded = bounds_left(drawn, point, runners)
    works_as = MapPoint(point, "", ()).works_as
    named = list(dict.fromkeys(works_as(name) or name for name in left))
    lead = f"Not measured. Arithmetic leaves {list_models(named, runners)}." if excluded else "Not measured."
    more = []
    if left and (least_ns := min(bound.least_ns for bound in left.values())):
        least = format_value(least_ns, "ns", 2)
        more.append(Line(f"No model takes less than {least} on {count_noun(drawn.cores, 'core')}."))
    pools = [name for name, bound in excluded.items() if name in WORKERS and bound.is_by_turns]
    slow = [(name, bound.least_ns) for name, bound in excluded.items() if name not in pools and not works_as(name)]
    more += _excluded(pools, slow, drawn, runners)
    less, greater = bracket(drawn, point)
    found = [*(("Less work", at) for at in less), *(("More work", at) for at in greater)]
    if timers := drawn.at(point._replace(kind=MAIN_KIND)):
        found.append(("With timers", timers))
    near = [f"{how}: {work_words(at.point)}: {_with_range(at, runners)}" for how, at in found]
    return Answer(point, lead, named if excluded else [], more, near)


def _with_range(at: MapPoint, runners: Runners) -> str:
    return f"{list_models(at.best, runners)}, {format_with_range(at.measured[0].estimate, 'ns')}"


def _row(standing: Standing, at: MapPoint, drawn: WorkMap, runners: Runners) -> Row:
    runner = runners[standing.runner]
    works_as = at.works_as(standing.runner)
    note = f"as {runners[works_as].words}: nothing to compute" if works_as else ""
    name = (standing.runner, runner.family, runner.words, note)
    if standing.estimate is None or standing.behind is None:
        return Row(*name, [], _bound_words(standing, drawn, runner) if standing.bound_ns else standing.reason)
    ratio, _, between = format_ratio_with_range(standing.behind).rstrip(")").partition(" (")
    state = standing.state if standing.state in {"as fast", "undecided"} else ""
    cells: list[tuple[Estimate | None, str, str]] = [
        (standing.estimate, format_estimate(standing.estimate, "ns"), format_range(standing.estimate, "ns")),
        (standing.behind, "1", "")
        if standing.state == "fastest"
        else (standing.behind, ratio, "; ".join(filter(None, [between, state]))),
    ]
    for column in ("worst_us", "cpu_us"):
        cost = drawn.result.estimate(standing.key, Metric(f"{at.point.column}_{column}", "", "us", "lower"))
        cells.append((cost, format_estimate(cost, "us"), ""))
    return Row(*name, cells, "")


def _bound_words(standing: Standing, drawn: WorkMap, runner: Runner) -> str:
    room = workers(runner, drawn.cores)
    turns = "one after the other" if room == 1 else f"{room} at a time by default"
    return f"at least {format_value(standing.bound_ns, 'ns', 2)}: {turns}"
