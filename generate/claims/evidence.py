"""What was measured for a part of a claim on one machine and build, or why nothing was. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generate.analysis.gated import is_whole
from generate.statistics.intervals import FEWEST_PAIRS, Comparison, Interval, median_interval, paired_ratios
from generate.statistics.noise import beyond_noise
from generate.statistics.quick import FEWEST
from generate.statistics.sign_tests import SignTest, all_of, sign_test
from runners.harness.record.build_names import numbers
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.claims.hypotheses import ClaimPart, Hypothesis, SeriesRef
    from generate.claims.kinds import Position
    from generate.claims.model import Needs
    from runners.harness.record.model import Record, Series

    Files = Mapping[str, Sequence[GatedRecord]]  # of a cell, by scenario, those that have it: the current one first


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was measured for one part of a claim."""

    hypothesis: Hypothesis
    gated: GatedRecord
    candidate: Interval
    """Its values, in the metric's unit; of several cases the last."""
    baseline: Interval | None
    compared: tuple[Interval, ...]
    """What is held against the expectation: the ratio, or the value; a ratio for each step where there are several."""
    position: Position
    """Where these lie to the expectation."""
    test: SignTest | None
    """Their sign test; None for a count that does not vary."""
    noise: Comparison | None
    """The block's baseline against itself in this metric; None without a control."""
    doubt: str
    """Why it may not decide; empty: it may."""

    @property
    def is_quick(self) -> bool:
        """Whether it is of few rounds or of a quick run, which decide directions alone."""
        return self.gated.is_quick or any(step.is_quick for step in self.compared)

    @property
    def is_noise(self) -> bool:
        """Whether it is a difference that the baseline has from itself too."""
        expected = self.hypothesis.expected
        is_difference = expected.holds(1) if self.position == "outside" else not expected.low < 1 < expected.high
        if self.noise is None or not self.hypothesis.is_of_ratios or not is_difference:
            return False
        deciding = [step for step in self.compared if expected.position(step.low, step.high) == self.position]
        compared = [Comparison.of(step, decided=True, quick=self.is_quick) for step in deciding]
        return not any(beyond_noise(step, self.noise) for step in compared)


@dataclass(frozen=True, slots=True)
class NoEvidence:
    """Why one part of a claim can't be judged on a cell."""

    reason: str
    verdict: Literal["not measured", "not applicable"] = "not measured"


def find_evidence(part: ClaimPart, files: Files) -> Evidence | NoEvidence:
    """Return what the files of a cell have measured for a part, or why they have not.

    The first file speaks that has all series of the hypothesis, whatever became of them; where none has, the first.
    """
    hypothesis = part.hypothesis
    if hypothesis is None:
        return NoEvidence(part.reason)
    scenario = hypothesis.scenario.name
    having = files.get(scenario) or next(iter(files.values()))
    keys = [SeriesKey(scenario, *ref, "subject") for ref in hypothesis.series]
    gated = next((gated for gated in having if all(key in gated.view.series for key in keys)), having[0])
    unmet = _unmet(part.written.needs, gated.file.record)
    if unmet is not None:
        return unmet
    if scenario not in files:
        return NoEvidence(f"no run here has the scenario {scenario}")
    series: dict[SeriesRef, Series] = {}
    for ref in hypothesis.series:
        usable = _usable_series(hypothesis, ref, gated)
        if isinstance(usable, NoEvidence):
            return usable
        series[ref] = usable
    return _measured(hypothesis, gated, series)


def _unmet(needs: Needs, record: Record) -> NoEvidence | None:
    """Return why a claim is not about such a machine or build; None where it is."""
    machine, build = record.machine, record.build
    if machine.usable_cores < needs.cores:
        return NoEvidence(f"needs {needs.cores} cores; here are {machine.usable_cores}", "not applicable")
    version = numbers(build.version)[:2]
    if len(version) < 2:  # noqa: PLR2004 - major and minor
        return NoEvidence(f"“{build.version}” is no version of a Python")
    if version < numbers(needs.python):
        return NoEvidence(f"needs Python {needs.python} or later", "not applicable")
    if needs.gil is not None and needs.gil is build.free_threaded:
        return NoEvidence(f"is about a build {'with' if needs.gil else 'without'} the GIL", "not applicable")
    return None


def _usable_series(hypothesis: Hypothesis, ref: SeriesRef, gated: GatedRecord) -> Series | NoEvidence:
    """Return a series, or why it may not be used."""
    scenario, record, key = hypothesis.scenario, gated.file.record, SeriesKey(hypothesis.scenario.name, *ref, "subject")
    series = gated.view.series.get(key)
    name = f"{ref.runner} in “{ref.case}”"
    if series is None:
        left_out = record.run.profile == "quick" and not scenario.cases[ref.case].quick
        return NoEvidence(f"{'a quick' if left_out else 'this'} run has no {name}")
    if key in gated.refused:
        return NoEvidence(f"{name}: {gated.refused[key]}")
    if series.status not in {"ok", "partial"}:
        return NoEvidence(f"{name}: {series.status.replace('_', ' ')}: {series.reason}")
    if not scenario.runners[ref.runner].is_current(record.schema_version, series.source_sha256):
        return NoEvidence(f"{ref.runner} has changed since it was measured; measure again")
    if not scenario.is_current(record.schema_version, record.scenario_sha256.get(scenario.name)):
        return NoEvidence(f"the scenario {scenario.name} has changed since it was measured; measure again")
    return series


def _measured(hypothesis: Hypothesis, gated: GatedRecord, series: Mapping[SeriesRef, Series]) -> Evidence | NoEvidence:
    metric = hypothesis.metric
    values = {ref: gated.by_round(of_ref, metric) for ref, of_ref in series.items()}
    for ref, by_round in values.items():
        if not by_round:
            return NoEvidence(f"{ref.runner} in “{ref.case}” has no {metric.name}")
    candidate, baseline = hypothesis.candidates[-1], hypothesis.baseline
    if hypothesis.is_of_ratios:
        judged = [paired_ratios(values[ref], values[base]) for ref, base in hypothesis.pairs]
    else:
        judged = [[*values[candidate].values()]]
    if not all(judged):
        return NoEvidence("a baseline of 0, or no common round: there is no ratio")
    compared = tuple(
        gated.interval(ratios, series[candidate], metric) if hypothesis.is_of_ratios else median_interval(ratios)
        for ratios in judged
    )
    positions = {hypothesis.expected.position(step.low, step.high) for step in compared}  # all must lie inside
    is_sure = metric.unit == "count" and not hypothesis.is_of_ratios and len({*judged[0]}) == 1
    return Evidence(
        hypothesis,
        gated,
        median_interval([*values[candidate].values()]),
        median_interval([*values[baseline].values()]) if baseline else None,
        compared,
        next(position for position in ("outside", "across", "inside") if position in positions),
        None if is_sure else all_of([sign_test(ratios, *hypothesis.expected) for ratios in judged]),
        gated.noise(series[candidate], metric),
        _doubt(hypothesis, gated, series.values(), compared),
    )


def _doubt(hypothesis: Hypothesis, gated: GatedRecord, used: Iterable[Series], compared: Sequence[Interval]) -> str:
    """Return why what was measured may not decide; empty where it may."""
    pairs = min(step.count for step in compared)
    if reason := _why_too_few(hypothesis, gated, compared, pairs):
        return reason
    for series in used:
        if not is_whole(series):
            return f"{series.runner} in “{series.case}” failed in a round, and to leave that out would be to choose"
        if hypothesis.is_of_ratios and not gated.decides(series, series):
            return f"the control of “{series.case}” failed in a round: the noise is not known"
        if pairs < len(series.samples.status):
            return f"{series.runner} in “{series.case}” has a round without a value"
    return ""


def _why_too_few(hypothesis: Hypothesis, gated: GatedRecord, compared: Sequence[Interval], pairs: int) -> str:
    """Return why so many *pairs* decide nothing of the kind that is asked; empty where they may decide it."""
    if pairs < FEWEST:
        return f"{pairs} rounds; at least {FEWEST} decide"
    if hypothesis.is_of_ratios and hypothesis.expected.is_open and all(step.decides for step in compared):
        return ""
    if gated.is_quick:
        return "a quick run decides directions alone"
    return f"{pairs} rounds decide directions alone" if pairs < FEWEST_PAIRS else ""
