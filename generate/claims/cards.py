"""What the card of a verdict adds to its sentence: each run's own number, and the command that measures it again."""

from generate.claims.judge import Evidence, PartVerdict
from generate.words import patterns
from generate.words.numbers import count_noun, describe_ratios, format_value
from generate.words.repeat import choose_profile, format_local_command
from generate.words.units import find_kind


def list_runs(evidence: Evidence) -> str:
    """List each run's own number, newest first: "1.4, 1.5 times as fast (2 runs, 12 rounds)"; steps one by one."""
    return "; ".join(_list_step(evidence, step) for step in range(len(evidence.compared)))


def _list_step(evidence: Evidence, step: int) -> str:
    hypothesis, runs = evidence.hypothesis, evidence.compared[step].runs
    numbers = [run.value for run in runs]
    if hypothesis.compares_ratios:
        values = describe_ratios(numbers, find_kind(hypothesis.metric)).removeprefix(patterns.TAKES)
    else:
        unit = "ratio" if hypothesis.rule else hypothesis.metric.unit
        values = ", ".join(format_value(number, unit) for number in numbers)
    rounds = count_noun(sum(run.rounds for run in runs), "round")
    return patterns.CLAIM_RUNS.format(runs=count_noun(len(runs), "run"), rounds=rounds, values=values)


def repeat_command(verdict: PartVerdict) -> str:
    """Return the command that measures a part again on your own machine; empty if it is never measured."""
    evidence, hypothesis = verdict.evidence, verdict.part.hypothesis
    if hypothesis is None:
        return ""
    newest = evidence.newest if evidence else None
    record = newest.file.record if newest else choose_profile(hypothesis.scenario)
    others = [evidence.baseline_build] if evidence and evidence.baseline_build else []
    runners = [] if hypothesis.rule else hypothesis.runners
    return format_local_command(hypothesis.scenario.name, record, runners, others)
