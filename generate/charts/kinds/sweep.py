"""The first metric over the one number in which some cases differ: a line for each runner and each kind of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generate.charts.chart import ends, log_scale
from generate.charts.findings import Change, of_sweep
from generate.charts.lines import Axis, LinePlot, numbered, scale_of
from generate.charts.measure import Measure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.charts.chart import Chart, Subject
    from generate.data.table import Summary
    from runners.harness.catalogue.scenarios import Scenario

PLACE = 2
FEWEST_OF_SWEEP = 3
"""So many values of a parameter make a line worth drawing."""


def draw(subject: Subject) -> Chart | None:
    """Draw the first metric over the one number in which cases differ; None unless this case is the first of such."""
    parameter, groups = sweeps(subject.scenario, subject.case)
    cases = [case for group in groups for case in group]
    if not cases or subject.case != min(cases, key=[*subject.scenario.cases].index):
        return None
    found = [
        (kind, rows)
        for kind, group in zip(kinds_of(groups), groups, strict=True)
        for rows in _by_runner(subject, group)
        if len(rows) >= FEWEST_OF_SWEEP
    ]
    if not found:
        return None
    amounts = {case: amount for group in groups for case, amount in group.items()}
    measure = Measure.of(subject.metric, (row.number or 0.0 for _, rows in found for row in rows))
    lines = [
        subject.line(rows[-1], [measure.point(amounts[row.case], row) for row in rows], ends(rows), of=kind)
        for kind, rows in found
    ]
    lines.sort(key=lambda line: line.points[-1].y, reverse=subject.metric.better == "higher")
    words = parameter_words(parameter, amounts)
    places = sorted({*amounts.values()})
    plot = LinePlot(
        numbered(lines),
        Axis(words, log_scale(places), [(amount, f"{amount:,.10g}") for amount in places]),
        Axis.of(measure.title, scale_of(point for line in lines for point in line.points)),
        direction=measure.direction,
    )
    changes = [Change(kind, rows, amounts[rows[0].case], amounts[rows[-1].case]) for kind, rows in found]
    title = of_sweep(subject, words, changes)
    return replace(subject.chart(title, "Each point with its range and a dot a run.", plot), cases=tuple(cases))


def _by_runner(subject: Subject, group: Mapping[str, float]) -> list[list[Summary]]:
    """Return each runner's rows along the cases of *group*."""
    found: dict[str, list[Summary]] = {}
    for case in group:
        for row in replace(subject, case=case).rows():
            found.setdefault(row.runner, []).append(row)
    return [*found.values()]


def sweeps(scenario: Scenario, case: str) -> tuple[str, list[dict[str, float]]]:
    """Return in which one parameter cases differ from *case*, and its values by case: of them, and of like cases.

    Like cases differ from these in one further parameter: jobs that await beside jobs that never do.
    """
    name, cases = swept(scenario, case)
    found, mine = [cases] if cases else [], dict(scenario.cases[case].parameters)
    for other, each in scenario.cases.items():
        theirs = dict(each.parameters)
        further = {key for key in {*mine, *theirs} - {name} if mine.get(key) != theirs.get(key)}
        if found and len(further) == 1 and not any(other in group for group in found):
            of_other, alike = swept(scenario, other)
            found += [alike] if of_other == name else []
    return name, found


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


def kinds_of(groups: Sequence[Mapping[str, float]]) -> list[str]:
    """Say what sets the cases of each of *groups* apart: the parts of their names that these alone share."""
    shared = [
        [part for part in _parts(next(iter(group))) if all(part in _parts(case) for case in group)] for group in groups
    ]
    return [", ".join(part for part in own if any(part not in other for other in shared)) for own in shared]


def parameter_words(name: str, amounts: Mapping[str, float]) -> str:
    """Name a parameter as the cases do: "at once (limit)"; by itself if their names don't."""
    words = {
        part.replace(f"{amount:,.10g}", "").strip()
        for case, amount in amounts.items()
        for part in _parts(case)
        if part.split(" ")[0] == f"{amount:,.10g}"
    }
    return f"{words.pop()} ({name})" if len(words) == 1 and all(words) else name


def _parts(case: str) -> list[str]:
    return case.split(", ")
