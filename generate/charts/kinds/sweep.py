"""The first metric over the one number in which some cases differ."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generate.charts.chart import LOG, ends, factor_of, line, lines, medians, points_of, short, titled, value_axis

if TYPE_CHECKING:
    from generate.charts.chart import Chart, Points, Subject, Trace
    from runners.harness.catalogue.scenarios import Scenario

PLACE = 2
FEWEST_OF_SWEEP = 3
"""So many values of a parameter make a line worth drawing."""


def draw(subject: Subject) -> Chart | None:
    """Draw the first metric over the one number in which cases differ; None unless this case is the first of such."""
    parameter, cases = swept(subject.scenario, subject.case)
    if next(iter(cases), None) != subject.case:
        return None
    every = points_of((amount, replace(subject, case=case).rows()) for case, amount in cases.items())
    runners = [points for points in every if len(points) >= FEWEST_OF_SWEEP]
    if not runners:
        return None
    factor, unit = factor_of(subject.metric.unit)
    first, *_, last = cases.values()
    chart = subject.chart(
        f"{subject.metric.title}, by the case's {parameter}",
        f"Medians, in bands that are their intervals, from {parameter} = {first:g} to {last:g}: {ends(runners)}.",
        lines(
            [_band(points, factor) for points in runners] + [medians(points, factor) for points in runners],
            titled(f"{parameter} (parameter of the case)", **LOG),
            value_axis(unit, (row for points in runners for _, row in points)),
        ),
    )
    return replace(chart, cases=tuple(cases))


def _band(points: Points, factor: float) -> Trace:
    """Return the area between the bounds of a runner's medians: along the lower ones, and back along the upper."""
    amounts = [amount for amount, _ in points]
    lows = [short((row.low or 0.0) * factor) for _, row in points]
    highs = [short((row.high or 0.0) * factor) for _, row in points]
    outline = {"x": [*amounts, *reversed(amounts)], "y": [*lows, *reversed(highs)]}
    unseen = {"mode": "lines", "line": {"width": 0}, "fill": "toself", "hoverinfo": "skip", "showlegend": False}
    return line(points[0][1]) | unseen | outline


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
