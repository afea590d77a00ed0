"""Machines, builds, and the runs that are pooled into one result. Pure.

A result belongs to a machine (a host with its processor) and a build. It pools all runs of the same code and packages,
except on a busy machine or a debug build. Runs of older code are history.
"""

import functools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import NamedTuple

from packaging.version import Version

from generate.data.between_runs import BetweenRuns, Block, Compared
from generate.data.checked import CheckedRecord, CheckedSeries
from generate.data.estimates import SURE_ROUNDS, Estimate, RunRounds, fixed, pool
from generate.data.files import MachineKey, ResultFile, ResultKey, build_identity, build_order, slug
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.contract import Metric
from runners.harness.record.build_names import slowed_by
from runners.harness.record.model import Record, SeriesKey

MOST_RUNS = 12
"""Older runs of a result are history: they hardly narrow its range."""
JIT, OPTIMISATION = "jit", "optimisation"
"""How a variant differs from its plain build: a just-in-time compiler that is on, or other flags of the compiler."""
JIT_SWITCH = "PYTHON_JIT=1"
NEAR_ALL = 0.01
"""Shares closer to 1 than this count as this far from it."""


class Divisor(NamedTuple):
    """The divisor of a series, round by round."""

    compared: Compared
    key: SeriesKey | None = None
    """None for the series' own values."""
    is_counterpart: bool = False
    """True for a series of the counterpart: the same Python with the GIL, or the plain build of a variant."""


OWN_VALUE = Divisor("value")


@dataclass(frozen=True, eq=False)
class Result:
    """The pooled runs of a machine and a build, and every estimate over them."""

    key: ResultKey
    runs: tuple[CheckedRecord, ...]
    """Newest first; at least one."""
    between: BetweenRuns
    machine_name: str
    """The machine in words."""
    _estimates: dict[tuple[SeriesKey, str, Divisor], Estimate | None] = field(
        default_factory=dict, init=False, repr=False
    )
    _runs_with: dict[SeriesKey, list[CheckedRecord]] = field(default_factory=dict, init=False, repr=False)

    @functools.cached_property
    def newest(self) -> CheckedRecord:
        """The newest full run, for facts and for charts of a single run, such as traces."""
        full = (run for run in self.runs if run.file.record.run.profile != "quick" and run.file.record.complete)
        return next(full, self.runs[0])

    @functools.cached_property
    def why_undecided(self) -> str:
        """Why none of its runs decides anything; empty if any may."""
        return "" if any(not run.why_excluded for run in self.runs) else self.runs[0].why_excluded

    @property
    def plain_key(self) -> ResultKey | None:
        """The result that a variant is compared with, or a free-threaded build's with the GIL; None without one."""
        counterpart = self.newest.counterpart
        return counterpart.file.key if counterpart else None

    def differs_only_by(self, what: str) -> bool:
        """True if a variant differs from its plain build in one thing: JIT, OPTIMISATION or a package's release."""
        build, counterpart = self.record.build, self.newest.counterpart
        if len(build.variant) != 1 or counterpart is None:
            return False
        (word,), plain = build.variant, counterpart.file.record.build
        if what == JIT:
            return word == JIT_SWITCH and build.jit is True and not plain.jit
        if what == OPTIMISATION:
            return word != JIT_SWITCH and (build.pgo, build.lto) != (plain.pgo, plain.lto)
        return word.startswith(f"{what} ")

    def runs_with(self, key: SeriesKey) -> list[CheckedRecord]:
        """Return the runs with the same code and packages as the newest run of a series."""
        if key not in self._runs_with:
            own = [run for run in self.runs if key in run.series and not run.series[key].rejected]
            own = own or [run for run in self.runs if key in run.series]
            self._runs_with[key] = [run for run in own if run.series[key].code == own[0].series[key].code]
        return self._runs_with[key]

    def series(self, key: SeriesKey) -> CheckedSeries | None:
        """Return a series from the newest run that has it."""
        runs = self.runs_with(key)
        return runs[0].series[key] if runs else None

    def estimate(self, key: SeriesKey, metric: Metric) -> Estimate | None:
        """Return a series' value, in the metric's unit."""
        return self._pooled(key, metric, OWN_VALUE)

    def ratio(self, key: SeriesKey, other: SeriesKey, metric: Metric) -> Estimate | None:
        """Return series / other of the same build, paired by round."""
        return self._over_itself(key, metric) if key == other else self._pooled(key, metric, Divisor("within", other))

    def against_baseline(self, key: SeriesKey, metric: Metric) -> Estimate | None:
        """Return a series over the baseline of its block. For the control this checks the rule."""
        newest = self.series(key)
        return self.ratio(key, newest.baseline, metric) if newest else None

    def against_reference(self, key: SeriesKey, metric: Metric, runner: str = "") -> Estimate | None:
        """Return a series over itself, or over *runner*, on the newest run's reference build; None for a control."""
        if key.role == "control" or not self.runs_with(key):
            return None
        other = key._replace(runner=runner or key.runner)
        if self.newest.is_reference:
            return self.ratio(key, other, metric)
        return self._pooled(key, metric, Divisor("across", other._replace(role="reference")))

    def against_counterpart(self, key: SeriesKey, metric: Metric, runner: str = "") -> Estimate | None:
        """Return a series over itself, or over *runner*, on its counterpart in the same runs."""
        other = key._replace(runner=runner or key.runner)
        return self._pooled(key, metric, Divisor("across", other, is_counterpart=True))

    def _over_itself(self, key: SeriesKey, metric: Metric) -> Estimate | None:
        return fixed(1.0) if self.estimate(key, metric) else None

    def rounds_by_run(
        self, key: SeriesKey, metric: Metric, divisor: Divisor
    ) -> tuple[list[RunRounds], list[RunRounds]]:
        """Return the rounds of runs that count, and of runs that lack a round or were disturbed, newest first."""
        counting: list[RunRounds] = []
        partial: list[RunRounds] = []
        code = None
        for run in self.runs_with(key):
            own, other_record = run.series[key], run.counterpart if divisor.is_counterpart else run
            other = other_record.find(divisor.key) if other_record and divisor.key else None
            if divisor.key is None:
                values = [*own.by_round(metric).values()]
            elif other is None or not self._has_same_reference(run, divisor.key):
                continue
            else:
                code = code or other.code
                values = own.ratios(other, metric) if other.code == code else []
            if values:
                is_short = len(values) < SURE_ROUNDS
                variance = run.block_variance(own, metric, divisor.compared) if is_short else None
                is_sound = own.is_complete and (other is None or other.is_complete)
                counts = is_sound and not self._is_disturbed(run, divisor)
                (counting if counts else partial).append(RunRounds(run.run, values, variance))
        return counting, partial

    def _has_same_reference(self, run: CheckedRecord, key: SeriesKey) -> bool:
        """True unless the divisor's reference build differs from the newest run's."""
        own, newest = run.file.record.reference_build, self.record.reference_build
        return key.role != "reference" or own == newest or build_identity(own) == build_identity(newest)

    def _is_disturbed(self, run: CheckedRecord, divisor: Divisor) -> bool:
        has_reference = divisor.key is not None and divisor.key.role == "reference"
        if run.why_excluded or (has_reference and slowed_by(run.file.record.reference_build)):
            return True
        return divisor.is_counterpart and bool(run.counterpart and run.counterpart.why_excluded)

    def _pooled(self, key: SeriesKey, metric: Metric, divisor: Divisor) -> Estimate | None:
        at = (key, metric.name, divisor)
        if at not in self._estimates:
            self._estimates[at] = self._pool(key, metric, divisor)
        return self._estimates[at]

    def _pool(self, key: SeriesKey, metric: Metric, divisor: Divisor) -> Estimate | None:
        """Pool the runs that count. Without any, pool the others, which decide nothing."""
        counting, partial = self.rounds_by_run(key, metric, divisor)
        if not (counting or partial):
            return None
        between = self.between.variance(self.block(key, metric, divisor.compared))
        is_share = metric.kind == "share" and divisor.key is None
        if is_share:
            middle = median(value for run in counting or partial for value in run.values)
            between /= max(1 - middle, NEAR_ALL) ** 2  # the table is on the log scale, a share on the logit's
        estimate = pool(counting or partial, between, is_share=is_share, is_count=metric.unit == "count")
        return estimate if counting or estimate is None else replace(estimate, is_partial=True)

    def block(self, key: SeriesKey, metric: Metric, compared: Compared) -> Block:
        """Return the block of a series in the table of variances between runs."""
        return Block(compared, key.scenario, self.runs_with(key)[0].series[key].block, metric.name)

    @property
    def machine(self) -> str:
        """Its machine's label."""
        return self.key.machine

    @property
    def build(self) -> str:
        return self.key.build

    @property
    def machine_key(self) -> MachineKey:
        return self.key.machine_key

    @property
    def file(self) -> ResultFile:
        """The file of its newest full run."""
        return self.newest.file

    @property
    def record(self) -> Record:
        return self.newest.file.record

    @property
    def order(self) -> tuple[str, Version, bool, str]:
        return build_order(self.build)

    @property
    def page(self) -> str:
        """The page with all its series, below docs/."""
        return f"machines/{self.machine_key.address(self.build, '/')}.md"

    @property
    def map_page(self) -> str:
        return f"choose/{self.machine_key.address(self.build, '/')}.md"

    @property
    def machine_page(self) -> str:
        return f"machines/{self.machine_key.key}.md"

    @property
    def build_page(self) -> str:
        return f"builds/{slug(self.build)}.md"


def pool_results(
    scenario: Scenario,
    records: Iterable[CheckedRecord],
    between: BetweenRuns,
    machine_names: Mapping[MachineKey, str] | None = None,
) -> dict[ResultKey, Result]:
    by_path = {record.file.path: record for record in records}
    names = machine_names or {}
    return {
        key: Result(key, tuple(by_path[file.path] for file in files), between, names.get(key.machine_key, key.machine))
        for key, files in pool_files(scenario, [record.file for record in by_path.values()]).items()
    }


def pool_files(scenario: Scenario, files: Iterable[ResultFile]) -> dict[ResultKey, list[ResultFile]]:
    """Return the pooled files of each result, newest first: those with the current code, or the newest if none has."""
    by_key: dict[ResultKey, list[ResultFile]] = defaultdict(list)
    for file in sorted(files, key=lambda file: file.order, reverse=True):
        if scenario.name in file.record.scenario_sha256:
            by_key[file.key].append(file)
    return {key: _alike(scenario, every) for key, every in by_key.items()}


def _alike(scenario: Scenario, files: Sequence[ResultFile]) -> list[ResultFile]:
    """Return the files with the same code, newest first, and only those that may decide if any may."""

    def code(file: ResultFile) -> tuple[object, ...]:
        return file.record.scenario_sha256[scenario.name], *build_identity(file.record.build)

    counting = [file for file in files if not file.why_excluded] or files
    current = (each for each in counting if each.record.scenario_sha256[scenario.name] == scenario.scenario_sha256)
    first = next(current, counting[0])
    return [file for file in counting if code(file) == code(first)][:MOST_RUNS]


def newest_patches(pooled: Mapping[ResultKey, list[ResultFile]]) -> dict[ResultKey, list[ResultFile]]:
    """Drop patch releases that have a newer one of the same Python, unless the newer one decides nothing."""

    def release(key: ResultKey) -> tuple[object, ...]:
        implementation, version, free_threaded, kind = build_order(key.build)
        return key.machine_key, implementation, version.release[:2], free_threaded, kind

    versions = {key: build_order(key.build)[1] for key in pooled}
    newest: dict[object, Version] = {}
    for key, files in pooled.items():
        if any(not file.why_excluded for file in files):
            newest[release(key)] = max(versions[key], newest.get(release(key), versions[key]))
    return {key: files for key, files in pooled.items() if versions[key] >= newest.get(release(key), versions[key])}
