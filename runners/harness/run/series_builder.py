"""Keeps what has been measured so far of one cell, and gives it as a record at any moment. Our side."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from runners.harness.record.model import Observed, SampleRow, Samples, Series, Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.process.launcher import SampleResult
    from runners.harness.run.plan import Entry, Step

PHASES = ("interpreter_start", "imports", "warm_up", "measured")
NS_PER_US = 1000
GIVEN_UP_AFTER = 2
"""Time-outs in a row after which a series is not tried again."""


@dataclass
class SeriesBuilder:
    """The samples of one series, as they come in."""

    rows: list[SampleRow] = field(default_factory=list)
    observed: dict[str, Any] | None = None

    def add(self, step: Step, result: SampleResult) -> None:
        """Append one sample."""
        values = {name: value for name, value in result.values.items() if not self._left_out(name, value, step)}
        warm_up_us = result.phases["warm_up"] // NS_PER_US if "warm_up" in result.phases else None
        self.rows.append(SampleRow(step.round, step.position, result.status, result.reason, warm_up_us, values))
        if result.observed and (result.status == "ok" or all(row.status != "ok" for row in self.rows)):
            self.observed = dict(result.observed)

    def _left_out(self, name: str, value: object, step: Step) -> bool:
        """Return whether it is left out: a trace but the first; a list of a control, whose numbers give the noise."""
        if "_trace_" in name and any(name in row.values for row in self.rows):
            return True
        return isinstance(value, list) and step.entry.role == "control"

    def given_up(self) -> bool:
        """Return whether it has timed out so often in a row that it is not tried again."""
        statuses = [row.status for row in self.rows if row.status != "not_reached"]
        return statuses[-GIVEN_UP_AFTER:] == ["timed_out"] * GIVEN_UP_AFTER


class CellBuilder:
    """One cell's series."""

    def __init__(self, scenarios: Mapping[str, Scenario], entries: Sequence[Entry], rounds: int) -> None:
        """Begin with nothing measured."""
        self._scenarios = scenarios
        self._rounds = rounds
        self.series_of = {entry: SeriesBuilder() for entry in entries}
        self.refused: dict[Entry, tuple[Status, str]] = {}
        """Series that can't be measured on this build: status and reason."""
        self.wall_ns = dict.fromkeys((*PHASES, "harness"), 0)

    def add(self, step: Step, result: SampleResult) -> None:
        """Take down one sample."""
        self.series_of[step.entry].add(step, result)
        for phase in PHASES:
            self.wall_ns[phase] += result.phases.get(phase, 0)
        self.wall_ns["harness"] += max(result.wall_ns - sum(result.phases.get(phase, 0) for phase in PHASES), 0)

    def restore(self, entry: Entry, series: Series) -> None:
        """Take over what an incomplete file holds of one series."""
        self.series_of[entry].rows.extend(series.samples.rows())
        self.series_of[entry].observed = None if series.observed is None else msgspec.to_builtins(series.observed)

    def scenarios(self) -> list[str]:
        """Name the scenarios that it holds series of."""
        return sorted({entry.scenario for entry in self.series_of})

    def has(self, step: Step) -> bool:
        """Return whether this sample is there already."""
        return any(row.round == step.round for row in self.series_of[step.entry].rows)

    def series(self, entry: Entry) -> Series:
        """Return one series as it stands."""
        series = self.series_of[entry]
        scenario = self._scenarios[entry.scenario]
        status, reason = self.refused.get(entry) or self._status(series)
        return Series(
            scenario=entry.scenario,
            case=entry.case,
            runner=entry.runner,
            role=entry.role,
            source_sha256=scenario.runners[entry.runner].source_sha256,
            status=status,
            reason=reason,
            observed=None if series.observed is None else Observed(**series.observed),
            samples=Samples.of(series.rows),
        )

    def _status(self, series: SeriesBuilder) -> tuple[Status, str | None]:
        bad = [row for row in series.rows if row.status != "ok"]
        if not series.rows:
            return "not_reached", "the run ended before it"
        if len(bad) == len(series.rows):
            return bad[0].status, bad[0].reason
        if bad:
            return "partial", f"{len(bad)} of {self._rounds} samples: {bad[0].reason}"
        if len(series.rows) < self._rounds:
            return "partial", f"{len(series.rows)} of {self._rounds} samples were reached"
        return "ok", None
