"""What the cards behind the board's squares say of each part of a claim, as data. Pure."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from generate.claims.marks import Mark
from generate.claims.sentences import sentence
from generate.statistics.noise import smallest_detectable
from generate.text.numbers import NO_BREAK, counted, format_interval, ratio_words
from generate.text.repeat import hosted, local

if TYPE_CHECKING:
    from generate.claims.evidence import Evidence
    from generate.claims.verdicts import PartVerdict


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
        record = evidence.gated.file.record if evidence else None
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
    floor, smallest = "no control for this metric", None
    if noise is not None:
        floor = ratio_words(noise.ratio, noise.low, noise.high)
        smallest = smallest_detectable(noise)
    unit, sample = ("ratio", "pair") if hypothesis.is_of_ratios else (hypothesis.metric.unit, "round")
    return {
        "Expected": hypothesis.words,
        "Interval": "; ".join(format_interval(step.low, step.high, unit) for step in evidence.compared),
        "Noise floor": floor,
        "Difference it would nearly always see": f"{100 * (smallest - 1):.1f}{NO_BREAK}%" if smallest else "not known",
        "Samples": counted(min(step.count for step in evidence.compared), sample),
    }


def _runs(verdict: PartVerdict) -> dict[str, str]:
    """Say what several runs decide, and which where they differ; nothing where there is one."""
    runs: dict[str, list[str]] = defaultdict(list)
    for run in verdict.runs:
        runs[run.verdict].append(run.run)
    if len(runs) == 1:
        said = [f"{counted(len(names), 'run')}, each: {decided}" for decided, names in runs.items()]
    else:
        said = [f"{decided}: {', '.join(names)}" for decided, names in runs.items()]
    return {"Runs": "; ".join(said)} if said else {}
