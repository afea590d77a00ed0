"""The answer that Choose opens with, so that it stands there at once: as its form gives every other, in the browser.

It is made of what the form reads (`choose.fetched`), in the words of assets/choose.js. Pure.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, NotRequired, TypedDict

from generate.analysis.work_map import MAIN_KIND, Point
from generate.statistics.intervals import FEWEST_PAIRS
from generate.text.names import listed
from generate.text.numbers import (
    counted,
    format_bound,
    format_interval,
    format_range,
    format_ratio,
    format_ratio_interval,
    format_value,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.pages.real_clients import Clients

OPENS_WITH = Point(MAIN_KIND, 1_000, 0, 100_000)
"""What the form asks first: a thousand calls of an API."""
UNDECIDED = 2
PLACES = ("", "within the noise", "not decided")
"""What is said of a model by what `Measured.at_front` has, after the bounds of its ratio."""
RULED_OUT = "Ruled out by arithmetic, pools being of the default size, and not measured"
LEAST_BYTES = 1_000_000
"""Memory is a peak above what the process held before the point, of which it may keep much: less is not believed."""
MANY, LITTLE_US, LONG_US = 100, 100, 10_000
"""Work that may be calls over a network: so many tasks or more, each computes at most so long and waits so long."""
WAY_OUT = "thread_pool"
"""The model whose size a program is free to choose, since its tasks only wait."""
HOW_MANY = "how many threads?"
LONGER = (
    "Longer waits were not measured: what a model adds to the wait should be much the same, so that those that wait for"
    " all tasks at once lie nearer together."
)
LINKS = {"clients": "#with-real-clients", "threads": "articles/choosing-by-the-map.html#how-many-threads"}
"""Where sentences of the answer lead, by what `Said.to` has; from the top of the site, or on the page."""


class Measured(NamedTuple):
    """How a model does at a point, as the form reads it."""

    runner: str
    us: float
    at_front: int
    """0 for no, 1 for yes and 2 where that is not decided."""
    ratio: float
    """Times the fastest, and its bounds; 1 of the fastest."""
    low: float
    high: float
    cpu_us: float | None
    kib: float | None
    """Memory above idle."""
    worst_us: float | None
    kib_low: float | None = None
    """The bounds of that median."""
    kib_high: float | None = None


class Unmeasured(NamedTuple):
    """A model that was not measured at a point, as the form reads it."""

    runner: str
    us: None
    bound_us: float | None
    """The least that it takes, by arithmetic."""
    reason: int | None
    """Else why, as the place of the reason in the map's."""


class Model(TypedDict):
    """A model, as the form reads it."""

    words: str
    family: str
    works_as: NotRequired[str]
    """As which other it works where nothing is computed, since it hands over that alone."""


class MapData(TypedDict):
    """A map as the form reads it."""

    models: dict[str, Model]
    """By runner."""
    machine: str
    build: str
    cores: int
    started: str
    rounds: int
    raw: str
    """Its result file, below data/raw/."""
    why_nothing: str
    """Why it decides nothing at any point; empty where it does."""
    clients: Clients | None
    """How real HTTP clients did on its machine and build."""
    reasons: list[str]
    points: dict[str, list[Measured | Unmeasured]]
    """By kind, tasks, computing and waiting."""


class Said(NamedTuple):
    """A sentence of the answer."""

    words: str
    link: str = ""
    """Those of its words that lead elsewhere; empty where none do."""
    to: str = ""
    """Where they lead: a name in LINKS."""


class Cell(NamedTuple):
    """A cell of the table: what it is sorted by, what it says, and below that what the first says of it."""

    key: float | None
    words: str
    below: str = ""


class Row(NamedTuple):
    """A model in the table: its cells, or why it has none."""

    runner: str
    words: str
    family: str
    cells: Sequence[Cell]
    why: str
    aside: str
    """What stands below its name; mostly empty."""


class Opening(NamedTuple):
    """The answer at one point."""

    sentences: Sequence[Said]
    """The first is the answer."""
    clients: Sequence[Said]
    """What follows that at once: how real HTTP clients did, where the work may be theirs."""
    where: str
    raw: str
    """Where its samples are, and under which name."""
    column: str
    rows: Sequence[Row]


def opening(known: MapData, point: Point = OPENS_WITH) -> Opening | None:
    """Return the answer at *point* of a map, *known* as the form reads it; None where the point was not measured."""
    standings = known["points"].get("/".join(map(str, point)))
    if standings is None:
        return None
    rounds = known["rounds"]
    many = "round" if rounds == 1 else "rounds; ratios are medians over them"
    where = f"{known['build']} on {known['machine']}, {known['started']}, {rounds} {many}."
    sentences = [*answer(standings, known, point), *map(Said, [*_on_sockets(point, known), *_longer(point, known)])]
    return Opening(
        sentences,
        on_clients(standings, known, point),
        f"{work_words(point)}. {where}",
        known["raw"],
        f"{point.column}_elapsed_ns",
        [_row(each, known, point) for each in standings],
    )


def answer(standings: Sequence[Measured | Unmeasured], known: MapData, point: Point) -> list[Said]:
    """Say who is at the front at *point*, by how much the others trail, and who is ruled out by arithmetic."""
    measured = [each for each in standings if isinstance(each, Measured)]
    if not measured:
        return [Said("Nothing was measured there.")]
    first, *others = measured
    others = [each for each in others if not _works_as(each, known, point)]
    if known["why_nothing"]:
        why = f"Nothing is decided by this map: {known['why_nothing']}."
        return [Said(why), Said(f"The least median: {_taken(first, known, point)}.")]
    behind, alike, undecided = ([each for each in others if each.at_front == at] for at in (0, 1, 2))
    said = [f"{'In front' if alike else 'Fastest'}: {_front(first, alike, known, point)}."]
    if undecided:
        few = "In so few rounds not distinguished" if known["rounds"] < FEWEST_PAIRS else "Not distinguished from it"
        said.append(f"{few}: {_list(undecided, known)}.")
    if behind:
        trailing = [f"{_words(each, known)} ({format_bound(each.ratio)} times)" for each in behind]
        trailing[0] = f"{trailing[0].removesuffix(')')} as long)"
        said.append(f"Behind it: {_joined(trailing)}.")
    return [*map(Said, said), *_ruled_out(standings, first, known, point)]


def _ruled_out(standings: Sequence[Measured | Unmeasured], first: Measured, known: MapData, point: Point) -> list[Said]:
    """Say who is ruled out by arithmetic, and the way out where a pool of threads is among them."""
    bounded = [each for each in standings if isinstance(each, Unmeasured) and each.bound_us]
    least = []
    for bound_us in sorted({each.bound_us or 0.0 for each in bounded}):
        names = _list([each for each in bounded if each.bound_us == bound_us], known)
        room = _room(bound_us, point)
        pool = f"{room} at a time, " if room > 1 else ""
        least.append(f"{names} ({pool}at least {format_ratio(bound_us / first.us)} times)")
    if not least:
        return []
    least[0] = f"{least[0].removesuffix(')')} as long)"
    words = f"{RULED_OUT}: {_joined(least)}."
    if all(each.runner != WAY_OUT for each in bounded):
        return [Said(words)]
    return [Said(f"{words} A larger pool of threads takes fewer turns: {HOW_MANY}", HOW_MANY, "threads")]


def on_clients(standings: Sequence[Measured | Unmeasured], known: MapData, point: Point) -> list[Said]:
    """Say how real HTTP clients did, where the work may be calls over a network; nothing where that was not measured.

    That it came out otherwise is said where models at the front here were tried with clients, and none was in front.
    """
    clients, link = known["clients"], "real HTTP clients"
    may_be_calls = point.tasks >= MANY and point.compute_us <= LITTLE_US and point.wait_us >= LONG_US
    if clients is None or point.kind == "hashing" or not may_be_calls:
        return []
    front = [each.runner for each in standings if isinstance(each, Measured) and each.at_front]
    tried = [clients["front"][runner] for runner in front if runner in clients["front"]]
    is_other = tried and not any(tried) and not known["why_nothing"]
    came_out = f"with {link} came out otherwise" if is_other else f"were measured with {link} as well"
    return [
        Said(f"A thousand downloads {came_out}{clients['on']}. Against threads, {clients['said']}.", link, "clients")
    ]


def _on_sockets(point: Point, known: MapData) -> list[str]:
    """Say who is at the front where the same tasks wait for a socket; nothing where that was not measured."""
    standings = known["points"].get("/".join(map(str, point._replace(kind="sockets"))))
    if point.kind != MAIN_KIND or not standings or known["why_nothing"] or not isinstance(standings[0], Measured):
        return []
    others = [each for each in standings[1:] if not _works_as(each, known, point)]
    alike = [each for each in others if isinstance(each, Measured) and each.at_front == 1]
    return [f"Waiting for a local server instead of a timer: {_front(standings[0], alike, known, point)}."]


def _longer(point: Point, known: MapData) -> list[str]:
    """Say what longer waits would change, where the wait is the longest that was measured of its kind."""
    places = (place.split("/") for place in known["points"])
    longest_us = max(int(wait_us) for kind, *_, wait_us in places if kind == point.kind)
    return [LONGER] if point.wait_us and point.wait_us == longest_us and not known["why_nothing"] else []


def _front(first: Measured, alike: Sequence[Measured], known: MapData, point: Point) -> str:
    taken = _taken(first, known, point)
    return f"{taken}; within the noise of it: {_list(alike, known)}" if alike else taken


def _taken(first: Measured, known: MapData, point: Point) -> str:
    works_as = _works_as(first, known, point)
    return f"{_words(first, known)}{f' ({works_as})' if works_as else ''}, {_time(first.us)}"


def _works_as(standing: Measured | Unmeasured, known: MapData, point: Point) -> str:
    """Say as which other model one works, having nothing to hand over; empty where it is one of its own."""
    works_as = known["models"][standing.runner].get("works_as", "")
    return f"as {works_as}: nothing to compute" if works_as and not point.compute_us else ""


def work_words(point: Point) -> str:
    """Say which work it is: "10 tasks that each compute 1 ms and wait 10 ms"."""
    ending = "s" if point.tasks == 1 else ""
    amounts = ((point.compute_us, f"compute{ending}"), (point.wait_us, f"wait{ending}"))
    done = " and ".join(f"{verb} {us / 1_000:g} ms" for us, verb in amounts if us) or f"end{ending} at once"
    return f"{counted(point.tasks, 'task')} that {'' if ending else 'each '}{done}"


def _row(standing: Measured | Unmeasured, known: MapData, point: Point) -> Row:
    model = known["models"][standing.runner]
    of_model, aside = (standing.runner, model["words"], model["family"]), _works_as(standing, known, point)
    if isinstance(standing, Unmeasured):
        why = known["reasons"][standing.reason] if standing.reason is not None else "not measured"
        return Row(*of_model, [], bound_words(standing.bound_us, point) if standing.bound_us else why, aside)
    is_fastest = standing.at_front == standing.ratio == standing.low == standing.high == 1
    bounds = "" if standing.at_front == UNDECIDED else format_ratio_interval(standing.low, standing.high)
    below = "; ".join(filter(None, [bounds, PLACES[standing.at_front]]))
    first = Cell(standing.ratio, "1") if is_fastest else Cell(standing.ratio, format_ratio(standing.ratio), below)
    cells = [
        Cell(standing.us, _time(standing.us)),
        first,
        Cell(standing.worst_us, _known(standing.worst_us, 1e3, "ns")),
        Cell(standing.cpu_us, _known(standing.cpu_us, 1e3, "ns")),
        _memory(standing),
    ]
    return Row(*of_model, cells, "", aside)


def _room(bound_us: float, point: Point) -> int:
    """Return how many tasks a model has room for at a time, which is behind by arithmetic."""
    turns = max(1, math.floor(bound_us / (point.compute_us + point.wait_us) + 0.5))
    return math.ceil(point.tasks / turns)


def bound_words(bound_us: float, point: Point) -> str:
    """Say why a model is behind by arithmetic: how many tasks it has room for at a time."""
    room = _room(bound_us, point)
    return f"at least {_time(bound_us)}, by arithmetic: " + (
        "one after the other" if room == 1 else f"{room} at a time, its default"
    )


def _known(amount: float | None, factor: float, unit: str) -> str:
    return "not known" if amount is None else format_value(amount * factor, unit)


def _memory(standing: Measured) -> Cell:
    """Say how much memory was needed; that it is not resolved where its bounds reach below what is believed."""
    if standing.kib is None or standing.kib_low is None or standing.kib_high is None:
        return Cell(standing.kib, _known(standing.kib, 1024, "bytes"))
    low, high = standing.kib_low * 1024, standing.kib_high * 1024
    if high < LEAST_BYTES:
        return Cell(standing.kib, "under 1 MB")
    if low < LEAST_BYTES:
        return Cell(None, "not resolved", format_interval(low, high, "bytes"))
    below = format_range(low, high, "bytes")
    return Cell(standing.kib, _known(standing.kib, 1024, "bytes"), below)


def _time(us: float) -> str:
    return format_value(us * 1e3, "ns")


def _words(standing: Measured | Unmeasured, known: MapData) -> str:
    return known["models"][standing.runner]["words"]


def _list(standings: Sequence[Measured | Unmeasured], known: MapData) -> str:
    return _joined([_words(each, known) for each in standings])


def _joined(names: Sequence[str]) -> str:
    """Write names as people do; where some have an "and" of their own, with semicolons."""
    if any(" and " in name for name in names):
        return "; ".join(names)
    return listed(names)
