"""The first metric over the one number in which a block's cases differ: a line a runner, usual choices marked."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from generate.charts.chart import Chart, Subject, in_order
from generate.charts.kinds.bars import rank
from generate.charts.lines import Line, line_figure
from generate.charts.rows import format_amount, hover_text
from generate.charts.scale import Scale, amounts_axis, number_axis, values_title
from generate.charts.traces import vertical_line
from generate.data.table import Summary
from generate.words import patterns
from generate.words.names import capital, list_names
from generate.words.numbers import describe_briefly
from generate.words.units import axis_scale, find_kind
from runners.harness.catalogue.scenarios import Scenario

LEAST_AMOUNTS, LEAST_NAMED = 4, 3
"""Fewer amounts make no curve, and a title names no runner that has fewer."""
Along = Mapping[float, Summary]
"""A runner's rows by amount, ascending."""


@dataclass(frozen=True)
class Amounts:
    """The amounts of the one parameter in which cases differ, ascending."""

    by_case: Mapping[str, float]
    marks: Mapping[float, str]
    case: str
    """What the names of the cases have in common."""
    noun: str

    def write(self, amount: float) -> str:
        """Format "64 threads"."""
        return f"{_number(amount)} {self.noun}" if amount != 1 else f"1 {self.noun.removesuffix('s')}"


def draw(subject: Subject) -> Chart | None:
    """Draw the cases that differ from this one in one number only, if this is the first of them that has values."""
    amounts = find_amounts(subject.scenario, subject.case, subject.result.record.machine.usable_cores)
    rows = {case: replace(subject, case=case).rows() for case in amounts.by_case} if amounts else {}
    having = [case for case in subject.scenario.cases if rows.get(case)]
    if amounts is None or subject.case != next(iter(having), "") or len(having) < LEAST_AMOUNTS:
        return None
    lines = dict(_lines(rows, amounts))
    shown = [row.value for along in lines.values() for row in along.values() if row.value]
    unit, scale = axis_scale(subject.metric.unit, (each.value for each in shown)), Scale.for_estimates(shown)
    metric = subject.metric._replace(title=f"{subject.metric.title} ({unit.sign})".removesuffix(" ()"))
    figure = line_figure(
        [draw_line(subject, runner, along) for runner, along in lines.items()],
        amounts_axis(capital(amounts.noun), [*amounts.by_case.values()], amounts.marks),
        number_axis(values_title(metric, is_log=scale.log), scale, unit.size),
    )
    meta = {"meta": {"family": figure["data"][0]["meta"]["family"]}}
    figure["data"][:0] = ({**vertical_line(at, scale.value_at(0), scale.value_at(1)), **meta} for at in amounts.marks)
    title, subtitle = _titles(subject, lines, amounts)
    chart = subject.chart(title, [patterns.CURVE_CAPTION], figure)
    return replace(chart, subtitle=subtitle, case=amounts.case, spans_cases=True)


def find_amounts(scenario: Scenario, case: str, cores: int) -> Amounts | None:
    """Return the amounts of the only parameter in which cases of a block differ; None without such a parameter.

    Parameters that only choose runners may differ as well. 0 is left out unless it stands for a usual choice.
    """
    marks = scenario.marks(cores) if scenario.marks else {}
    choosing = {name for runner in scenario.runners.values() for name in runner.only}
    block = [other for other in scenario.cases if scenario.find_block(other) == scenario.find_block(case)]
    parameters = {other: {**scenario.cases[other].parameters} for other in block}
    for name in parameters[case]:
        ignored = {name: None, **dict.fromkeys(choosing)}
        alike = [other for other in block if parameters[other] | ignored == parameters[case] | ignored]
        amounts = ((other, parameters[other].get(name, -1) or next(iter(marks), 0)) for other in alike)
        found = {other: amount for other, amount in amounts if not isinstance(amount, str) and amount > 0}
        if case in found and len({*found.values()}) >= LEAST_AMOUNTS:
            ascending = dict(sorted(found.items(), key=lambda item: item[1]))
            shared, noun = split_labels([scenario.case_label(other) for other in ascending])
            marked = {at: mark for at, mark in marks.items() if min(found.values()) <= at <= max(found.values())}
            return Amounts(ascending, marked, shared, noun or name.replace("_", " "))
    return None


def split_labels(labels: Sequence[str]) -> tuple[str, str]:
    """Return how all labels begin, and the noun of the last: "items" and "threads" for "items, 2 threads"."""
    first, last = labels[0], labels[-1]
    heads = (first[:end] for end in range(len(first), 0, -1) if first[end : end + 2] == ", ")
    shared = next((head for head in heads if all(label.startswith(f"{head}, ") for label in labels)), "")
    return shared, last.removeprefix(shared).strip(", ").lstrip("0123456789, ").partition(" (")[0]


def _lines(rows: Mapping[str, Sequence[Summary]], amounts: Amounts) -> Iterator[tuple[str, Along]]:
    """Yield each runner and its rows, the one with the best value first."""
    by_runner: dict[str, dict[float, Summary]] = defaultdict(dict)
    for case, amount in amounts.by_case.items():
        for row in rows[case]:
            by_runner[row.runner][amount] = row
    for best in in_order(in_order(along.values())[0] for along in by_runner.values()):
        yield best.runner, by_runner[best.runner]


def _titles(subject: Subject, lines: Mapping[str, Along], amounts: Amounts) -> tuple[str, str]:
    """Return how much is enough for the best runner, and the values; only values if there is no usual choice."""
    own = (each for runner, each in lines.items() if len(each) >= LEAST_NAMED and runner not in subject.scenario.apart)
    along = next(own, next(iter(lines.values())))
    least, most, name = min(along), max(along), subject.name(along[min(along)])
    values = {at: format_amount(row.value, row.unit) for at, row in along.items() if row.value}
    if not amounts.marks or subject.metric.better == "neither":
        first, last = (patterns.CURVE_VALUE.format(value=values[at], amount=amounts.write(at)) for at in (least, most))
        return patterns.CURVE_ENDS.format(name=name, first=first, last=last), ""
    ranking, at_case = rank(subject, in_order(along.values())), {row.case: at for at, row in along.items()}
    enough = min(at_case[row.case] for row in ranking.front)
    behind = {at_case[row.case] for row in ranking.behind}
    undecided = [_number(at_case[row.case]) for row in ranking.undecided]
    enough_pattern = patterns.CURVE_ENOUGH if enough == 1 else patterns.CURVE_ARE_ENOUGH
    decided = patterns.CURVE_MOST if enough == most else enough_pattern
    pattern = decided if behind else patterns.CURVE_UNDECIDED if undecided else patterns.CURVE_ALIKE
    ends = {"least": _number(least), "most": amounts.write(most)}
    title = pattern.format(name=name, amount=amounts.write(enough), **ends)
    too_many = [at for at in along if at > enough and behind.issuperset(other for other in along if other >= at)]
    if too_many:
        title = patterns.CURVE_TOO_MANY.format(title=title, amount=_number(too_many[0]))
    numbers = [patterns.CURVE_VALUE.format(value=values[enough], amount=amounts.write(enough))]
    for at in dict.fromkeys([*amounts.marks, most]):
        if at in along and at != enough:
            amount = f"{_number(at)} ({amounts.marks[at]})" if at in amounts.marks else _number(at)
            ratio = describe_briefly(subject.ratio(along[at], along[enough]), find_kind(subject.metric))
            numbers.append(patterns.CURVE_OTHER.format(amount=amount, ratio=ratio))
    if behind and undecided:
        numbers.append(patterns.CURVE_UNDECIDED_AT.format(list_names(undecided)))
    return title, "; ".join(numbers)


def _number(amount: float) -> str:
    return f"{amount:,.10g}"


def draw_line(subject: Subject, runner: str, along: Along) -> Line:
    """Return a runner's line, whose legend has its values."""
    estimates = {at: row.value for at, row in along.items() if row.value}
    unit, own = subject.metric.unit, [*estimates.values()]
    text = "; ".join(f"{_number(at)}: {format_amount(each, unit)}" for at, each in estimates.items())
    hover = [f"{_number(at)}: {hover_text(each, unit)}" for at, each in estimates.items()]
    y = [each.value for each in own]
    return subject.line(runner, [*estimates], y, text, estimates=own, hover=hover)
