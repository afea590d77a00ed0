"""How the statistics did on committed runs and known truths: docs/validation.json, which `make validate` writes."""

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
"""What planted work does."""
Compared = Literal["value", "ratio", "within", "across"]
"""Values; ratios; of these the ones of two series of one build, and of one series on two builds."""


class Made(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When, where and from which commit figures were made."""

    date: str
    machine: str
    commit: str | None
    processor: str = ""
    """Empty if it was not kept."""


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many of so many."""

    count: int
    of: int

    @property
    def share(self) -> float:
        """From 0 to 1; 0 of nothing."""
        return self.count / self.of if self.of else 0.0


class Prediction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Each run of a series held out, and the range that its other runs give for a further one."""

    compared: Compared
    first: bool
    """True: of each scenario's first metric; False: of all its metrics."""
    is_map: bool
    """True: of the map's points, which are counted apart as they are thousands."""
    series: int
    inside: Share
    """Runs inside that range, the held-out series not being in the table of what differs between runs."""
    inside_unseen: Share
    """The same, no series of the held-out run being in that table."""
    half_width: float
    """Median: upper end of that range over the estimate, less 1."""
    long_run: float
    """The same of the long-run value's range, over all runs of a series."""
    halves: Share
    """Estimates of two disjoint halves of the runs that differ beyond their combined ranges."""
    scenarios: dict[str, Share]
    """By scenario with enough tests: runs inside."""

    @property
    def lowest(self) -> tuple[str, Share]:
        """The scenario with the lowest share; all of them without a name if none has enough tests."""
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
    """What the rule tells apart: controls, whose true ratio is 1, and what was planted in them."""

    controls: Share
    """Told apart from their baselines over all their runs: first metrics."""
    controls_all: Share
    """The same of all metrics."""
    controls_one_run: Share
    """Told apart by a single run."""
    controls_quick: Share
    """Told apart by a quick run: a window of three rounds of a longer one."""
    quick_seen: Share
    """Quick runs of a difference of 1.5 times or more, over all runs, that see it."""
    quick_wrong: Share
    """Quick runs that decide against the estimate over all runs, where that decides."""
    planted: list[Planted]
    """Each for candidates as steady as their baselines: blocks whose first metric is a time or a rate."""


class Slowdown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tenth more of the same work, measured like any runner: one trial."""

    times: int
    """How many series of rounds it is of."""
    rounds: int
    ratio: float
    """Median of their medians."""
    spread: float
    """Standard deviation of the control's ratios, all rounds together: how noisy the work was just then."""
    made: Made
    work: Work = "computes"


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way of measuring the ratio of two variants."""

    reference: float
    """The ratio that it gives when it measures for long."""
    error: float
    """Median distance of a short measurement from that, as a share of it."""
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
    """By the name of the part, as here; of the slowdown, each trial has its own."""
    predictions: list[Prediction] = []
    detection: Detection | None = None
    slowdown: list[Slowdown] = []
    """Every trial, in the order in which they were made."""
    pyperf: list[Beside] = []
    agreement: dict[str, dict[str, float]] = {}
    """By server and meter: our requests per second divided by its."""


class ValidationError(UserError):
    """The record of the validation is not what it must be."""


def read(docs: Path) -> Validation:
    """Return what was validated so far; nothing if there is no record. Raises ValidationError."""
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
        """False for a control's ratio, which shows nothing of what candidates do."""
        return not self.is_control or self.block.compared == "value"

    @cached_property
    def excess(self) -> float | None:
        """How much the runs differ beyond their rounds; None for one run."""
        return excess(self.runs)

    def excess_without(self, run: str) -> float | None:
        """Return the same without one run."""
        return excess([each for each in self.runs if each.run != run])


def series_runs(scenario: str, results: Iterable[Result]) -> Iterator[SeriesRuns]:
    """Yield every value and ratio on the log scale that a scenario's *results* have."""
    for result in results:
        keys = dict.fromkeys(key for run in result.runs for key in run.view.series if key.scenario == scenario)
        for key in keys:
            if key.role != "reference":
                yield from _of_series(result, key)


def _of_series(result: Result, key: SeriesKey) -> Iterator[SeriesRuns]:
    having = result.runs_with(key)
    series, view = having[0].view.series[key], having[0].view
    base = view.baseline(series)
    divisors = [OWN_VALUE, *([Divisor("within", base.key)] if base and base is not series else [])]
    if key.role == "subject":
        divisors.append(Divisor("across", key._replace(role="reference")))
        if any(run.counterpart and not run.counterpart.is_reference for run in having):
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
                yield SeriesRuns(result.address, key, block, is_first, runs)


def between_runs_table(every: Iterable[SeriesRuns], without: str = "") -> BetweenRuns:
    """Return the table of what differs between runs; of all but one run if it is named."""
    found = (
        (each.block, each.excess_without(without) if any(run.run == without for run in each.runs) else each.excess)
        for each in every
        if each.is_evidence
    )
    return table((block, apart) for block, apart in found if apart is not None)


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
    """Set one run beside the range that the others give for a further one; None if they give none."""
    others = pool([each for each in series.runs if each is not run], between)
    own = pool([run], between)
    if others is None or own is None or not others.has_range:
        return None
    is_inside = others.another_low <= own.runs[0].value <= others.another_high
    return HeldOut(is_inside, others.another_high / others.value - 1)


def halves_differ(series: SeriesRuns, between: float) -> bool | None:
    """True if estimates of two disjoint halves of the runs differ beyond their combined range; None without a range."""
    halves = [pool(series.runs[start::2], between) for start in (0, 1)]
    first, second = halves
    if first is None or second is None or not (first.has_range and second.has_range):
        return None
    return first.over(second).differs


def windows(block: Sequence[SeriesRuns], rounds: int) -> Iterator[Mapping[int, RunRounds]]:
    """Yield what quick runs would have measured of one block: by index in *block*, so many rounds of one run.

    The block's variance is that of these rounds.
    """
    runs: dict[str, dict[int, RunRounds]] = defaultdict(dict)
    for index, series in enumerate(block):
        for run in series.runs:
            runs[run.run][index] = run
    for of_run in runs.values():
        for start in range(0, min(len(run.values) for run in of_run.values()) - rounds + 1, rounds):
            cut = {index: run._replace(values=run.values[start : start + rounds]) for index, run in of_run.items()}
            variance = _mean_variance(cut.values())
            yield {index: run._replace(block_variance=variance) for index, run in cut.items()}


def _mean_variance(runs: Iterable[RunRounds]) -> float | None:
    known = [each for run in runs if (each := log_variance(run.values)) is not None]
    return fmean(known) if known else None
