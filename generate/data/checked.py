"""Records that have passed the sanity gate, and whether a run counts. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import TYPE_CHECKING

from generate.data.estimates import log_variance
from generate.data.record_view import RecordView
from generate.data.sanity_gate import find_faults, rejections
from generate.words.numbers import NO_BREAK, count_noun
from runners.harness.builds.host import MOST_STEAL_SHARE, is_busy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.data.between_runs import Compared
    from generate.data.files import ResultFile
    from generate.data.ideals import ByRound
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Build, Machine, Series, SeriesKey

DEBUG_FLAG = "--with-pydebug"


@dataclass(frozen=True, slots=True, eq=False)
class CheckedRecord:
    """One file, and what of it can be true."""

    file: ResultFile
    view: RecordView
    rejected: Mapping[SeriesKey, str]
    """Series that the gate rejects, and the reason to print."""
    rejected_rounds: Mapping[SeriesKey, Mapping[int, str]]
    """Rounds that the gate rejects in other series, each with its reason."""
    counterpart: CheckedRecord | None = None
    """Of the same run: of a variant the plain build, of a free-threaded build the same Python with the GIL; or None."""
    _kept: dict[tuple[object, ...], float | None] = field(default_factory=dict, repr=False)

    @property
    def run(self) -> str:
        """Name of the run that it is of."""
        return self.file.record.run.id

    @property
    def is_reference(self) -> bool:
        """True if it is of the reference build of its run."""
        return self.file.record.build == self.file.record.reference_build

    @property
    def reference_path(self) -> str | None:
        """Where the file lies that has the reference build's series; None if there is none."""
        has_own = self.is_reference or any(series.role == "reference" for series in self.file.record.series)
        return self.file.reference_path or (self.file.path if has_own else None)

    @property
    def has_gil_counterpart(self) -> bool:
        """True for a plain build without the GIL whose run measured the same Python with it."""
        build = self.file.record.build
        return self.counterpart is not None and build.free_threaded and not build.variant

    @property
    def why_excluded(self) -> str:
        """Why nothing is decided by this run; empty if it counts."""
        record = self.file.record
        run = record.run
        if run.finished is not None and run.finished < run.started:
            return f"its clock ran backwards: begun {run.started}, finished {run.finished}"
        return why_busy(record.machine) or ("a debug build" if is_debug(record.build) else "")

    def is_complete(self, key: SeriesKey) -> bool:
        """True if a series lost no round, to a failure or to the gate."""
        return is_complete(self.view.series.get(key)) and key not in self.rejected and key not in self.rejected_rounds

    def by_round(self, series: Series | None, metric: Metric) -> ByRound:
        """Return a metric's values by round; none if the series is absent or rejected."""
        if series is None or series.key in self.rejected:
            return {}
        values = self.view.by_round(series, metric)
        rejected = self.rejected_rounds.get(series.key)
        return {number: value for number, value in values.items() if number not in rejected} if rejected else values

    def ideal_by_round(self, series: Series, metric: Metric) -> ByRound:
        """Return the limit of the scenario's first metric; none for others, and none from a rejected baseline."""
        base = self.view.baseline(series)
        if metric is not self.view.metrics(series)[0] or (base is not None and base.key in self.rejected):
            return {}
        return self.view.ideals(series).by_round

    def ratios(
        self, series: Series, other: Series | None, metric: Metric, of: CheckedRecord | None = None
    ) -> list[float]:
        """Return series / other for each round that has both; *of* is the record of the other, if not this one.

        Empty if any of these rounds has a baseline of 0 or less: leaving out only those would choose among rounds.
        """
        theirs = (of or self).by_round(other, metric)
        pairs = [(value, theirs[number]) for number, value in self.by_round(series, metric).items() if number in theirs]
        return [] if any(base <= 0 or value < 0 for value, base in pairs) else [value / base for value, base in pairs]

    def block_variance(self, series: Series, metric: Metric, compared: Compared) -> float | None:
        """Return the variance of rounds on the log scale, mean over the series of a block; None if unknown."""
        block = self.view.block(series)
        key = (series.scenario, block, metric.name, compared)
        if key not in self._kept:
            alike = [each for each in self.view.in_block(series.scenario, block) if each.role != "reference"]
            found = (log_variance(self._rounds(each, metric, compared)) for each in alike)
            known = [each for each in found if each is not None]
            self._kept[key] = fmean(known) if known else None
        return self._kept[key]

    def _rounds(self, series: Series, metric: Metric, compared: Compared) -> Sequence[float]:
        if compared == "value":
            return [*self.by_round(series, metric).values()]
        if compared == "across":
            own = self.view.reference(series)
            return [] if own is series or series.role == "control" else self.ratios(series, own, metric)
        base = self.view.baseline(series)
        return [] if base is series else self.ratios(series, base, metric)


def check_records(files: Sequence[ResultFile], scenarios: Mapping[str, Scenario]) -> list[CheckedRecord]:
    """Read the files' records by the catalogue's *scenarios*, and pass them through the sanity gate."""
    shared: dict[tuple[int, str, str], ByRound] = {}  # the files of a run share the reference build's samples
    gated = {file.path: _gated(file, scenarios, shared) for file in files}
    return [
        replace(gated[file.path], counterpart=gated[file.counterpart.path] if file.counterpart else None)
        for file in files
    ]


def _gated(
    file: ResultFile, scenarios: Mapping[str, Scenario], shared: dict[tuple[int, str, str], ByRound]
) -> CheckedRecord:
    view = RecordView(file.record, scenarios, shared)
    return CheckedRecord(file, view, *rejections(view, find_faults(view)))


def is_complete(*compared: Series | None) -> bool:
    """True if no series failed in a round: one that timed out was slow, and to leave it out would be to choose.

    Rounds that a cut-off run did not reach are no choice.
    """
    return all(series is not None and {*series.samples.status} <= {"ok", "not_reached"} for series in compared)


def is_debug(build: Build) -> bool:
    """True for a build with CPython's debug checks."""
    return DEBUG_FLAG in build.flags


def why_busy(machine: Machine) -> str:
    """Say why nothing that was measured on *machine* then decides: it had other work; empty if it may."""
    if is_busy(machine):
        return f"the machine was busy: {_load_words(machine)}"
    if machine.steal_share is not None and machine.steal_share > MOST_STEAL_SHARE:
        share = f"{100 * machine.steal_share:.1f}{NO_BREAK}%"
        return f"the machine was busy: its host kept {share} of the processor time for others"
    return ""


def _load_words(machine: Machine) -> str:
    return f"load {machine.load_before:.1f} on {count_noun(machine.usable_cores, 'core')} before the first sample"
