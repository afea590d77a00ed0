"""What the cards behind the board's squares say of each part of a claim, as data. Pure."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from generate.claims.by_run import runs_that_decide
from generate.claims.evidence import band_to_leave
from generate.claims.load_generator import highest_share
from generate.claims.marks import Mark
from generate.claims.sentences import sentence
from generate.statistics.noise import smallest_detectable
from generate.text.numbers import (
    NO_BREAK,
    counted,
    format_bound,
    format_interval,
    format_ratio,
    format_ratio_interval,
    format_share,
    ratio_words,
)
from generate.text.repeat import hosted, local, usual_profile
from generate.text.units import kind_of_metric

if TYPE_CHECKING:
    from generate.claims.evidence import Evidence
    from generate.claims.hypotheses import Hypothesis
    from generate.claims.verdicts import PartVerdict
    from generate.statistics.intervals import Comparison, Interval

LEAST_SHARE = 0.001
"""Below it, a share of a difference would be written as none."""
TWICE = 2.0
"""What is more is said in times: as a percentage it would be hard to read."""


class PartCard(NamedTuple):
    """What a card shows of one part of a claim. Texts are empty where there is nothing to say."""

    name: str
    mark: Mark
    reason: str
    """Why the interval alone did not decide."""
    sentence: str
    command: str
    """Measures it again on one's own machine; `hosted` does on a hosted one."""
    hosted: str
    facts: dict[str, str]
    """What the verdict rests on."""
    scenario: str
    runners: list[str]
    file: str

    @classmethod
    def of(cls, verdict: PartVerdict) -> PartCard:
        """Put a verdict into words."""
        evidence, hypothesis = verdict.evidence, verdict.part.hypothesis
        scenario, runners = (hypothesis.scenario.name, hypothesis.runners) if hypothesis else ("", [])
        usual = usual_profile(hypothesis.scenario) if hypothesis else "full"
        record = evidence.gated.file.record if evidence else usual
        twin = evidence.gated.twin if evidence and evidence.hypothesis.is_beside_twin else None
        beside = [twin.file.record.build] if twin else []
        measured = () if hypothesis and hypothesis.rule else runners  # a rule is judged beside all models
        return cls(
            name=verdict.part.name,
            mark=Mark.of(verdict),
            reason=verdict.reason if evidence else "",
            sentence=sentence(verdict),
            command=local(scenario, record, measured, beside) if scenario else "",
            hosted=hosted(scenario, record) if scenario else "",
            facts=_facts(evidence) | _runs(verdict) if evidence else {},
            scenario=scenario,
            runners=runners,
            file=evidence.gated.file.path if evidence else "",
        )


def _facts(evidence: Evidence) -> dict[str, str]:
    """Say what a verdict rests on; the noise is how far two measurements of the block's baseline lay apart."""
    hypothesis, noise = evidence.hypothesis, evidence.noise
    floor, decided = "no control for this metric", "not known"
    if noise is not None:
        floor, decided = _noise_words(band_to_leave(evidence.compared[0], noise), noise)
    interval, sample = ("Interval of the ratio", "pair") if hypothesis.is_of_ratios else ("Interval", "round")
    if hypothesis.is_of_ratios and kind_of_metric(hypothesis.metric).turned:  # sentences have that of the speeds
        interval += " of times"
    return {
        "Expected": hypothesis.words,
        interval: "; ".join(_bounds(step, hypothesis) for step in evidence.compared),
        "Noise floor": floor,
        "Decided by nine in ten runs": decided,
        "Samples": counted(min(step.count for step in evidence.compared), sample),
        **_load(evidence),
    }


def _load(evidence: Evidence) -> dict[str, str]:
    """Say how much of a core the load generator used, where it may be part of what was measured."""
    share = highest_share(evidence)
    return {"Load generator": f"up to {format_share(share)} of a core"} if share else {}


def _noise_words(band: tuple[float, float], noise: Comparison) -> tuple[str, str]:
    """Say what a difference has to leave, and of which size nine in ten such runs would decide it."""
    if noise.low == noise.high == 1:
        return "none: the baseline never differs from itself", "any difference"
    control = ratio_words(noise.ratio, noise.low, noise.high)
    floor = f"{format_ratio_interval(*band)}; the baseline against itself: {control}"
    width = smallest_detectable(noise)
    if width is None:
        return floor, "not known"
    least = width * band[1]
    if least > TWICE:
        return floor, f"a difference of {format_ratio(least)} times or more"
    return floor, f"a difference of {100 * max(least - 1, LEAST_SHARE):.1f}{NO_BREAK}% or more"


def _bounds(step: Interval, hypothesis: Hypothesis) -> str:
    """Write an interval so that its two ends differ, if they do, and that one which is not 1 does not read as 1."""
    if not hypothesis.is_of_ratios:
        return format_interval(step.low, step.high, hypothesis.metric.unit)
    if step.low != step.high and format_bound(step.low) == format_bound(step.high):
        return f"{step.low:.4f} to {step.high:.4f}"
    return format_ratio_interval(step.low, step.high)


def _runs(verdict: PartVerdict) -> dict[str, str]:
    """Say what several runs decide, which where they differ, and how many decide nothing; nothing of one alone."""
    runs: dict[str, list[str]] = defaultdict(list)
    for run in verdict.runs:
        runs[run.verdict].append(run.run)
    silent = verdict.undecided_runs
    deciding = len(verdict.runs) or 1
    if len(runs) > 1:
        said = [f"{decided}: {', '.join(names)}" for decided, names in runs.items()]
    elif silent:
        decided = verdict.runs[0].verdict if verdict.runs else verdict.leans or verdict.verdict
        said = [runs_that_decide(deciding, silent, decided)]
    else:
        said = [f"{counted(len(names), 'run')}, each: {decided}" for decided, names in runs.items()]
    said += [f"{silent} {'decides' if silent == 1 else 'decide'} nothing"] if silent else []
    return {"Runs": "; ".join(said)} if said else {}
