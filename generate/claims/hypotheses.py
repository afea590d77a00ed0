"""Turns what a claim says into a question to the measurements: which series and metric, and where it should lie."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from generate.claims.bounds import Bounds
from generate.claims.read import Fault
from generate.text.units import UNITS
from runners.harness.catalogue.scenarios import select
from runners.harness.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from generate.claims.read import Claim, Expect, Part, Printed
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric


class SeriesRef(NamedTuple):
    """A series of a scenario."""

    case: str
    runner: str


class Hypothesis(NamedTuple):
    """One part of a claim, in the catalogue's own objects."""

    scenario: Scenario
    metric: Metric
    candidates: tuple[SeriesRef, ...]
    """One; several where each is held against the one before."""
    baseline: SeriesRef | None
    """What ratios are against; None where a value is judged, or each case against the one before."""
    expected: Bounds
    """Where the ratio, or the value in the metric's unit, should lie."""
    printed: float | None
    """The source's own ratio or value."""

    @property
    def is_of_ratios(self) -> bool:
        """Whether ratios are judged, not values."""
        return self.baseline is not None or len(self.candidates) > 1

    @property
    def pairs(self) -> list[tuple[SeriesRef, SeriesRef]]:
        """What is compared with what: (candidate, baseline)."""
        if self.baseline is not None:
            return [(self.candidates[-1], self.baseline)]
        return [*zip(self.candidates[1:], self.candidates, strict=False)]

    @property
    def places(self) -> list[SeriesRef]:
        """Name all series that it takes."""
        return [*self.candidates, *([self.baseline] if self.baseline else [])]

    @property
    def runners(self) -> list[str]:
        """Name what is compared, the candidate first."""
        return [*dict.fromkeys(place.runner for place in self.places)]

    @property
    def is_contradicted(self) -> bool:
        """Whether the source's own figures are not what it says."""
        return self.printed is not None and not self.expected.holds(self.printed)


@dataclass(frozen=True, slots=True, eq=False)
class ClaimPart:
    """A part of a claim, and its question. Each is one of its kind, so that what is said of it can be kept."""

    claim: Claim
    """The claim."""
    number: int
    """Which part it is, from 0."""
    question: Hypothesis | None
    """What it asks of the measurements; null where it is never measured."""
    reason: str
    """Why it is never measured; else empty."""

    @property
    def part(self) -> Part:
        """What it says."""
        return self.claim.parts[self.number]

    @property
    def id(self) -> str:
        """What names it: "S1.1", or "S1.1a" where the claim has several parts."""
        several = len(self.claim.parts) > 1
        return self.claim.id + (chr(ord("a") + self.number) if several else "")


class HypothesisError(Exception):
    """A part of a claim asks for what can't be; `field` is the one at fault."""

    def __init__(self, *, field: str, message: str) -> None:
        """Keep the field."""
        super().__init__(message)
        self.field = field


def questions(claim: Claim, scenarios: Mapping[str, Scenario]) -> tuple[list[ClaimPart], list[Fault]]:
    """Return each part of *claim* as a question to the catalogue's *scenarios*, and what is wrong with them."""
    made, faults = [], []
    for number, part in enumerate(claim.parts):
        if part.not_measured:
            made.append(ClaimPart(claim, number, None, part.not_measured))
            continue
        try:
            made.append(ClaimPart(claim, number, _question(part, scenarios), ""))
        except HypothesisError as error:
            line = claim.text.line_of(f"$.part[{number}].{error.field}")
            faults.append(Fault(claim.id, f"{claim.text.file}:{line}", f"{error}"))
            made.append(ClaimPart(claim, number, None, f"the claim's table has a mistake: {error}"))
    return made, faults


def _question(part: Part, scenarios: Mapping[str, Scenario]) -> Hypothesis:
    scenario = scenarios[_known("scenario", part.scenario, scenarios)]
    metrics = {metric.name: metric for metric in scenario.metrics}
    metric = metrics[_known("metric", part.metric or scenario.metrics[0].name, metrics)]
    cases = part.cases or (part.case,)
    field = "cases" if part.cases else "case"
    candidates = tuple(_place(scenario, field, case, "candidate", part.candidate) for case in cases)
    baseline = _baseline(scenario, part) if part.baseline else None
    _check_blocks(scenario, [*candidates, *([baseline] if baseline else [])])
    if not part.why:
        raise HypothesisError(field="expect", message="says nothing of why that bound: add `why`")
    if part.expect is None:
        raise HypothesisError(field="candidate", message="expects nothing: add `expect`")
    if not re.fullmatch(r"3\.\d+", part.needs.python):
        raise HypothesisError(field="needs", message=f"python = {part.needs.python!r} is no version like '3.12'")
    kind = _kind(part.expect)
    _check_shape(kind, len(candidates), has_baseline=baseline is not None)
    printed = _printed(part.printed, metric.unit, of_ratio=kind.startswith("ratio"))
    return Hypothesis(scenario, metric, candidates, baseline, _region(part.expect, kind, metric.unit, printed), printed)


def _known(field: str, name: str, names: Mapping[str, object]) -> str:
    try:
        return select(names, [name], field)[0]
    except UnknownNameError as error:
        raise HypothesisError(field=field, message=f"{error}") from error


def _place(scenario: Scenario, case_field: str, case: str, field: str, runner: str) -> SeriesRef:
    _known(case_field, case, scenario.cases)
    _known(field, runner, scenario.runners)
    if not scenario.runners[runner].takes_part(scenario.cases[case]):
        raise HypothesisError(field=field, message=f"{runner} takes no part in case {case!r} of {scenario.name}")
    return SeriesRef(case, runner)


def _baseline(scenario: Scenario, part: Part) -> SeriesRef:
    case, slash, runner = part.baseline.rpartition("/")
    return _place(scenario, "baseline", case if slash else part.case, "baseline", runner)


def _check_blocks(scenario: Scenario, places: list[SeriesRef]) -> None:
    blocks = {scenario.block_of(place.case) for place in places}
    if len(blocks) > 1:
        raise HypothesisError(
            field="baseline", message=f"compares what is not measured in one block: {' and '.join(sorted(blocks))}"
        )


def _kind(expect: Expect) -> str:
    try:
        return expect.kind()
    except ValueError as error:
        raise HypothesisError(field="expect", message=f"{error}") from error


def _check_shape(kind: str, candidates: int, *, has_baseline: bool) -> None:
    """Refuse an expectation that does not fit what is compared."""
    if kind == "never_falls":
        if candidates < 2 or has_baseline:  # noqa: PLR2004 - one and the next
            raise HypothesisError(field="expect", message="never_falls takes two or more `cases` and no baseline")
    elif candidates > 1:
        raise HypothesisError(field="cases", message=f"{kind} takes one case")
    elif kind.startswith("ratio") is not has_baseline:
        raise HypothesisError(field="expect", message=f"{kind} takes {'a' if not has_baseline else 'no'} baseline")


def _printed(printed: Printed | None, unit: str, *, of_ratio: bool) -> float | None:
    if printed is None:
        return None
    candidate = amount(printed.candidate, unit, "printed")
    if not of_ratio:
        return candidate
    return candidate / amount(printed.baseline, unit, "printed") if printed.baseline else None


def amount(text: str, unit: str, field: str) -> float:
    """Return an amount like "4.2 s" in *unit*. Raises HypothesisError."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(\D*)", text)
    signs = {scale.sign: scale.size for scale in UNITS[unit].scales}
    if found is None or found[2] not in signs:
        known = " or ".join(repr(f"1 {sign}".strip()) for sign in signs)
        raise HypothesisError(field=field, message=f"{text!r} is no amount of this metric; write it like {known}")
    return float(found[1]) * signs[found[2]]


def _region(expect: Expect, kind: str, unit: str, printed: float | None) -> Bounds:
    regions: Mapping[str, Callable[[], Bounds]] = {
        "ratio_below": lambda: Bounds(-math.inf, expect.ratio_below or 0.0),
        "ratio_above": lambda: Bounds(expect.ratio_above or 0.0, math.inf),
        "ratio_within": lambda: Bounds(1 - (expect.ratio_within or 0.0), 1 + (expect.ratio_within or 0.0)),
        "ratio_near_printed": lambda: _near(printed, expect.ratio_near_printed or 0.0),
        "never_falls": lambda: Bounds(1 - (expect.never_falls or 0.0), math.inf),
        "value_at_most": lambda: Bounds(-math.inf, amount(expect.value_at_most or "", unit, "expect")),
        "value_at_least": lambda: Bounds(amount(expect.value_at_least or "", unit, "expect"), math.inf),
        "value_within": lambda: Bounds(*(amount(text, unit, "expect") for text in expect.value_within or ())),
    }
    region = regions[kind]()
    bounds = [bound for bound in region if math.isfinite(bound)]
    is_ratio = not kind.startswith("value")
    if not bounds or min(bounds) < 0 or (is_ratio and min(bounds) == 0) or region.low > region.high:
        raise HypothesisError(field="expect", message=f"{kind} = {getattr(expect, kind)!r} is no possible bound")
    if region.low == region.high and unit != "count":
        raise HypothesisError(
            field="expect", message=f"{kind} = {getattr(expect, kind)!r}: only a count can be met exactly"
        )
    return region


def _near(printed: float | None, times: float) -> Bounds:
    if printed is None:
        raise HypothesisError(
            field="expect", message="ratio_near_printed takes `printed` with a candidate and a baseline"
        )
    if times <= 1:
        raise HypothesisError(
            field="expect", message=f"ratio_near_printed = {times} is no possible bound; it must be above 1"
        )
    return Bounds(printed / times, printed * times)
