"""Turns a claim into hypotheses: series and a metric of the catalogue, and bounds for the estimate."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from generate.claims.kinds import Takes, amount_of
from generate.claims.model import Fault, MistakeError, part_id
from generate.data.map_rules import CLAIM_RULES
from generate.data.work_map import MAIN_KIND
from generate.words.units import kind_of_metric
from runners.harness.catalogue.scenarios import select
from runners.harness.errors import UnknownNameError
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generate.claims.kinds import ClaimKind
    from generate.claims.model import Claim, Part, Printed, TableCell
    from generate.data.estimates import Bounds
    from generate.data.map_rules import Rule
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric


class Hypothesis(NamedTuple):
    """One part of a claim, in the catalogue's own objects."""

    scenario: Scenario
    metric: Metric
    candidates: tuple[SeriesKey, ...]
    """One series; or several, each compared with the one before."""
    baseline: SeriesKey | None
    """None if a value is judged, or each case against the one before."""
    kind: ClaimKind
    expected: Bounds
    """Of the ratio, or of the value in the metric's unit."""
    printed: float | None
    is_against_gil: bool = False
    """True if the baseline is measured on the GIL counterpart: the same Python with the GIL, in the same runs."""
    rule: Rule | None = None
    """A rule of the map. Its candidates are the models that it names, for every number of tasks."""

    @property
    def is_of_ratios(self) -> bool:
        """True if ratios are judged, not values."""
        return self.kind.takes in {Takes.PAIR, Takes.STEPS}

    @property
    def series(self) -> list[SeriesKey]:
        """All series, the candidates first."""
        return [*self.candidates, *([self.baseline] if self.baseline else [])]

    @property
    def runners(self) -> list[str]:
        """The runners that it compares, the candidate first."""
        return [*dict.fromkeys(key.runner for key in self.series)]

    @property
    def expectation(self) -> str:
        """What it expects: "at least 2 times as fast", "at most 100 ms"."""
        return self.kind.describe(self.metric.unit, self.printed, kind_of_metric(self.metric))


@dataclass(frozen=True, slots=True, eq=False)
class ClaimPart:
    """A part of a claim, and its hypothesis. Compared by identity, so that it can be a key."""

    claim: Claim
    number: int
    id: str
    written: Part
    hypothesis: Hypothesis | None
    reason: str

    @property
    def name(self) -> str:
        """The part in a few words, marked if the question is ours; may be empty."""
        if not self.written.ours:
            return self.written.name
        return f"{self.written.name} (our question)" if self.written.name else "our question"


def hypotheses(claim: Claim, scenarios: Mapping[str, Scenario]) -> tuple[list[ClaimPart], list[Fault]]:
    """Return each part of *claim* with its hypothesis over the catalogue's *scenarios*, and the mistakes in them."""
    parts, faults = [], []
    for number, part in enumerate(claim.parts):
        name = part_id(claim.id, number, len(claim.parts))
        hypothesis, reason = None, part.not_measured or part.not_applicable
        try:
            hypothesis = None if reason else _hypothesis(part, scenarios)
        except MistakeError as error:
            faults.append(Fault(claim.file, f"{name}.{error.key}", f"{error}"))
            reason = f"the claim's table has a mistake: {error}"
        parts.append(ClaimPart(claim, number, name, part, hypothesis, reason))
    return parts, faults


def _hypothesis(part: Part, scenarios: Mapping[str, Scenario]) -> Hypothesis:
    """Make the hypothesis of a part. Raises MistakeError."""
    scenario = scenarios[_known("scenario", part.scenario, scenarios)]
    metric = _metric(scenario, part.metric)
    if not part.why:
        raise MistakeError(key="why", message="is missing: give the reason for the bound")
    rule = CLAIM_RULES[_known("rule", part.rule, CLAIM_RULES)] if part.rule else None
    candidates = _candidates(part, scenario, rule)
    baseline = None
    if part.baseline:  # a runner of the same case, or "case/runner"
        case, _, runner = part.baseline.rpartition("/")
        baseline = _series(scenario, "baseline", case or part.case, "baseline", runner)
    _check_comparison(part, scenario, candidates, baseline)
    kind = _kind(part)
    printed = _printed(part.printed, metric.unit, kind)
    with _mistakes_at("expect"):
        expected = kind.bounds(metric.unit, printed)
    is_against_gil = part.baseline_build == "gil_twin"
    return Hypothesis(scenario, metric, candidates, baseline, kind, expected, printed, is_against_gil, rule)


def _candidates(part: Part, scenario: Scenario, rule: Rule | None) -> tuple[SeriesKey, ...]:
    """Return the series that are judged; for a rule of the map, its models in every case. Raises MistakeError."""
    if rule:
        cases = [name for name, case in scenario.cases.items() if case.parameters.get("kind") == MAIN_KIND]
        return tuple(_series(scenario, "rule", case, "rule", model) for case in cases for model in rule.models)
    field = "cases" if part.cases else "case"
    return tuple(_series(scenario, field, case, "candidate", part.candidate) for case in part.cases or (part.case,))


def _check_comparison(
    part: Part, scenario: Scenario, candidates: Sequence[SeriesKey], baseline: SeriesKey | None
) -> None:
    """Raise MistakeError if the series can't be compared."""
    blocks = {scenario.block_of(key.case) for key in (*candidates, baseline) if key}
    if len(blocks) > 1 and not part.rule:
        message = f"compares what is not measured in one block: {' and '.join(sorted(blocks))}"
        raise MistakeError(key="baseline", message=message)
    is_of_one_case = bool(part.baseline) and "/" not in part.baseline
    if part.baseline_build == "gil_twin" and not (part.needs.gil is False and is_of_one_case):
        message = "gil_twin takes a runner of the same case as baseline, and `needs = { gil = false }`"
        raise MistakeError(key="baseline_build", message=message)


def metric_of(figure: TableCell, scenarios: Mapping[str, Scenario]) -> Metric:
    """Return the metric measured for a figure of a source. Raises MistakeError for an unknown name."""
    scenario = scenarios[_known("scenario", figure.scenario, scenarios)]
    _series(scenario, "case", figure.case, "runner", figure.runner)
    return _metric(scenario, figure.metric)


def _metric(scenario: Scenario, name: str) -> Metric:
    metrics = {metric.name: metric for metric in scenario.metrics}
    return metrics[_known("metric", name or scenario.metrics[0].name, metrics)]


@contextmanager
def _mistakes_at(key: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, UnknownNameError) as error:
        raise MistakeError(key=key, message=f"{error}") from error


def _known(field: str, name: str, names: Mapping[str, object]) -> str:
    with _mistakes_at(field):
        return select(names, [name], field)[0]


def _series(scenario: Scenario, case_field: str, case: str, field: str, runner: str) -> SeriesKey:
    _known(case_field, case, scenario.cases)
    _known(field, runner, scenario.runners)
    if not scenario.runners[runner].takes_part(scenario.cases[case]):
        raise MistakeError(key=field, message=f"{runner} takes no part in case {case!r} of {scenario.name}")
    return SeriesKey(scenario.name, case, runner, "subject")


def _kind(part: Part) -> ClaimKind:
    """Return the kind of expectation. Raises MistakeError if it does not take what is compared."""
    kind = part.expect
    if kind is None:
        raise MistakeError(key="expect", message="is missing: name what is expected")
    given = {Takes.RULE: bool(part.rule), Takes.STEPS: bool(part.cases), Takes.PAIR: bool(part.baseline)}
    if [takes for takes, is_given in given.items() if is_given] != ([] if kind.takes is Takes.VALUE else [kind.takes]):
        raise MistakeError(key="expect", message=f"{kind.name} takes {kind.takes.value}")
    return kind


def _printed(printed: Printed | None, unit: str, kind: ClaimKind) -> float | None:
    """Return what the source printed, as a ratio if ratios are judged. Raises MistakeError."""
    if printed is None:
        return None
    with _mistakes_at("printed"):
        candidate = amount_of(printed.candidate, unit)
        baseline = amount_of(printed.baseline, unit) if printed.baseline else None
    if kind.takes is Takes.VALUE:
        return candidate
    return candidate / baseline if baseline else None
