"""What follows from a record of `try`: the time of each model, the fastest, and the simplest that is as fast.

Samples of all models are paired by round. How much runs differ is borrowed from the published runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Literal, get_args

import msgspec

from generate.data.between_runs import BetweenRuns, Block, Compared
from generate.data.estimates import AS_FAST, Estimate, RunRounds, fixed, pool
from generate.data.files import Problem, slug
from runners.harness.errors import UserError
from runners.harness.own import record as own_record
from runners.harness.own.record import OwnRecord, OwnSeries

Standing = Literal["best", "as fast", "perhaps", "slower"]
SIMPLEST_FIRST = get_args(own_record.ModelName)
PERHAPS_UP_TO = 1.25
"""A model whose range includes the fastest's time is as fast up to this ratio. Beyond, it is undecided."""
TIMED = frozenset({"ok", "partial"})


@dataclass(frozen=True, eq=False)
class Timing:
    """One model with one size of pool on one build, with right answers and a time."""

    result: "OwnResult"
    series: OwnSeries
    time: Estimate
    """Of one pass over the items, in ns."""

    @cached_property
    def rounds(self) -> Mapping[int, float]:
        """The time of each round."""
        return _by_round(self.series)

    def over(self, other: "Timing") -> Estimate | None:
        """Return the ratio of its time to another's, paired by round; None if they share no round."""
        if self is other:
            return fixed(1.0)
        is_same_build = self.series.build == other.series.build
        return self.result.pool(_ratios(self.rounds, other.rounds), "within" if is_same_build else "across")

    @cached_property
    def against_loop(self) -> Estimate | None:
        """The ratio of its time to that of the same build's loop; None without a loop."""
        loop = self.result.loop(self.series.build)
        return self.over(loop) if loop else None

    @cached_property
    def standing(self) -> Standing:
        """How it compares with the fastest of all builds."""
        if self in self.result.tied:
            return "best" if self is self.result.advice else "as fast"
        ratio = self.over(self.result.fastest)
        return "slower" if ratio is None or ratio.differs else "perhaps"


@dataclass(frozen=True, eq=False)
class OwnResult:
    """A record, and what follows from it."""

    record: OwnRecord
    between: BetweenRuns = field(default_factory=BetweenRuns)

    def pool(self, values: Sequence[float], compared: Compared) -> Estimate | None:
        """Estimate a ratio from its rounds; a value's range is only of this run, for bars next to each other."""
        variance = 0.0 if compared == "value" else self.between.variance(Block(compared, "own", "", "elapsed_ns"))
        return pool([RunRounds(self.record.id, values)], variance)

    def subjects(self, build: int) -> list[OwnSeries]:
        """Return the series of a build, without the control."""
        return [each for each in self.record.series if each.build == build and each.role == "subject"]

    @cached_property
    def timings(self) -> list[Timing]:
        """The models with right answers and a time, the simplest first; a service has none."""
        known = (each for each in self.record.series if each.role == "subject" and each.model != "service")
        timed = ((each, self.pool([*_by_round(each).values()], "value")) for each in known if each.status in TIMED)
        return [Timing(self, each, time) for each, time in sorted(timed, key=lambda pair: simplicity(pair[0])) if time]

    def loop(self, build: int) -> Timing | None:
        """Return the loop of a build."""
        return next((each for each in self.timings if (each.series.model, each.series.build) == ("loop", build)), None)

    @cached_property
    def fastest(self) -> Timing:
        """The timing with the lowest time. Raises ValueError without any."""
        return min(self.timings, key=lambda each: each.time.value)

    @cached_property
    def tied(self) -> list[Timing]:
        """The fastest and those as fast, the simplest first."""
        return [each for each in self.timings if is_tied(each.over(self.fastest))]

    @property
    def advice(self) -> Timing:
        """The simplest of the fastest. Raises ValueError without any timing."""
        _ = self.fastest
        return self.tied[0]

    @cached_property
    def noise(self) -> float | None:
        """How much the loop differs from itself, as a share, at most over the builds; None without a control."""
        controls = (each for each in self.record.series if each.role == "control")
        pairs = ((_by_round(control), self.loop(control.build)) for control in controls)
        ratios = (self.pool(_ratios(own, loop.rounds), "value") for own, loop in pairs if loop)
        known = [ratio for ratio in ratios if ratio and ratio.has_range]
        return max((max(ratio.high - 1, 1 - ratio.low) for ratio in known), default=None)


def simplicity(series: OwnSeries) -> tuple[int, int, int]:
    """Return a sort key: earlier builds, simpler models and smaller pools come first."""
    return series.build, SIMPLEST_FIRST.index(series.model), series.workers or 0


def middle(series: OwnSeries, column: str) -> float | None:
    """Return the median of a column over the samples that are ok; None without values."""
    values = (row.values.get(column) for row in series.samples.ok_rows())
    numbers = [value for value in values if isinstance(value, int | float)]
    return float(median(numbers)) if numbers else None


def _by_round(series: OwnSeries) -> dict[int, float]:
    times = ((row.round, row.values.get("elapsed_ns")) for row in series.samples.ok_rows())
    return {number: float(ns) for number, ns in times if isinstance(ns, int | float) and ns > 0}


def _ratios(own: Mapping[int, float], other: Mapping[int, float]) -> list[float]:
    return [ns / other[number] for number, ns in own.items() if number in other]


def is_tied(ratio: Estimate | None) -> bool:
    """True if a ratio of 1 or more shows no difference that matters."""
    if ratio is None or not ratio.has_range:
        return ratio is not None and ratio.value <= AS_FAST
    return ratio.is_within(AS_FAST) or (not ratio.differs and ratio.value <= PERHAPS_UP_TO)


def read(path: Path, between: BetweenRuns | None = None) -> OwnResult:
    """Read a record. Raises UserError if it can't be used."""
    try:
        return OwnResult(own_record.decode(path.read_bytes()), between or BetweenRuns())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or error
        msg = f"{path.name} is not a record of `try`: {reason}; measure again"
        raise UserError(msg) from error


def load(results: Path, between: BetweenRuns) -> tuple[dict[str, OwnResult], list[Problem]]:
    """Return the records below a folder of results by the address of their page, and those that can't be used."""
    records: dict[str, OwnResult] = {}
    problems: list[Problem] = []
    for path in sorted(results.glob(f"local/*/*/{own_record.FILE}")):
        try:
            records[slug("-".join(path.parts[-3:-1]))] = read(path, between)
        except UserError as error:
            message, _, remedy = str(error).rpartition("; ")
            problems.append(Problem(path.relative_to(results).as_posix(), "", message, remedy))
    return records, problems
