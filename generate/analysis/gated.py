"""Records that have passed the sanity gate: values that count, comparisons, and what may decide. Pure.

A series that the gate refuses has no values, and is compared with nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from generate.analysis.sanity_gate import find_faults, refusals
from generate.analysis.series import RecordView
from generate.statistics.intervals import Comparison, median_interval, paired_ratios
from generate.statistics.noise import noise_band, wider
from generate.statistics.quick import BlockNoise, block_noise, quick_interval, speaks
from generate.text.names import cell_address
from generate.text.numbers import NO_BREAK, counted
from runners.harness.builds.host import MOST_STEAL_SHARE, is_busy
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.analysis.ideals import ByRound
    from generate.analysis.series import Code
    from generate.results.model import ResultFile
    from generate.statistics.intervals import Interval
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Machine, Record, Series, SeriesKey

    Beside = Literal["block", "reference", "twin"]
    """What ratios of a series are to: another of its block, or its like on the reference build or on the twin."""


@dataclass(frozen=True, slots=True, eq=False)  # cells are compared often: not by all that they hold
class GatedRecord:
    """One file, and what of it can be true."""

    file: ResultFile
    cell: str
    """The name of its cell."""
    view: RecordView
    refused: Mapping[SeriesKey, str]
    """Series that the gate refuses, and the reason to print."""
    twin: GatedRecord | None = None
    """Of the same run: of a variant the plain build, of a free-threaded build the same Python with the GIL; or None."""
    block_noises: dict[tuple[str, ...], BlockNoise] = field(default_factory=dict)
    """What was computed of blocks, kept: every series of a block asks for it."""
    of_controls: dict[tuple[SeriesKey, SeriesKey, str], Comparison | None] = field(default_factory=dict)
    """How controls compare with their baselines, by metric; kept as well."""

    @property
    def is_quick(self) -> bool:
        """Whether it is of a quick run, which decides directions alone."""
        return self.file.record.run.is_quick

    def by_round(self, series: Series | None, metric: Metric) -> ByRound:
        """Return a metric's values by round; none where the series is absent or refused."""
        if series is None or (self.refused and series.key in self.refused):
            return {}
        return self.view.by_round(series, metric)

    def ideal_by_round(self, series: Series, metric: Metric) -> ByRound:
        """Return the limit of the scenario's first metric; none for others, and none from a refused baseline."""
        base = self.view.baseline(series)
        if metric is not self.view.metrics(series)[0] or (base is not None and base.key in self.refused):
            return {}
        return self.view.ideals(series).by_round

    def noise(self, series: Series, metric: Metric) -> Comparison | None:
        """Return the baseline of a series' block against itself, under its second name; None without a control.

        For a series that has a second control too, the interval is stretched to what that shows.
        """
        control, base = self.view.control(series), self.view.baseline(series)
        noise = self._of_control(control, base, metric) if control and base else None
        second = self.view.second_control(series)
        return wider(noise, self._of_control(second, base, metric)) if noise and second and base else noise

    def reach_of_noise(self, series: Series, metric: Metric) -> float | None:
        """Return how far the baseline of a series' block lay from itself: a ratio from 1 up; None where not known.

        Where a second control lacks a round, it is not known what that would have shown.
        """
        base, second = self.view.baseline(series), self.view.second_control(series)
        controls = [self.view.control(series), *([second] if second else [])]
        noises = [self._of_control(control, base, metric) if control and base else None for control in controls]
        bands = [noise_band(each) for each in noises if each and each.decided and not each.quick]
        reach = max(high for _, high in bands) if len(bands) == len(controls) else math.inf
        return reach if math.isfinite(reach) else None

    def _of_control(self, control: Series, base: Series, metric: Metric) -> Comparison | None:
        key = (control.key, base.key, metric.name)
        if key not in self.of_controls:
            self.of_controls[key] = self.compared(control, base, metric)
        return self.of_controls[key]

    def compared(self, series: Series, other: Series, metric: Metric) -> Comparison | None:
        """Compare two series of one block; undecided unless they may decide, and the control that shows their noise."""
        ratios = paired_ratios(self.by_round(series, metric), self.by_round(other, metric))
        if not ratios:
            return None
        interval = self.interval(ratios, series, metric)
        decided = interval.decides and has_all_pairs(series, ratios) and self.decides(series, other)
        return Comparison.of(interval, decided=decided, of_quick_run=self.is_quick)

    def interval(self, ratios: Sequence[float], series: Series, metric: Metric, beside: Beside = "block") -> Interval:
        """Return where the true ratio lies, of *ratios* of a series to what stands *beside* it."""
        if not speaks(ratios):
            return median_interval(ratios)
        return quick_interval(ratios, self.block_noise(series, metric, beside))

    def block_noise(self, series: Series, metric: Metric, beside: Beside) -> BlockNoise:
        """Return how the paired ratios of a whole block scatter, on the build of *series*."""
        block, is_reference = self.view.block(series), series.role == "reference"
        key = (series.scenario, block, metric.name, str(is_reference), beside)
        if key not in self.block_noises:
            alike = self.view.in_block(series.scenario, block)
            of_build = [other for other in alike if (other.role == "reference") is is_reference]
            pairs = [(other, *self._like(other, beside)) for other in of_build]
            self.block_noises[key] = block_noise(
                paired_ratios(self.by_round(own, metric), record.by_round(other, metric))
                for own, other, record in pairs
                if other is not own  # the ratio of a series to itself has no noise
            )
        return self.block_noises[key]

    def _like(self, series: Series, beside: Beside) -> tuple[Series | None, GatedRecord]:
        """Return what the noise of ratios of *series* is read from, and the record that has it."""
        if beside == "twin" and self.twin is not None:
            return self.twin.view.series.get(series.key), self.twin
        return (self.view.reference if beside == "reference" else self.view.baseline)(series), self

    @property
    def is_reference(self) -> bool:
        """Whether it is of the reference build of its run."""
        return self.file.record.build == self.file.record.reference_build

    @property
    def reference_path(self) -> str | None:
        """Where the file lies that has the reference build's series, maybe its own; None where there is none."""
        has_own = self.is_reference or any(series.role == "reference" for series in self.file.record.series)
        return self.file.reference_path or (self.file.path if has_own else None)

    @property
    def is_beside_gil(self) -> bool:
        """Whether it is of a plain build without the GIL, and its run measured the same Python with it."""
        build = self.file.record.build
        return self.twin is not None and build.free_threaded and not build.variant

    def beside_twin(self, series: Series, metric: Metric, runner: str = "") -> Comparison | None:
        """Compare a series with its like on the twin, or *runner* there, by round; None where none is in both."""
        key = series.key._replace(runner=runner or series.runner)
        theirs = self.twin.view.series.get(key) if self.twin else None
        if self.twin is None or theirs is None:
            return None
        ratios = paired_ratios(self.by_round(series, metric), self.twin.by_round(theirs, metric))
        if not ratios:
            return None
        interval = self.interval(ratios, series, metric, "twin")
        both_decide = self.decides(series, theirs) and self.twin.decides(theirs, series)
        decided = interval.decides and has_all_pairs(series, ratios) and both_decide
        return Comparison.of(interval, decided=decided, of_quick_run=self.is_quick)

    def code_beside_twin(self, key: SeriesKey, runner: str = "") -> tuple[Code | None, Code | None]:
        """Return the code of what `beside_twin` compares: of the series, and of its like or *runner* on the twin."""
        theirs = key._replace(runner=runner or key.runner)
        return self.view.code(key), self.twin.view.code(theirs) if self.twin else None

    def noise_beside_twin(self, series: Series, metric: Metric) -> Comparison | None:
        """Return the noise of a series' block, stretched to that of the same block on the twin."""
        own = self.noise(series, metric)
        theirs = self.twin.view.series.get(series.key) if self.twin else None
        return wider(own, self.twin.noise(theirs, metric)) if own and self.twin and theirs else own

    def decides(self, series: Series, other: Series | None) -> bool:
        """Say whether a comparison may decide.

        A round of a control that failed may have been the noisy one, and of a control that is refused nothing is known.
        """
        second = None if series.role == "control" else self.view.second_control(series)
        controls = [control for control in (self.view.control(series), second) if control is not None]
        is_known = not any(control.key in self.refused for control in controls)
        return is_known and not why_busy(self.file.record.machine) and is_whole(series, other, *controls)


def apply_gate(files: Sequence[ResultFile], scenarios: Mapping[str, Scenario]) -> list[GatedRecord]:
    """Read the files' records by the catalogue's *scenarios*; those that were not yet pass through the sanity gate."""
    shared: dict[tuple[int, str, str], ByRound] = {}  # the files of a run share the reference build's samples
    gated = []
    for file in files:
        whole = _gated(file, scenarios, shared)
        gated.append(replace(whole, twin=_gated(file.twin, scenarios, shared)) if file.twin else whole)
    return gated


def _gated(
    file: ResultFile, scenarios: Mapping[str, Scenario], shared: dict[tuple[int, str, str], ByRound]
) -> GatedRecord:
    record = file.record
    view = RecordView(record, scenarios, shared)
    refused = refusals(find_faults(view)) if file.refused is None else dict(file.refused)
    cell = cell_address(record.machine.label, build_name(record.build), local=file.local)
    return GatedRecord(file, cell, view, refused)


def is_whole(*compared: Series | None) -> bool:
    """Say whether no series lacks a round: one that timed out was slow, and to leave it out would be to choose."""
    return all(series is not None and {*series.samples.status} <= {"ok"} for series in compared)


def has_all_pairs(series: Series, ratios: Sequence[float]) -> bool:
    """Say whether each round of *series* has a ratio: to leave out one without would be to choose."""
    return len(ratios) == len(series.samples.status)


def why_busy(machine: Machine) -> str:
    """Say why nothing that was measured on *machine* then decides: it had other work; empty where it may."""
    if is_busy(machine):
        return f"the machine was busy: {_load_words(machine)}"
    if machine.steal_share is not None and machine.steal_share > MOST_STEAL_SHARE:
        share = f"{100 * machine.steal_share:.1f}{NO_BREAK}%"
        return f"the machine was busy: its host kept {share} of the processor time for others"
    return ""


def machine_caution(machine: Machine) -> str:
    """Say what a reader must know of other work that *machine* had; empty where it had next to none."""
    if reason := why_busy(machine):
        return f"{reason}; nothing is decided by this run"
    if _had_other_work(machine):
        return f"the machine had other work: {_load_words(machine)}"
    return ""


def short_caution(machine: Machine) -> str:
    """Say that, to a reader who has its load and the withheld time before them."""
    if why_busy(machine):
        return "busy, so nothing is decided by this run"
    return "it had other work before this run, but not so much as to count as busy" if _had_other_work(machine) else ""


def _had_other_work(machine: Machine) -> bool:
    return machine.load_before is not None and machine.load_before > machine.usable_cores / 2


def _load_words(machine: Machine) -> str:
    return f"load {machine.load_before:.1f} on {counted(machine.usable_cores, 'core')} before the first sample"


def decides_across_runs(record: Record, *compared: Series | None) -> bool:
    """Say whether series of *record* may decide beside those of another run: a quick run's may not.

    A control that failed in a round does not bar it: then the noise is not known, which is said beside the ratio.
    """
    return is_whole(*compared) and not record.run.is_quick and not why_busy(record.machine)


def as_undecided(comparison: Comparison | None, *, decides_too: bool) -> Comparison | None:
    """Return a comparison, undecided unless what it was made of may decide."""
    return comparison if comparison is None or decides_too else replace(comparison, decided=False)
