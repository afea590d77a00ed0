"""Takes a plan's samples one after another, and writes each result's file after every sample."""

from __future__ import annotations

import datetime as dt
import math
import re
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from runners.harness.builds import host
from runners.harness.errors import UserError
from runners.harness.files import write_atomically
from runners.harness.process import launcher as launch
from runners.harness.record import codec, model
from runners.harness.run import plan, protocol
from runners.harness.run.result_builder import ResultBuilder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from runners.harness.builds.interpreters import Prepared
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.http_load.origin_sites import Sites
    from runners.harness.process.launcher import Launcher, SampleResult
    from runners.harness.run.plan import Step
    from runners.harness.run.progress import Display

GIVEN_UP = launch.SampleResult("not_reached", "not tried again after two time-outs in a row")


@dataclass(frozen=True)
class Order:
    """What a run measures, and where its files go."""

    run: model.Run
    machine: model.Machine
    folder: Path
    has_by_product: bool = False
    """True if the reference build is measured only for comparison with the others."""


class Session:
    """One run, from its first sample to its last. The first of *builds* is the reference."""

    def __init__(self, order: Order, scenarios: Mapping[str, Scenario], builds: Sequence[Prepared]) -> None:
        self.order = order
        self.scenarios = scenarios
        self.builds = [builds[0], *sorted(builds[1:], key=lambda build: build.name)]
        """In the order in which their files are sorted, so that a resumed run has the same plan."""
        run = order.run
        series = plan.entries(scenarios, plan.Selection.from_run(run), [build.varied for build in self.builds])
        planned = plan.steps(scenarios, series, run.rounds, run.seed)
        counts = Counter(step.entry for step in planned)
        self.builders = [
            ResultBuilder(build, scenarios, {entry: counts[entry] for entry in series if entry.build == index})
            for index, build in enumerate(self.builds)
        ]
        self.steps = [step for step in planned if step.entry not in self.builders[step.entry.build].unmeasurable]
        self._sites: dict[str, Sites] = {}
        """The running origin sites, by the module that describes their pages."""
        self._lost_before = host.lost_times()

    def paths(self) -> list[Path]:
        label = re.sub(r"[^\w.-]+", "-", self.order.machine.label)
        return [self.order.folder / f"{label}-{build.name}.json" for build in self.builds]

    def measure(self, display: Display | None = None, deadline_s: float = math.inf) -> None:
        """Take every missing sample until *deadline_s*. An interruption leaves valid files, marked incomplete."""
        for build in range(len(self.builds)):
            self.write(build)
        remaining = self.not_reached()
        with launch.Launcher() as launcher, ExitStack() as origin_sites:
            origin_sites.callback(self._sites.clear)
            for done, step in enumerate(remaining, start=len(self.steps) - len(remaining)):
                if time.monotonic() > deadline_s:
                    break
                builder = self.builders[step.entry.build]
                if display:
                    display.begin(step, done)
                is_given_up = builder.is_given_up(step.entry)
                result = GIVEN_UP if is_given_up else self._take_sample(launcher, step, origin_sites)
                builder.add(step, result)
                self.write(step.entry.build)
                if display:
                    display.end(step, result)
        for build in range(len(self.builds)):
            self.write(build, has_ended=True)

    def not_reached(self) -> list[Step]:
        """Return the samples that are missing, in order."""
        return [step for step in self.steps if not self.builders[step.entry.build].has(step)]

    def forget_interrupted_block(self) -> None:
        """Drop the samples of the block that was interrupted: a block is always measured back to back."""
        if remaining := self.not_reached():
            for step in self.steps:
                if self._block(step) == self._block(remaining[0]):
                    self.builders[step.entry.build].forget(step)

    def _block(self, step: Step) -> tuple[int, str, str]:
        entry = step.entry
        return step.round, entry.scenario, self.scenarios[entry.scenario].find_block(entry.case)

    def _take_sample(self, launcher: Launcher, step: Step, origin_sites: ExitStack) -> SampleResult:
        entry = step.entry
        scenario = self.scenarios[entry.scenario]
        needed, budget = scenario.cases[entry.case].memory_bytes, self.order.run.memory_budget_bytes
        if budget is not None and needed > budget:  # the machine would swap
            reason = f"it may need {needed / 1e9:.1f} GB of memory; the run's budget is {budget / 1e9:.1f} GB"
            return launch.SampleResult("not_reached", reason)
        build, seed = self.builds[entry.build], self.order.run.seed + step.round
        task = protocol.task(scenario, entry.case, entry.runner, build, seed)
        if scenario.calibrates:
            task.message["parameters"] = {**task.message["parameters"], **self.order.run.calibration}
        if scenario.sites_module:
            return self._fetch(launcher, task, scenario.sites_module, origin_sites)
        return launch.take(launcher, task, protocol.conversation(task))

    def _fetch(self, launcher: Launcher, task: launch.Task, module: str, started: ExitStack) -> SampleResult:
        """Take a sample that needs the sites of *module*. It fails if they do."""
        from runners.harness.http_load import origin_sites  # noqa: PLC0415 - a web server; few runs need it

        try:
            if module not in self._sites:
                self._sites[module] = started.enter_context(origin_sites.sites(module))
            sites = self._sites[module]
            task.message["sites"] = sites.addresses
            return launch.take(launcher, task, partial(protocol.fetch, sites))
        except origin_sites.SitesError:
            self._sites.pop(module, None)  # the next sample starts them again
            return launch.SampleResult("failed", "the origin sites have ended")

    def machine(self) -> model.Machine:
        """Return the machine, with the shares of processor time that it has lost so far."""
        machine, shares = self.order.machine, host.lost_shares(self._lost_before, host.lost_times())
        worst = {name: host.worse(getattr(machine, name), share) for name, share in shares.items()}
        return msgspec.structs.replace(machine, **worst)

    def write(self, build: int, *, has_ended: bool = False) -> None:
        """Write one build's file. After the run *has_ended*, it is complete if no sample is missing.

        Raises UserError instead of writing a file that can't be read back. Samples are checked as they come in, so
        that happens before the first.
        """
        builder = self.builders[build]
        names = sorted({entry.scenario for entry in builder.rows})
        now = timestamp() if has_ended else None
        after = {"load_after": host.load_average()} if has_ended else {}
        record = model.Record(
            schema_version=2,
            kind="by_product" if self.order.has_by_product and build == 0 else "cell",
            complete=has_ended and all(step.entry.build != build for step in self.not_reached()),
            run=msgspec.structs.replace(self.order.run, finished=now, wall_ns=builder.wall_ns),
            machine=msgspec.structs.replace(self.machine(), **after),
            build=self.builds[build].build,
            reference_build=self.builds[0].build,
            packages=dict(self.builds[build].packages),
            reference_packages=dict(self.builds[0].packages),
            scenario_sha256={name: self.scenarios[name].scenario_sha256 for name in names},
            series=[builder.series(entry) for entry in builder.rows],
        )
        try:
            data = codec.encode_checked(record)
        except ValueError as error:
            name = self.builds[build].name
            msg = f"a result of {name} could not be read back, so none is written: {error}; please report this"
            raise UserError(msg) from error
        write_atomically(self.paths()[build], data)


def timestamp() -> str:
    """Return the time now, in UTC, to the second."""
    return dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
