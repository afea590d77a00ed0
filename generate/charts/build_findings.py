"""The sentence that a chart of builds has for its title: which runner differs most between two of them. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from generate.charts.findings import doubt_of, name_of
from generate.statistics.intervals import median_interval
from generate.statistics.noise import SMALL, Finding, finding_of
from generate.text.builds import NO_GIL, short_build
from generate.text.numbers import format_ratio, format_value, is_small_part, per_cent, short
from generate.text.units import COUNT, DURATION, LATE, MEMORY, RATE, SHARE, kind_of_metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary
    from generate.charts.chart import Subject
    from generate.statistics.intervals import Comparison
    from generate.text.units import Kind
    from runners.harness.record.model import Build

    Found = tuple[float, CellResult, Summary, Comparison]
    """A difference beyond the noise, as a logarithm, with where it was found."""

ON_ANOTHER: Mapping[Kind, tuple[str, str]] = {
    DURATION: ("ran {} times as fast as", "took {} times as long as"),
    RATE: ("managed {} of the rate seen", "managed {} times as many as"),
    MEMORY: ("needed {} of the memory seen", "needed {} times the memory seen"),
    COUNT: ("had {} of the number seen", "had {} times as many as"),
    SHARE: ("reached {} of the share reached", "reached {} times the share reached"),
}
"""How a runner on one build compares with itself on another: of a ratio below 1, and of one from 1 on."""
ANY = ("had {} times as much as", "had {} times as much as")


class OfBuilds(NamedTuple):
    """What a chart of builds shows."""

    title: str
    runner: str = ""
    """The runner that the title names; empty where it names none."""
    cell: CellResult | None = None
    """That whose build it names."""


def of_builds(subject: Subject, cells: Iterable[CellResult]) -> OfBuilds:
    """Say on which build a runner differs most from the reference build of its run, with or without the GIL.

    Builds without the GIL of another version than that come last: between the two more has changed than the GIL. No
    runner is named where none differs, and none that differs by no more than one of its two builds between runs:
    the same interpreter would be news then. Where its packages differ too, they are named with it.
    """
    cells = [*cells]
    rows = [(cell, row) for cell in cells for row in subject.rows(cell)]
    of_reference = {row.runner: row for cell, row in rows if cell.gated.is_reference}
    others = ((cell, row, row.against_reference) for cell, row in rows if not cell.gated.is_reference)
    pairs = [(cell, row, compared) for cell, row, compared in others if compared]
    findings = [finding_of(compared, row.noise) for _, row, compared in pairs]
    beyond = [
        (abs(math.log(compared.ratio)), cell, row, compared)
        for (cell, row, compared), finding in zip(pairs, findings, strict=True)
        if finding is Finding.BEYOND and compared.ratio > 0
    ]
    large = [each for each in beyond if each[0] >= math.log(SMALL)]
    if not (found := [each for each in large if each[0] > _between_runs(each[2], of_reference.get(each[2].runner))]):
        if Finding.UNDECIDED in findings or not findings:
            return OfBuilds("Undecided whether builds differ")
        if large:
            return OfBuilds("Builds differ by no more than one build does between its runs")
        less = "by less than 5 %, or " if beyond else ""
        return OfBuilds(f"Builds differ {less}by no more than the noise")
    of_one_source = [each for each in found if not _has_no_gil(each[1]) or _is_beside_twin(each[1])]
    _, cell, row, compared = _plainest(subject, of_one_source or found)
    build, reference = _builds(cell)
    on = "with it" if _has_no_gil(cell) and build == reference else f"on {reference}"
    words = f"{_late(subject, cell, row) or _how_much(subject, row, compared)} {on}"
    packages = cell.other_packages([row])
    ways = [start_methods(subject, each) for each in (cell, *(each for each in cells if each.gated.is_reference))]
    started = _other_start([way.get(row.runner) for way in ways])
    aside = f"{started}{packages and f', with {packages}'}{doubt_of(compared)}"
    where = f"Without the GIL, on {build}," if _has_no_gil(cell) else f"On {build}"
    return OfBuilds(f"{where} {words}{aside}", row.runner, cell)


def _plainest(subject: Subject, found: Sequence[Found]) -> Found:
    """Return what differs most; in the place of a model that is made of another, that other, if it differs as much.

    "asyncio with a thread pool" gives way to "thread pool", of which texts speak, where their intervals overlap.
    """
    most = max(found, key=lambda each: each[0])
    _, cell, row, compared = most
    words = name_of(subject, row)
    for each in found:
        _, beside, other, its = each
        is_part = beside is cell and words.endswith(f" with a {name_of(subject, other)}")
        if is_part and its.low <= compared.high and compared.low <= its.high:
            return each
    return most


def start_methods(subject: Subject, cell: CellResult) -> dict[str, str]:
    """Return how each runner was seen to start processes on a cell; of those that start some."""
    case = subject.scenario.name, subject.case, "subject"
    series = (each for each in cell.record.series if (each.scenario, each.case, each.role) == case)
    seen = ((each.runner, each.observed.start_method) for each in series if each.observed)
    return {runner: method for runner, method in seen if method}


def _other_start(ways: Sequence[str | None]) -> str:
    """Say that processes started in another way than on the reference build, the second of *ways*; empty where not."""
    match ways:
        case [str(own), str(other), *_] if own != other:
            return f", with {own} as the start method, not {other}"
    return ""


def _how_much(subject: Subject, row: Summary, compared: Comparison) -> str:
    """Say how a runner on one build compares with itself on another, up to the name of that."""
    return f"{name_of(subject, row)} {_on_another(compared.ratio, kind_of_metric(subject.metric))}"


def _late(subject: Subject, cell: CellResult, row: Summary) -> str:
    """Say how late a runner was on one build and on another, up to the name of that; empty of what is not late.

    Both delays, since a part of a delay does not say whether it matters.
    """
    word = next((word for word, kind in LATE.items() if kind is kind_of_metric(subject.metric)), "")
    if not word:
        return ""
    view = cell.gated.view
    reference = view.reference(view.series[SeriesKey(row.scenario, row.case, row.runner, "subject")])
    there = [*cell.gated.by_round(reference, subject.metric).values()]
    if not there:
        return ""
    own, other = (short(format_value(value, row.unit)) for value in (row.median, median_interval(there).median))
    return f"the {word} with {name_of(subject, row)} was {own}, against {other}"


def _between_runs(*rows: Summary | None) -> float:
    """Return how far apart a build's ratios to the baseline lie in several runs, as a logarithm: the most of any row.

    The ratios, since a noisy hour moves the values of all builds alike.
    """
    over_runs = [row.ratios_of_runs for row in rows if row]
    return max((math.log(runs.high / runs.low) for runs in over_runs if runs and runs.low > 0), default=0.0)


def _on_another(ratio: float, kind: Kind) -> str:
    less, more = ON_ANOTHER.get(kind, ANY)
    if is_small_part(ratio, less):
        return less.format(per_cent(ratio))
    return (less if ratio < 1 else more).format(format_ratio(1 / ratio if kind is DURATION and ratio < 1 else ratio))


def _builds(cell: CellResult) -> tuple[str, str]:
    """Name a cell's build and its reference build in a sentence: by release; by version where that is the same."""
    pair = cell.record.build, cell.record.reference_build
    short, whole = ([_build(each, is_whole=is_whole) for each in pair] for is_whole in (False, True))
    build, reference = short if short[0] != short[1] or _has_no_gil(cell) else whole
    return build, reference


def _build(build: Build, *, is_whole: bool) -> str:
    """Name a build: "3.14", "3.14 (JIT)"; that it has no GIL is said elsewhere."""
    release, *kinds = short_build(build, is_whole=is_whole).splitlines()
    more = [kind for kind in kinds if kind != NO_GIL]
    return f"{release} ({', '.join(more)})" if more else release


def _has_no_gil(cell: CellResult) -> bool:
    return cell.record.build.free_threaded and not cell.record.build.gil_at_start


def _is_beside_twin(cell: CellResult) -> bool:
    return cell.record.build.version == cell.record.reference_build.version
