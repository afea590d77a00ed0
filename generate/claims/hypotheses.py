"""Turns what a claim says into a question to the measurements: which series and metric, and where it should lie."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from generate.claims.bounds import Region
from generate.claims.read import Fault
from generate.text.numbers import SCALES
from runners.harness.catalogue.scenarios import select
from runners.harness.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from generate.claims.read import Claim, Expect, Part, Printed
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric


class Place(NamedTuple):
    """A series of a scenario."""

    case: str
    runner: str


class Question(NamedTuple):
    """One part of a claim, in the catalogue's own objects."""

    scenario: Scenario
    metric: Metric
    candidates: tuple[Place, ...]
    """One; several where each is held against the one before."""
    baseline: Place | None
    """What ratios are against; None where a value is judged, or each case against the one before."""
    expected: Region
    """Where the ratio, or the value in the metric's unit, should lie."""
    printed: float | None
    """The source's own ratio or value."""

    @property
    def is_of_ratios(self) -> bool:
        """Whether ratios are judged, not values."""
        return self.baseline is not None or len(self.candidates) > 1

    @property
    def pairs(self) -> list[tuple[Place, Place]]:
        """What is compared with what: (candidate, baseline)."""
        if self.baseline is not None:
            return [(self.candidates[-1], self.baseline)]
        return [*zip(self.candidates[1:], self.candidates, strict=False)]

    @property
    def places(self) -> list[Place]:
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
class Judgeable:
    """A part of a claim, and its question. Each is one of its kind, so that what is said of it can be kept."""

    claim: Claim
    """The claim."""
    number: int
    """Which part it is, from 0."""
    question: Question | None
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


class QuestionError(Exception):
    """A part of a claim asks for what can't be; `field` is the one at fault."""

    def __init__(self, *, field: str, message: str) -> None:
        """Keep the field."""
        super().__init__(message)
        self.field = field


def questions(claim: Claim, scenarios: Mapping[str, Scenario]) -> tuple[list[Judgeable], list[Fault]]:
    """Return each part of *claim* as a question to the catalogue's *scenarios*, and what is wrong with them."""
    made, faults = [], []
    for number, part in enumerate(claim.parts):
        if part.not_measured:
            made.append(Judgeable(claim, number, None, part.not_measured))
            continue
        try:
            made.append(Judgeable(claim, number, _question(part, scenarios), ""))
        except QuestionError as error:
            line = claim.text.line_of(f"$.part[{number}].{error.field}")
            faults.append(Fault(claim.id, f"{claim.text.file}:{line}", f"{error}"))
            made.append(Judgeable(claim, number, None, f"the claim's table has a mistake: {error}"))
    return made, faults


def _question(part: Part, scenarios: Mapping[str, Scenario]) -> Question:
    scenario = scenarios[_known("scenario", part.scenario, scenarios)]
    metrics = {metric.name: metric for metric in scenario.metrics}
    metric = metrics[_known("metric", part.metric or scenario.metrics[0].name, metrics)]
    cases = part.cases or (part.case,)
    field = "cases" if part.cases else "case"
    candidates = tuple(_place(scenario, field, case, "candidate", part.candidate) for case in cases)
    baseline = _baseline(scenario, part) if part.baseline else None
    _check_blocks(scenario, [*candidates, *([baseline] if baseline else [])])
    if not part.why:
        raise QuestionError(field="expect", message="says nothing of why that bound: add `why`")
    if part.expect is None:
        raise QuestionError(field="candidate", message="expects nothing: add `expect`")
    if not re.fullmatch(r"3\.\d+", part.needs.python):
        raise QuestionError(field="needs", message=f"python = {part.needs.python!r} is no version like '3.12'")
    kind = _kind(part.expect)
    _check_shape(kind, len(candidates), has_baseline=baseline is not None)
    printed = _printed(part.printed, metric.unit, of_ratio=kind.startswith("ratio"))
    return Question(scenario, metric, candidates, baseline, _region(part.expect, kind, metric.unit, printed), printed)


def _known(field: str, name: str, names: Mapping[str, object]) -> str:
    try:
        return select(names, [name], field)[0]
    except UnknownNameError as error:
        raise QuestionError(field=field, message=f"{error}") from error


def _place(scenario: Scenario, case_field: str, case: str, field: str, runner: str) -> Place:
    _known(case_field, case, scenario.cases)
    _known(field, runner, scenario.runners)
    if not scenario.runners[runner].takes_part(scenario.cases[case]):
        raise QuestionError(field=field, message=f"{runner} takes no part in case {case!r} of {scenario.name}")
    return Place(case, runner)


def _baseline(scenario: Scenario, part: Part) -> Place:
    case, slash, runner = part.baseline.rpartition("/")
    return _place(scenario, "baseline", case if slash else part.case, "baseline", runner)


def _check_blocks(scenario: Scenario, places: list[Place]) -> None:
    blocks = {scenario.block_of(place.case) for place in places}
    if len(blocks) > 1:
        raise QuestionError(
            field="baseline", message=f"compares what is not measured in one block: {' and '.join(sorted(blocks))}"
        )


def _kind(expect: Expect) -> str:
    try:
        return expect.kind()
    except ValueError as error:
        raise QuestionError(field="expect", message=f"{error}") from error


def _check_shape(kind: str, candidates: int, *, has_baseline: bool) -> None:
    """Refuse an expectation that does not fit what is compared."""
    if kind == "never_falls":
        if candidates < 2 or has_baseline:  # noqa: PLR2004 - one and the next
            raise QuestionError(field="expect", message="never_falls takes two or more `cases` and no baseline")
    elif candidates > 1:
        raise QuestionError(field="cases", message=f"{kind} takes one case")
    elif kind.startswith("ratio") is not has_baseline:
        raise QuestionError(field="expect", message=f"{kind} takes {'a' if not has_baseline else 'no'} baseline")


def _printed(printed: Printed | None, unit: str, *, of_ratio: bool) -> float | None:
    if printed is None:
        return None
    candidate = amount(printed.candidate, unit, "printed")
    if not of_ratio:
        return candidate
    return candidate / amount(printed.baseline, unit, "printed") if printed.baseline else None


def amount(text: str, unit: str, field: str) -> float:
    """Return an amount like "4.2 s" in *unit*. Raises QuestionError."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(\D*)", text)
    signs = {scale.sign: scale.size for scale in SCALES[unit]}
    if found is None or found[2] not in signs:
        known = " or ".join(repr(f"1 {sign}".strip()) for sign in signs)
        raise QuestionError(field=field, message=f"{text!r} is no amount of this metric; write it like {known}")
    return float(found[1]) * signs[found[2]]


def _region(expect: Expect, kind: str, unit: str, printed: float | None) -> Region:
    regions: Mapping[str, Callable[[], Region]] = {
        "ratio_below": lambda: Region(-math.inf, expect.ratio_below or 0.0),
        "ratio_above": lambda: Region(expect.ratio_above or 0.0, math.inf),
        "ratio_within": lambda: Region(1 - (expect.ratio_within or 0.0), 1 + (expect.ratio_within or 0.0)),
        "ratio_near_printed": lambda: _near(printed, expect.ratio_near_printed or 0.0),
        "never_falls": lambda: Region(1 - (expect.never_falls or 0.0), math.inf),
        "value_at_most": lambda: Region(-math.inf, amount(expect.value_at_most or "", unit, "expect")),
        "value_at_least": lambda: Region(amount(expect.value_at_least or "", unit, "expect"), math.inf),
        "value_within": lambda: Region(*(amount(text, unit, "expect") for text in expect.value_within or ())),
    }
    region = regions[kind]()
    bounds = [bound for bound in region if math.isfinite(bound)]
    is_ratio = not kind.startswith("value")
    if not bounds or min(bounds) < 0 or (is_ratio and min(bounds) == 0) or region.low > region.high:
        raise QuestionError(field="expect", message=f"{kind} = {getattr(expect, kind)!r} is no possible bound")
    if region.low == region.high and unit != "count":
        raise QuestionError(
            field="expect", message=f"{kind} = {getattr(expect, kind)!r}: only a count can be met exactly"
        )
    return region


def _near(printed: float | None, times: float) -> Region:
    if printed is None:
        raise QuestionError(
            field="expect", message="ratio_near_printed takes `printed` with a candidate and a baseline"
        )
    if times <= 1:
        raise QuestionError(
            field="expect", message=f"ratio_near_printed = {times} is no possible bound; it must be above 1"
        )
    return Region(printed / times, printed * times)
