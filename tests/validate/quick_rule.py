"""Tries the rule for few rounds on windows of three consecutive rounds of real runs. Pure.

What a whole run says of a pair, its median over all rounds, stands for the truth: of a control that is 1.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from generate.statistics import quick
from generate.statistics.intervals import median_interval, paired_ratios
from generate.statistics.quick import FEWEST, block_variance, quick_interval, speaks
from generate.statistics.validation import QuickRule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generate.analysis.gated import GatedRecord
    from runners.harness.record.model import Series

PLAIN = 1.5
"""A difference of so many times is plain: the rule is to see nearly all of those."""
COUNTS = ("controls", "false_alarms", "plain", "seen", "wrong_way")
RULE_SHA256 = hashlib.sha256(Path(quick.__file__).read_bytes()).hexdigest()


class Pair(NamedTuple):
    """A series of a block beside its baseline, in one window."""

    is_control: bool
    ratios: list[float]
    """To the baseline, a round each."""
    truth: float
    """The median of the ratios over the whole run."""


def tally(records: Iterable[GatedRecord], spacing: str) -> QuickRule:
    """Count, over all windows, how often the rule is wrong, and how many plain differences it sees."""
    tallied = QuickRule(spacing, 0, 0, 0, 0, 0, RULE_SHA256)
    for pairs in (window for gated in records for window in windows(gated)):
        noise = block_variance(pair.ratios for pair in pairs)
        controls = [quick_interval(pair.ratios, noise) for pair in pairs if pair.is_control]
        reach = max(max(control.high, 1 / control.low) for control in controls)
        tallied.controls += len(controls)
        tallied.false_alarms += sum(not control.low <= 1 <= control.high for control in controls)
        for pair in pairs:
            found = quick_interval(pair.ratios, noise)
            if not pair.is_control and max(pair.truth, 1 / pair.truth) >= PLAIN:
                differs = not found.low <= 1 <= found.high and not 1 / reach <= found.median <= reach
                tallied.plain += 1
                tallied.seen += differs
                tallied.wrong_way += differs and (found.low > 1) != (pair.truth > 1)
    return tallied


def with_earlier(tried: QuickRule, earlier: Iterable[QuickRule]) -> QuickRule:
    """Add what the same rule did before at the same spacing: one run has too few controls for a rate of a per cent."""
    for rule in earlier:
        if (rule.spacing, rule.rule_sha256) == (tried.spacing, tried.rule_sha256):
            counts = {name: getattr(tried, name) + getattr(rule, name) for name in COUNTS}
            tried = msgspec.structs.replace(tried, **counts)
    return tried


def windows(gated: GatedRecord) -> Iterator[list[Pair]]:
    """Return each block of a record in each window of as many rounds as a quick run has, none in two windows."""
    blocks: dict[tuple[str, str], list[Series]] = defaultdict(list)
    for series in gated.file.record.series:
        if series.role != "reference":
            blocks[series.scenario, gated.view.block(series)].append(series)
    rounds = range(1, gated.file.record.run.rounds + 1)
    for block in blocks.values():
        for first in rounds[::FEWEST]:
            pairs = [*_pairs(gated, block, range(first, first + FEWEST))]
            if any(pair.is_control for pair in pairs):
                yield pairs


def _pairs(gated: GatedRecord, block: Sequence[Series], rounds: range) -> Iterator[Pair]:
    for series in block:
        base = gated.view.baseline(series)
        metric = gated.view.metrics(series)[0]
        if base is None or base is series or not gated.decides(series, base):
            continue
        values, of_base = gated.by_round(series, metric), gated.by_round(base, metric)
        ratios = paired_ratios({number: values[number] for number in rounds if number in values}, of_base)
        whole = paired_ratios(values, of_base)
        if len(ratios) == FEWEST and speaks(ratios) and min(whole) > 0:
            yield Pair(series.role == "control", ratios, median_interval(whole).median)
