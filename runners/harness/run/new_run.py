"""Turns what a user asks for into a run: a new one, or one to go on with. Our side."""

from __future__ import annotations

import math
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from runners.harness.builds import environments, host, interpreters
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.record import codec, model
from runners.harness.record.build_names import build_name
from runners.harness.run import plan
from runners.harness.run.progress import Display
from runners.harness.run.session import Order, Session, commit, timestamp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.run.plan import Step

RESULTS = catalogue.ROOT / "results"
LOCAL = RESULTS / "local"
LARGEST_SEED = 2**31


@dataclass(frozen=True)
class RunRequest:
    """A new run as it is asked for."""

    selection: plan.Selection
    rounds: int
    seed: int
    pythons: tuple[str, ...]

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> RunRequest:
        """Read the command line's options. Raises UnknownNameError."""
        scenarios = catalogue.find()
        profile = cast("plan.Profile", catalogue.select(plan.ROUNDS, [options["profile"]], "profile")[0])
        if options["scenarios"]:
            catalogue.select(scenarios, options["scenarios"], "scenario")
        chosen = [scenarios[name] for name in options["scenarios"] or scenarios]
        if options["runners_"]:
            names = sorted({name for scenario in chosen for name in scenario.runners})
            catalogue.select(names, options["runners_"], "runner")
        return cls(
            selection=plan.Selection(profile, options["scenarios"], options["runners_"]),
            rounds=options["rounds"] or plan.ROUNDS[profile],
            seed=drawn_seed() if options["seed"] is None else options["seed"],
            pythons=options["pythons"] or (our_own_python(),),
        )


def drawn_seed() -> int:
    """Draw a seed; it is recorded."""
    return random.randrange(LARGEST_SEED)  # noqa: S311 - an order, not a secret


def our_own_python() -> str:
    """Return the interpreter that our own environment was made from."""
    return str(Path(getattr(sys, "_base_executable", sys.executable)))


def planned(wanted: RunRequest, scenarios: Mapping[str, Scenario]) -> list[Step]:
    """Return what a run would measure on builds that support everything."""
    series = plan.entries(scenarios, wanted.selection, len(wanted.pythons))
    return plan.steps(scenarios, series, wanted.rounds, wanted.seed)


@dataclass(frozen=True)
class Origin:
    """Where a run comes from that nobody started by hand on this machine."""

    run_id: str
    trigger: Literal["dispatch", "schedule"]
    url: str


def begun(
    wanted: RunRequest, scenarios: Mapping[str, Scenario], out: Path, label: str | None, origin: Origin | None = None
) -> Session:
    """Prepare a new run. Raises UserError for a build that can't be had, or a folder that can't be written to."""
    machine = host.look(label)
    ready = interpreters.prepare(wanted.pythons)
    started = timestamp()
    head, dirty = commit()
    run = model.Run(
        id=origin.run_id if origin else f"{started.replace('-', '').replace(':', '')}-{wanted.seed:08x}",
        started=started,
        finished=None,
        commit=head,
        dirty=dirty,
        profile=wanted.selection.profile,
        rounds=wanted.rounds,
        seed=wanted.seed,
        trigger=origin.trigger if origin else "local",
        url=origin.url if origin else None,
        scenarios=list(wanted.selection.scenarios),
        runners=list(wanted.selection.runners),
        wall_ns={},
    )
    folder = out / started[:10] / run.id
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"no results can be written to {out}: {error.strerror}"
        raise UserError(msg) from None
    return Session(Order(run, machine, wanted.selection, folder), scenarios, _in_order(ready))


def resumed(path: Path, scenarios: Mapping[str, Scenario]) -> Session:
    """Prepare to go on with an incomplete run: one of its files, or its folder.

    Raises UserError where it is complete, unreadable, of other code or another machine, or its builds are gone.
    """
    folder = path if path.is_dir() else path.parent
    records = [_read(file) for file in sorted(folder.glob("*.json"))] if path.exists() else []
    records.sort(key=lambda one: (one.build != one.reference_build, build_name(one.build)))
    if why_not := _why_not(records):
        msg = f"{path} {why_not}"
        raise UserError(msg)
    run = records[0].run
    _same_code(records[0], scenarios)
    ready = interpreters.prepare([interpreters.found_again(one.build) for one in records])
    for one, build in zip(records, ready, strict=True):
        if one.packages != build.packages:
            msg = f"{build.name} has other versions of the runners' packages now: the run can't be gone on with"
            raise UserError(msg)
        if one.build != build.build:
            msg = f"{build_name(one.build)} was measured, but {build.name} of this machine is another build"
            raise UserError(msg)
    selection = plan.Selection(run.profile, tuple(run.scenarios), tuple(run.runners))
    session = Session(Order(run, records[0].machine, selection, folder), scenarios, ready)
    session.restore(records)
    return session


def _in_order(ready: list[interpreters.Prepared]) -> list[interpreters.Prepared]:
    """Put the builds in the order that `resumed` finds them in too: the plan depends on it."""
    return [ready[0], *sorted(ready[1:], key=lambda build: build.name)]


def _why_not(records: list[model.Record]) -> str | None:
    """Say why files, the reference's first, are not a run that can be gone on with; None where they are."""
    if not records:
        return "holds no result file to go on with"
    first, here = records[0], host.look()
    faults = {
        "holds files of several runs: put those of each into a folder of their own": len({x.run.id for x in records})
        > 1,
        "is complete: there is nothing to go on with": all(one.complete for one in records),
        f"was measured from commit {first.run.commit}: check that out to go on with it": first.run.commit
        != commit()[0],
        f"lacks the file of the reference build, {build_name(first.reference_build)}": (
            first.build != first.reference_build
        ),
        "was measured on another machine: go on with it there": any(
            (one.machine.cpu, one.machine.usable_cores) != (here.cpu, here.usable_cores) for one in records
        ),
    }
    return next((fault for fault, found in faults.items() if found), None)


def _same_code(one: model.Record, scenarios: Mapping[str, Scenario]) -> None:
    for series in one.series:
        scenario = scenarios.get(series.scenario)
        runner = scenario.runners.get(series.runner) if scenario else None
        if scenario is None or runner is None:
            msg = f"{series.scenario}/{series.runner} is gone since the run began: it can't be gone on with"
            raise UserError(msg)
        if (runner.source_sha256, scenario.scenario_sha256) != (
            series.source_sha256,
            one.scenario_sha256.get(series.scenario),
        ):
            msg = f"{series.scenario}/{series.runner} has changed since the run began: it can't be gone on with"
            raise UserError(msg)


def _read(path: Path) -> model.Record:
    try:
        return codec.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError) as error:
        msg = f"{path.name} can't be gone on with: {error}"
        raise UserError(msg) from None


def carry_out(session: Session, minutes: float = math.inf) -> dict[tuple[str, str], str]:
    """Measure, showing progress; return the first reason of each series and status that went wrong.

    After *minutes* no further sample is begun: what is left is recorded as not reached.
    """
    for build in session.builds:
        environments.compile_runners(build.python)
    with Display(session.builds, session.steps) as display:
        session.measure(display, time.monotonic() + 60 * minutes)
    return display.faults
