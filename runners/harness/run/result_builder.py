"""Keeps what has been measured so far of one cell, and gives it as series at any moment. Our side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.record.model import Observed, SampleRow, Samples, Series, Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from runners.harness.builds.interpreters import Prepared
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.process.launcher import SampleResult
    from runners.harness.record.model import Record
    from runners.harness.run.plan import Entry, Step

PHASES = ("interpreter_start", "imports", "warm_up", "measured")
NS_PER_US = 1000
GIVEN_UP_AFTER = 2
"""Time-outs in a row after which a series is not tried again."""


class ResultBuilder:
    """One cell's series."""

    def __init__(self, build: Prepared, scenarios: Mapping[str, Scenario], due: Mapping[Entry, int]) -> None:
        """Begin with nothing measured; what *build* can't run is refused from the start.

        *due* has the build's series, each with the number of samples planned of it.
        """
        self._runners = {entry: scenarios[entry.scenario].runners[entry.runner] for entry in due}
        self._due = due
        self.rows: dict[Entry, list[SampleRow]] = {entry: [] for entry in due}
        """The samples of each series, as they came in."""
        self._observed: dict[Entry, Observed | None] = {}
        self.refused = {entry: why for entry in due if (why := build.why_not(self._runners[entry]))}
        """Series that can't be measured on this build: status and reason."""
        self.wall_ns = dict.fromkeys((*PHASES, "harness"), 0)

    def add(self, step: Step, result: SampleResult) -> None:
        """Take down one sample: of traces the first alone, of a control no lists, for its numbers give the noise."""
        rows = self.rows[step.entry]
        values = dict(result.values)
        for name, value in result.values.items():
            is_later_trace = "_trace_" in name and any(row.values.get(name) is not None for row in rows)
            if is_later_trace or (isinstance(value, list) and step.entry.role == "control"):
                del values[name]
        warm_up_us = result.phases["warm_up"] // NS_PER_US if "warm_up" in result.phases else None
        rows.append(SampleRow(step.round, step.position, result.status, result.reason, warm_up_us, values))
        if result.observed and (result.status == "ok" or all(row.status != "ok" for row in rows)):
            self._observed[step.entry] = result.observed
        for phase in PHASES:
            self.wall_ns[phase] += result.phases.get(phase, 0)
        self.wall_ns["harness"] += max(result.wall_ns - sum(result.phases.get(phase, 0) for phase in PHASES), 0)

    def restore(self, record: Record) -> None:
        """Take over what an incomplete file holds."""
        known = {series.key: series for series in record.series}
        for entry in self.rows:
            if series := known.get(entry.key):
                self.rows[entry].extend(series.samples.rows())
                self._observed[entry] = series.observed
        self.wall_ns.update(record.run.wall_ns)

    def forget(self, step: Step) -> None:
        """Drop one sample, which is to be taken again. The time that it took was spent all the same."""
        self.rows[step.entry] = [row for row in self.rows[step.entry] if row.round != step.round]
        if not self.rows[step.entry]:
            self._observed.pop(step.entry, None)

    def has(self, step: Step) -> bool:
        """Return whether this sample is there already."""
        return any(row.round == step.round for row in self.rows[step.entry])

    def given_up(self, entry: Entry) -> bool:
        """Return whether a series has timed out so often in a row that it is not tried again."""
        statuses = [row.status for row in self.rows[entry] if row.status != "not_reached"]
        return statuses[-GIVEN_UP_AFTER:] == ["timed_out"] * GIVEN_UP_AFTER

    def series(self, entry: Entry) -> Series:
        """Return one series as it stands."""
        status, reason = self.refused.get(entry) or self._status(self.rows[entry], self._due[entry])
        return Series(
            scenario=entry.scenario,
            case=entry.case,
            runner=entry.runner,
            role=entry.role,
            source_sha256=self._runners[entry].source_sha256,
            status=status,
            reason=reason,
            observed=self._observed.get(entry),
            samples=Samples.of(self.rows[entry]),
        )

    def _status(self, rows: Sequence[SampleRow], due: int) -> tuple[Status, str | None]:
        bad = [row for row in rows if row.status != "ok"]
        if not rows:
            return "not_reached", "the run ended before it"
        if len(bad) == len(rows):
            return bad[0].status, bad[0].reason
        if bad:
            return "partial", f"{len(bad)} of {due} samples: {bad[0].reason}"
        if len(rows) < due:
            return "partial", f"{len(rows)} of {due} samples were reached"
        return "ok", None
