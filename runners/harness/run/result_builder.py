"""Accumulates one result's samples, and returns them as series at any moment."""

from collections.abc import Mapping

from runners.harness.builds.interpreters import Prepared
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.process.launcher import SampleResult
from runners.harness.record.model import Observed, Record, SampleRow, Samples, Series, Status
from runners.harness.run.plan import Entry, Step

PHASES = ("interpreter_start", "imports", "warm_up", "measured")
NS_PER_US = 1000
MAX_TIME_OUTS = 2
"""A series is not tried again after this many time-outs in a row."""


class ResultBuilder:
    """The series of one build. *planned* has the number of samples planned for each."""

    def __init__(self, build: Prepared, scenarios: Mapping[str, Scenario], planned: Mapping[Entry, int]) -> None:
        self._runners = {entry: scenarios[entry.scenario].runners[entry.runner] for entry in planned}
        self._planned = planned
        self.rows: dict[Entry, list[SampleRow]] = {entry: [] for entry in planned}
        """By series, its samples in the order in which they were taken."""
        self._observed: dict[Entry, Observed | None] = {}
        self.unmeasurable = {entry: why for entry in planned if (why := build.why_not(self._runners[entry]))}
        """Status and reason of each series that this build can't measure."""
        self.wall_ns = dict.fromkeys((*PHASES, "harness"), 0)

    def add(self, step: Step, result: SampleResult) -> None:
        """Add a sample. Keep a series' first trace only, and no lists of a control: its numbers give the noise."""
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
        """Add the samples of an incomplete file."""
        known = {series.key: series for series in record.series}
        for entry in self.rows:
            if series := known.get(entry.key):
                self.rows[entry].extend(series.samples.rows())
                self._observed[entry] = series.observed
        self.wall_ns.update(record.run.wall_ns)

    def forget(self, step: Step) -> None:
        """Drop one sample, so that it is taken again. Its wall time was spent and still counts."""
        self.rows[step.entry] = [row for row in self.rows[step.entry] if row.round != step.round]
        if not self.rows[step.entry]:
            self._observed.pop(step.entry, None)

    def has(self, step: Step) -> bool:
        return any(row.round == step.round for row in self.rows[step.entry])

    def is_given_up(self, entry: Entry) -> bool:
        """True if the last samples of a series all timed out."""
        statuses = [row.status for row in self.rows[entry] if row.status != "not_reached"]
        return statuses[-MAX_TIME_OUTS:] == ["timed_out"] * MAX_TIME_OUTS

    def series(self, entry: Entry) -> Series:
        status, reason = self.unmeasurable.get(entry) or self._status(entry)
        return Series(
            scenario=entry.scenario,
            case=entry.case,
            runner=entry.runner,
            role=entry.role,
            source_sha256=self._runners[entry].source_sha256,
            status=status,
            reason=reason,
            observed=self._observed.get(entry),
            samples=Samples.from_rows(self.rows[entry]),
        )

    def _status(self, entry: Entry) -> tuple[Status, str | None]:
        rows, planned = self.rows[entry], self._planned[entry]
        bad = [row for row in rows if row.status != "ok"]
        if not rows:
            return "not_reached", "the run ended before it"
        if len(bad) == len(rows):
            return bad[0].status, bad[0].reason
        if bad:
            return "partial", f"{len(bad)} of {planned} samples: {bad[0].reason}"
        if len(rows) < planned:
            return "partial", f"{len(rows)} of {planned} samples were reached"
        return "ok", None
