"""Turns a claim into hypotheses: series and a metric of the catalogue, and bounds for the estimate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import NamedTuple

from generate.claims.kinds import ClaimKind, Takes, parse_amount
from generate.claims.model import BaselineBuild, Claim, Fault, Part, Printed, TableCell
from generate.data.estimates import Bounds
from generate.data.map_rules import CLAIM_RULES, Rule
from generate.data.work_map import MAIN_KIND
from generate.words.units import find_kind
from runners.harness.catalogue.scenarios import Scenario, select
from runners.harness.contract import Metric
from runners.harness.errors import UserError
from runners.harness.record.model import SeriesKey


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
    """Bounds of the ratio, or of the value in the metric's unit."""
    printed: float | None
    baseline_build: BaselineBuild = "own"
    """Unless it is the candidate's own, both builds were measured in the same runs."""
    rule: Rule | None = None
    """A rule of the map. Its candidates are the models that it names, for every number of tasks."""

    @property
    def compares_builds(self) -> bool:
        """True if the baseline is measured on another build."""
        return self.baseline_build != "own"

    @property
    def compares_ratios(self) -> bool:
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
        return self.kind.describe(self.metric.unit, self.printed, find_kind(self.metric))


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
        name = f"{claim.id}{ascii_lowercase[number]}" if len(claim.parts) > 1 else claim.id
        hypothesis, reason = None, part.not_measured or part.not_applicable
        try:
            hypothesis = None if reason else _hypothesis(part, scenarios)
        except (UserError, ValueError) as error:
            faults.append(Fault(claim.file, name, f"{error}"))
            reason = f"the claim's table has a mistake: {error}"
        parts.append(ClaimPart(claim, number, name, part, hypothesis, reason))
    return parts, faults


def _hypothesis(part: Part, scenarios: Mapping[str, Scenario]) -> Hypothesis:
    """Make the hypothesis of a part. Raises UserError or ValueError, which name the field."""
    scenario = _find_scenario(part.scenario, scenarios)
    metric = _find_metric(scenario, part.metric)
    kind = _check_kind(part)
    if not part.why:
        msg = "`why` is missing: give the reason for the bound"
        raise ValueError(msg)
    rule = CLAIM_RULES[select(CLAIM_RULES, [part.rule], "rule")[0]] if part.rule else None
    candidates = _candidates(part, scenario, rule)
    baseline = None
    if part.baseline:  # a runner of the same case, or "case/runner"
        case, _, runner = part.baseline.rpartition("/")
        baseline = _find_series(scenario, case or part.case, runner, "baseline")
    _check_comparison(part, scenario, candidates, baseline)
    printed = _printed(part.printed, metric.unit, kind)
    expected = kind.bounds(metric.unit, printed)
    return Hypothesis(scenario, metric, candidates, baseline, kind, expected, printed, part.baseline_build, rule)


def _check_kind(part: Part) -> ClaimKind:
    """Return the kind of expectation. Raises ValueError if it does not take what is compared."""
    given = {Takes.RULE: part.rule, Takes.STEPS: part.cases, Takes.PAIR: part.baseline}
    kind, takes = part.expect, [each for each, value in given.items() if value] or [Takes.VALUE]
    if kind is None or takes != [kind.takes]:
        msg = (
            f"`expect`: {kind.name} takes {kind.takes.value}" if kind else "`expect` is missing: name what is expected"
        )
        raise ValueError(msg)
    return kind


def _candidates(part: Part, scenario: Scenario, rule: Rule | None) -> tuple[SeriesKey, ...]:
    """Return the series that are judged; for a rule of the map, its models in every case."""
    if rule:
        cases = [name for name, case in scenario.cases.items() if case.parameters.get("kind") == MAIN_KIND]
        return tuple(_find_series(scenario, case, model, "candidate") for case in cases for model in rule.models)
    return tuple(_find_series(scenario, case, part.candidate, "candidate") for case in part.cases or (part.case,))


def _check_comparison(
    part: Part, scenario: Scenario, candidates: Sequence[SeriesKey], baseline: SeriesKey | None
) -> None:
    """Raise ValueError if the series can't be compared."""
    blocks = {scenario.find_block(key.case) for key in (*candidates, baseline) if key}
    if len(blocks) > 1 and not part.rule:
        msg = f"`baseline` is not measured in one block with the candidate: {' and '.join(sorted(blocks))}"
        raise ValueError(msg)
    if part.baseline_build != "own":
        _check_builds(part)


def _check_builds(part: Part) -> None:
    """Raise ValueError if the part can't compare two builds."""
    is_previous, needs_gil = part.baseline_build == "previous", part.baseline_build != "gil_twin"
    is_same_case = bool(part.baseline) and "/" not in part.baseline
    is_same_runner = part.baseline == part.candidate or not is_previous
    if part.needs.gil is not needs_gil or not is_same_case or not is_same_runner:
        whose = "the candidate as baseline" if is_previous else "a baseline of the same case"
        needs = f"`needs = {{ gil = {'true' if needs_gil else 'false'} }}`"
        msg = f"`baseline_build`: {part.baseline_build} takes {whose}, and {needs}"
        raise ValueError(msg)


def find_metric(figure: TableCell, scenarios: Mapping[str, Scenario]) -> Metric:
    """Return the metric measured for a figure of a source. Raises UserError or ValueError for an unknown name."""
    scenario = _find_scenario(figure.scenario, scenarios)
    _find_series(scenario, figure.case, figure.runner, "runner")
    return _find_metric(scenario, figure.metric)


def _find_scenario(name: str, scenarios: Mapping[str, Scenario]) -> Scenario:
    return scenarios[select(scenarios, [name], "scenario")[0]]


def _find_metric(scenario: Scenario, name: str) -> Metric:
    metrics = {metric.name: metric for metric in scenario.metrics}
    return metrics[select(metrics, [name or scenario.metrics[0].name], "metric")[0]]


def _find_series(scenario: Scenario, case: str, runner: str, field: str) -> SeriesKey:
    select(scenario.cases, [case], "case")
    select(scenario.runners, [runner], field)
    if not scenario.runners[runner].takes_part(scenario.cases[case]):
        msg = f"`{field}`: {runner} takes no part in case {case!r} of {scenario.name}"
        raise ValueError(msg)
    return SeriesKey(scenario.name, case, runner, "subject")


def _printed(printed: Printed | None, unit: str, kind: ClaimKind) -> float | None:
    """Return what the source printed, as a ratio if ratios are judged."""
    if printed is None:
        return None
    candidate = parse_amount(printed.candidate, unit)
    baseline = parse_amount(printed.baseline, unit) if printed.baseline else None
    if kind.takes is Takes.VALUE:
        return candidate
    return candidate / baseline if baseline else None
