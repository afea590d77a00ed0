"""The two tables that pages, charts and downloads are made from: each column once, with what it means."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from generate.statistics.intervals import Comparison, ranks
from generate.statistics.noise import NOT_SEEN, Finding, finding_of
from generate.statistics.quick import COVERAGE, is_few
from generate.text.over_runs import OverRuns


class Summary(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One series and metric; None where it has no value."""

    path: str
    """Of the result file, below data/raw/."""
    schema_version: int
    """Of the result file; what is of version 1 was measured with an earlier method."""
    cell: str
    """Machine and build, as in addresses."""
    machine: str
    """Label of the machine: machines of one label may have several processors."""
    processor: str
    """Model of the processor."""
    build: str
    """The interpreter that was measured."""
    python: str
    """Its version."""
    free_threaded: bool
    """Whether it was built to run without the GIL."""
    jit: bool | None
    """Whether its just-in-time compiler was on; empty where it does not say."""
    packages: str | None
    """Versions of the packages that the runner needs, and of those that they need; empty where it needs none."""
    other_packages: str | None
    """Which of them the reference build of its run has in another version: "tornado 6.5.10, not 6.6.1"."""
    run_id: str
    """The command that measured."""
    started: str
    """When it began, in UTC."""
    profile: str
    """quick, full or map; quick decides directions alone, and map has the map's points alone."""
    scenario: str
    """Which question."""
    block: str
    """What was measured back to back and may be compared."""
    case: str
    """The parameters of the scenario."""
    runner: str
    """The file that was measured."""
    baseline: str | None
    """The runner that its ratio is to; where its case is another, as case/runner: the runner follows the last slash, as
    names of cases may hold slashes too. Empty where the case is not known any more."""
    family: str | None
    """Its kind: one of the catalogue's families."""
    role: str
    """subject, or control: the baseline measured a second time."""
    metric: str
    """Name of the metric."""
    title: str
    """The same in words."""
    unit: str
    """Of the values: of what has "in the unit" beside it. Ratios, noise_reach, coverage and efficiency have none."""
    better: str
    """lower, higher or neither."""
    status: str
    """ok; partial, where not all rounds have a value; or why none has: unsupported, failed, timed_out or not_reached.
    The file may have another: here it is failed where the sanity gate refuses a series, and unsupported where its
    imports turned the GIL on, which older files call failed."""
    reason: str | None
    """Of a status that is not ok."""
    note: str | None
    """Where the catalogue no longer has a name of the row."""
    source_sha256: str
    """Of the runner's file as it was measured."""
    local: bool
    """Measured on one's own machine and not published."""
    complete: bool
    """False where the run was cut off."""
    is_current: bool
    """Whether the runner's file is still the one that was measured."""
    scenario_is_current: bool
    """The same of the scenario's files."""
    rounds: int
    """How many values there are."""
    median: float | None
    """Their median, in the unit."""
    low: float | None
    """Lower end of the median's interval, in the unit."""
    high: float | None
    """Its upper end, in the unit."""
    coverage: float | None
    """Probability that the interval holds the true median, 0 to 1."""
    minimum: float | None
    """Smallest value, in the unit."""
    maximum: float | None
    """Largest value, in the unit."""
    ratio: float | None
    """Median over the rounds of its value divided by that of the baseline of its block. Where lower is better, below 1
    is better; of a time, pages print the reciprocal as "times as fast". Of the control: the noise."""
    ratio_low: float | None
    """Lower end of the ratio's interval; of fewer than 9 rounds by the rule for quick runs."""
    ratio_high: float | None
    """Its upper end."""
    ratio_pairs: int
    """How many rounds have both."""
    ratio_decided: bool
    """Whether the ratio may decide: rounds enough, none failed, the control's neither. Of a quick run, which way. False
    of the baseline itself, whose ratio is 1."""
    reference_build: str
    """The build that was measured in turn with it, which reference_ratio is to. Compare those of one reference_build
    and one schema_version alone."""
    reference_path: str | None
    """Of the result file that has the reference build's series, below data/raw/: in the role reference where it is the
    row's own file and of another build, else as subjects. Empty where there is none."""
    reference_ratio: float | None
    """Median over the rounds of its value divided by that of the same series on the reference build; the direction is
    that of ratio. Empty of the control, which shows noise alone; 1 where the row is of that build itself."""
    reference_ratio_low: float | None
    """Lower end of its interval; of fewer than 9 rounds by the rule for quick runs."""
    reference_ratio_high: float | None
    """Its upper end."""
    reference_ratio_pairs: int
    """How many rounds have both."""
    reference_ratio_decided: bool
    """Whether it may decide; false of the reference build itself."""
    noise_ratio: float | None
    """Ratio of the block's control to its baseline; of its second one where that is farther from 1."""
    noise_low: float | None
    """Lower end of its interval; of the second control's where that is lower. Not the noise floor: see noise_reach."""
    noise_high: float | None
    """Its upper end; of the second control's where that is higher. Not the noise floor: see noise_reach."""
    noise_reach: float | None
    """The noise floor goes from 1 / noise_reach to noise_reach, the larger of noise_high and 1 / noise_low. What may
    decide is beyond it where its whole interval is; of fewer than 9 rounds, where its interval does not hold 1 and the
    ratio is farther from 1 than noise_ratio is. Empty where the floor has no end."""
    runs: int
    """How many full runs with the same code and packages have it, of those that `runs_beside` of index.json names for
    its machine, build and scenario: at most 5; 1 where it is alone, or does not count."""
    runs_low: float | None
    """The smallest of their medians, in the unit; empty where this one is alone."""
    runs_high: float | None
    """The largest of them, in the unit."""
    runs_outside: int
    """How many of the other runs' medians lie outside the median's interval, which is of this run."""
    runs_moved: bool
    """Whether it moved between runs: the interval of another one does not overlap with this one's."""
    runs_ratio_low: float | None
    """The smallest ratio to the baseline in one of these runs; empty of the baseline, and where this run is alone."""
    runs_ratio_high: float | None
    """The largest of them."""
    runs_ratio_outside: int
    """How many of the other runs' ratios lie outside the ratio's interval."""
    runs_ratio_moved: bool
    """Whether the ratio moved between runs."""
    ideal: float | None
    """The limit that no runner can beat, in the unit, of the scenario's first metric: median over the rounds that have
    a value. How it is computed stands on the scenario's page."""
    efficiency: float | None
    """How near the series comes to it, 1 being the limit: median over the rounds of ideal / value, or of value / ideal
    where higher is better."""

    @property
    def against_baseline(self) -> Comparison | None:
        """The series against its block's baseline."""
        return self._comparison("ratio", self.ratio, (self.ratio_low, self.ratio_high))

    @property
    def against_reference(self) -> Comparison | None:
        """The series against the same one on the reference build."""
        bounds = self.reference_ratio_low, self.reference_ratio_high
        return self._comparison("reference_ratio", self.reference_ratio, bounds)

    @property
    def values_of_runs(self) -> OverRuns | None:
        """The medians of several full runs, in the unit; None where this run is alone."""
        return self._over_runs(self.runs_low, self.runs_high, self.runs_outside)

    @property
    def ratios_of_runs(self) -> OverRuns | None:
        """Their ratios to the baseline; None of the baseline itself, and where this run is alone."""
        return self._over_runs(self.runs_ratio_low, self.runs_ratio_high, self.runs_ratio_outside)

    def _over_runs(self, low: float | None, high: float | None, outside: int) -> OverRuns | None:
        return None if low is None or high is None else OverRuns(self.runs, low, high, outside)

    @property
    def noise(self) -> Comparison | None:
        """The baseline against its control. How many pairs that has is not known here: the row's own stand for them."""
        if self.noise_ratio is None or self.noise_low is None or self.noise_high is None:
            return None
        bounds = self.noise_low, self.noise_high
        return Comparison(self.noise_ratio, *bounds, 0.0, self.ratio_pairs, self.ratio_decided)

    @property
    def differs(self) -> bool:
        """Whether it differs from the baseline, its median by more than the baseline from itself (where known)."""
        compared = self.against_baseline
        return compared is not None and finding_of(compared, self.noise) in {Finding.REACHES, Finding.BEYOND}

    @property
    def is_noise(self) -> bool:
        """Whether it was compared with the baseline, and no difference from it beyond the noise was seen."""
        compared = self.against_baseline
        if compared is None or compared.low == compared.high == 1:  # the baseline itself, or an equal count
            return False
        return finding_of(compared, self.noise) in NOT_SEEN

    def _comparison(self, of: str, ratio: float | None, bounds: tuple[float | None, float | None]) -> Comparison | None:
        low, high = bounds
        if ratio is None or low is None or high is None:
            return None
        pairs, decided = getattr(self, f"{of}_pairs"), getattr(self, f"{of}_decided")
        by_rule = is_few(pairs)
        coverage = COVERAGE if by_rule else ranks(pairs).coverage
        quick_run = self.profile == "quick"
        quick, few = quick_run or by_rule, by_rule and not quick_run
        return Comparison(ratio, low, high, coverage, pairs, decided, quick, few)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleValue:
    """One sample and metric, in columns alone: there are too many to make objects of them.

    What a summary has as well means the same here.
    """

    path: str
    schema_version: int
    cell: str
    machine: str
    processor: str
    build: str
    python: str
    free_threaded: bool
    jit: bool | None
    packages: str | None
    run_id: str
    scenario: str
    block: str
    case: str
    runner: str
    baseline: str | None
    role: str
    status: str
    reason: str | None
    round: int
    """Number of the round, from 1."""
    position: int
    """Its place in the block, from 0: the order in which it was measured."""
    sample_status: str
    """ok, unsupported, failed, timed_out or not_reached."""
    sample_reason: str | None
    """Of a status that is not ok."""
    metric: str
    unit: str
    value: float | None
    """Of the metric, in the unit; empty where there is none."""
