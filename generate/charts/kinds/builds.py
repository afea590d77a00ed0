"""Each runner on the builds of a machine, against the reference build: a row each, builds without the GIL apart."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from generate.charts.chart import Chart, Subject
from generate.charts.rows import Ratios, ratio_figure
from generate.data.estimates import AS_FAST, Estimate, holm
from generate.data.selection import Result
from generate.data.table import Summary, other_packages
from generate.words import patterns
from generate.words.builds import abbreviate_build
from generate.words.names import capital, list_names, strip_markup
from generate.words.numbers import describe, format_ratio_with_range
from generate.words.units import DURATION, find_kind
from runners.harness.record.model import Build

APART = 0.6
"""Gap between builds with and without the GIL, in places."""
AFTER = 1.3
"""Room after the last build, in places, for the number of its ratio."""
MOST_NAMED = 8
"""With more builds only some are named."""
MOST_ROWS = 6
"""With more runners, those that differ most between builds are drawn."""


class OnBuild(NamedTuple):
    result: Result
    name: str
    """Its release, or its full version if another build has the same release. Further lines name what differs."""
    place: float
    ratios: Mapping[str, Estimate]
    """Ratio of each runner to the reference build, above 1 if better."""


def draw(subject: Subject) -> Chart | None:
    """Draw all builds of the machine; None if there is only one.

    Builds measured with a different reference build are left out, and so are variants unless there is nothing else to
    compare: the table has them all.
    """
    every = subject.site.with_one_reference(subject.scenario.name, subject.case)
    plain_builds = [result for result in every if not result.record.build.variant]
    shown = plain_builds if len(plain_builds) > 1 else every
    builds = _builds(subject, sorted(shown, key=lambda result: result.record.build.free_threaded))
    reference = subject.result.record.reference_build
    on = next((each.name for each in builds if each.result.record.build == reference), abbreviate_build(reference))
    runners = most_changed([each.ratios for each in builds])
    drawn = [_row(subject, runner, builds) for runner in runners]
    if all(len(row.x) == 1 for row in drawn):
        return None
    figure = ratio_figure(drawn, _axis(builds))
    figure["layout"]["meta"] = {"values": _values(subject, in_list(on))}
    summary = [patterns.BUILDS_CAPTION.format(reference=in_list(on)), *_differences(subject, builds, runners)]
    if {*runners} < {runner for each in builds for runner in each.ratios}:
        summary.append(patterns.BUILDS_CAPTION_MOST.format(count=MOST_ROWS))
    runs = [run for each in builds for run in each.result.runs]
    title, subtitle = titles(subject, builds, runners, in_list(on))
    chart = subject.chart(title, summary, figure, runs)
    return replace(chart, subtitle=subtitle, results=tuple(each.result for each in builds))


def titles(subject: Subject, builds: Sequence[OnBuild], runners: Sequence[str], reference: str) -> tuple[str, str]:
    """Return the build on which a runner differs most from the reference build, and by how much.

    Holm's rule decides which differ, as many are compared. Pairs that differ in only one thing are preferred.
    """
    others = (each for each in builds if not each.result.newest.is_reference)
    rows = [(each, row) for each in others for row in subject.rows(each.result) if row.runner in runners]
    compared = [(row.reference_ratio, each, row) for each, row in rows if row.reference_ratio]
    differ = holm([ratio.p_value() for ratio, _, _ in compared])
    differing = [
        (not differences(subject, builds, each, [row]), abs(math.log(ratio.value)), ratio, each, row)
        for (ratio, each, row), is_other in zip(compared, differ, strict=True)
        if is_other and ratio.value > 0 and not ratio.is_within(AS_FAST)
    ]
    if not differing:
        are_alike = bool(compared) and all(ratio.is_within(AS_FAST) for ratio, _, _ in compared)
        return patterns.TITLE_BUILDS_ALIKE if are_alike else patterns.TITLE_BUILDS_UNDECIDED, ""
    is_alike, _, ratio, each, row = max(differing, key=lambda pair: pair[:2])
    better = subject.metric.better
    differs = patterns.TITLE_BUILD_DIFFERS[(ratio.value > 1) == (better == "higher")]
    title = patterns.TITLE_BUILD_CHANGES if better == "neither" else differs
    values = patterns.BUILD_BY.format(ratio=describe(ratio, find_kind(subject.metric)), reference=reference)
    values = values if is_alike else patterns.MORE_DIFFERS.format(values=values)
    return title.format(name=capital(subject.name(row)), build=in_list(each.name)), values


def _builds(subject: Subject, results: Sequence[Result]) -> list[OnBuild]:
    """Place builds side by side, free-threaded ones in a group of their own."""
    names = build_names([result.record.build for result in results])
    builds = []
    for number, (result, name) in enumerate(zip(results, names, strict=True)):
        ratios = {row.runner: row.reference_ratio for row in subject.rows(result) if row.reference_ratio}
        if subject.metric.better == "lower":
            ratios = {runner: ratio.inverse for runner, ratio in ratios.items()}
        builds.append(OnBuild(result, name, number + 0.5 + APART * result.record.build.free_threaded, ratios))
    return builds


def build_names(builds: Sequence[Build]) -> list[str]:
    """Name each build by its release, or by its full version if another has the same."""
    short = [abbreviate_build(build) for build in builds]
    return [
        name if short.count(name) == 1 else abbreviate_build(build, with_patch=True)
        for name, build in zip(short, builds, strict=True)
    ]


def most_changed(ratios: Sequence[Mapping[str, Estimate]]) -> list[str]:
    """Return the runners that differ most on some build, in the order of the newest."""
    runners = [*dict.fromkeys(runner for each in reversed(ratios) for runner in each)]

    def change(runner: str) -> float:
        values = [each[runner].value for each in ratios if runner in each]
        return max(abs(math.log(value)) for value in values if value > 0)

    kept = sorted(runners, key=change, reverse=True)[:MOST_ROWS]
    return [runner for runner in runners if runner in kept]


def _row(subject: Subject, runner: str, builds: Sequence[OnBuild]) -> Ratios:
    points = [(each, each.ratios[runner]) for each in builds if runner in each.ratios]
    hover = [f"{in_list(each.name)}: {format_ratio_with_range(ratio)}" for each, ratio in points]
    known, ratios = subject.scenario.runners.get(runner), [ratio for _, ratio in points]
    family = known.family if known else "unknown"
    return Ratios(subject.label(runner), family, [each.place for each, _ in points], ratios, hover)


def _axis(builds: Sequence[OnBuild]) -> dict[str, object]:
    """Return the axis that names builds, in several lines so that they fit on a phone."""
    named = builds[:: -(-len(builds) // MOST_NAMED)]
    places, names = [each.place for each in named], [each.name.replace("\n", "<br>") for each in named]
    return {"title": {"text": "Python"}, "range": [0, builds[-1].place + AFTER], "tickvals": places, "ticktext": names}


def _values(subject: Subject, reference: str) -> str:
    """Return the title of the ratio axis."""
    is_time = find_kind(subject.metric) is DURATION
    pattern = patterns.BUILDS_VALUES_SPEED if is_time else patterns.BUILDS_VALUES
    values = pattern.format(metric=subject.metric.title, reference=reference)
    return values if subject.metric.better == "neither" else patterns.BUILDS_VALUES_BETTER.format(values=values)


def _differences(subject: Subject, builds: Sequence[OnBuild], runners: Sequence[str]) -> Iterator[str]:
    """Yield what differs from the reference build apart from the version."""
    by_difference: dict[str, list[str]] = defaultdict(list)
    for each in builds:
        rows = [row for row in subject.rows(each.result) if row.runner in runners]
        for difference in differences(subject, builds, each, rows):
            by_difference[difference].append(in_list(each.name))
    for difference, names in by_difference.items():
        yield patterns.MORE_DIFFERS_ON_BUILDS.format(builds=list_names(names), difference=difference)


def differences(subject: Subject, builds: Sequence[OnBuild], each: OnBuild, rows: Sequence[Summary]) -> list[str]:
    """Return what differs from the reference build, apart from the version, in how *rows* were measured."""
    build, reference = each.result.record.build, each.result.record.reference_build
    own = _start_methods(subject, each.result)
    others = next((_start_methods(subject, it.result) for it in builds if it.result.record.build == reference), {})
    pairs = {(own[row.runner], others[row.runner]) for row in rows if row.runner in own and row.runner in others}
    texts = [
        patterns.OTHER_START_METHOD.format(method=method, other=other)
        for method, other in sorted(pairs)
        if method != other
    ]
    texts += filter(None, [other_packages(each.result, rows)])
    if build.compiler != reference.compiler:
        compiler, other = strip_markup(build.compiler), strip_markup(reference.compiler)
        texts.append(patterns.OTHER_COMPILER.format(compiler=compiler, other=other))
    if {build.frame_pointers, reference.frame_pointers} == {True, False}:
        texts.append(patterns.FRAME_POINTERS[bool(build.frame_pointers)])
    return texts


def _start_methods(subject: Subject, result: Result) -> dict[str, str]:
    """Return how each runner that starts processes was seen to start them on a build."""
    case = subject.scenario.name, subject.case, "subject"
    alike = (each for key, each in result.newest.series.items() if (key.scenario, key.case, key.role) == case)
    seen = ((each.key.runner, each.observed) for each in alike)
    return {runner: facts.start_method for runner, facts in seen if facts and facts.start_method}


def in_list(name: str) -> str:
    """Format a build's name for a list: "3.14 (no GIL)"."""
    version, *kinds = name.splitlines()
    return f"{version} ({', '.join(kinds)})" if kinds else version
