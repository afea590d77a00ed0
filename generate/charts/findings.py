"""The sentence that a chart has for its title: what its data show, chosen among written ones. Pure.

Sentences speak of what was measured, in the past, which is the same for one name and for several.
"""

from __future__ import annotations

import math
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from generate.charts.bars import written
from generate.statistics.noise import NOT_SEEN, Finding, finding_of
from generate.text.names import listed
from generate.text.numbers import (
    counted,
    format_interval,
    format_ratio,
    format_value,
    short,
)
from generate.text.units import DURATION, LATE, RATE, SHARE, kind_of_metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary
    from generate.charts.chart import Subject
    from generate.statistics.intervals import Comparison
    from generate.text.units import Kind
    from runners.harness.contract import Metric

MOST_NAMED = 3
"""So many names are written out; of more, how many there are."""

BEST: Mapping[Kind, str] = {
    DURATION: "{} took the least time",
    RATE: "{} managed the most",
    SHARE: "{} came nearest to the ideal",
    LATE["delay"]: "the delay was shortest with {}",
}
"""What those did that are ahead of all others; of any other kind, which end of the metric they had."""
TIMES: Mapping[Kind, str] = {DURATION: "{} times as fast as", RATE: "{} times as many as"}
"""How the best compares with another, where that is said as a ratio; of other kinds both values are."""


class Change(NamedTuple):
    """What became of one runner over the cases of a sweep."""

    kind: str
    """Which of several kinds of cases it is over; empty where there is one."""
    rows: Sequence[Summary]
    """Along them."""
    first: float
    """The parameter of the first case."""
    last: float


def of_medians(subject: Subject, rows: Sequence[Summary]) -> str:
    """Say who is ahead in one case, and how far; *rows* are those with a value, the best first.

    Those that do something else than the others are named where they lead, beyond the noise of at least two others that
    do not, and hold no first place.
    """
    leading = [*takewhile(lambda row: row.runner in subject.scenario.apart, rows)]
    choices = rows[len(leading) :]
    is_ahead = any(_beside(subject, row, rows[0]) is Finding.BEYOND for row in choices)
    if not leading or not is_ahead or len(choices) <= 1:
        return capital(_of_choices(subject, rows))
    names = listed([name_of(subject, row) for row in leading])
    return f"Apart from {names}, {_of_choices(subject, choices, most_named=1)}"


def _of_choices(subject: Subject, rows: Sequence[Summary], most_named: int = MOST_NAMED) -> str:
    """Say it without the capital that a sentence begins with; of more than *most_named* as good how many there are."""
    best, last = rows[0], rows[-1]
    if len(rows) == 1:
        return f"{_lower(subject.metric.title)}, {name_of(subject, best)}: {_value(best)}"
    findings = {row.runner: _beside(subject, row, best) for row in rows[1:]}
    behind = {runner for runner, finding in findings.items() if finding is Finding.BEYOND}
    span = short(format_interval(best.median, last.median, best.unit))
    if not behind:
        if best.median != last.median and not {Finding.UNDECIDED, None}.isdisjoint(findings.values()):
            return f"undecided who is ahead: medians from {span}"
        if Finding.REACHES in findings.values():
            return f"every difference reaches into the noise: medians from {span}"
        return f"no difference was seen beyond the noise: {span}"
    if not subject.scenario.are_choices:
        values = listed([f"{_value(row)} with {name_of(subject, row)}" for row in rows])
        return f"{_lower(subject.metric.title)}: {values}"
    alike = [name_of(subject, row) for row in rows[1:] if row.runner not in behind]
    kind = kind_of_metric(subject.metric)
    said = BEST.get(kind, f"{{}} had the {_least(subject)}").format(name_of(subject, best))
    said += f", not clearly ahead of {_named(alike, most_named)}" if alike else ""
    rivals = behind.difference(subject.scenario.apart) or behind
    slowest = next(row for row in reversed(rows) if row.runner in rivals)
    beside = next((row for row in rows if row.runner in rivals & {_baseline(subject)}), slowest)
    return f"{said}: {_how_far(subject, best, beside, kind)}"


def _least(subject: Subject) -> str:
    return f"{'highest' if subject.metric.better == 'higher' else 'lowest'} {_lower(subject.metric.title)}"


def _baseline(subject: Subject) -> str:
    """Return the runner that the case's block is compared with; empty where it is of another case."""
    case, runner = subject.scenario.baseline_of(subject.scenario.block_of(subject.case))
    return runner if case == subject.case else ""


def _how_far(subject: Subject, best: Summary, beside: Summary, kind: Kind) -> str:
    """Say how far the best is ahead of another: as a ratio where people say it so, else by both values."""
    is_baseline = beside.runner == _baseline(subject)
    # the way round that the table has: of an even number of rounds the median of turned ratios is another
    pair = (best, beside) if is_baseline else (beside, best)
    compared = compared_rows(subject.cell, subject.metric, *pair)
    name = name_of(subject, beside)
    if kind in TIMES and compared is not None and compared.ratio > 0:
        ratio = compared.ratio if (kind is DURATION) is not is_baseline else 1 / compared.ratio
        return f"{_value(best)}, {TIMES[kind].format(format_ratio(ratio))} {name}{doubt_of(compared)}"
    return f"{_value(best)}, against {_value(beside)} for {name}"


def doubt_of(compared: Comparison) -> str:
    """Say that a ratio is of few rounds: which way it is decided, how far it is not."""
    return " (quick run)" if compared.quick else ""


def of_sweep(subject: Subject, parameter: str, changes: Sequence[Change]) -> str:
    """Say which runner changed most from the first case to the last: of each kind of cases."""
    kinds = list(dict.fromkeys(change.kind for change in changes))
    greatest = [max((each for each in changes if each.kind == kind), key=_size) for kind in kinds]
    firsts, last = {each.first for each in greatest}, max(each.last for each in greatest)
    words = parameter.partition(" (")[0]
    span = f"up to {last:,.10g} {words}" if len(firsts) > 1 else f"from {min(firsts):,.10g} to {last:,.10g} {words}"
    names = {name_of(subject, each.rows[-1]) for each in greatest}
    if kinds == [""]:
        return f"{capital(names.pop())} {_changed(subject, greatest[0])}, {span}"
    if len(names) == 1:  # told apart by their kinds alone
        said = "; ".join(f"{each.kind} {_changed(subject, each)}" for each in greatest)
        return f"{capital(names.pop())}, {span}: {said}"
    of = [(f"{name_of(subject, each.rows[-1])} ({each.kind})", each) for each in greatest]
    return f"{capital(span)}: {'; '.join(f'{name} {_changed(subject, each)}' for name, each in of)}"


def _size(change: Change) -> float:
    first, last = (row.median or 0.0 for row in (change.rows[0], change.rows[-1]))
    return abs(math.log(last / first)) if first > 0 and last > 0 else math.inf


def _changed(subject: Subject, change: Change) -> str:
    first, last = change.rows[0], change.rows[-1]
    blocks = {subject.scenario.block_of(row.case) for row in (first, last)}
    if len(blocks) > 1:  # measured at other times of the run: no rounds to pair
        return f"went from {_value(first)} to {_value(last)}{_overlap(first, last)}"
    finding = _beside(subject, last, first)
    if finding in NOT_SEEN:
        return f"stayed at {_value(last)}, within the noise"
    doubt = "" if finding in {Finding.BEYOND, Finding.REACHES} else " (not decided)"
    return f"went from {_value(first)} to {_value(last)}{doubt}"


def _overlap(one: Summary, other: Summary) -> str:
    ends = one.low, one.high, other.low, other.high
    if None in ends:
        return ""
    low, high, other_low, other_high = (end or 0.0 for end in ends)
    return " (their intervals overlap)" if low <= other_high and other_low <= high else ""


def of_latencies(within_us: Mapping[str, float]) -> str:
    """Say within which time 99 of 100 requests were answered: *within_us* has it by name."""
    names = sorted(within_us, key=lambda name: within_us[name])
    best, worst = names[0], names[-1]
    said = f"99 of 100 requests were answered within {format_value(within_us[best], 'us')} by {bare(best)}"
    if len(names) == 1:
        return said
    return f"{said}, within {format_value(within_us[worst], 'us')} by {bare(worst)}"


def of_depths(deepest: Mapping[str, int]) -> str:
    """Say how many items were seen at most in each queue, the fullest first: *deepest* has each by name."""
    depths = sorted({*deepest.values()}, reverse=True)
    if len(depths) == 1:
        return f"No queue was seen fuller than another: at most {counted(depths[0], 'item')}"
    named = {depth: _named([bare(name) for name in deepest if deepest[name] == depth]) for depth in depths}
    fullest = f"at most {counted(depths[0], 'item')} waited in {named[depths[0]]}"
    others = [f"{depth:,} in {named[depth]}" if depth else f"none after a get in {named[0]}" for depth in depths[1:]]
    return capital(", ".join([fullest, *others]))


def _beside(subject: Subject, row: Summary, other: Summary) -> Finding | None:
    """Return what *row* shows beside *other*, paired by round; None where they can't be compared."""
    compared = compared_rows(subject.cell, subject.metric, row, other)
    return finding_of(compared, row.noise) if compared else None


def compared_rows(cell: CellResult, metric: Metric, row: Summary, other: Summary) -> Comparison | None:
    """Compare two rows of a block of *cell*, paired by round; None where one has no value, or they share no round."""
    keys = (SeriesKey(each.scenario, each.case, each.runner, "subject") for each in (row, other))
    one, two = map(cell.gated.view.series.get, keys)
    return cell.gated.compared(one, two, metric) if one and two else None


def _value(row: Summary) -> str:
    return written(row.median, row.unit)


def name_of(subject: Subject, row: Summary) -> str:
    """Name a row's runner so that it can stand in a list."""
    return bare(subject.words(row.runner))


def bare(name: str) -> str:
    """Write a name so that it can stand in a list: "processes, one a power" is "processes (one a power)"."""
    first, comma, rest = name.partition(", ")
    return f"{first} ({rest})" if comma else first


def _named(names: Sequence[str], most: int = MOST_NAMED) -> str:
    return f"{len(names)} others" if len(names) > most else listed(names)


def capital(text: str) -> str:
    """Begin a sentence, unless it begins with the name of a function or module."""
    return text if "." in text.partition(" ")[0] else text[0].upper() + text[1:]


def _lower(title: str) -> str:
    return title[0].lower() + title[1:]
