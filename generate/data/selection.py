"""Machines, builds, and the runs that are pooled into one result. Pure.

A result is a machine (a host with its processor) and a build. All runs count that measured the same code with the same
packages; a busy machine or a debug build rules a run out. Runs of older code are history.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from statistics import median
from typing import TYPE_CHECKING, NamedTuple, Self

from generate.data.between_runs import BetweenRuns, Block
from generate.data.estimates import SURE_ROUNDS, RunRounds, fixed, pool
from generate.data.files import build_identity
from generate.data.gate import is_debug
from generate.words.names import build_order, slug
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from packaging.version import Version

    from generate.data.between_runs import Compared
    from generate.data.estimates import Estimate
    from generate.data.files import FileHeader, ResultFile
    from generate.data.gate import CheckedRecord
    from generate.data.table import Summary
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Record, Series, SeriesKey

NEAR_ALL = 0.01
"""A share that lies nearer to 1 is taken to be so far from it."""
_MARKS = re.compile(r"\((?:R|TM|C)\)", re.IGNORECASE)


class MachineKey(NamedTuple):
    """A machine: a host with its processor. One's own is not the one of the same name whose results are published."""

    machine: str
    """Its label."""
    local: bool
    processor: str
    cores: int

    @property
    def key(self) -> str:
        """Its name in addresses."""
        processor = " ".join(_MARKS.sub(" ", self.processor).split())
        cores = "" if f"{self.cores}-core" in self.machine else f" {self.cores} cores"
        return slug(f"{self.machine}{cores} {processor}") + "-local" * self.local


class ResultKey(NamedTuple):
    """A machine and a build."""

    machine_key: MachineKey
    build: str

    @classmethod
    def of(cls, file: FileHeader) -> Self:
        """Return the cell that a file is of."""
        machine = file.machine
        return cls(MachineKey(machine.label, file.local, machine.cpu, machine.usable_cores), build_name(file.build))

    @property
    def machine(self) -> str:
        """Label of its machine."""
        return self.machine_key.machine

    @property
    def local(self) -> bool:
        """True for somebody's own, unpublished results."""
        return self.machine_key.local

    @property
    def key(self) -> str:
        """Its name in addresses."""
        return f"{self.machine_key.key.removesuffix('-local')}-{slug(self.build)}{'-local' * self.local}"


class Divisor(NamedTuple):
    """What a series is divided by, round by round."""

    compared: Compared
    key: SeriesKey | None = None
    """None: nothing, its own values are wanted."""
    is_counterpart: bool = False
    """True if it is of the counterpart: the same Python with the GIL, or the plain build of a variant."""


OWN_VALUE = Divisor("value")


@dataclass(frozen=True, eq=False)
class Result:
    """A machine and a build: the runs that are pooled, and every estimate over them."""

    key: ResultKey
    runs: tuple[CheckedRecord, ...]
    """Newest first; at least one."""
    between: BetweenRuns
    machine_name: str = ""
    """The machine in words."""
    _kept: dict[tuple[object, ...], Estimate | None] = field(default_factory=dict, repr=False)

    @property
    def newest(self) -> CheckedRecord:
        """The newest full run: for facts, and for what needs a single run, as a trace."""
        full = (run for run in self.runs if not run.file.record.run.is_quick and run.file.record.complete)
        return next(full, self.runs[0])

    @property
    def why_undecided(self) -> str:
        """Why none of its runs decides anything; empty if they may."""
        return "" if any(not run.why_excluded for run in self.runs) else self.runs[0].why_excluded

    def runs_with(self, key: SeriesKey) -> list[CheckedRecord]:
        """Return the runs that measured a series with the code and packages of the newest that did."""
        own = [run for run in self.runs if key in run.view.series and key not in run.rejected]
        own = own or [run for run in self.runs if key in run.view.series]
        return [run for run in own if run.view.code(key) == own[0].view.code(key)]

    def series(self, key: SeriesKey) -> Series | None:
        """Return a series as the newest run has it."""
        having = self.runs_with(key)
        return having[0].view.series[key] if having else None

    def estimate(self, key: SeriesKey, metric: Metric) -> Estimate | None:
        """Return a series' value, in the metric's unit; None if it has none."""
        return self._pooled(key, metric, OWN_VALUE)

    def ratio(self, key: SeriesKey, other: SeriesKey, metric: Metric) -> Estimate | None:
        """Return series / other of the same build, paired by round; None without a ratio."""
        return self._over_itself(key, metric) if key == other else self._pooled(key, metric, Divisor("within", other))

    def against_baseline(self, key: SeriesKey, metric: Metric) -> Estimate | None:
        """Return a series over the baseline of its block; of the control, the check on the rule."""
        having = self.runs_with(key)
        base = having[0].view.baseline(having[0].view.series[key]) if having else None
        return self.ratio(key, base.key, metric) if base else None

    def against_reference(self, key: SeriesKey, metric: Metric) -> Estimate | None:
        """Return a series over itself on the reference build that the newest run has; None of a control."""
        if key.role == "control" or not self.runs_with(key):
            return None
        if self.newest.is_reference:
            return self._over_itself(key, metric)
        return self._pooled(key, metric, Divisor("across", key._replace(role="reference")))

    def _over_itself(self, key: SeriesKey, metric: Metric) -> Estimate | None:
        return fixed(1.0) if self.estimate(key, metric) else None

    def against_counterpart(self, key: SeriesKey, metric: Metric, runner: str = "") -> Estimate | None:
        """Return a series over itself, or over *runner*, on its counterpart in the same runs; None without one."""
        other = key._replace(runner=runner or key.runner)
        return self._pooled(key, metric, Divisor("across", other, is_counterpart=True))

    def rounds_of_runs(
        self, key: SeriesKey, metric: Metric, divisor: Divisor
    ) -> tuple[list[RunRounds], list[RunRounds]]:
        """Return each run's rounds, newest first: of runs that count; of those that lack a round or were disturbed."""
        counting: list[RunRounds] = []
        partial: list[RunRounds] = []
        code = None
        for run in self.runs_with(key):
            own = run.view.series[key]
            of = run.counterpart if divisor.is_counterpart else run
            other = of.view.series.get(divisor.key) if of and divisor.key else None
            if divisor.key is None:
                values = [*run.by_round(own, metric).values()]
            elif of is None or other is None or not self._is_like(run, divisor):
                continue
            else:
                code = code or of.view.code(divisor.key)
                values = run.ratios(own, other, metric, of) if of.view.code(divisor.key) == code else []
            if values:
                is_beside_debug = other and other.role == "reference" and is_debug(run.file.record.reference_build)
                is_disturbed = run.why_excluded or (of and of.why_excluded) or is_beside_debug
                counts = (
                    not is_disturbed
                    and run.is_complete(own.key)
                    and (other is None or of is None or of.is_complete(other.key))
                )
                is_short = len(values) < SURE_ROUNDS
                noise = run.block_variance(own, metric, divisor.compared) if is_short else None
                (counting if counts else partial).append(RunRounds(run.run, values, noise))
        return counting, partial

    def _is_like(self, run: CheckedRecord, divisor: Divisor) -> bool:
        """True unless the divisor is of another reference build than the newest run's."""
        if divisor.key is None or divisor.key.role != "reference":
            return True
        return build_identity(run.file.record.reference_build) == build_identity(self.record.reference_build)

    def _pooled(self, key: SeriesKey, metric: Metric, divisor: Divisor) -> Estimate | None:
        kept = (key, metric.name, divisor)
        if kept not in self._kept:
            self._kept[kept] = self._pool(key, metric, divisor)
        return self._kept[kept]

    def _pool(self, key: SeriesKey, metric: Metric, divisor: Divisor) -> Estimate | None:
        """Pool the runs that count; only if there is none, the others, which decide nothing."""
        counting, partial = self.rounds_of_runs(key, metric, divisor)
        if not (counting or partial):
            return None
        between = self.between.variance(self.block(key, metric, divisor.compared))
        is_share = metric.kind == "share" and divisor.key is None
        if is_share:
            middle = median(value for run in counting or partial for value in run.values)
            between /= max(1 - middle, NEAR_ALL) ** 2  # the table is on the log scale, a share on the logit's
        found = pool(counting or partial, between, is_share=is_share, is_count=metric.unit == "count")
        return found if counting or found is None else replace(found, is_partial=True)

    def block(self, key: SeriesKey, metric: Metric, compared: Compared) -> Block:
        """Return where the table has the variance between runs of a series."""
        view = self.runs_with(key)[0].view
        return Block(compared, key.scenario, view.block(view.series[key]), metric.name)

    @property
    def machine(self) -> str:
        """Its machine's label."""
        return self.key.machine

    @property
    def build(self) -> str:
        """Its build's name."""
        return self.key.build

    @property
    def machine_key(self) -> MachineKey:
        """Which machine it is of."""
        return self.key.machine_key

    @property
    def address(self) -> str:
        """The name of its machine and build in addresses."""
        return self.key.key

    @property
    def file(self) -> ResultFile:
        """The file of its newest full run."""
        return self.newest.file

    @property
    def record(self) -> Record:
        """What that file holds."""
        return self.newest.file.record

    def other_packages(self, rows: Iterable[Summary]) -> str:
        """Name the packages of which its *rows* have another version than the reference build: a ratio is of both then.

        Each once; none of a variant, whose own name says what is different.
        """
        named = (row.other_packages.split("; ") for row in rows if row.other_packages and not self.record.build.variant)
        return "; ".join(sorted({name for names in named for name in names}))

    @property
    def order(self) -> tuple[str, Version, bool, str]:
        """Where its build stands among others."""
        return build_order(self.build)

    @property
    def page(self) -> str:
        """Where the page of its every series lies below docs/."""
        return f"machines/{self._place}.md"

    @property
    def map_page(self) -> str:
        """Where the page of its map lies below docs/, if it has one of its own."""
        return f"choose/{self._place}.md"

    @property
    def _place(self) -> str:
        return f"{self.machine_key.key.removesuffix('-local')}/{slug(self.build)}{'-local' * self.key.local}"

    @property
    def machine_page(self) -> str:
        """Where its machine's page lies below docs/."""
        return f"machines/{self.machine_key.key}.md"

    @property
    def build_page(self) -> str:
        """Where its build's page lies below docs/."""
        return f"builds/{slug(self.build)}.md"


class _Code(NamedTuple):
    """What runs of one scenario must have alike to be pooled."""

    scenario_sha256: str
    build: tuple[object, ...]


def pool_results(
    scenario: Scenario | str, records: Iterable[CheckedRecord], between: BetweenRuns
) -> dict[ResultKey, Result]:
    """Return a scenario's results: of each machine and build the runs that are pooled, newest first.

    They are of the newest code; current code, if any run has it. Of a scenario that is not known any more too.
    """
    name = scenario if isinstance(scenario, str) else scenario.name
    by_cell: dict[ResultKey, list[CheckedRecord]] = defaultdict(list)
    newest_first = sorted(records, key=lambda gated: (gated.file.record.run.started, gated.file.path), reverse=True)
    for gated in newest_first:
        if name in gated.file.header.scenario_sha256:
            by_cell[ResultKey.of(gated.file.header)].append(gated)
    return {cell: Result(cell, _alike(scenario, name, runs), between) for cell, runs in by_cell.items()}


def _alike(scenario: Scenario | str, name: str, runs: Sequence[CheckedRecord]) -> tuple[CheckedRecord, ...]:
    """Return those of *runs*, newest first, that measured the same; those that may decide, if any may."""

    def code(gated: CheckedRecord) -> _Code:
        record = gated.file.record
        return _Code(record.scenario_sha256[name], build_identity(record.build))

    def is_current(gated: CheckedRecord) -> bool:
        own = code(gated)
        return not isinstance(scenario, str) and scenario.scenario_sha256 == own.scenario_sha256

    counting = [gated for gated in runs if not gated.why_excluded] or runs
    first = next(filter(is_current, counting), counting[0])
    return tuple(gated for gated in counting if code(gated) == code(first))


class PythonRelease(NamedTuple):
    """A machine and a feature release: what patch releases of one Python have in common."""

    machine_key: MachineKey
    implementation: str
    version: tuple[int, ...]
    free_threaded: bool
    kind: str
    """What else tells builds of one version apart: variants, the just-in-time compiler."""

    @classmethod
    def of(cls, cell: ResultKey) -> Self:
        """Return the release that a cell is of."""
        implementation, version, free_threaded, kind = build_order(cell.build)
        return cls(cell.machine_key, implementation, version.release[:2], free_threaded, kind)


def newest_patches(results: dict[ResultKey, Result]) -> dict[ResultKey, Result]:
    """Leave out patch releases of which a newer one was measured, unless that decides nothing."""
    kept = {}
    for cell, result in results.items():
        release, version = PythonRelease.of(cell), build_order(cell.build)[1]
        is_superseded = any(
            PythonRelease.of(other) == release and build_order(other.build)[1] > version and not newer.why_undecided
            for other, newer in results.items()
        )
        if not is_superseded:
            kept[cell] = result
    return kept
