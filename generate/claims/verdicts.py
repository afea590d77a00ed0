"""Decides what measurements say of the claims: for every part of a claim, on every machine and build. Pure.

A verdict is where an interval lies to what the claim expects, never where a median lies. Over all that one cell
decides, at most 5 % of the decisions are wrong. What may not decide (too few rounds, a round that failed) leans. What a
quick run decides stands outside that count: its rule has a share of wrong decisions of its own, which is validated.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from generate.analysis.gated import is_whole, why_busy
from generate.analysis.packages import versions_of
from generate.analysis.selection import in_order
from generate.claims.kinds import Decision
from generate.statistics.intervals import FEWEST_PAIRS, Comparison, Interval, median_interval, paired_ratios
from generate.statistics.noise import beyond_noise, noise_band
from generate.statistics.quick import FEWEST
from generate.statistics.sign_tests import SignTest, all_of, discoveries, sign_test
from runners.harness.record.build_names import is_older, numbers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.analysis.selection import Cell
    from generate.claims.hypotheses import ClaimPart, Hypothesis
    from generate.claims.model import Needs
    from runners.harness.record.model import Record, Series, SeriesKey

Verdict = Literal[Decision, "not measured", "not applicable"]
OverallVerdict = Literal[Verdict, "in part"]
"""A verdict, or what is said of a claim whose parts have different ones."""
MARGIN_OF_NOISE = 0.1
"""What clears or misses the noise by less than this share of it should be measured for longer."""
BY_CHANCE = "decided alone, but among all decisions of this cell too likely to be one of the 5 % that are wrong"
"""What is said of a decision that the correction for many claims bars."""
_NO_TWIN = "no run here measured the same Python with the GIL beside it"
_BY_FEW = "too close for a quick run"
_IS_NOISE = "decided alone, but the difference reaches into the noise: the baseline differs from itself by as much"


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
    def is_quick(self) -> bool:
        """Whether it is of few rounds or of a quick run, which decide directions alone."""
        return self.gated.is_quick or any(step.is_quick for step in self.compared)

    @property
    def is_difference(self) -> bool:
        """Whether the decision says that two differ, in a metric whose noise is known."""
        expected = self.hypothesis.expected
        is_difference = expected.holds(1) if self.decision == "does not hold" else not expected.low < 1 < expected.high
        return self.noise is not None and self.hypothesis.is_of_ratios and is_difference

    @property
    def is_marginal(self) -> bool:
        """Whether it clears or misses the noise by less than a tenth of it: another run may decide otherwise."""
        if self.noise is None or not self.is_difference:
            return False
        reach = math.log(noise_band(self.noise)[1])
        gaps = [max(math.log(step.low), -math.log(step.high)) - reach for step in self.compared if step.low > 0]
        return any(abs(gap) < MARGIN_OF_NOISE * reach for gap in gaps)

    @property
    def is_noise(self) -> bool:
        """Whether it is a difference that the baseline has from itself too."""
        if self.noise is None or not self.is_difference:
            return False
        expected = self.hypothesis.expected
        deciding = [step for step in self.compared if expected.decide(step.low, step.high) == self.decision]
        compared = [Comparison.of(step, decided=True, quick=self.is_quick) for step in deciding]
        return not any(beyond_noise(step, self.noise) for step in compared)


class RunVerdict(NamedTuple):
    """What one full run, judged alone, decides of a part."""

    run: str
    """The name of the run."""
    file: str
    verdict: Verdict
    compared: tuple[Interval, ...]
    """What was held against the expectation."""


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """One part of a claim on one cell."""

    part: ClaimPart
    cell: Cell
    verdict: Verdict
    reason: str = ""
    """Why nothing could be, or why the interval alone did not decide; else empty."""
    leans: Verdict | None = None
    """Which way it leans, where it was measured and may not decide."""
    evidence: Evidence | None = None
    runs: tuple[RunVerdict, ...] = ()
    """What several full runs of the build decide, the current one first; empty where no other does."""

    @property
    def is_quick(self) -> bool:
        """Whether a quick run decided it: a direction alone, until a full run does."""
        return self.verdict in {"holds", "does not hold"} and self.evidence is not None and self.evidence.is_quick

    @property
    def is_leaning(self) -> bool:
        """Whether something was measured that may not decide."""
        return self.verdict == "not measured" and self.leans is not None

    @property
    def shown(self) -> Verdict:
        """The verdict; where it only leans, the one that it leans to."""
        return self.leans if self.verdict == "not measured" and self.leans is not None else self.verdict


def verdicts(parts: Sequence[ClaimPart], records: Iterable[GatedRecord]) -> list[PartVerdict]:
    """Judge every part on every cell; which sign tests may decide depends on all that the cell decides."""
    by_cell: dict[Cell, list[GatedRecord]] = defaultdict(list)
    for result in in_order(records):
        by_cell[result.cell].append(result.gated)
    judged = []
    for cell, files in by_cell.items():
        found = {part: find_evidence(part, cell, files) for part in parts}
        evidence = {part: each for part, each in found.items() if isinstance(each, Evidence)}
        may = {part: each for part, each in evidence.items() if not each.doubt and not each.is_quick}
        probabilities = {part: each.test.either for part, each in may.items() if each.test}
        allowed = {*compress(probabilities, discoveries([*probabilities.values()]))}
        decided = {part: decide(part, cell, each, allowed) for part, each in evidence.items()}
        judged += [each if isinstance(each, PartVerdict) else decided[part] for part, each in found.items()]
    return judged


def decide(part: ClaimPart, cell: Cell, evidence: Evidence, allowed: Collection[ClaimPart]) -> PartVerdict:
    """Return the verdict on a part that was measured; *allowed* are those whose sign tests may decide."""
    verdict, reason = evidence.decision, ""
    is_close = verdict == "too close to call" or evidence.is_noise
    if doubt := evidence.doubt or (_BY_FEW if evidence.is_quick and is_close else ""):
        return PartVerdict(part, cell, "not measured", doubt, verdict, evidence)
    if evidence.test is not None and part not in allowed and not evidence.is_quick:
        reason = BY_CHANCE
    elif evidence.is_noise:
        reason = _IS_NOISE
    if reason and verdict != "too close to call":
        return PartVerdict(part, cell, "too close to call", reason, verdict, evidence)
    return PartVerdict(part, cell, verdict, evidence=evidence)


def overall(parts: Sequence[PartVerdict]) -> tuple[OverallVerdict, bool]:
    """Return what is said of a claim by the verdicts of its parts, and whether it only leans that way.

    Parts that are our own questions or do not apply say nothing; where the others differ, the claim holds in part.
    """
    theirs = [verdict for verdict in parts if not verdict.part.written.ours] or parts
    applicable = [verdict for verdict in theirs if verdict.verdict != "not applicable"]
    if not applicable:
        return "not applicable", False
    different: set[OverallVerdict] = {verdict.shown for verdict in applicable}
    leans = any(verdict.is_leaning for verdict in applicable)
    return (different.pop() if len(different) == 1 else "in part"), leans


def find_evidence(part: ClaimPart, cell: Cell, files: Sequence[GatedRecord]) -> Evidence | PartVerdict:
    """Return what the files of a cell, the current one first, have measured for a part, or that they have not, and why.

    The first file speaks that has all series of the hypothesis, whatever became of them; where none has, the first.
    """
    hypothesis = part.hypothesis
    if hypothesis is None:
        return PartVerdict(part, cell, "not applicable" if part.written.not_applicable else "not measured", part.reason)
    if part.quick is not None and files[0].file.record.run.profile == "quick":
        hypothesis = part.quick  # never beside what a full run measured: the two cases differ in size
    scenario = hypothesis.scenario.name
    having = [gated for gated in files if scenario in gated.file.record.scenario_sha256]
    twins = [gated for gated in having if gated.twin is not None or not hypothesis.is_beside_twin]
    whole = (gated for gated in twins if gated.view.series.keys() >= {*hypothesis.candidates})
    gated = next(whole, (twins or having or files)[0])
    version = gated.file.record.build.version
    if len(numbers(version)) < 2:  # noqa: PLR2004 - major and minor
        return PartVerdict(part, cell, "not measured", f"“{version}” is no version of a Python")
    if unmet := _unmet(part.written.needs, gated.file.record) or (_NO_TWIN if having and not twins else ""):
        return PartVerdict(part, cell, "not applicable", unmet)
    if not having:
        return PartVerdict(part, cell, "not measured", f"no run here has the scenario {scenario}")
    if reason := next(filter(None, _whys_unusable(hypothesis, gated)), ""):
        return PartVerdict(part, cell, "not measured", reason)
    no_ratio = PartVerdict(part, cell, "not measured", "a baseline of 0, or no common round: there is no ratio")
    return _measured(hypothesis, gated) or no_ratio


def _unmet(needs: Needs, record: Record) -> str:
    """Say why a claim is not about such a machine or build; empty where it is."""
    machine, build = record.machine, record.build
    if machine.usable_cores < needs.cores:
        return f"needs {needs.cores} cores; here are {machine.usable_cores}"
    if is_older(build.version, numbers(needs.python)):
        return f"needs Python {needs.python} or later"
    if needs.gil is not None and needs.gil is build.free_threaded:
        return f"is about a build {'with' if needs.gil else 'without'} the GIL"
    return ""


def _whys_unusable(hypothesis: Hypothesis, gated: GatedRecord) -> Iterator[str]:
    """Go through the series of a hypothesis: why each may not be used, empty where it may; then of what they are."""
    for key, record in hypothesis.by_record(gated):
        reason = _why_unusable(hypothesis, key, record)
        yield f"with the GIL, {reason}" if reason and record is not gated else reason
    if hypothesis.is_beside_twin and gated.twin is not None:
        packages = [name for runner in hypothesis.runners for name in hypothesis.scenario.runners[runner].packages]
        own, theirs = (versions_of(each.file.record.packages, packages) for each in (gated, gated.twin))
        yield "" if own == theirs else "with the GIL, its packages are of other versions"


def _why_unusable(hypothesis: Hypothesis, key: SeriesKey, gated: GatedRecord) -> str:
    """Say why a series may not be used; empty where it may."""
    scenario, record, series = hypothesis.scenario, gated.file.record, gated.view.series.get(key)
    name = f"{key.runner} in “{key.case}”"
    if series is None:
        left_out = record.run.profile == "quick" and not scenario.cases[key.case].quick
        return f"{'a quick' if left_out else 'this'} run has no {name}"
    if key in gated.refused:
        return f"{name}: {gated.refused[key]}"
    if series.status not in {"ok", "partial"}:
        return f"{name}: {series.status.replace('_', ' ')}: {series.reason}"
    if not scenario.runners[key.runner].is_current(record.schema_version, series.source_sha256):
        return f"{key.runner} has changed since it was measured; measure again"
    if not scenario.is_current(record.schema_version, record.scenario_sha256[scenario.name]):
        return f"the scenario {scenario.name} has changed since it was measured; measure again"
    return "" if gated.by_round(series, hypothesis.metric) else f"{name} has no {hypothesis.metric.name}"


def _measured(hypothesis: Hypothesis, gated: GatedRecord) -> Evidence | None:
    """Return what was measured; None where a baseline is 0, or no round common: there is no ratio."""
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
    interval = gated.interval_beside_twin if hypothesis.is_beside_twin else gated.interval
    compared = tuple(
        interval(ratios, series, metric) if hypothesis.is_of_ratios else median_interval(ratios) for ratios in judged
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
        gated.noise(series, metric),
        _doubt(hypothesis, gated, used, compared),
    )


def _doubt(
    hypothesis: Hypothesis,
    gated: GatedRecord,
    used: Sequence[tuple[Series, GatedRecord]],
    compared: Sequence[Interval],
) -> str:
    """Return why what was measured may not decide; empty where it may."""
    pairs = min(step.count for step in compared)
    if reason := why_busy(gated.file.record.machine) or _why_too_few(hypothesis, gated, compared, pairs):
        return reason
    for series, record in used:
        if not is_whole(series):
            whose = "with the GIL, " if record is not gated else ""
            return (
                f"{whose}{series.runner} in “{series.case}” failed in a round, and to leave that out would be to choose"
            )
    for series, record in used:
        if hypothesis.is_of_ratios and not record.decides(series, series):
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
