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

from generate.data.between_runs import BetweenRuns, Block
from generate.data.estimates import AS_FAST, Estimate, RunRounds, fixed, pool
from generate.data.files import Problem, slug
from runners.harness.errors import UserError
from runners.harness.own import record as own_record
from runners.harness.own.record import ModelName, OwnRecord, OwnSeries

Standing = Literal["best", "as fast", "perhaps", "slower"]
SIMPLEST_FIRST: tuple[ModelName, ...] = get_args(own_record.ModelName)
TIMED = frozenset({"ok", "partial"})


@dataclass(frozen=True, eq=False)
class Timing:
    """One model with one size of pool on one build, with right answers and a time."""

    series: OwnSeries
    rounds: Mapping[int, float]
    """The time of each round, in ns."""
    time: Estimate
    """Its range is only of this run, for bars next to each other."""


@dataclass(frozen=True, eq=False)
class OwnResult:
    record: OwnRecord
    between: BetweenRuns = field(default_factory=BetweenRuns)

    def _pool(self, values: Sequence[float], variance: float = 0.0) -> Estimate | None:
        return pool([RunRounds(self.record.id, values)], variance)

    @cached_property
    def timings(self) -> list[Timing]:
        """The models with right answers and a time, the simplest first; a service has none."""
        subjects = (each for each in self.record.series if each.role == "subject" and each.model != "service")
        rounds = ((each, values(each, "elapsed_ns")) for each in subjects if each.status in TIMED)
        known = ((each, ns, self._pool([*ns.values()])) for each, ns in rounds)
        found = [Timing(series, ns, time) for series, ns, time in known if time and time.value > 0]
        return sorted(found, key=lambda each: (each.series.build, *simplicity(each.series.model, each.series.workers)))

    def loop(self, build: int) -> Timing | None:
        return next((each for each in self.timings if (each.series.model, each.series.build) == ("loop", build)), None)

    def ratio(self, first: Timing, second: Timing | None) -> Estimate | None:
        """Return the ratio of two times, paired by round; None if they share no round."""
        if second is None or first is second:
            return fixed(1.0) if second else None
        compared = Block("within" if first.series.build == second.series.build else "across", "own", "", "elapsed_ns")
        return self._pool(_ratios(first.rounds, second.rounds), self.between.variance(compared))

    def against_loop(self, timing: Timing) -> Estimate | None:
        """Return the ratio of a time to that of the same build's loop; None without a loop."""
        return self.ratio(timing, self.loop(timing.series.build))

    @cached_property
    def fastest(self) -> Timing:
        """The timing with the lowest time. Raises ValueError without any."""
        return min(self.timings, key=lambda each: each.time.value)

    @cached_property
    def tied(self) -> list[Timing]:
        """The fastest and those as fast, the simplest first."""
        ratios = ((each, self.ratio(each, self.fastest)) for each in self.timings)
        return [each for each, ratio in ratios if ratio and ratio.value <= AS_FAST]

    @property
    def advice(self) -> Timing:
        """The simplest of the fastest. Raises ValueError without any timing."""
        _ = self.fastest
        return self.tied[0]

    def standing(self, timing: Timing) -> Standing:
        if timing in self.tied:
            return "best" if timing is self.advice else "as fast"
        ratio = self.ratio(timing, self.fastest)
        return "slower" if ratio is None or ratio.differs else "perhaps"

    @cached_property
    def noise(self) -> float | None:
        """How much the loop differs from itself, as a share, at most over the builds; None without a control."""
        controls = (each for each in self.record.series if each.role == "control")
        pairs = ((values(control, "elapsed_ns"), self.loop(control.build)) for control in controls)
        ratios = (self._pool(_ratios(own, loop.rounds)) for own, loop in pairs if loop)
        known = [ratio for ratio in ratios if ratio and ratio.has_range]
        return max((max(ratio.high - 1, 1 - ratio.low) for ratio in known), default=None)


def simplicity(model: ModelName, workers: int | None) -> tuple[int, int]:
    """Return a sort key: simpler models and smaller pools come first."""
    return SIMPLEST_FIRST.index(model), workers or 0


def values(series: OwnSeries, column: str) -> dict[int, float]:
    """Return the numbers of a column by round, of samples that are ok and not negative."""
    rows = ((row.round, row.values.get(column)) for row in series.samples.ok_rows())
    return {number: float(value) for number, value in rows if isinstance(value, int | float) and value >= 0}


def middle(series: OwnSeries, column: str) -> float | None:
    """Return the median of a column; None without values."""
    numbers = values(series, column).values()
    return median(numbers) if numbers else None


def _ratios(first: Mapping[int, float], second: Mapping[int, float]) -> list[float]:
    return [ns / second[number] for number, ns in first.items() if second.get(number)]


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
