"""What was measured for one part of a claim: the intervals, what they decide, and why they may not. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from generate.analysis.gated import is_whole, why_busy
from generate.analysis.map_rules import score
from generate.analysis.work_map import work_map
from generate.statistics.intervals import FEWEST_PAIRS, Comparison, Interval, median_interval, paired_ratios
from generate.statistics.noise import band_of_median, beyond_noise, noise_band
from generate.statistics.quick import FEWEST
from generate.statistics.sign_tests import SignTest, all_of, sign_test
from generate.text.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.analysis.gated import Beside, GatedRecord
    from generate.analysis.map_rules import Rule
    from generate.analysis.series import Code
    from generate.claims.hypotheses import Hypothesis
    from generate.statistics.bounds import Decision
    from runners.harness.record.model import Series

MARGIN_OF_NOISE = 0.1
"""What clears or misses the noise by less than this share of it should be measured for longer."""


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
    decision: Decision
    """What follows from where these lie."""
    test: SignTest | None
    """Their sign test; None for a count that does not vary."""
    noise: Comparison | None
    """The block's baseline against itself in this metric; None without a control."""
    doubt: str
    """Why it may not decide; empty: it may."""

    @property
    def code(self) -> tuple[Code, ...]:
        """What ran as each series, in order."""
        found = (record.view.code(key) for key, record in self.hypothesis.by_record(self.gated))
        return tuple(code for code in found if code)

    @property
    def is_quick(self) -> bool:
        """Whether it is of few rounds or of a quick run, which decide directions alone."""
        return self.gated.is_quick or any(step.is_quick for step in self.compared)

    @property
    def noise_to_leave(self) -> Comparison | None:
        """The noise, where the decision says that two differ; None where it does not, or where no noise is known."""
        expected = self.hypothesis.expected
        is_difference = expected.holds(1) if self.decision == "does not hold" else not expected.low < 1 < expected.high
        return self.noise if self.hypothesis.is_of_ratios and is_difference else None

    @property
    def is_marginal(self) -> bool:
        """Whether it clears or misses the noise by less than a tenth of it: another run may decide otherwise."""
        noise = self.noise_to_leave
        return noise is not None and any(_is_near_noise(step, noise) for step in self.compared if step.low > 0)

    @property
    def is_noise(self) -> bool:
        """Whether it is a difference that the baseline has from itself too."""
        if (noise := self.noise_to_leave) is None:
            return False
        expected = self.hypothesis.expected
        deciding = [step for step in self.compared if expected.decide(step.low, step.high) == self.decision]
        leaves = [beyond_noise(self.comparison(step, decided=True), noise) for step in deciding]
        return not (all(leaves) if self.decision == "holds" else any(leaves))  # it holds by all steps, fails by any

    def comparison(self, step: Interval, *, decided: bool) -> Comparison:
        """Return what *step* compares; where one step is of few rounds, none decides more than a direction."""
        return Comparison.of(step, decided=decided, quick=self.is_quick, of_quick_run=self.gated.is_quick)


def band_to_leave(step: Interval, noise: Comparison) -> tuple[float, float]:
    """Return the ratios that a difference must leave, as `finding_of` has it: of few rounds the control's median."""
    return (band_of_median if step.is_quick else noise_band)(noise)


def _is_near_noise(step: Interval, noise: Comparison) -> bool:
    """Say whether what has to leave the noise lies within a tenth of doing so or not."""
    reach = math.log(band_to_leave(step, noise)[1])
    apart = abs(math.log(step.median)) if step.is_quick else max(math.log(step.low), -math.log(step.high))
    return abs(apart - reach) < MARGIN_OF_NOISE * reach


def measured(hypothesis: Hypothesis, gated: GatedRecord) -> Evidence | None:
    """Return what was measured; None where a baseline is 0, or no round common: there is no ratio."""
    if hypothesis.rule is not None:
        return _of_rule(hypothesis, hypothesis.rule, gated)
    metric, candidate, baseline = hypothesis.metric, hypothesis.candidates[-1], hypothesis.baseline
    records = hypothesis.by_record(gated)
    used = [(record.view.series[key], record) for key, record in records]
    columns = [record.by_round(series, metric) for series, record in used]
    of_candidate, of_baseline = columns[len(hypothesis.candidates) - 1], columns[-1]
    if not hypothesis.is_of_ratios:
        judged = [[*of_candidate.values()]]
    elif baseline is not None:
        judged = [paired_ratios(of_candidate, of_baseline)]
    else:
        judged = [paired_ratios(later, earlier) for earlier, later in pairwise(columns)]
    if not all(judged):
        return None
    series = gated.view.series[candidate]
    beside: Beside = "twin" if hypothesis.is_beside_twin else "block"
    compared = tuple(
        gated.interval(each, series, metric, beside) if hypothesis.is_of_ratios else median_interval(each)
        for each in judged
    )
    decisions = {hypothesis.expected.decide(step.low, step.high) for step in compared}  # all must lie inside
    is_sure = metric.unit == "count" and not hypothesis.is_of_ratios and len({*judged[0]}) == 1
    return Evidence(
        hypothesis,
        gated,
        median_interval([*of_candidate.values()]),
        median_interval([*of_baseline.values()]) if baseline else None,
        compared,
        next(decision for decision in ("does not hold", "too close to call", "holds") if decision in decisions),
        None if is_sure else all_of([sign_test(ratios, *hypothesis.expected) for ratios in judged]),
        gated.noise_beside_twin(series, metric) if hypothesis.is_beside_twin else gated.noise(series, metric),
        _doubt(hypothesis, gated, used, compared),
    )


def _of_rule(hypothesis: Hypothesis, rule: Rule, gated: GatedRecord) -> Evidence | None:
    """Return at which share of the map's points a rule is right; None where none was measured at which it speaks."""
    scored = score(work_map(gated), rule)
    if scored is None:
        return None
    compared = (scored.share,)
    return Evidence(
        hypothesis,
        gated,
        candidate=scored.share,
        baseline=None,
        compared=compared,
        decision=hypothesis.expected.decide(scored.share.low, scored.share.high),
        test=sign_test(scored.shares, *hypothesis.expected),
        noise=None,
        doubt=why_busy(gated.file.record.machine)
        or _why_too_few(hypothesis, gated, compared, scored.share.count)
        or ("" if scored.is_whole else "a point of the map lacks a round, and to leave it out would be to choose"),
    )


def _doubt(
    hypothesis: Hypothesis,
    gated: GatedRecord,
    used: Sequence[tuple[Series, GatedRecord]],
    compared: Sequence[Interval],
) -> str:
    """Return why what was measured may not decide; empty where it may."""
    pairs = min(step.count for step in compared)
    machines = (record.file.record.machine for record in (gated, *(record for _, record in used)))
    busy = next(filter(None, map(why_busy, machines)), "")
    if reason := busy or _why_too_few(hypothesis, gated, compared, pairs):
        return reason
    for series, record in used:
        if not is_whole(series):
            whose = "with the GIL, " if record is not gated else ""
            return (
                f"{whose}{series.runner} in “{series.case}” failed in a round, and to leave that out would be to choose"
            )
    for series, record in used:
        if hypothesis.is_of_ratios and not record.decides(series, series):
            return f"a control of “{series.case}” failed in a round or was refused: the noise is not known"
        if pairs < len(series.samples.status):
            return f"{series.runner} in “{series.case}” has a round without a value"
    return ""


def _why_too_few(hypothesis: Hypothesis, gated: GatedRecord, compared: Sequence[Interval], pairs: int) -> str:
    """Return why so many *pairs* decide nothing of the kind that is asked; empty where they may decide it."""
    if pairs < FEWEST:
        return f"{counted(pairs, 'round')}; at least {FEWEST} decide"
    if hypothesis.is_of_ratios and hypothesis.expected.is_open and all(step.decides for step in compared):
        return ""
    if gated.is_quick:
        return "a quick run decides directions alone"
    return f"{counted(pairs, 'round')} decide directions alone" if pairs < FEWEST_PAIRS else ""
