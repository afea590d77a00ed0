"""The first metric over the one number in which some cases differ."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from generate.charts.chart import LOG, ends, factor_of, line, lines, short, titled, value_axis

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generate.analysis.summary import Summary
    from generate.charts.chart import Chart, Subject, Trace
    from runners.harness.catalogue.scenarios import Scenario

PLACE = 2
FEWEST_OF_SWEEP = 3
"""So many values of a parameter make a line worth drawing."""
Points = list[tuple[float, "Summary"]]
"""A runner's medians by the value of the parameter."""


def draw(subject: Subject) -> Chart | None:
    """Draw the first metric over the one number in which cases differ; None unless this case is the first of such."""
    parameter, cases = swept(subject.scenario, subject.case)
    if next(iter(cases), None) != subject.case or not (runners := _points(subject, cases)):
        return None
    factor, unit = factor_of(subject.metric.unit)
    amounts = [*cases.values()]
    told = "; ".join(ends([row for _, row in points]) for points in runners)
    chart = subject.chart(
        f"{subject.metric.title}, by the case's {parameter}",
        f"Medians, in bands that are their intervals, from {parameter} = {amounts[0]:g} to {amounts[-1]:g}: {told}.",
        lines(
            [_band(points, factor) for points in runners] + [_middle(points, factor) for points in runners],
            titled(f"{parameter} (parameter of the case)", **LOG),
            value_axis(unit, (row for points in runners for _, row in points)),
        ),
    )
    return replace(chart, cases=tuple(cases))


def _points(subject: Subject, cases: Mapping[str, float]) -> list[Points]:
    """Return the points of each runner that has enough of them."""
    found: dict[str, Points] = defaultdict(list)
    for case, amount in cases.items():
        for row in replace(subject, case=case).rows():
            found[row.runner].append((amount, row))
    return [points for points in found.values() if len(points) >= FEWEST_OF_SWEEP]


def _middle(points: Points, factor: float) -> Trace:
    ys = [short((row.median or 0.0) * factor) for _, row in points]
    return {**line(points[0][1]), "x": [amount for amount, _ in points], "y": ys}


def _band(points: Points, factor: float) -> Trace:
    """Return the area between the bounds of a runner's medians: along the lower ones, and back along the upper."""
    amounts = [amount for amount, _ in points]
    lows = [short((row.low or 0.0) * factor) for _, row in points]
    highs = [short((row.high or 0.0) * factor) for _, row in points]
    first = points[0][1]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": first.runner,
        "meta": {"family": first.family},
        "line": {"width": 0},
        "fill": "toself",
        "hoverinfo": "skip",
        "showlegend": False,
        "x": [*amounts, *reversed(amounts)],
        "y": [*lows, *reversed(highs)],
    }


def swept(scenario: Scenario, case: str) -> tuple[str, dict[str, float]]:
    """Return in which one parameter cases differ from *case*, and its values by case, ascending; nothing if in none.

    0 (for: no limit) is not on the scale.
    """
    mine = dict(scenario.cases[case].parameters)
    for name, amount_here in mine.items():
        amounts = {
            other: each.parameters[name]
            for other, each in scenario.cases.items()
            if {**each.parameters, name: amount_here} == mine
        }
        numbers = {other: amount for other, amount in amounts.items() if not isinstance(amount, str) and amount > 0}
        if case in numbers and len(set(numbers.values())) >= FEWEST_OF_SWEEP:
            return name, dict(sorted(numbers.items(), key=lambda item: item[1]))
    return "", {}
