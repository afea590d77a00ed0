"""Each runner on the builds of a machine, against the reference build: points, those without the GIL apart."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from generate.charts.lines import line_figure
from generate.charts.scale import Scale, number_axis
from generate.charts.titles import builds_title, differences
from generate.words import patterns
from generate.words.builds import abbreviate_build
from generate.words.names import list_names, strip_markup
from generate.words.numbers import format_ratio, format_ratio_with_range
from generate.words.units import DURATION, kind_of_metric
from runners.harness.record.build_names import prerelease

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generate.charts.chart import Chart, Subject
    from generate.charts.lines import Line
    from generate.data.estimates import Estimate
    from generate.data.selection import Result
    from runners.harness.record.model import Build

PLACE = 5
APART = 0.6
"""How far the builds without the GIL are from the others, in places."""
SPREAD = 0.7
"""Over how much of its place the points of one build are spread, so that points of like height are all seen."""
MOST_NAMED = 8
"""This many builds have room for their names; of more, only some are named."""
MOST_LINES = 6
"""This many runners can be told apart in one place; of more, the ones that differ most between builds are drawn."""


class OnBuild(NamedTuple):
    """One build of the chart."""

    result: Result
    name: str
    """Its release, or its full version if another build has the same release; further lines are what is different."""
    place: float
    ratios: Mapping[str, Estimate]
    """Of each runner to the reference build, above 1 if it is better."""


def draw(subject: Subject) -> Chart | None:
    """Draw all builds of the machine, for the first one; None for any other, and if there is only one.

    Builds measured with another reference build are left out, and so are variants unless there is nothing else to
    compare: the table has them all.
    """
    if not subject.is_first:
        return None
    every = subject.site.with_one_reference(subject.scenario.name, subject.case)
    plain_builds = [result for result in every if not result.record.build.variant]
    shown = plain_builds if len(plain_builds) > 1 else every
    results = sorted(shown, key=lambda result: result.record.build.free_threaded)
    title, named = builds_title(subject, results)
    builds = _builds(subject, results)
    having = [*dict.fromkeys(runner for each in reversed(builds) for runner in each.ratios)]
    runners = most_changed(having, [each.ratios for each in builds], named)
    drawn = [_line(subject, runner, number / len(runners), builds) for number, runner in enumerate(runners)]
    if all(len(line.x) == 1 for line in drawn):
        return None
    reference = subject.cell.record.reference_build
    on = next((each.name for each in builds if each.result.record.build == reference), abbreviate_build(reference))
    scale = Scale.of_estimates(each.ratios[runner] for each in builds for runner in runners if runner in each.ratios)
    figure = line_figure(drawn, _axis(builds), number_axis(_values(subject, in_list(on)), scale), is_joined=False)
    summary = [f"Each point is a ratio to {in_list(on)} in the same runs, with its range and a dot a run."]
    summary += _differences(subject, builds, runners)
    if len(runners) < len(having):
        summary.append(f"Drawn are the {MOST_LINES} that differ most; the table has all.")
    chart = subject.chart(title, " ".join(summary), figure, [run for result in results for run in result.runs])
    return replace(chart, cells=tuple(results))


def _builds(subject: Subject, results: Sequence[Result]) -> list[OnBuild]:
    """Place builds one after the other, free-threaded ones apart."""
    names = build_names([result.record.build for result in results])
    return [
        OnBuild(result, name, number + 0.5 + APART * result.record.build.free_threaded, _ratios(subject, result))
        for number, (result, name) in enumerate(zip(results, names, strict=True))
    ]


def build_names(builds: Sequence[Build]) -> list[str]:
    """Name each build by its release, or by its full version if another has the same."""
    short = [abbreviate_build(build) for build in builds]
    return [
        name if short.count(name) == 1 else abbreviate_build(build, with_patch=True)
        for name, build in zip(short, builds, strict=True)
    ]


def _ratios(subject: Subject, result: Result) -> dict[str, Estimate]:
    ratios = {row.runner: row.reference_ratio for row in subject.rows(result) if row.reference_ratio}
    is_lower_better = subject.metric.better == "lower"
    return {runner: ratio.inverse if is_lower_better else ratio for runner, ratio in ratios.items()}


def most_changed(runners: Sequence[str], ratios: Sequence[Mapping[str, Estimate]], named: str) -> list[str]:
    """Return the *runners* that differ most on some build, in the same order, always with the one that is *named*."""

    def change(runner: str) -> tuple[bool, float]:
        values = [each[runner].value for each in ratios if runner in each]
        return runner == named, max(abs(math.log(value)) for value in values if value > 0)

    kept = sorted(runners, key=change, reverse=True)[:MOST_LINES]
    return [runner for runner in runners if runner in kept]


def _line(subject: Subject, runner: str, share: float, builds: Sequence[OnBuild]) -> Line:
    """Return the points of a runner, spread a *share* of a place; the legend has its least and greatest ratio."""
    having = [each for each in builds if runner in each.ratios]
    estimates = [each.ratios[runner] for each in having]
    y = [estimate.value for estimate in estimates]
    legend = " to ".join(dict.fromkeys(format_ratio(end) for end in (min(y), max(y))))
    hover = [f"{in_list(each.name)}: {format_ratio_with_range(each.ratios[runner])}" for each in having]
    x = [each.place + SPREAD * (share - 0.4) for each in having]
    return subject.line(runner, x, y, legend, estimates=estimates, hover=hover)


def _axis(builds: Sequence[OnBuild]) -> dict[str, object]:
    """Return the axis that names builds, below each other what a phone has no room for next to each other."""
    step = -(-len(builds) // MOST_NAMED)
    named = [(each.place, narrow(each.name, each.result.record.build)) for each in builds][::step]
    places, names = zip(*named, strict=True)
    extent = [0, builds[-1].place + 0.5]
    return {"title": {"text": "Python"}, "range": extent, "tickvals": [*places], "ticktext": [*names]}


def narrow(name: str, build: Build) -> str:
    """Write a name on an axis, in lines: the suffix of a pre-release has its own, as in 3.15, rc2, no GIL."""
    suffix = prerelease(build.version)
    return (name.replace(suffix, f"\n{suffix}", 1) if suffix else name).replace("\n", "<br>")


def _values(subject: Subject, on: str) -> str:
    """Describe what the ratios are."""
    if kind_of_metric(subject.metric) is DURATION:
        values = f"Times as fast as on {on}"
    elif subject.metric.better == "lower":
        values = f"{subject.metric.title}: on {on}, divided by that on each build"
    else:
        values = f"{subject.metric.title}: times that on {on}"
    return values if subject.metric.better == "neither" else f"{values}; above 1 is better"


def _differences(subject: Subject, builds: Sequence[OnBuild], runners: Sequence[str]) -> Iterator[str]:
    """Tell what differs from the reference build apart from the version."""
    by_difference: dict[str, list[str]] = defaultdict(list)
    results = [each.result for each in builds]
    for each in builds:
        build, reference = each.result.record.build, each.result.record.reference_build
        rows = [row for row in subject.rows(each.result) if row.runner in runners]
        found = differences(subject, results, each.result, rows)
        if build.compiler != reference.compiler:
            found.append(
                patterns.OTHER_COMPILER.format(
                    compiler=strip_markup(build.compiler), other=strip_markup(reference.compiler)
                )
            )
        if {build.frame_pointers, reference.frame_pointers} == {True, False}:
            found.append(patterns.FRAME_POINTERS[bool(build.frame_pointers)])
        for difference in found:
            by_difference[difference].append(in_list(each.name))
    for difference, names in by_difference.items():
        yield patterns.MORE_DIFFERS_ON_BUILDS.format(builds=list_names(names), difference=difference)


def in_list(name: str) -> str:
    """Write a build's name so that it can be in a list: "3.14 (no GIL)"."""
    version, *kinds = name.splitlines()
    return f"{version} ({', '.join(kinds)})" if kinds else version
