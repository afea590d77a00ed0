"""Tries the rule for few rounds on windows of three consecutive rounds of real runs. Pure.

What a whole run says of a pair, its median over all rounds, stands for the truth: of a control that is 1.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from generate.results.validation import FILE, QuickRule
from generate.statistics import noise, quick
from generate.statistics.intervals import Comparison, median_interval, paired_ratios
from generate.statistics.noise import beyond_noise, wider
from generate.statistics.quick import FEWEST, block_noise, quick_interval, speaks
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generate.analysis.gated import GatedRecord
    from runners.harness.record.model import Series, SeriesKey

PLAIN = 1.5
"""A difference of so many times is plain: the rule is to see nearly all of those."""
COUNTS = ("controls", "false_alarms", "plain", "seen", "wrong_way")
RULE_SHA256 = hashlib.sha256(b"".join(Path(str(part.__file__)).read_bytes() for part in (quick, noise))).hexdigest()
"""Of both halves of the rule: where the interval lies, and what its median has to leave."""


class CountedError(UserError):
    """A long run was tried before."""


class Pair(NamedTuple):
    """A series of a block beside its baseline, in one window."""

    key: SeriesKey
    second_control: SeriesKey | None
    """Of the series that bounds this one as well; None where none does."""
    ratios: list[float]
    """To the baseline, a round each."""
    truth: float
    """The median of the ratios over the whole run."""

    @property
    def is_control(self) -> bool:
        """Whether it is like beside like."""
        return self.key.role == "control"


def tally(records: Iterable[GatedRecord], spacing: str) -> QuickRule:
    """Count, over all windows, how often the rule is wrong, and how many plain differences it sees."""
    tallied = QuickRule(spacing, 0, 0, 0, 0, 0, RULE_SHA256)
    for pairs in (window for gated in records for window in windows(gated)):
        compared = _compared(pairs)
        controls = [compared[pair.key] for pair in pairs if pair.is_control]
        control = reduce(wider, controls)
        tallied.controls += len(controls)
        tallied.false_alarms += sum(each.differs for each in controls)
        for pair in pairs:
            if not pair.is_control and max(pair.truth, 1 / pair.truth) >= PLAIN:
                found = compared[pair.key]
                second = compared.get(pair.second_control) if pair.second_control else None
                is_seen = beyond_noise(found, wider(control, second))
                tallied.plain += 1
                tallied.seen += is_seen
                tallied.wrong_way += is_seen and (found.low > 1) != (pair.truth > 1)
    return tallied


def _compared(pairs: Sequence[Pair]) -> dict[SeriesKey, Comparison]:
    """Compare each series of a block with its baseline, by the noise of the whole block."""
    of_block = block_noise(pair.ratios for pair in pairs)
    intervals = ((pair.key, quick_interval(pair.ratios, of_block)) for pair in pairs)
    return {key: Comparison.of(interval, decided=True, quick=True) for key, interval in intervals}


def with_earlier(tried: QuickRule, earlier: Iterable[QuickRule]) -> QuickRule:
    """Add what the same rule did before at the same spacing: one run has too few controls for a rate of a per cent.

    Raises CountedError where a run is among those counted before, whole or as far as it had got.
    """
    for rule in earlier:
        if (rule.spacing, rule.rule_sha256) == (tried.spacing, tried.rule_sha256) and rule.runs:
            if again := {*rule.runs} & {*tried.runs}:
                msg = f"counted already: {', '.join(sorted(again))}; try a run that is not in docs/{FILE}"
                raise CountedError(msg)
            counts = {name: getattr(tried, name) + getattr(rule, name) for name in COUNTS}
            tried = msgspec.structs.replace(tried, **counts, runs=(*rule.runs, *tried.runs))
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
            second = gated.view.second_control(series)
            yield Pair(series.key, second.key if second else None, ratios, median_interval(whole).median)
