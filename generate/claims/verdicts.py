"""Decides what measurements say of the claims: for every part of a claim, on every machine and build. Pure.

A verdict is where an interval lies to what the claim expects, never where a median lies. Over all that one cell
decides, at most 5 % of the decisions are wrong. What may not decide (too few rounds, a round that failed) leans. What a
quick run decides stands outside that count: its rule has a share of wrong decisions of its own, which is validated.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Literal, NamedTuple

from generate.analysis.selection import in_order
from generate.claims.evidence import Evidence, measured
from generate.claims.load_generator import beyond_reach
from generate.claims.obstacles import reasons_against, too_few_cores, unmet
from generate.statistics.bounds import DECIDED, Decision
from generate.statistics.sign_tests import discoveries
from runners.harness.record.build_names import numbers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.analysis.selection import Cell
    from generate.analysis.series import Code
    from generate.claims.hypotheses import ClaimPart, Hypothesis
    from generate.statistics.intervals import Interval
    from generate.text.over_runs import OverRuns

Verdict = Literal[Decision, "not measured", "not applicable"]
BY_CHANCE = (
    "the interval alone would decide, but of all decisions on this machine and build too many would then be wrong"
)
"""What is said of a decision that the correction for many claims bars."""
_NO_TWIN = "no run here measured the same Python with the GIL beside it"
_IS_NOISE = "the interval reaches into the noise floor"


class RunVerdict(NamedTuple):
    """What one full run, judged alone, decides of a part."""

    run: str
    """The name of the run."""
    file: str
    verdict: Verdict
    compared: tuple[Interval, ...]
    """What was held against the expectation."""
    code: tuple[Code, ...]
    """What was run: runs of other code say nothing of each other."""


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
    undecided_runs: int = 0
    """How many further full runs decide nothing of what this one decides."""
    over_runs: OverRuns | None = None
    """Where what is held against the expectation lay in all full runs; None of one alone, and of several steps."""
    of_reference: Verdict | None = None
    """What the reference build decides in the same run, where that was on another processor than most runs."""

    @property
    def is_quick(self) -> bool:
        """Whether a quick run decided it: a direction alone, until a full run does."""
        return self.verdict in DECIDED and self.evidence is not None and self.evidence.is_quick

    @property
    def is_of_processor(self) -> bool:
        """Whether the reference build, measured beside it on another processor than most, decides the same."""
        return self.verdict in DECIDED and self.verdict == self.of_reference

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
        deciding = {part: each for part, each in evidence.items() if not each.doubt and not each.is_quick}
        probabilities = {part: each.test.either for part, each in deciding.items() if each.test}
        allowed = {*compress(probabilities, discoveries([*probabilities.values()]))}
        decided = {part: decide(part, cell, each, allowed) for part, each in evidence.items()}
        judged += [each if isinstance(each, PartVerdict) else decided[part] for part, each in found.items()]
    return judged


def decide(part: ClaimPart, cell: Cell, evidence: Evidence, allowed: Collection[ClaimPart]) -> PartVerdict:
    """Return the verdict on a part that was measured; *allowed* are those whose sign tests may decide."""
    verdict, reason = evidence.decision, ""
    is_close = verdict == "too close to call" or evidence.is_noise
    few = "a quick run" if evidence.gated.is_quick else "so few rounds"
    if doubt := evidence.doubt or (f"too close for {few}" if evidence.is_quick and is_close else ""):
        return PartVerdict(part, cell, "not measured", doubt, verdict, evidence)
    if evidence.test is not None and part not in allowed and not evidence.is_quick:
        reason = BY_CHANCE
    elif evidence.is_noise:
        reason = _IS_NOISE
    if reason and verdict != "too close to call":
        return PartVerdict(part, cell, "too close to call", reason, verdict, evidence)
    return PartVerdict(part, cell, verdict, evidence=evidence)


def find_evidence(part: ClaimPart, cell: Cell, files: Sequence[GatedRecord]) -> Evidence | PartVerdict:
    """Return what the files of a cell, the current one first, have measured for a part, or that they have not, and why.

    The first file speaks that has all series of the hypothesis, whatever became of them; where none has, the first.
    """
    hypothesis = part.hypothesis
    if hypothesis is None:
        return PartVerdict(part, cell, "not applicable" if part.written.not_applicable else "not measured", part.reason)
    if part.quick is not None and files[0].file.record.run.is_quick:
        hypothesis = part.quick  # never beside what a full run measured: the two cases differ in size
    scenario = hypothesis.scenario.name
    having = [gated for gated in files if scenario in gated.file.record.scenario_sha256]
    twins = [gated for gated in having if gated.twin is not None or not hypothesis.is_beside_twin]
    whole = (gated for gated in twins if all(key in of.view.series for key, of in hypothesis.by_record(gated)))
    gated = next(whole, (twins or having or files)[0])
    version = gated.file.record.build.version
    if len(numbers(version)) < 2:  # noqa: PLR2004 - major and minor
        return PartVerdict(part, cell, "not measured", f"“{version}” is no version of a Python")
    needs, record = part.written.needs, gated.file.record
    if reason := unmet(needs, record.build) or (_NO_TWIN if having and not twins else ""):
        return PartVerdict(part, cell, "not applicable", reason)
    if not having:
        return PartVerdict(part, cell, "not measured", f"no run here has the scenario {scenario}")
    if reason := too_few_cores(needs, record.machine) or next(filter(None, reasons_against(hypothesis, gated)), ""):
        return PartVerdict(part, cell, "not measured", reason)
    return _measured(part, cell, hypothesis, gated)


def _measured(part: ClaimPart, cell: Cell, hypothesis: Hypothesis, gated: GatedRecord) -> Evidence | PartVerdict:
    """Return what was measured, or that there is no ratio, or that nothing else than this could have been."""
    evidence = measured(hypothesis, gated)
    if evidence is None:
        return PartVerdict(part, cell, "not measured", "a baseline of 0, or no common round: there is no ratio")
    if evidence.decision != "holds" and (reason := beyond_reach(evidence)):
        return PartVerdict(part, cell, "not applicable", reason)
    return evidence
