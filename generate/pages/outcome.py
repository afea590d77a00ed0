"""What a comparison comes to for who reads a headline: faster, slower, no difference, or not decided. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from generate.statistics.noise import NOT_SEEN, SMALL, Finding, distance, finding_of
from generate.text.units import DURATION, kind_of_metric

if TYPE_CHECKING:
    from generate.statistics.intervals import Comparison
    from generate.text.over_runs import OverRuns
    from runners.harness.contract import Metric

Outcome = Literal["less", "more", "same", "undecided"]
"""How a value compares with its baseline's: decided and beyond the noise, no difference, or neither."""


def outcome_of(compared: Comparison | None, noise: Comparison | None, runs: OverRuns | None = None) -> Outcome:
    """Return what *compared* comes to; *noise* is the baseline against itself, *runs* have the ratios of several.

    A difference that another run of the build does not have, or has the other way round, is not decided: what differs
    between runs, as where a thread's stack lies, is in no interval. Nor is it decided that there is none where all of
    several runs plainly have one, on one side.
    """
    if compared is None:
        return "undecided"
    finding = finding_of(compared, noise)
    if finding in NOT_SEEN:
        return "undecided" if _is_plain_over(runs) else "same"
    if finding is not Finding.BEYOND:
        return "undecided"
    if distance(compared.ratio) < SMALL:
        return "same"
    return _confirmed("less" if compared.ratio < 1 else "more", runs)


def _is_plain_over(runs: OverRuns | None) -> bool:
    """Say whether all of several runs lie on one side, none so near to 1 that a headline calls it no difference."""
    return runs is not None and bool(runs.side) and min(distance(runs.low), distance(runs.high)) >= SMALL


def _confirmed(outcome: Outcome, runs: OverRuns | None) -> Outcome:
    return "undecided" if runs and runs.low <= 1 <= runs.high else outcome


def gain_words(compared: Comparison, noise: Comparison | None, metric: Metric, runs: OverRuns | None = None) -> str:
    """Say whether there is a gain in *metric*, of which less or more is better: yes, no, none seen, or not decided.

    What lies on the other side with all of its interval is no gain, however much of that is noise. Where no difference
    was seen there may be a small one, so that is not a plain no; where all of several runs gain, it is not even that.
    """
    outcome = outcome_of(compared, noise, runs)
    is_better = (compared.ratio < 1) is (metric.better == "lower")
    finding = finding_of(compared, noise)
    is_decided = finding is Finding.BEYOND
    if finding in NOT_SEEN:
        return "too close to call" if is_better and runs and runs.side else "none was seen"
    if outcome == "same" and is_better:
        return "hardly any"
    if outcome == "same" or (outcome == "undecided" and not is_decided and compared.differs and not is_better):
        return "no"
    if outcome == "undecided":
        return "too close to call"
    words = "yes" if is_better else "no, they take longer" if kind_of_metric(metric) is DURATION else "no"
    return f"{words} (quick run)" if compared.quick else words
