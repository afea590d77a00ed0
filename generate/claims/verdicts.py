"""Decides what measurements say of the claims: for every part of a claim, on every machine and build. Pure.

A verdict is where an interval lies to what the claim expects, never where a median lies. Over all that one cell
decides, at most 5 % of the decisions are wrong. What may not decide (a quick run, too few rounds, a round that failed)
leans.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generate.analysis.decision import decides
from generate.analysis.selection import in_order
from generate.analysis.series import SeriesKey
from generate.claims.bounds import Position, Signs, all_of, discoveries
from generate.statistics.intervals import (
    FEWEST_PAIRS,
    Comparison,
    Interval,
    beyond_noise,
    median_interval,
    paired_ratios,
)
from runners.harness.record.build_names import numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generate.analysis.selection import Cell
    from generate.analysis.summaries import GatedRecord
    from generate.claims.hypotheses import ClaimPart, Hypothesis, SeriesRef
    from runners.harness.record.model import Record, Series

    Files = Mapping[str, Sequence[GatedRecord]]  # of a cell, by scenario, those that have it: the one that leads first

Verdict = Literal["holds", "does not hold", "too close to call", "not measured", "not applicable"]
_BY_PLACE: Mapping[Position, Verdict] = {"inside": "holds", "outside": "does not hold", "across": "too close to call"}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was measured for one part of a claim."""

    seen: GatedRecord
    """The file."""
    candidate: Interval
    """Its values, in the metric's unit; of several cases the last."""
    baseline: Interval | None
    """What it is compared with."""
    compared: tuple[Interval, ...]
    """What is held against the expectation: the ratio, or the value; a ratio for each step where there are several."""
    lies: Position
    """How these lie to the expectation."""
    signs: Signs | None
    """Their tests; None for a count that does not vary."""
    noise: Comparison | None
    """The block's baseline against itself in this metric; None without a control."""
    doubt: str
    """Why it may not decide; empty: it may."""


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """One part of a claim on one cell."""

    asked: ClaimPart
    """The claim's part."""
    column: Cell
    """The cell."""
    verdict: Verdict
    """What is decided."""
    reason: str
    """Why nothing could be, or why the interval alone did not decide; else empty."""
    leans: Verdict | None
    """Which way it leans, where it was measured and may not decide."""
    evidence: Evidence | None
    """What was measured."""


class _Refusal(Exception):  # noqa: N818 - not an error: why there is no evidence
    def __init__(self, *, reason: str, verdict: Verdict = "not measured") -> None:
        super().__init__(reason)
        self.verdict = verdict


def verdicts(asked: Sequence[ClaimPart], seen: Iterable[GatedRecord]) -> list[PartVerdict]:
    """Judge every part on every cell."""
    return [judged for column, files in _columns(seen).items() for judged in _cell(asked, column, files)]


def _columns(seen: Iterable[GatedRecord]) -> dict[Cell, Files]:
    found: dict[Cell, dict[str, list[GatedRecord]]] = defaultdict(lambda: defaultdict(list))
    for cell in in_order(seen):
        for name in dict.fromkeys(series.scenario for series in cell.record.series):
            found[cell.column][name].append(cell.seen)
    return {**found}


def _cell(asked: Sequence[ClaimPart], column: Cell, files: Files) -> list[PartVerdict]:
    found = [_evidence(one, files) for one in asked]
    deciding = [one for one in found if isinstance(one, Evidence) and one.signs is not None and not one.doubt]
    allowed = discoveries([one.signs.either for one in deciding if one.signs is not None])
    doubtful = {id(one) for one, may in zip(deciding, allowed, strict=True) if not may}
    return [_judged(one, column, what, may=id(what) not in doubtful) for one, what in zip(asked, found, strict=True)]


def _judged(asked: ClaimPart, column: Cell, found: Evidence | _Refusal, *, may: bool) -> PartVerdict:
    if isinstance(found, _Refusal):
        return PartVerdict(asked, column, found.verdict, str(found), None, None)
    verdict = _BY_PLACE[found.lies]
    if found.doubt:
        return PartVerdict(asked, column, "not measured", found.doubt, verdict, found)
    if not may and verdict != "too close to call":
        reason = "decided alone, but among all decisions of this cell too likely to be one of the 5 % that are wrong"
        return PartVerdict(asked, column, "too close to call", reason, verdict, found)
    if verdict != "too close to call" and asked.question is not None and _is_noise(asked.question, found):
        reason = "decided alone, but the difference lies inside the noise: the baseline differs from itself by as much"
        return PartVerdict(asked, column, "too close to call", reason, verdict, found)
    return PartVerdict(asked, column, verdict, "", None, found)


def _evidence(asked: ClaimPart, files: Files) -> Evidence | _Refusal:
    try:
        return _found(asked, files)
    except _Refusal as refusal:
        return refusal


def _found(asked: ClaimPart, files: Files) -> Evidence:
    """Return the evidence. Raises _Refusal."""
    if asked.question is None:
        raise _Refusal(reason=asked.reason)
    of_scenario = files.get(asked.question.scenario.name, ())
    speaks = _speaks(asked.question, of_scenario) if of_scenario else next(iter(files.values()))[0]
    _check_needs(asked, speaks.file.record)
    if not of_scenario:
        raise _Refusal(reason=f"no run here has the scenario {asked.question.scenario.name}")
    return _measured(asked.question, speaks)


def _speaks(question: Hypothesis, files: Sequence[GatedRecord]) -> GatedRecord:
    """Return the first file that has all that is asked for, whatever became of it; else the one that leads."""
    keys = [SeriesKey(question.scenario.name, *place, "subject") for place in question.places]
    return next((one for one in files if all(key in one.view.series for key in keys)), files[0])


def _check_needs(asked: ClaimPart, record: Record) -> None:
    needs, machine, build = asked.part.needs, record.machine, record.build
    if machine.usable_cores < needs.cores:
        raise _Refusal(reason=f"needs {needs.cores} cores; here are {machine.usable_cores}", verdict="not applicable")
    version = numbers(build.version)[:2]
    if len(version) < 2:  # noqa: PLR2004 - major and minor
        raise _Refusal(reason=f"“{build.version}” is no version of a Python")
    if version < numbers(needs.python):
        raise _Refusal(reason=f"needs Python {needs.python} or later", verdict="not applicable")
    if needs.gil is not None and needs.gil is build.free_threaded:
        kind = "with" if needs.gil else "without"
        raise _Refusal(reason=f"is about a build {kind} the GIL", verdict="not applicable")


def _measured(question: Hypothesis, seen: GatedRecord) -> Evidence:
    series = {place: _series(question, place, seen) for place in question.places}
    values = {place: seen.by_round(one, question.metric) for place, one in series.items()}
    for place, by_round in values.items():
        if not by_round:
            raise _Refusal(reason=f"{place.runner} in “{place.case}” has no {question.metric.name}")
    if question.is_of_ratios:
        held = [paired_ratios(values[candidate], values[base]) for candidate, base in question.pairs]
    else:
        held = [list(values[question.candidates[0]].values())]
    if not all(held):
        raise _Refusal(reason="a baseline of 0, or no common round: there is no ratio")
    compared = tuple(median_interval(each) for each in held)
    candidate, base = question.candidates[-1], question.baseline
    return Evidence(
        seen,
        median_interval([*values[candidate].values()]),
        median_interval([*values[base].values()]) if base else None,
        compared,
        _lies(question, compared),
        None if _is_exact(question, held) else all_of([question.expected.signs(each) for each in held]),
        seen.noise(series[candidate], question.metric),
        _doubt(question, seen, series.values(), min(map(len, held))),
    )


def _series(question: Hypothesis, place: SeriesRef, seen: GatedRecord) -> Series:
    """Return a series that may be used. Raises _Refusal."""
    key, record = SeriesKey(question.scenario.name, *place, "subject"), seen.file.record
    series = seen.view.series.get(key)
    if series is None:
        left_out = record.run.profile == "quick" and not question.scenario.cases[place.case].quick
        raise _Refusal(reason=f"{'a quick' if left_out else 'this'} run has no {place.runner} in “{place.case}”")
    if key in seen.refused:
        raise _Refusal(reason=f"{place.runner} in “{place.case}”: {seen.refused[key]}")
    if series.status not in {"ok", "partial"}:
        raise _Refusal(reason=f"{place.runner} in “{place.case}”: {series.status.replace('_', ' ')}: {series.reason}")
    is_runner = question.scenario.runners[place.runner].source_sha256 == series.source_sha256
    if not is_runner or record.scenario_sha256.get(series.scenario) != question.scenario.scenario_sha256:
        what = place.runner if not is_runner else f"the scenario {question.scenario.name}"
        raise _Refusal(reason=f"{what} has changed since it was measured; measure again")
    return series


def _lies(question: Hypothesis, compared: Sequence[Interval]) -> Position:
    lies = {
        _exactly(question, each) if each.low == each.high else question.expected.place(each.low, each.high)
        for each in compared
    }
    return "outside" if "outside" in lies else "across" if "across" in lies else "inside"


def _exactly(question: Hypothesis, each: Interval) -> Position:
    return "inside" if question.expected.holds(each.median) else "outside"


def _is_exact(question: Hypothesis, held: Sequence[Sequence[float]]) -> bool:
    """Tell whether it is a count that does not vary: no statistics are needed to judge it."""
    return question.metric.unit == "count" and not question.is_of_ratios and len({*held[0]}) == 1


def _doubt(question: Hypothesis, seen: GatedRecord, series: Iterable[Series], pairs: int) -> str:
    if seen.file.record.run.profile != "full":
        return "a quick run decides nothing"
    if pairs < FEWEST_PAIRS:
        return f"{pairs} rounds; at least {FEWEST_PAIRS} decide"
    for one in series:
        if not decides(seen.file.record, one):
            return f"{one.runner} in “{one.case}” failed in a round, and to leave that out would be to choose"
        if question.is_of_ratios and not seen.decides(one, one):
            return f"the control of “{one.case}” failed in a round: the noise is not known"
        if pairs < len(one.samples.status):
            return f"{one.runner} in “{one.case}” has a round without a value"
    return ""


def _is_noise(question: Hypothesis, found: Evidence) -> bool:
    """Tell whether what is found is a difference that the baseline has from itself too."""
    region = question.expected
    is_difference = not region.low < 1 < region.high if found.lies == "inside" else region.holds(1)
    if found.noise is None or not question.is_of_ratios or not is_difference:
        return False
    deciding = [each for each in found.compared if region.place(each.low, each.high) == found.lies]
    return not any(beyond_noise(Comparison.of(each, decided=True), found.noise) for each in deciding)
