"""Resumes an interrupted run from its files, after checking that nothing relevant has changed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import msgspec

from runners.harness.builds import host, interpreters, kept_requests
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.errors import UserError
from runners.harness.record import codec, model
from runners.harness.record.build_names import build_name
from runners.harness.run import plan
from runners.harness.run.new_run import check_metric
from runners.harness.run.quiet import wait_until_quiet
from runners.harness.run.revision import revision
from runners.harness.run.session import Order, Session


def resume(path: Path, scenarios: Mapping[str, Scenario], metric: str = "") -> Session:
    """Prepare to continue an incomplete run, given its folder or one of its files. Raises UserError."""
    folder, records = _read_run(path)
    if records:
        wait_until_quiet()
    here = host.look()  # before the checks and preparations below cause load
    _check_run(path, records, here)
    run = records[0].run
    check_metric(metric, plan.Selection.from_run(run), scenarios)
    for record in records:
        _check_code(record, scenarios)
    names = [build_name(record.build) for record in records]
    builds = interpreters.prepare(kept_requests.find(run.id, names))
    for record, build in zip(records, builds, strict=True):
        if record.packages != build.packages:
            _refuse(build.name, "has other versions of the runners' packages now: the run can't be resumed")
        if record.build != build.build:
            _refuse(build_name(record.build), f"was measured, but {build.name} on this machine is a different build")
    first = records[0].machine
    machine = msgspec.structs.replace(first, load_before=host.worse(first.load_before, here.load_before))
    session = Session(Order(run, machine, folder, records[0].kind == "by_product"), scenarios, builds)
    for builder, record in zip(session.builders, records, strict=True):
        builder.restore(record)
    session.forget_interrupted_block()
    return session


def _refuse(subject: Path | str, reason: str) -> NoReturn:
    msg = f"{subject} {reason}"
    raise UserError(msg)


def _read_run(path: Path) -> tuple[Path, list[model.Record]]:
    try:
        folder = path if path.is_dir() else path.parent
        files = sorted(folder.glob("*.json")) if path.exists() else []
        if runs := sorted(file.parent for file in path.glob("*/**/*.json")):
            _refuse(path, f"has several runs: name the folder of one, such as {runs[-1]}")
    except OSError as error:  # such as a name that is too long
        _refuse(path, f"can't be resumed: {error.strerror}")
    records = [_read(file) for file in files]
    return folder, sorted(
        records, key=lambda record: (record.build != record.reference_build, build_name(record.build))
    )


def _read(path: Path) -> model.Record:
    try:
        return codec.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError) as error:
        _refuse(path.name, f"can't be resumed: {error}")


def _check_run(path: Path, records: Sequence[model.Record], here: model.Machine) -> None:
    if not records:
        _refuse(path, "has no result file to resume")
    first = records[0]
    if len({record.run.id for record in records}) > 1:
        _refuse(path, "has files of several runs: move each run to a folder of its own")
    if all(record.complete for record in records):
        _refuse(path, "is complete: there is nothing to resume")
    if first.run.commit != revision().commit:
        _refuse(path, f"was measured from commit {first.run.commit}: check that out to resume it")
    if first.build != first.reference_build:
        _refuse(path, f"lacks the file of the reference build, {build_name(first.reference_build)!r}")
    if any((record.machine.cpu, record.machine.usable_cores) != (here.cpu, here.usable_cores) for record in records):
        _refuse(path, "was measured on another machine: resume it there")
    if host.is_busy(here) and not host.is_busy(first.machine):
        load = f"the load is {here.load_before:.1f}, above the number of cores"
        _refuse(path, f"would decide nothing if resumed now: {load}; wait a minute or two, or stop other programs")


def _check_code(record: model.Record, scenarios: Mapping[str, Scenario]) -> None:
    for series in record.series:
        scenario = scenarios.get(series.scenario)
        runner = scenario.runners.get(series.runner) if scenario else None
        if scenario is None or runner is None:
            _refuse(model.runner_path(series), "was removed since the run began: it can't be resumed")
        hashes = (series.source_sha256, record.scenario_sha256.get(series.scenario))
        if hashes != (runner.source_sha256, scenario.scenario_sha256):
            _refuse(model.runner_path(series), "has changed since the run began: it can't be resumed")
