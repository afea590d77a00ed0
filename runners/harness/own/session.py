"""Measures in rounds: every model, or every rate of a service, once in each, in another order each time."""

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import cast

from runners.harness.own.record import Item, ModelName, OwnBuild, OwnSeries
from runners.harness.process.launcher import SampleResult
from runners.harness.record.model import Build, SampleRow, Samples

LEAST_ROUNDS, MOST_ROUNDS = 3, 12
TOO_SLOW = 3
"""How many times as long as the fastest a model may take."""


@dataclass
class MeasuredBuild:
    """An interpreter, and what is known of the function in it."""

    python: Path
    build: Build
    scratch: Path
    """A folder for its items, its answers and the packages of --with, which is deleted after the run."""
    starts_ns: list[int] = field(default_factory=list)
    item: Item | None = None
    reason: str | None = None
    compares: bool = True

    def row(self) -> OwnBuild:
        return OwnBuild(build=self.build, starts_ns=self.starts_ns, item=self.item, reason=self.reason)


@dataclass
class Trial:
    """Collects one series' samples. The record has its other fields, too."""

    build: int
    model: ModelName
    workers: int | None = None
    role: str = "subject"
    status: str = "not_reached"
    reason: str | None = None
    rate_per_s: int | None = None
    wrong_count: int | None = None
    compared_count: int | None = None
    rows: list[SampleRow] = field(default_factory=list)

    def add(self, number: int, position: int, result: SampleResult) -> None:
        """Keep a sample, and how many of its answers differ."""
        if result.status != "ok":
            self.status, self.reason = "partial" if self.rows else result.status, result.reason
            return
        values = dict(result.values)
        wrong, compared = (cast("int", values.pop(name, 0)) for name in ("wrong_count", "compared_count"))
        if compared:
            self.wrong_count, self.compared_count = max(self.wrong_count or 0, wrong), compared
        self.rows.append(SampleRow(number, position, "ok", None, None, values))
        self.status = "ok"
        if self.wrong_count and self.model != "loop":  # whose answers are the measure
            self.status, self.reason = "wrong_answers", result.reason or "answers differ from the loop's"

    def median_ns(self) -> float:
        """Return the time of a sample that is ok; infinite without any."""
        return median([cast("int", row.values["elapsed_ns"]) for row in self.rows] or [math.inf])

    def series(self) -> OwnSeries:
        """Return it as the record has it: without times if answers were wrong."""
        samples = Samples.from_rows([] if self.status == "wrong_answers" else self.rows)
        return OwnSeries(**{name: value for name, value in vars(self).items() if name != "rows"}, samples=samples)


def take_rounds(
    trials: Sequence[Trial], take: Callable[[Trial], SampleResult], deadline_s: float, keep: Callable[[], object]
) -> Iterator[str]:
    """Take samples in rounds until the deadline, and *keep* each. Yield progress.

    Only the least rounds may take longer. After those, what is far slower than the fastest is not measured again.
    """
    round_s = 0.0
    for number in range(1, MOST_ROUNDS + 1):
        begun_s = time.monotonic()
        measured = [trial for trial in trials if trial.status in {"not_reached", "ok"}]
        if number > LEAST_ROUNDS:
            fastest_ns = min(map(Trial.median_ns, measured), default=0.0)
            measured = [trial for trial in measured if trial.median_ns() < TOO_SLOW * fastest_ns]
        if not measured or (number > LEAST_ROUNDS and begun_s + round_s > deadline_s):
            break
        for position, trial in enumerate(random.sample(measured, len(measured))):
            trial.add(number, position, take(trial))
            keep()
        round_s = time.monotonic() - begun_s
        yield f"round {number} of at most {MOST_ROUNDS}, {round_s:.1f} s"
