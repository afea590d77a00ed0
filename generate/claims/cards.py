"""What the cards behind the board's squares show of each part of a claim, as data. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generate.claims.sentences import describe_verdict
from generate.words.numbers import count_noun, describe_ratios, format_share, format_value
from generate.words.repeat import choose_profile, format_hosted_command, format_local_command
from generate.words.units import kind_of_metric

if TYPE_CHECKING:
    from generate.claims.evidence import Evidence
    from generate.claims.verdicts import PartVerdict, Verdict


class PartCard(NamedTuple):
    """What a card shows of one part of a claim. Texts are empty if there is nothing to show."""

    name: str
    verdict: Verdict
    depends_on: str
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
        usual = choose_profile(hypothesis.scenario) if hypothesis else "full"
        newest = evidence.newest if evidence else None
        record = newest.file.record if newest else usual
        counterpart = newest.counterpart if newest and hypothesis and hypothesis.is_against_gil else None
        beside = [counterpart.file.record.build] if counterpart else []
        measured = () if hypothesis and hypothesis.rule else runners  # a rule is judged beside all models
        return cls(
            name=verdict.part.name,
            verdict=verdict.verdict,
            depends_on=verdict.part.written.depends_on,
            sentence=describe_verdict(verdict),
            command=format_local_command(scenario, record, measured, beside) if scenario else "",
            hosted=format_hosted_command(scenario, record) if scenario else "",
            facts=_facts(evidence) if evidence else {},
            scenario=scenario,
            runners=runners,
            file=newest.file.path if newest else "",
        )


def _facts(evidence: Evidence) -> dict[str, str]:
    """Return what a verdict rests on: what was expected, and each run's own number."""
    share = evidence.load_share
    return {
        "Expected": evidence.hypothesis.words,
        "Runs": "; ".join(_runs(evidence, step) for step in range(len(evidence.compared))),
        **({"Load generator": f"up to {format_share(share)} of a core"} if share else {}),
    }


def _runs(evidence: Evidence, step: int) -> str:
    """Write each run's own number, newest first: "2 runs (12 rounds): 1.4, 1.5 times as fast"."""
    hypothesis, runs = evidence.hypothesis, evidence.compared[step].runs
    if hypothesis.rule:
        values = ", ".join(format_share(run.value) for run in runs)
    elif hypothesis.is_of_ratios:
        ratios = [run.value for run in runs]
        values = describe_ratios(ratios, kind_of_metric(hypothesis.metric)).removeprefix("takes ")
    else:
        values = ", ".join(format_value(run.value, hypothesis.metric.unit) for run in runs)
    return f"{count_noun(len(runs), 'run')} ({count_noun(sum(run.rounds for run in runs), 'round')}): {values}"
