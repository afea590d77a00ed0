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

    def add(self, step: Step, taken: SampleResult) -> None:
        """Append one sample."""
        values = {name: value for name, value in taken.values.items() if not self._left_out(name, value, step)}
        warm_up_us = taken.phases["warm_up"] // NS_PER_US if "warm_up" in taken.phases else None
        self.rows.append(SampleRow(step.round, step.position, taken.status, taken.reason, warm_up_us, values))
        if taken.observed and (taken.status == "ok" or not self._has_ok()):
            self.observed = dict(taken.observed)

    def _has_ok(self) -> bool:
        return any(row.status == "ok" for row in self.rows[:-1])

    def _left_out(self, name: str, value: object, step: Step) -> bool:
        """Tell what is not kept: all traces but the first; lists of a control, whose single numbers tell the noise."""
        if "_trace_" in name and any(name in row.values for row in self.rows):
            return True
        return isinstance(value, list) and step.entry.role == "control"

    def given_up(self) -> bool:
        """Tell whether it has timed out so often in a row that it is not tried again."""
        tried = [row.status for row in self.rows if row.status != "not_reached"]
        return tried[-GIVEN_UP_AFTER:] == ["timed_out"] * GIVEN_UP_AFTER


class CellBuilder:
    """One cell's series."""

    def __init__(self, scenarios: Mapping[str, Scenario], entries: Sequence[Entry], rounds: int) -> None:
        """Begin with nothing measured."""
        self._scenarios = scenarios
        self._rounds = rounds
        self.columns = {entry: SeriesBuilder() for entry in entries}
        self.refused: dict[Entry, tuple[Status, str]] = {}
        """Series that can't be measured on this build: status and reason."""
        self.wall_ns = dict.fromkeys((*PHASES, "harness"), 0)

    def add(self, step: Step, taken: SampleResult) -> None:
        """Take down one sample."""
        self.columns[step.entry].add(step, taken)
        for phase in PHASES:
            self.wall_ns[phase] += taken.phases.get(phase, 0)
        self.wall_ns["harness"] += max(taken.wall_ns - sum(taken.phases.get(phase, 0) for phase in PHASES), 0)

    def restore(self, entry: Entry, series: Series) -> None:
        """Take over what an incomplete file holds of one series."""
        self.columns[entry].rows.extend(series.samples.rows())
        self.columns[entry].observed = None if series.observed is None else msgspec.to_builtins(series.observed)

    def scenarios(self) -> list[str]:
        """Name the scenarios that it holds series of."""
        return sorted({entry.scenario for entry in self.columns})

    def has(self, step: Step) -> bool:
        """Tell whether this sample is taken already."""
        return any(row.round == step.round for row in self.columns[step.entry].rows)

    def series(self, entry: Entry) -> Series:
        """Return one series as it stands."""
        column = self.columns[entry]
        scenario = self._scenarios[entry.scenario]
        status, reason = self.refused.get(entry) or self._status(column)
        return Series(
            scenario=entry.scenario,
            case=entry.case,
            runner=entry.runner,
            role=entry.role,
            source_sha256=scenario.runners[entry.runner].source_sha256,
            status=status,
            reason=reason,
            observed=None if column.observed is None else Observed(**column.observed),
            samples=Samples.of(column.rows),
        )

    def _status(self, column: SeriesBuilder) -> tuple[Status, str | None]:
        statuses: list[Status] = [row.status for row in column.rows]
        bad = [row for row in column.rows if row.status != "ok"]
        if not statuses:
            return "not_reached", "the run ended before it"
        if bad and len(bad) == len(statuses):
            return statuses[0], bad[0].reason
        if bad:
            return "partial", f"{len(bad)} of {self._rounds} samples: {bad[0].reason}"
        if len(statuses) < self._rounds:
            return "partial", f"{len(statuses)} of {self._rounds} samples were reached"
        return "ok", None
