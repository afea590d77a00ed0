"""Turns what a user asks for into a run: a new one, or one to go on with. Our side."""

from __future__ import annotations

import errno
import math
import random
import re
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast

import msgspec

from runners.harness import commands
from runners.harness.builds import environments, found_again, host, interpreters
from runners.harness.builds.build_request import NOT_AS_CLONED, VARIABLES, parse
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.process import open_files
from runners.harness.record import codec, model
from runners.harness.record.build_names import build_name
from runners.harness.run import plan
from runners.harness.run.calibration import calibrate
from runners.harness.run.package_remedies import variant_problems
from runners.harness.run.progress import Display
from runners.harness.run.quiet import wait_until_quiet
from runners.harness.run.session import Order, Session, revision, timestamp

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from runners.harness.builds.interpreters import Prepared
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.run.plan import Step

RESULTS = catalogue.ROOT / "results"
LOCAL = RESULTS / "local"
LARGEST_SEED = 2**31
ALL_METRICS = "all"
"""In place of a metric's name: every one."""
REMEDIES = {
    errno.ENOSPC: "make room on that disk",
    errno.EDQUOT: "make room on that disk",
    errno.ENAMETOOLONG: "choose a shorter --machine or --out",
}
"""What to do where a file can't be written."""
IMPLEMENTATION = re.compile(r"[A-Za-z]{1,40}")
VARIANT = re.compile(r"-?[A-Za-z0-9][^/\\]*|[A-Za-z0-9-]+/[A-Za-z0-9._-]+@[A-Za-z0-9._/-]+")
"""A word without a path in it, or owner/repository@commit."""
VERSION = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4}){2}((a|b|rc)[0-9]{1,4})?\+?")


@dataclass(frozen=True)
class RunRequest:
    """A new run as it is asked for."""

    selection: plan.Selection
    rounds: int
    seed: int
    pythons: tuple[str, ...]
    builds: Sequence[Prepared] = ()
    """The pythons, if an earlier run of the same command has prepared them."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> RunRequest:
        """Read the command line's options. Raises UnknownNameError."""
        scenarios = catalogue.find()
        profile = cast("model.Profile", catalogue.select(plan.ROUNDS, [options["profile"]], "profile")[0])
        chosen = catalogue.select(scenarios, options["scenarios"], "scenario")
        runners = sorted({runner for name in chosen for runner in scenarios[name].runners})
        catalogue.select(runners, options["runners_"], "runner")
        cases = sorted({case for name in chosen for case in scenarios[name].cases})
        catalogue.select(cases, options["cases"], "case")
        return cls(
            selection=plan.Selection(profile, options["scenarios"], options["runners_"], options["cases"]),
            rounds=options["rounds"] or plan.ROUNDS[profile],
            seed=drawn_seed() if options["seed"] is None else options["seed"],
            pythons=options["pythons"] or (default_python(),),
        )

    def repeated(self, count: int) -> list[RunRequest]:
        """Return *count* requests: this one, and others with seeds that follow from its own."""
        later = random.Random(self.seed)  # noqa: S311 - an order, not a secret
        return [self, *(replace(self, seed=later.randrange(LARGEST_SEED)) for _ in range(count - 1))]


def drawn_seed() -> int:
    """Draw a seed; it is recorded."""
    return random.randrange(LARGEST_SEED)  # noqa: S311 - an order, not a secret


def default_python() -> str:
    """Return the interpreter that our own environment was made from."""
    return str(Path(getattr(sys, "_base_executable", sys.executable)))


def check_metric(name: str, selection: plan.Selection, scenarios: Mapping[str, Scenario]) -> None:
    """Raise UnknownNameError if no scenario of *selection* has a metric called *name*. Empty is the first of each."""
    chosen = [scenario for scenario in scenarios.values() if selection.has(scenario)]
    known = dict.fromkeys(metric.name for scenario in chosen for metric in scenario.metrics)
    if name and known:
        catalogue.select([*known, ALL_METRICS], [name], "metric of these scenarios")


def planned(request: RunRequest, scenarios: Mapping[str, Scenario]) -> list[Step]:
    """Return what a run would measure on builds that support everything."""
    varied = [_names(text) for text in request.pythons]
    series = plan.entries(scenarios, request.selection, varied)
    return plan.steps(scenarios, series, request.rounds, request.seed)


def checked(request: RunRequest, scenarios: Mapping[str, Scenario]) -> list[Step]:
    """Return what is *planned*, or refuse it.

    Raises UserError where a run would measure nothing, or an interpreter is not on this machine.
    """
    steps = _planned_or_refused(request, scenarios)
    for text in request.pythons:
        interpreters.find(parse(text, environments.packages()).interpreter)
    return steps


def _planned_or_refused(request: RunRequest, scenarios: Mapping[str, Scenario]) -> list[Step]:
    """Return what a run would measure. Raises UserError where that is nothing, or a variant's package can't be had."""
    for text in request.pythons:
        _check_packages(text)
    steps = planned(request, scenarios)
    if not steps:
        raise UserError(_why_nothing(request, scenarios))
    return steps


def _check_packages(text: str) -> None:
    """Raise UserError where a build that is named *text* needs a wheel that is not there, or what does not build."""
    for package in parse(text, environments.packages()).packages:
        if package.is_unbuilt:
            msg = f"{text!r}: {NOT_AS_CLONED[package.name]}"
            raise UserError(msg)
        if package.is_wheel:
            environments.sha256(Path(package.requirement))


def _why_nothing(request: RunRequest, scenarios: Mapping[str, Scenario]) -> str:
    """Say why nothing would be measured, and what to do."""
    asked = request.selection
    others = [
        each for each in plan.ROUNDS if planned(replace(request, selection=replace(asked, profile=each)), scenarios)
    ]
    if not others and (lacking := _without_a_runner(request, scenarios)):
        return lacking
    if not others:
        return "no scenario has the runners and cases that you chose; `python -m runners list` shows which has what"
    return f"nothing of what you chose is in the {asked.profile} profile: add --profile {' or '.join(others)}"


def _without_a_runner(request: RunRequest, scenarios: Mapping[str, Scenario]) -> str:
    """Say which variants leave nothing to measure, since no chosen runner imports their packages; empty where none."""
    chosen = request.selection
    plain = (replace(request, selection=replace(chosen, profile=each), pythons=("3",)) for each in plan.ROUNDS)
    named = {text: {*_names(text)} for text in request.pythons if _names(text)}
    if not named or not any(planned(each, scenarios) for each in plain):
        return ""
    packages = {package for of_one in named.values() for package in of_one}
    importing = [
        scenario.name
        for scenario in scenarios.values()
        if any(packages & {*runner.packages} for runner in scenario.runners.values())
    ]
    imported = f"no runner of what you chose imports {' or '.join(sorted(packages))}"
    return f"{', '.join(named)} would measure nothing: {imported}; runners of {', '.join(importing)} do"


def _names(text: str) -> list[str]:
    """Return the packages of which a build that is named *text* has another version."""
    return [package.name for package in parse(text, environments.packages()).packages]


@dataclass(frozen=True)
class Origin:
    """Where a run comes from that nobody started by hand on this machine."""

    run_id: str
    """Of its job: what one job measures has the same."""
    run_name: str
    """Of the whole run."""
    trigger: Literal["dispatch", "schedule"]
    url: str
    has_reference_build: bool
    """Whether the reference build is there beside the cell's own: its file is a by-product."""


def begin(
    request: RunRequest, scenarios: Mapping[str, Scenario], out: Path, label: str | None, origin: Origin | None = None
) -> Session:
    """Prepare a new run.

    Raises UserError where it would measure nothing, a build can't be had, or the folder can't be written to; for a run
    that somebody started by hand also where the package of a variant did not install.
    """
    _planned_or_refused(request, scenarios)
    machine = host.look(label)
    builds = request.builds or interpreters.prepare(request.pythons)
    if origin is None and (lacking := variant_problems(builds)):  # a hosted run goes on: others asked for its cells
        raise UserError("; ".join(lacking))
    wait_until_quiet()
    machine = msgspec.structs.replace(machine, load_before=host.load_average())
    started = timestamp()
    head, dirty = revision()
    own = f"{started.replace('-', '').replace(':', '')}-{request.seed:08x}"
    run = model.Run(
        id=origin.run_id if origin else own,
        name=origin.run_name if origin else own,
        started=started,
        finished=None,
        commit=head,
        dirty=dirty,
        profile=request.selection.profile,
        rounds=request.rounds,
        seed=request.seed,
        trigger=origin.trigger if origin else "local",
        url=origin.url if origin else None,
        scenarios=list(request.selection.scenarios),
        runners=list(request.selection.runners),
        cases=list(request.selection.cases),
        calibration=calibrate(builds[0], scenarios.values(), request.selection),
        memory_budget_bytes=host.memory_budget_bytes(),
        wall_ns={},
    )
    folder = out / started[:10] / run.id
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"no results can be written to {out}: {error.strerror}"
        raise UserError(msg) from None
    try:
        found_again.keep(run.id, builds)
    except OSError as error:
        msg = f"nothing can be kept in {found_again.KEPT}: {error.strerror}; {remedy(error)}"
        raise UserError(msg) from None
    return Session(Order(run, machine, folder, origin is not None and origin.has_reference_build), scenarios, builds)


def resume(path: Path, scenarios: Mapping[str, Scenario], metric: str = "") -> Session:
    """Prepare to go on with an incomplete run: one of its files, or its folder. It has to have the *metric*.

    Raises UserError where it is complete, unreadable, of other code or another machine, or its builds are gone.
    """
    try:
        folder = path if path.is_dir() else path.parent
        files = sorted(folder.glob("*.json")) if path.exists() else []
    except OSError as error:  # such as a name that is too long
        refuse(str(path), f"can't be resumed: {error.strerror}")
    records = [_read(file) for file in files]
    records.sort(key=lambda record: (record.build != record.reference_build, build_name(record.build)))
    if records:
        wait_until_quiet()
    here = host.look()  # before what is done below makes a load of its own
    _check_resumable(path, records, here)
    run = records[0].run
    check_metric(metric, plan.Selection.of(run), scenarios)
    for record in records:
        _check_same_code(record, scenarios)
    builds = interpreters.prepare(
        [found_again.named_again(run.id, record.build, record.packages) for record in records]
    )
    for record, build in zip(records, builds, strict=True):
        if not found_again.has_same_packages(record.packages, build.packages):
            refuse(build.name, "has other versions of the runners' packages now: the run can't be resumed")
        if record.build != build.build:
            refuse(build_name(record.build), f"was measured, but {build.name} of this machine is another build")
    first = records[0].machine
    machine = msgspec.structs.replace(first, load_before=host.worse(first.load_before, here.load_before))
    order = Order(run, machine, folder, has_by_product=records[0].kind == "by_product")
    session = Session(order, scenarios, builds)
    for builder, record in zip(session.builders, records, strict=True):
        builder.restore(record)
    session.forget_cut_block()
    return session


def _check_resumable(path: Path, records: list[model.Record], here: model.Machine) -> None:
    """Raise UserError where *records*, the reference's first, are not a run that can be resumed here."""
    if not records:
        refuse(path, "holds no result file to go on with")
    for record in records:
        _check_build(record.build)
        _check_build(record.reference_build)
    first = records[0]
    if len({record.run.id for record in records}) > 1:
        refuse(path, "holds files of several runs: put those of each into a folder of their own")
    if all(record.complete for record in records):
        refuse(path, "is complete: there is nothing to go on with")
    if first.run.commit != revision().commit:
        refuse(path, f"was measured from commit {first.run.commit}: check that out to go on with it")
    if first.build != first.reference_build:
        refuse(path, f"lacks the file of the reference build, {build_name(first.reference_build)}")
    if any((record.machine.cpu, record.machine.usable_cores) != (here.cpu, here.usable_cores) for record in records):
        refuse(path, "was measured on another machine: go on with it there")
    if host.is_busy(here) and not host.is_busy(first.machine):
        refuse(path, f"would decide nothing if it went on now: {_load_words(here)}")


def _load_words(here: model.Machine) -> str:
    return (
        f"the load is {here.load_before:.1f}, above the number of cores, and counts for the whole run; one that was cut"
        " off leaves such a load for a minute or two: wait, or end what runs, and do this again"
    )


def _check_build(build: model.Build) -> None:
    """Raise UserError for what is no name of a build, or may not switch one: by them a program is found, and run."""
    if not (IMPLEMENTATION.fullmatch(build.implementation) and VERSION.fullmatch(build.version)):
        refuse(repr(f"{build.implementation} {build.version}"), "is no Python's name and version: nothing of it is run")
    for word in build.variant:
        if not VARIANT.fullmatch(word):
            refuse(repr(word), "is not what a variant can be called: nothing of it is run")
    for variable in build.variables:
        if (name := variable.partition("=")[0]) not in VARIABLES:
            refuse(repr(name), "is no variable that switches a Python: nothing is run with it")


def refuse(what: Path | str, reason: str) -> NoReturn:
    """Raise UserError: a run can't be resumed, for what is said of *what*."""
    msg = f"{what} {reason}"
    raise UserError(msg)


def _check_same_code(record: model.Record, scenarios: Mapping[str, Scenario]) -> None:
    for series in record.series:
        scenario = scenarios.get(series.scenario)
        runner = scenario.runners.get(series.runner) if scenario else None
        if scenario is None or runner is None:
            refuse(model.of_runner(series), "is gone since the run began: it can't be resumed")
        hashes = (series.source_sha256, record.scenario_sha256.get(series.scenario))
        if hashes != (runner.source_sha256, scenario.scenario_sha256):
            refuse(model.of_runner(series), "has changed since the run began: it can't be resumed")


def _read(path: Path) -> model.Record:
    try:
        return codec.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError) as error:
        msg = f"{path.name} can't be resumed: {error}"
        raise UserError(msg) from None


def carry_out(session: Session, minutes: float = math.inf) -> None:
    """Measure, showing progress.

    After *minutes* no further sample is begun: what is left is recorded as not reached. Raises UserError where that is
    so, and where a file can't be written; those that are there are valid.
    """
    open_files.allow_enough()
    for build in session.builds:
        environments.compile_runners(build.python)
    try:
        with Display(session.builds, session.steps) as display:
            session.measure(display, time.monotonic() + 60 * minutes)
    except OSError as error:
        raise UserError(_why_it_stopped(session, error)) from None
    if left := len(session.not_reached()):
        msg = (
            f"time ran out: {left:,} of {len(session.steps):,} samples were not reached; name fewer scenarios or rounds"
        )
        raise UserError(msg)
    found_again.forget(session.order.run.id)


def _why_it_stopped(session: Session, error: OSError) -> str:
    is_begun = any(session.order.folder.glob("*.json"))
    then = f"what was measured is kept, and goes on with: {resume_command(session)}" if is_begun else "run it again"
    return f"the run stopped: {error.strerror or error}; {remedy(error)}; {then}"


def remedy(error: OSError) -> str:
    """Say what to do where a file can't be written."""
    return REMEDIES.get(error.errno or 0, "mend that")


def resume_command(session: Session) -> str:
    """Return the command, for a shell, that goes on with a run that was cut off."""
    return commands.module_command("runners", "run", "--resume", session.order.folder)
