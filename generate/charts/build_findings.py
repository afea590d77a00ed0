"""The title of a chart of builds: which runner differs most between a build and the reference build. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from generate.charts.bars import written
from generate.charts.findings import name_of
from generate.data.estimates import AS_FAST, holm
from generate.data.table import other_packages
from generate.words.builds import NO_GIL, abbreviate_build
from generate.words.numbers import describe
from generate.words.units import DURATION, RATE, kind_of_metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.charts.chart import Subject
    from generate.data.estimates import Estimate
    from generate.data.selection import Result
    from generate.data.table import Summary
    from runners.harness.record.model import Build


class OfBuilds(NamedTuple):
    """What a chart of builds shows."""

    title: str
    runner: str = ""
    """The runner that the title names; empty if it names none."""
    cell: Result | None = None
    """The result whose build it names."""


def of_builds(subject: Subject, cells: Sequence[Result]) -> OfBuilds:
    """Say on which build a runner differs most from the reference build, with or without the GIL.

    Many are compared, so Holm's rule decides which differ. A build without the GIL is named only if it is of the
    reference's version, or if no other differs: else more has changed than the GIL.
    """
    others = [(cell, row) for cell in cells if not cell.newest.is_reference for row in subject.rows(cell)]
    pairs = [(cell, row, row.reference_ratio) for cell, row in others if row.reference_ratio]
    differ = holm([ratio.p_value() for _, _, ratio in pairs])
    found = [
        pair
        for pair, is_different in zip(pairs, differ, strict=True)
        if is_different and pair[2].value > 0 and not pair[2].is_within(AS_FAST)
    ]
    if not found:
        are_alike = bool(pairs) and all(ratio.is_within(AS_FAST) for _, _, ratio in pairs)
        return OfBuilds(
            "No difference between builds (within 10 %)" if are_alike else "Undecided whether builds differ"
        )
    of_one_source = [each for each in found if not _has_no_gil(each[0]) or _is_like_reference(each[0])]
    cell, row, ratio = max(of_one_source or found, key=lambda each: abs(math.log(each[2].value)))
    build, reference = _build(cell.record.build), _build(cell.record.reference_build)
    on = "with it" if _has_no_gil(cell) and build == reference else f"on {reference}"
    packages = other_packages(cell, [row])
    aside = f"{_other_start(subject, cell, cells, row.runner)}{packages and f', with {packages}'}"
    begin = f"Without the GIL, on {build}" if _has_no_gil(cell) else f"On {build}"
    how_much = _how_much(subject, cell, row, ratio, on)
    return OfBuilds(f"{begin}, {name_of(subject, row)}: {how_much}{aside}", row.runner, cell)


def _how_much(subject: Subject, cell: Result, row: Summary, ratio: Estimate, on: str) -> str:
    """Say how a runner on one build compares with itself on another: as a ratio if people say it so, else by values."""
    kind = kind_of_metric(subject.metric)
    if kind is DURATION or (kind is RATE and ratio.value > 1):
        return f"{describe(ratio, kind).removeprefix('takes ')} as {on}"
    there = cell.estimate(subject.key(row.runner)._replace(role="reference"), subject.metric)
    own, other = (written(each, row.unit) for each in (row.value, there) if each)
    return f"{own}, against {other} {on}"


def start_methods(subject: Subject, cell: Result) -> dict[str, str]:
    """Return how each runner that starts processes was seen to start them on a build."""
    case = subject.scenario.name, subject.case, "subject"
    series = (each for each in cell.record.series if (each.scenario, each.case, each.role) == case)
    seen = ((each.runner, each.observed.start_method) for each in series if each.observed)
    return {runner: method for runner, method in seen if method}


def _other_start(subject: Subject, cell: Result, cells: Sequence[Result], runner: str) -> str:
    """Say that processes started in another way than on the reference build; empty if they did not."""
    reference = next((each for each in cells if each.newest.is_reference), cell)
    own, other = (start_methods(subject, each).get(runner) for each in (cell, reference))
    return f", with {own} as the start method, not {other}" if own and other and own != other else ""


def _build(build: Build) -> str:
    """Name a build: "3.14", "3.14 (JIT)". Sentences name a missing GIL elsewhere."""
    release, *kinds = abbreviate_build(build).splitlines()
    more = [kind for kind in kinds if kind != NO_GIL]
    return f"{release} ({', '.join(more)})" if more else release


def _has_no_gil(cell: Result) -> bool:
    return cell.record.build.free_threaded and not cell.record.build.gil_at_start


def _is_like_reference(cell: Result) -> bool:
    return cell.record.build.version == cell.record.reference_build.version
