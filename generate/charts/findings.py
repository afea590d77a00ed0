"""The sentence that a chart has for its title: what its data show, the answer first. Pure."""

from __future__ import annotations

import math
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from generate.charts.bars import written
from generate.data.estimates import AS_FAST, holm
from generate.words.names import list_names
from generate.words.numbers import abbreviate_rate, count_noun, describe, format_bounds, format_value, format_with_range
from generate.words.units import DURATION, LATE, RATE, SHARE, kind_of_metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.charts.chart import Subject
    from generate.data.estimates import Estimate
    from generate.data.selection import Result
    from generate.data.table import Summary
    from generate.words.units import Kind
    from runners.harness.contract import Metric

MOST_NAMED = 3
"""So many names are written out; of more, how many there are."""

BEST: Mapping[Kind, str] = {
    DURATION: "fastest",
    RATE: "most per second",
    SHARE: "nearest to the ideal",
    LATE["delay"]: "shortest delay",
    LATE["latency"]: "lowest latency",
}
"""What the best are; of any other kind, which end of the metric they have."""


class Ranking(NamedTuple):
    """How rows, the best first, compare with the best by their own pairs."""

    front: list[Summary]
    """The best, and those as fast over their whole range."""
    undecided: list[Summary]
    behind: list[Summary]
    """Those that differ from the best by Holm's rule, since several are compared."""


class Change(NamedTuple):
    """What became of one runner over the cases of a sweep."""

    kind: str
    """Which of several kinds of cases it is over; empty if there is one."""
    rows: Sequence[Summary]
    """Along them."""
    first: float
    """The parameter of the first case."""
    last: float


def ranked(subject: Subject, rows: Sequence[Summary]) -> Ranking:
    """Compare each of *rows*, the best first, with the best."""
    ratios = [compared_rows(subject.cell, subject.metric, row, rows[0]) for row in rows[1:]]
    differ = holm([ratio.p_value() if ratio else 1.0 for ratio in ratios])
    ranking = Ranking([rows[0]], [], [])
    for row, ratio, is_behind in zip(rows[1:], ratios, differ, strict=True):
        is_tied = ratio is not None and ratio.is_within(AS_FAST)
        (ranking.front if is_tied else ranking.behind if is_behind else ranking.undecided).append(row)
    return ranking


def of_values(subject: Subject, rows: Sequence[Summary]) -> str:
    """Say who is ahead in one case, and how far; *rows* are those with a value, the best first.

    Runners that do something else than the others are named if they lead, and hold no first place.
    """
    leading = [*takewhile(lambda row: row.runner in subject.scenario.apart, rows)]
    choices = rows[len(leading) :]
    if (
        leading
        and len(choices) > 1
        and {row.runner for row in ranked(subject, rows).behind} & {row.runner for row in choices}
    ):
        return capital(_of_choices(subject, choices, f" apart from {list_names(_names(subject, leading))}"))
    return capital(_of_choices(subject, rows))


def _of_choices(subject: Subject, rows: Sequence[Summary], apart: str = "") -> str:
    best, kind = rows[0], kind_of_metric(subject.metric)
    if len(rows) == 1:
        value = abbreviate_rate(format_with_range(best.value, best.unit))
        return f"{_lower(subject.metric.title)}, {name_of(subject, best)}: {value}"
    if not subject.scenario.are_choices:
        values = list_names([f"{_value(row)} with {name_of(subject, row)}" for row in rows])
        return f"{_lower(subject.metric.title)}: {values}"
    ranking = ranked(subject, rows)
    what = BEST.get(
        kind, f"{'highest' if subject.metric.better == 'higher' else 'lowest'} {_lower(subject.metric.title)}"
    )
    if not ranking.behind:
        outcome = "undecided" if ranking.undecided else "no difference"
        return f"{outcome} between {count_noun(len(rows), 'implementation')}{apart}: {_span(rows)}"
    front = _named(_names(subject, ranking.front), f"of {len(rows)} alike")
    doubt = f", undecided against {_named(_names(subject, ranking.undecided))}" if ranking.undecided else ""
    value = _value(best) if ranking.undecided else _span(ranking.front)
    return f"{what}{apart}: {front}{doubt} ({value}), {_how_far(subject, best, _rival(subject, ranking), kind)}"


def _rival(subject: Subject, ranking: Ranking) -> Summary:
    """Return the row behind that the best is compared with: the block's baseline, or else the last."""
    case, runner = subject.scenario.baseline_of(subject.scenario.block_of(subject.case))
    alike = [row for row in ranking.behind if row.runner not in subject.scenario.apart] or ranking.behind
    return next((row for row in alike if (row.case, row.runner) == (case, runner)), alike[-1])


def _how_far(subject: Subject, best: Summary, rival: Summary, kind: Kind) -> str:
    """Say how far the best is ahead of another: as a ratio if people say it so, else by the other's value."""
    ratio, name = compared_rows(subject.cell, subject.metric, best, rival), name_of(subject, rival)
    if kind in {DURATION, RATE} and ratio:
        return f"{describe(ratio, kind)} as {name}"
    return f"against {_value(rival)} for {name}"


def of_sweep(subject: Subject, parameter: str, changes: Sequence[Change]) -> str:
    """Say which runner changed most from the first case to the last: of each kind of cases."""
    kinds = list(dict.fromkeys(change.kind for change in changes))
    greatest = [max((each for each in changes if each.kind == kind), key=_size) for kind in kinds]
    firsts, last = {each.first for each in greatest}, max(each.last for each in greatest)
    words = parameter.partition(" (")[0]
    span = f"up to {last:,.10g} {words}" if len(firsts) > 1 else f"from {min(firsts):,.10g} to {last:,.10g} {words}"
    found = [
        f"{name_of(subject, each.rows[-1])}{each.kind and f' ({each.kind})'} {_changed(subject, each)}"
        for each in greatest
    ]
    return f"{capital(span)}: {'; '.join(found)}"


def _size(change: Change) -> float:
    first, last = (row.number or 0.0 for row in (change.rows[0], change.rows[-1]))
    return abs(math.log(last / first)) if first > 0 and last > 0 else math.inf


def _changed(subject: Subject, change: Change) -> str:
    first, last = change.rows[0], change.rows[-1]
    ratio = _over(subject, last, first)
    if ratio and ratio.is_within(AS_FAST):
        return f"stayed at {_value(last)}"
    doubt = "" if ratio and ratio.differs else " (undecided)"
    return f"went from {_value(first)} to {_value(last)}{doubt}"


def _over(subject: Subject, row: Summary, other: Summary) -> Estimate | None:
    """Return the ratio of two cases: by pairs if they share a block, else of their values."""
    if subject.scenario.block_of(row.case) == subject.scenario.block_of(other.case):
        return compared_rows(subject.cell, subject.metric, row, other)
    if row.value and other.value and {row.value.scale, other.value.scale} == {"log"}:
        return row.value.over(other.value)
    return None


def of_latencies(within_us: Mapping[str, float]) -> str:
    """Say within which time 99 of 100 requests were answered; *within_us* has it by name."""
    names = sorted(within_us, key=lambda name: within_us[name])
    best, worst = names[0], names[-1]
    found = f"99 of 100 requests were answered within {format_value(within_us[best], 'us')} by {bare(best)}"
    if len(names) == 1:
        return f"{found} (one run)"
    return f"{found}, within {format_value(within_us[worst], 'us')} by {bare(worst)} (one run)"


def of_depths(deepest: Mapping[str, int]) -> str:
    """Say how many items were seen at most in each queue, the fullest first; *deepest* has each by name."""
    depths = sorted({*deepest.values()}, reverse=True)
    if len(depths) == 1:
        return f"No queue was fuller than another: at most {count_noun(depths[0], 'item')}"
    named = {depth: _named([bare(name) for name in deepest if deepest[name] == depth]) for depth in depths}
    fullest = f"at most {count_noun(depths[0], 'item')} waited in {named[depths[0]]}"
    others = [f"{depth:,} in {named[depth]}" if depth else f"none after a get in {named[0]}" for depth in depths[1:]]
    return capital(", ".join([fullest, *others]))


def compared_rows(cell: Result, metric: Metric, row: Summary, other: Summary) -> Estimate | None:
    """Return the ratio of two rows of a block, paired by round; None without one."""
    one, two = (SeriesKey(each.scenario, each.case, each.runner, "subject") for each in (row, other))
    return cell.ratio(one, two, metric)


def _value(row: Summary) -> str:
    return written(row.value, row.unit) if row.value else ""


def _span(rows: Sequence[Summary]) -> str:
    """Write the least and the greatest value of *rows*: "780 to 810 ms"."""
    if len(rows) == 1:
        return _value(rows[0])
    low, high = sorted((rows[0].number or 0.0, rows[-1].number or 0.0))
    return abbreviate_rate(format_bounds(low, high, rows[0].unit, 2))


def name_of(subject: Subject, row: Summary) -> str:
    """Name a row's runner so that it can be in a list."""
    return bare(subject.words(row.runner))


def _names(subject: Subject, rows: Sequence[Summary]) -> list[str]:
    return [name_of(subject, row) for row in rows]


def bare(name: str) -> str:
    """Write a name so that it can be in a list: "processes, one a power" becomes "processes (one a power)"."""
    first, comma, rest = name.partition(", ")
    return f"{first} ({rest})" if comma else first


def _named(names: Sequence[str], others: str = "others") -> str:
    return f"{len(names)} {others}" if len(names) > MOST_NAMED else list_names(names)


def capital(text: str) -> str:
    """Begin a sentence, unless it begins with the name of a function or module."""
    return text if "." in text.partition(" ")[0] else text[0].upper() + text[1:]


def _lower(title: str) -> str:
    return title[0].lower() + title[1:]
