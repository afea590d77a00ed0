"""The first metric over the one number in which some cases differ: a line for each runner."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from generate.charts.lines import line_figure
from generate.charts.scale import Scale, number_axis, values_title
from generate.words import patterns
from generate.words.numbers import count_noun, format_estimate, format_with_range
from generate.words.units import axis_scale

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.charts.chart import Chart, Subject
    from generate.charts.lines import Line
    from generate.data.table import Summary
    from runners.harness.catalogue.scenarios import Scenario

MIN_SWEEP_VALUES = 3
"""A parameter needs this many values for a line worth drawing."""


def draw(subject: Subject) -> Chart | None:
    """Draw the first metric over the one number in which cases differ; None unless this case is the first of them."""
    parameter, amounts = swept(subject.scenario, subject.case)
    if not amounts or subject.case != min(amounts, key=[*subject.scenario.cases].index):
        return None
    by_runner = _by_runner(subject, amounts)
    if not by_runner:
        return None
    metric, rows = subject.metric, [row for along in by_runner for row in along.values()]
    drawn = sorted((_line(subject, along) for along in by_runner), key=lambda line: line.y[-1])
    unit = axis_scale(metric.unit, (row.number or 0.0 for row in rows))
    scale = Scale.for_estimates(row.value for row in rows if row.value)
    words = name_parameter(parameter, amounts)
    across = number_axis(words, Scale.spanning([*amounts.values()]), ticks=[*amounts.values()])
    up = number_axis(values_title(metric, unit.sign, is_log=scale.log), scale, unit.size)
    figure = line_figure(drawn[:: -1 if metric.better == "higher" else 1], across, up)
    chart = subject.chart(title(subject, words, by_runner), [patterns.SWEEP_CAPTION], figure)
    return replace(chart, cases=tuple(amounts))


def title(subject: Subject, parameter: str, by_runner: Sequence[Mapping[float, Summary]]) -> str:
    """Name the runner that changed most from the first case to the last."""
    along = max(by_runner, key=_change)
    first, last = along[min(along)], along[max(along)]
    return patterns.SWEEP_WENT.format(
        least=f"{min(along):,.10g}",
        most=f"{max(along):,.10g}",
        parameter=parameter.partition(" (")[0],
        name=subject.name(last),
        first=format_estimate(first.value, first.unit),
        last=format_estimate(last.value, last.unit),
    )


def _change(along: Mapping[float, Summary]) -> float:
    first, last = (along[end(along)].number or 0.0 for end in (min, max))
    return abs(math.log(last / first)) if first > 0 and last > 0 else math.inf


def _by_runner(subject: Subject, amounts: Mapping[str, float]) -> list[dict[float, Summary]]:
    """Return the rows of each runner by the number in which the cases differ, if it has enough of them."""
    along: dict[str, dict[float, Summary]] = defaultdict(dict)
    for case, amount in amounts.items():
        for row in replace(subject, case=case).rows():
            along[row.runner][amount] = row
    return [rows for rows in along.values() if len(rows) >= MIN_SWEEP_VALUES]


def _line(subject: Subject, along: Mapping[float, Summary]) -> Line:
    unit, runner = next((row.unit, row.runner) for row in along.values())
    estimates = [row.value for row in along.values() if row.value]
    legend = " to ".join(format_estimate(estimates[end], unit) for end in (0, -1))
    hover = [f"{format_with_range(each, unit)}, {count_noun(len(each.runs), 'run')}" for each in estimates]
    values = [each.value for each in estimates]
    return subject.line(runner, [*along], values, legend, estimates=estimates, hover=hover)


def swept(scenario: Scenario, case: str) -> tuple[str, dict[str, float]]:
    """Return the only parameter in which cases differ from *case*, and its values by case, ascending; empty if none.

    0, which means no limit, is left out.
    """
    mine = dict(scenario.cases[case].parameters)
    for name, amount_here in mine.items():
        amounts = {
            other: each.parameters[name]
            for other, each in scenario.cases.items()
            if {**each.parameters, name: amount_here} == mine
        }
        numbers = {other: amount for other, amount in amounts.items() if not isinstance(amount, str) and amount > 0}
        if case in numbers and len(set(numbers.values())) >= MIN_SWEEP_VALUES:
            return name, dict(sorted(numbers.items(), key=lambda item: item[1]))
    return "", {}


def name_parameter(name: str, amounts: Mapping[str, float]) -> str:
    """Name a parameter as the cases do: "at once (limit)". If they don't agree, return its own name."""
    found = (re.search(rf"\b{amount:,.10g} ([^,]+)", case) for case, amount in amounts.items())
    words = {match and match[1] for match in found}
    return f"{words.pop()} ({name})" if len(words) == 1 and all(words) else name
