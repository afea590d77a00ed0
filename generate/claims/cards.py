"""The card behind a square of the board: each part of a claim, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generate.claims.sentences import describe_verdict
from generate.words import patterns
from generate.words.numbers import count_noun, describe_ratios, format_value
from generate.words.repeat import choose_profile, format_hosted_command, format_local_command
from generate.words.units import find_kind

if TYPE_CHECKING:
    from generate.claims.judge import Evidence, PartVerdict, Verdict


class PartCard(NamedTuple):
    """One part of a claim on a card. Texts are empty if there is nothing to show."""

    name: str
    verdict: Verdict
    depends_on: str
    sentence: str
    command: str
    """Measures it again on your own machine; `hosted` does so on a hosted machine."""
    hosted: str
    facts: dict[str, str]
    scenario: str
    runners: list[str]
    file: str

    @classmethod
    def from_verdict(cls, verdict: PartVerdict) -> PartCard:
        """Return a verdict's card."""
        evidence, hypothesis = verdict.evidence, verdict.part.hypothesis
        shared = (verdict.part.name, verdict.verdict, verdict.part.written.depends_on, describe_verdict(verdict))
        if hypothesis is None:
            return cls(*shared, "", "", {}, "", [], "")
        scenario, runners = hypothesis.scenario.name, hypothesis.runners
        newest = evidence.newest if evidence else None
        record = newest.file.record if newest else choose_profile(hypothesis.scenario)
        counterpart = newest.counterpart if newest and hypothesis.is_against_gil else None
        others = [counterpart.file.record.build] if counterpart else []
        command = format_local_command(scenario, record, [] if hypothesis.rule else runners, others)
        hosted, facts = format_hosted_command(scenario, record), _facts(evidence) if evidence else {}
        return cls(*shared, command, hosted, facts, scenario, runners, newest.file.path if newest else "")


def _facts(evidence: Evidence) -> dict[str, str]:
    """Return the evidence of a verdict: what was expected, and each run's own number."""
    runs = "; ".join(_runs(evidence, step) for step in range(len(evidence.compared)))
    return {"Expected": evidence.hypothesis.expectation, "Runs": runs}


def _runs(evidence: Evidence, step: int) -> str:
    """List each run's own number, newest first: "2 runs (12 rounds): 1.4, 1.5 times as fast"."""
    hypothesis, runs = evidence.hypothesis, evidence.compared[step].runs
    numbers = [run.value for run in runs]
    if hypothesis.compares_ratios:
        values = describe_ratios(numbers, find_kind(hypothesis.metric)).removeprefix(patterns.TAKES)
    else:
        unit = "ratio" if hypothesis.rule else hypothesis.metric.unit
        values = ", ".join(format_value(number, unit) for number in numbers)
    rounds = count_noun(sum(run.rounds for run in runs), "round")
    return patterns.CLAIM_RUNS.format(runs=count_noun(len(runs), "run"), rounds=rounds, values=values)
