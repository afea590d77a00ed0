"""How well the estimates predict further runs, and docs/validation.json, in which `make validate` keeps that."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from generate.data.between_runs import POINT, BetweenRuns, Excess, table
from generate.data.estimates import excess, log_variance, pool
from generate.data.selection import OWN_VALUE, Divisor
from runners.harness.contract import Metric
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from generate.data.between_runs import Block
    from generate.data.estimates import RunRounds
    from generate.data.selection import Result
    from runners.harness.record.model import SeriesKey

FILE = "validation.json"
Work = Literal["computes", "waits"]
Compared = Literal["value", "ratio", "within", "across"]
"""Values; ratios; ratios of two series of one build, and of one series on two builds."""


class Made(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When, where and from which commit figures were made."""

    date: str
    machine: str
    commit: str | None
    processor: str = ""


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a number of tests."""

    count: int
    of: int

    @property
    def share(self) -> float:
        """From 0 to 1; 0 without tests."""
        return self.count / self.of if self.of else 0.0


class Prediction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Each run of a series held out, and the range that its other runs predict for a further one."""

    compared: Compared
    first: bool
    """True for each scenario's first metric only."""
    is_map: bool
    """True for the map's points, of which there are thousands."""
    series: int
    inside: Share
    """Runs inside that range, predicted by a table without the held-out series."""
    inside_unseen: Share
    """The same by a table without the held-out run."""
    half_width: float
    """Median: upper end of that range over the estimate, less 1."""
    long_run: float
    """The same for the long-run value's range, over all runs of a series."""
    halves: Share
    """Estimates of two disjoint halves of the runs that differ beyond their combined ranges."""
    scenarios: dict[str, Share]
    """Runs inside, by scenario with enough tests."""

    @property
    def lowest(self) -> tuple[str, Share]:
        """The scenario with the lowest share; a nameless one of all tests if none has enough."""
        by_share = sorted(self.scenarios.items(), key=lambda item: item[1].share)
        return by_share[0] if by_share else ("", self.inside)


class Planted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A difference put onto the real ratios of controls, three runs at a time."""

    factor: float
    work: Work
    seen: Share
    missed: dict[str, Share]
    """By block, if not all were seen."""


class Detection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the rule can tell apart: controls, whose true ratio is 1, and differences planted in them."""

    controls: Share
    """Told apart from their baselines over all their runs: first metrics."""
    controls_all: Share
    """The same for all metrics."""
    controls_one_run: Share
    """Told apart by a single run."""
    controls_quick: Share
    """Told apart by a quick run: a window of three rounds of a longer one."""
    quick_seen: Share
    """Quick runs that see a difference of 1.5 times or more, as estimated over all runs."""
    quick_wrong: Share
    """Quick runs that contradict a decided estimate over all runs."""
    planted: list[Planted]
    """In blocks whose first metric is a time or a rate, for candidates as steady as their baselines."""


class Slowdown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tenth more of the same work, measured like any runner: one trial."""

    times: int
    """Number of comparisons, each of so many rounds:"""
    rounds: int
    ratio: float
    """Median of their medians."""
    spread: float
    """Standard deviation of the control's ratios over all rounds."""
    made: Made
    work: Work = "computes"


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way of measuring the ratio of two variants."""

    reference: float
    """The ratio after a long measurement."""
    error: float
    """Median distance of a short measurement from it, as a share."""
    spent_s: float
    """Median wall time of a short measurement."""


class Beside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Our way of measuring a ratio, and pyperf's."""

    work: str
    times: int
    ours: Way
    pyperf: Way


class Validation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All figures; each part is kept until it is validated again, and trials of a real slowdown add up."""

    made: dict[str, Made] = {}
    """By part, but for the slowdown: each trial has its own."""
    predictions: list[Prediction] = []
    detection: Detection | None = None
    slowdown: list[Slowdown] = []
    """Every trial, oldest first."""
    pyperf: list[Beside] = []
    agreement: dict[str, dict[str, float]] = {}
    """By server and meter: our requests per second / its."""


class ValidationError(UserError):
    """The record of the validation is not what it must be."""


def read(docs: Path) -> Validation:
    """Return what was validated so far. Raises ValidationError."""
    path = docs / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Validation) if path.exists() else Validation()
    except msgspec.DecodeError as error:
        msg = f"{docs.name}/{FILE}: {error}; restore it, or remove it and make it again: make validate"
        raise ValidationError(msg) from error


@dataclass(frozen=True)
class SeriesRuns:
    """One series, or one pair of series, and the runs that count."""

    result: str
    """Machine and build."""
    key: SeriesKey
    block: Block
    is_first: bool
    """True for the scenario's first metric."""
    runs: Sequence[RunRounds]
    """Newest first; every value is above 0."""

    @property
    def is_control(self) -> bool:
        """True for the baseline's second measurement."""
        return self.key.role == "control"

    @property
    def is_evidence(self) -> bool:
        """False for a control's ratio, which shows nothing about candidates."""
        return not self.is_control or self.block.compared == "value"

    @cached_property
    def excess(self) -> float | None:
        """How much the runs differ beyond their rounds; None for one run."""
        return excess(self.runs)

    def excess_without(self, run: str) -> float | None:
        """Return how much the others differ."""
        return excess([each for each in self.runs if each.run != run])


def series_runs(scenario: str, results: Iterable[Result]) -> Iterator[SeriesRuns]:
    """Yield every value and ratio on the log scale that a scenario's *results* have."""
    for result in results:
        keys = dict.fromkeys(key for run in result.runs for key in run.view.series if key.scenario == scenario)
        for key in keys:
            if key.role != "reference":
                yield from _series_runs(result, key)


def _series_runs(result: Result, key: SeriesKey) -> Iterator[SeriesRuns]:
    records = result.runs_with(key)
    series, view = records[0].view.series[key], records[0].view
    base = view.baseline(series)
    divisors = [OWN_VALUE, *([Divisor("within", base.key)] if base and base is not series else [])]
    if key.role == "subject":
        divisors.append(Divisor("across", key._replace(role="reference")))
        if any(run.counterpart and not run.counterpart.is_reference for run in records):
            divisors.append(Divisor("across", key, is_counterpart=True))
    metrics = view.metrics(series)
    names = (name for name in series.samples.values if POINT.match(name) and name.endswith("_elapsed_ns"))
    points = [Metric(name, "", "ns", "lower") for name in names]
    for metric in points or metrics:
        for divisor in divisors if metric.unit != "count" else ():
            runs, _ = result.rounds_of_runs(key, metric, divisor)
            if runs and all(min(run.values) > 0 for run in runs):
                block = result.block(key, metric, divisor.compared)
                is_first = bool(points) or metric is metrics[0]
                yield SeriesRuns(result.key.key, key, block, is_first, runs)


def between_runs_table(every: Iterable[SeriesRuns], without: str = "") -> BetweenRuns:
    """Return the table of how much runs differ, without one of them if named."""
    excesses = (
        (each.block, each.excess_without(without) if any(run.run == without for run in each.runs) else each.excess)
        for each in every
        if each.is_evidence
    )
    return table((block, own) for block, own in excesses if own is not None)


def without_series(between: BetweenRuns, own: SeriesRuns) -> BetweenRuns:
    """Return the table as it would be without one series."""
    known = between.blocks.get(own.block)
    if known is None or own.excess is None or not own.is_evidence:
        return between
    left = known.series - 1
    mean = (known.mean * known.series - own.excess) / left if left else 0.0
    return BetweenRuns({**between.blocks, own.block: Excess(mean, left)})


class HeldOut(NamedTuple):
    """One run, and what the others predicted."""

    is_inside: bool
    half_width: float
    """Of the range of a further run: its upper end over the estimate, less 1."""


def hold_out(series: SeriesRuns, run: RunRounds, between: float) -> HeldOut | None:
    """Compare one run with the range that the others predict; None if they predict none."""
    others = pool([each for each in series.runs if each is not run], between)
    own = pool([run], between)
    if others is None or own is None or not others.has_range:
        return None
    is_inside = others.another_low <= own.runs[0].value <= others.another_high
    return HeldOut(is_inside, others.another_high / others.value - 1)


def halves_differ(series: SeriesRuns, between: float) -> bool | None:
    """True if estimates of two disjoint halves of the runs differ beyond their combined range; None without a range."""
    first, second = (pool(series.runs[start::2], between) for start in (0, 1))
    if first is None or second is None or not (first.has_range and second.has_range):
        return None
    return first.over(second).differs


def windows(block: Sequence[SeriesRuns], rounds: int) -> Iterator[Mapping[int, RunRounds]]:
    """Yield what quick runs of so many rounds would have measured: runs by index in *block*."""
    runs: dict[str, dict[int, RunRounds]] = defaultdict(dict)
    for index, series in enumerate(block):
        for run in series.runs:
            runs[run.run][index] = run
    for by_index in runs.values():
        for start in range(0, min(len(run.values) for run in by_index.values()) - rounds + 1, rounds):
            cut = {index: run._replace(values=run.values[start : start + rounds]) for index, run in by_index.items()}
            variance = _mean_variance(cut.values())
            yield {index: run._replace(block_variance=variance) for index, run in cut.items()}


def _mean_variance(runs: Iterable[RunRounds]) -> float | None:
    known = [each for run in runs if (each := log_variance(run.values)) is not None]
    return fmean(known) if known else None
