"""Turns a user's request into a run, and carries it out."""

import errno
import math
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import msgspec

from runners.harness import commands, matrix
from runners.harness.builds import environments, host, interpreters, kept_requests
from runners.harness.builds.build_request import BuildRequest, parse
from runners.harness.builds.interpreters import Prepared
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.errors import UserError
from runners.harness.process import open_files
from runners.harness.record import model
from runners.harness.run import plan
from runners.harness.run.calibration import calibrate
from runners.harness.run.package_remedies import variant_problems
from runners.harness.run.plan import Step
from runners.harness.run.progress import Display
from runners.harness.run.quiet import wait_until_quiet
from runners.harness.run.revision import revision
from runners.harness.run.session import Order, Session, timestamp

LOCAL = catalogue.ROOT / "results" / "local"
LARGEST_SEED = 2**31
ALL_METRICS = "all"
DEFAULT_PYTHON = BuildRequest(str(Path(getattr(sys, "_base_executable", sys.executable))))
"""The interpreter that our own environment was made from."""
REMEDIES = {
    errno.ENOSPC: "make room on that disk",
    errno.EDQUOT: "make room on that disk",
    errno.ENAMETOOLONG: "choose a shorter --machine or --out",
    errno.EEXIST: "another run with this seed began in this second: run it again",
}


@dataclass(frozen=True)
class RunRequest:
    selection: plan.Selection
    rounds: int
    seed: int
    pythons: Sequence[BuildRequest]
    builds: Sequence[Prepared] = ()
    """The pythons, if an earlier run of the same command has prepared them."""

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> "RunRequest":
        """Read the command line's options. Raises UnknownNameError."""
        scenarios = catalogue.find()
        chosen = catalogue.select(scenarios, options["scenarios"], "scenario")
        runners = sorted({runner for name in chosen for runner in scenarios[name].runners})
        catalogue.select(runners, options["runners_"], "runner")
        cases = sorted({case for name in chosen for case in scenarios[name].cases})
        catalogue.select(cases, options["cases"], "case")
        return cls(
            selection=plan.Selection(options["profile"], options["scenarios"], options["runners_"], options["cases"]),
            rounds=options["rounds"] or plan.ROUNDS[options["profile"]],
            seed=options["seed"],
            pythons=[parse(text, environments.packages()) for text in options["pythons"]] or [DEFAULT_PYTHON],
        )

    def repeated(self, count: int) -> "list[RunRequest]":
        """Return this request, followed by others whose seeds are drawn from its own."""
        seeds = random.Random(self.seed)  # noqa: S311 - an order, not a secret
        return [self, *(replace(self, seed=seeds.randrange(LARGEST_SEED)) for _ in range(count - 1))]


def draw_seed() -> int:
    return random.randrange(LARGEST_SEED)  # noqa: S311 - an order, not a secret


def check_metric(name: str, selection: plan.Selection, scenarios: Mapping[str, Scenario]) -> None:
    """Raise UnknownNameError unless a scenario of *selection* has the metric. An empty name is each one's first."""
    chosen = [scenario for scenario in scenarios.values() if selection.includes(scenario)]
    known = dict.fromkeys(metric.name for scenario in chosen for metric in scenario.metrics)
    if name and known:
        catalogue.select([*known, ALL_METRICS], [name], "metric of these scenarios")


def _steps(request: RunRequest, scenarios: Mapping[str, Scenario]) -> list[Step]:
    varied = [[package.name for package in python.packages] for python in request.pythons]
    series = plan.entries(scenarios, request.selection, varied)
    return plan.steps(scenarios, series, request.rounds, request.seed)


def plan_samples(request: RunRequest, scenarios: Mapping[str, Scenario]) -> list[Step]:
    """Return the samples of a run on builds that support everything. Raises UserError if there are none."""
    for python in request.pythons:
        for package in python.packages:
            if package.is_wheel:
                environments.sha256(Path(package.requirement))
    steps = _steps(request, scenarios)
    if not steps:
        raise UserError(_why_empty(request, scenarios))
    return steps


def estimate_minutes(steps: Sequence[Step], selection: plan.Selection, scenarios: Mapping[str, Scenario]) -> float:
    """Estimate how long *steps* take, from the minutes of every case and runner of their scenarios."""
    complete = plan.entries(scenarios, replace(selection, runners=(), cases=()), [()])
    minutes = matrix.read().minutes.estimate(selection.profile, selection.scenarios)
    return minutes * len(steps) / (len(complete) * plan.ROUNDS[selection.profile])


def _why_empty(request: RunRequest, scenarios: Mapping[str, Scenario]) -> str:
    selection = request.selection
    selections = (replace(selection, profile=profile) for profile in plan.ROUNDS)
    profiles = [each.profile for each in selections if _steps(replace(request, selection=each), scenarios)]
    if profiles:
        return f"the {selection.profile} profile measures nothing of this: add --profile {' or '.join(profiles)}"
    packages = {package.name for python in request.pythons for package in python.packages}
    importing = f", importing {' or '.join(sorted(packages))}" if packages else ""
    return f"no scenario has these runners and cases{importing}; `python -m runners list` shows them"


@dataclass(frozen=True)
class Origin:
    """The workflow that started a run. The id is a job's, the name is shared by all jobs of the run."""

    run_id: str
    run_name: str
    trigger: Literal["local", "dispatch", "schedule"]
    url: str | None
    has_reference_build: bool
    """True if the reference build is measured only for comparison: its file is a by-product."""


def begin(
    request: RunRequest, scenarios: Mapping[str, Scenario], out: Path, label: str | None, origin: Origin | None = None
) -> Session:
    """Prepare a new run.

    Raises UserError if it would measure nothing, a build can't be prepared, or its folder can't be written to. A run
    started by hand also stops if a variant's package did not install; a workflow's goes on with its other builds.
    """
    plan_samples(request, scenarios)
    machine = host.look(label)
    builds = request.builds or interpreters.prepare(request.pythons)
    if origin is None and (problems := variant_problems(builds)):
        raise UserError("; ".join(problems))
    wait_until_quiet()
    machine = msgspec.structs.replace(machine, load_before=host.load_average())
    run = _run(request, origin, calibrate(builds[0], scenarios.values(), request.selection))
    folder = out / run.started[:10] / run.id
    try:
        folder.mkdir(parents=True, exist_ok=origin is not None)
        kept_requests.keep(run.id, builds)
    except OSError as error:
        msg = f"{error.filename or folder} can't be written: {error.strerror}; {write_remedy(error)}"
        raise UserError(msg) from None
    return Session(Order(run, machine, folder, origin is not None and origin.has_reference_build), scenarios, builds)


def _run(request: RunRequest, origin: Origin | None, calibration: dict[str, int]) -> model.Run:
    started = timestamp()
    head, dirty, _ = revision()
    if origin is None:
        own_id = f"{started.replace('-', '').replace(':', '')}-{request.seed:08x}"
        origin = Origin(own_id, own_id, "local", None, has_reference_build=False)
    return model.Run(
        id=origin.run_id,
        name=origin.run_name,
        started=started,
        finished=None,
        commit=head,
        dirty=dirty,
        profile=request.selection.profile,
        rounds=request.rounds,
        seed=request.seed,
        trigger=origin.trigger,
        url=origin.url,
        scenarios=list(request.selection.scenarios),
        runners=list(request.selection.runners),
        cases=list(request.selection.cases),
        calibration=calibration,
        memory_budget_bytes=host.memory_budget_bytes(),
        wall_ns={},
    )


def carry_out(session: Session, minutes: float = math.inf) -> None:
    """Measure and show progress. Raises UserError if time runs out or a file can't be written; all files stay valid."""
    open_files.raise_limit()
    for build in session.builds:
        environments.compile_runners(build.python)
    try:
        with Display(session.builds, session.steps) as display:
            session.measure(display, time.monotonic() + 60 * minutes)
    except OSError as error:
        raise UserError(_why_stopped(session, error)) from None
    if missing := len(session.not_reached()):
        counts = f"{missing:,} of {len(session.steps):,}"
        msg = f"time ran out: {counts} samples were not reached; choose fewer scenarios or rounds"
        raise UserError(msg)
    kept_requests.forget(session.order.run.id)


def _why_stopped(session: Session, error: OSError) -> str:
    has_files = any(session.order.folder.glob("*.json"))
    then = f"the results so far are kept; resume with: {resume_command(session)}" if has_files else "run it again"
    return f"the run stopped: {error.strerror or error}; {write_remedy(error)}; {then}"


def write_remedy(error: OSError) -> str:
    return REMEDIES.get(error.errno or 0, "fix that")


def resume_command(session: Session) -> str:
    return commands.module_command("runners", "run", "--resume", session.order.folder)
