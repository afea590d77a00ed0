"""Each runner on the builds of a machine, against the reference build: points, those without the GIL apart."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from generate.charts.build_findings import of_builds, start_methods
from generate.charts.lines import Axis, Line, LinePlot, numbered, point_of, scale_of
from generate.charts.scale import Scale
from generate.data.table import other_packages
from generate.words.builds import abbreviate_build
from generate.words.names import list_names, strip_markup
from generate.words.numbers import format_ratio, format_ratio_with_range
from generate.words.units import DURATION, kind_of_metric
from runners.harness.record.build_names import prerelease

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from generate.charts.chart import Chart, Subject
    from generate.data.estimates import Estimate
    from generate.data.selection import Result
    from runners.harness.record.model import Build

PLACE = 5
APART = 0.6
"""How far the builds without the GIL are from the others, in places."""
SPREAD = 0.7
"""Over how much of its place the points of one build are spread, so that those of like height are all seen."""
NONE = "none"
"""In the legend, for a build on which a runner has no value."""
MOST_NAMED = 9
"""So many builds have room for their names; of more, only some are named."""
MOST_LINES = 6
"""So many runners can be told apart in one place; of more, those are drawn that differ most between builds."""


def draw(subject: Subject) -> Chart | None:
    """Draw the builds next to the first one; None for any other, and if there is only one.

    Each is at its ratio to the reference build, above 1 if it is better. Builds measured beside another reference build
    are left out, and so are variants unless there is nothing else to compare: the table has them all.
    """
    if not subject.is_first:
        return None
    reference = subject.cell.record.reference_build
    alike = subject.site.with_one_reference(subject.scenario.name, subject.case)
    alone = [cell for cell in alike if not cell.record.build.variant]
    cells = sorted(alone if len(alone) > 1 else alike, key=lambda cell: cell.record.build.free_threaded)
    names, places = _names(cells), _places(cells)
    found = of_builds(subject, cells)
    ratios = [_ratios(subject, cell) for cell in cells]
    every = _having(subject, ratios)
    runners = _most_changed(every, cells, ratios, found.runner)
    told = sorted({0, len(cells) - 1, *(number for number, cell in enumerate(cells) if cell is found.cell)})
    lines = _lines(subject, runners, [*zip(ratios, places, names, strict=True)], told)
    if all(len(line.points) == 1 for line in lines):
        return None
    step = -(-len(cells) // MOST_NAMED)
    named = (name for cell, name in zip(cells, names, strict=True) if cell.record.build == reference)
    on = _in_line(next(named, abbreviate_build(reference)))
    ticks = [(at, _narrow(name, cell.record.build)) for at, name, cell in zip(places, names, cells, strict=True)]
    plot = LinePlot(
        numbered(lines),
        Axis("Python", Scale(0.0, places[-1] + 0.5, log=False), ticks[::step]),
        Axis.of(_title(subject, on), scale_of(point for line in lines for point in line.points)),
        is_joined=False,
        direction="" if subject.metric.better == "neither" else "; above 1 is better",
    )
    caption = [f"Each point is a ratio to {on} in the same runs, with its range and a dot a run."]
    caption += _what_differs(subject, [*zip(cells, names, strict=True)], runners)
    if len(runners) < len(every):
        without_gil = " without the GIL" if cells[-1].record.build.free_threaded else ""
        caption.append(f"Drawn are the {MOST_LINES} that differ most{without_gil}; the table has all.")
    runs = [run for cell in cells for run in cell.runs]
    return replace(subject.chart(found.title, " ".join(caption), plot, runs), cells=tuple(cells))


def _title(subject: Subject, on: str) -> str:
    """Say what the ratios are."""
    if kind_of_metric(subject.metric) is DURATION:
        return f"Times as fast as on {on}"
    if subject.metric.better == "lower":
        return f"{subject.metric.title}: that of {on}, divided by that of each"
    return f"{subject.metric.title}: times that of {on}"


def _what_differs(subject: Subject, named: Sequence[tuple[Result, str]], runners: Collection[str]) -> Iterator[str]:
    """Say what differs from the reference build apart from the version, for the *runners* that are drawn."""
    yield from _made_otherwise([cell.record.build for cell, _ in named], subject.cell.record.reference_build)
    yield from _start_methods(subject, named, runners)
    for cell, name in named:
        if packages := other_packages(cell, (row for row in subject.rows(cell) if row.runner in runners)):
            yield f"On {_aside(name)} packages differ too: {packages}."


def _made_otherwise(builds: Sequence[Build], reference: Build) -> Iterator[str]:
    """Say which of *builds* were made in another way than the reference build."""
    by_way: dict[str, list[str]] = defaultdict(list)
    for build in builds:
        if build.compiler != reference.compiler:
            ways = f"{strip_markup(build.compiler)}, not {strip_markup(reference.compiler)}"
            by_way[f"built with {ways}"].append(_exact(build))
        if {build.frame_pointers, reference.frame_pointers} == {True, False}:
            by_way[f"built {'with' if build.frame_pointers else 'without'} frame pointers"].append(_exact(build))
    for way, names in by_way.items():
        yield f"{list_names(names)} {'was' if len(names) == 1 else 'were'} {way}: more than the version differs."


def _start_methods(subject: Subject, named: Sequence[tuple[Result, str]], runners: Collection[str]) -> Iterator[str]:
    """Say on which builds processes start in which way, if a runner's do so in several."""
    ways: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for cell, name in named:
        for runner, method in start_methods(subject, cell).items():
            if runner in runners:
                ways[runner][method].append(_aside(name))
    differing = [by_method for by_method in ways.values() if len(by_method) > 1]
    if differing:
        on = (f"by {method} on {list_names(names)}" for method, names in differing[0].items())
        yield f"Processes start {', '.join(on)}, unless their name says otherwise."


def _exact(build: Build) -> str:
    """Name a build by its full version, which tells it from others of its release: "3.15.0rc2 (no GIL)"."""
    return _aside(abbreviate_build(build, with_patch=True))


def _aside(name: str) -> str:
    """Write a build's name so that it can be in a list: "3.14 (no GIL)"."""
    version, *kinds = name.splitlines()
    return f"{version} ({', '.join(kinds)})" if kinds else version


def _having(subject: Subject, ratios: Sequence[Mapping[str, Estimate]]) -> list[str]:
    """Return the runners that have a ratio on some build, in the order of the current one."""
    current = [row.runner for row in subject.rows()]
    having = {runner for found in ratios for runner in found}
    return [runner for runner in (*current, *sorted(having - {*current})) if runner in having]


def _lines(
    subject: Subject,
    runners: Sequence[str],
    builds: Sequence[tuple[Mapping[str, Estimate], float, str]],
    told: Sequence[int],
) -> list[Line]:
    """Return the line of each of *runners*.

    *builds* has each build's ratios, place and name. The legend has those whose numbers are in *told*: the first, the
    last, and the one that the title names.
    """
    lines = []
    for number, runner in enumerate(runners):
        aside = SPREAD * ((number + 0.5) / len(runners) - 0.5)
        points = [
            point_of(place + aside, found[runner], f"{_in_line(name)}: {format_ratio_with_range(found[runner])}")
            for found, place, name in builds
            if runner in found
        ]
        words = [
            f"{format_ratio(found[runner].value) if runner in found else NONE} ({_in_line(name)})"
            for found, _, name in (builds[each] for each in told)
        ]
        known = subject.scenario.runners.get(runner)
        family = known.family if known else "unknown"
        lines.append(Line(subject.words(runner), family, points, ", ".join(words), subject.place(runner)))
    return lines


def _most_changed(
    runners: Sequence[str], cells: Sequence[Result], ratios: Sequence[Mapping[str, Estimate]], named: str
) -> list[str]:
    """Return those of *runners* that differ most between builds, in the same order; without the GIL counts first.

    The one that is *named* is always among them.
    """

    def change(runner: str) -> tuple[bool, bool, float]:
        having = ((cell, found[runner].value) for cell, found in zip(cells, ratios, strict=True) if runner in found)
        found = [(cell.record.build.free_threaded, abs(math.log(ratio))) for cell, ratio in having if ratio > 0]
        return runner == named, *max(found, default=(False, 0.0))

    kept = sorted(runners, key=change, reverse=True)[:MOST_LINES]
    return [runner for runner in runners if runner in kept]


def _ratios(subject: Subject, cell: Result) -> dict[str, Estimate]:
    """Return each runner's ratio to the reference build, above 1 if it is better."""
    ratios = {row.runner: row.reference_ratio for row in subject.rows(cell) if row.reference_ratio}
    return {runner: ratio.inverse for runner, ratio in ratios.items()} if subject.metric.better == "lower" else ratios


def _places(cells: Sequence[Result]) -> list[float]:
    """Return the place of each build: one after the other, those without the GIL apart."""
    return [number + 0.5 + APART * cell.record.build.free_threaded for number, cell in enumerate(cells)]


def _narrow(name: str, build: Build) -> str:
    """Give the suffix of a pre-release a line of its own: a phone has no room for "3.15rc2"."""
    suffix = prerelease(build.version)
    return name.replace(suffix, f"\n{suffix}", 1) if suffix else name


def _in_line(name: str) -> str:
    return name.replace("\n", ", ")


def _names(cells: Sequence[Result]) -> list[str]:
    """Name each build by its release, or by its full version if another has the same."""
    short = [abbreviate_build(cell.record.build) for cell in cells]
    counts = Counter(short)
    return [
        name if counts[name] == 1 else abbreviate_build(cell.record.build, with_patch=True)
        for name, cell in zip(short, cells, strict=True)
    ]
