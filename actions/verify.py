"""Verifies a result file from a job against the plan. Pure.

A job runs the code of packages, which may have invented anything. Facts that are known beforehand must match exactly;
measurements are left to the sanity gate.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from actions import named_builds
from actions.artifacts import Refused
from actions.job import MOST_DAYS
from actions.run_plan import entries_of
from generate.data import gate
from generate.data.files import ResultFile
from generate.data.read import UnusableError, decode_checked
from generate.words.log_lines import describe_mistake
from runners.harness.record.model import SCHEMA_VERSION, of_runner

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from actions.job import HostedRun
    from actions.run_plan import Plan, PlannedJob
    from runners.harness.builds.build_request import BuildRequest
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.matrix import Machine
    from runners.harness.record.model import Record

LONGEST_QUOTE = 60
PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
PACKAGE_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+!_-]{0,59}")


@dataclass(frozen=True)
class Known:
    """What is known about all files."""

    plan: Plan
    run: HostedRun
    scenarios: Mapping[str, Scenario]
    machines: Mapping[str, Machine]
    """By label."""


@dataclass(frozen=True)
class Expectation:
    """What is known about one file."""

    known: Known
    job: PlannedJob
    attempt: int
    number: int
    """Of its build in the job."""
    reference: Record | None = None
    """The reference's file, if that is another and was accepted."""

    @property
    def python(self) -> str:
        """Name of the build."""
        return self.job.pythons[self.number]

    @property
    def is_by_product(self) -> bool:
        """True for the reference, measured next to the job's cells."""
        return bool(self.job.reference) and self.number == 0

    @property
    def machine(self) -> Machine:
        """The job's machine."""
        return self.known.machines[self.job.machine]

    @property
    def request(self) -> BuildRequest:
        """The build as it was requested."""
        return named_builds.request_of(self.python, self.machine)


@dataclass(frozen=True)
class Accepted:
    """A file that is published."""

    data: bytes
    file: ResultFile
    faults: list[str]
    """From the sanity gate, each as "file on processor: fault"."""


def verify_file(data: bytes, name: str, expected: Expectation) -> Accepted | Refused:
    """Verify the bytes of the file *name*."""
    path = f"{expected.known.run.folder(expected.attempt)}/{name}"
    try:
        record = decode_checked(data)
        if fault := next(_faults(record, expected), None):
            return Refused(fault)
        file = ResultFile(path, record, hashlib.sha256(data).hexdigest(), local=False, size_bytes=len(data))
        faults = gate.faults(record, expected.known.scenarios)
        return Accepted(data, file, [f"{expected.job.id}/{name} on {record.machine.cpu}: {fault}" for fault in faults])
    except UnusableError as error:
        field = error.field.removeprefix("$.")
        return Refused(f"{field}: {error.message}" if field else error.message)
    except Exception as error:  # noqa: BLE001 - one file must not cost the others
        return Refused(f"it can't be checked: {describe_mistake(error)}")


def _faults(record: Record, expected: Expectation) -> Iterator[str]:
    """Yield what is not as planned, as "field: fault"."""
    for field, (value, right) in _facts(record, expected).items():
        if value != right:
            yield f"{field}: it is {_quoted(value)}, not {right!r}"
    yield from _time_faults(record, expected.known.run.day)
    yield from _build_faults(record, expected)
    yield from _text_faults(record)
    yield from named_builds.package_faults(record.packages, record.build.variant, expected.request)
    yield from _code_faults(record, expected.known.scenarios)
    yield from _series_faults(record, expected)


def _facts(record: Record, expected: Expectation) -> dict[str, tuple[object, object]]:
    """Return the value and the right value of fields that the plan decides."""
    run, plan, hosted = record.run, expected.known.plan, expected.known.run
    name = hosted.name(expected.attempt)
    return {
        "schema_version": (record.schema_version, SCHEMA_VERSION),
        "kind": (record.kind, "by_product" if expected.is_by_product else "cell"),
        "run.id": (run.id, f"{name}.{expected.job.id}"),
        "run.name": (run.name, name),
        "run.commit": (run.commit, hosted.commit),
        "run.dirty": (run.dirty, False),
        "run.trigger": (run.trigger, hosted.trigger),
        "run.url": (run.url, hosted.url),
        "run.profile": (run.profile, plan.profile),
        "run.rounds": (run.rounds, plan.rounds),
        "run.scenarios": (run.scenarios, plan.scenarios),
        "run.runners": (run.runners, []),
        "run.cases": (run.cases, []),
        "machine.label": (record.machine.label, expected.job.machine),
    }


def _time_faults(record: Record, day: dt.date) -> Iterator[str]:
    """Compare the times, as texts that sort, with the run's day: a record of the future would always be the newest.

    If the time of a job ran out, its record is finished but not complete. If the job was ended, it is not finished.
    """
    run = record.run
    # a job that begins on the last day prepares its builds before its run starts, maybe until after midnight
    too_late, far_too_late = (str(day + dt.timedelta(days=MOST_DAYS + more)) for more in (2, 3))
    if not str(day) <= run.started < too_late:
        yield f"run.started: {_quoted(run.started)} is not on {day} or the {MOST_DAYS + 1} days after it"
    elif not run.started <= (run.finished or run.started) < far_too_late:
        yield f"run.finished: {_quoted(run.finished)} is not within a day after that"
    elif run.finished is None and record.complete:
        yield "run.finished: it is null, which only an interrupted run may have"


def _build_faults(record: Record, expected: Expectation) -> Iterator[str]:
    for field, build, packages, python in (
        ("build", record.build, record.packages, expected.python),
        ("reference_build", record.reference_build, record.reference_packages, expected.job.pythons[0]),
    ):
        for part, value, right in named_builds.faults(build, packages, python, expected.machine):
            yield f"{field}.{part}: it is {_quoted(value)}, not {right!r}"
    same = record if expected.number == 0 else expected.reference
    if same is not None and record.reference_build != same.build:
        yield "reference_build: it is not the build of the reference's file"
    if same is not None and record.reference_packages != same.packages:
        yield "reference_packages: they are not those of the reference's file"


def _text_faults(record: Record) -> Iterator[str]:
    """Yield names with characters that could act on a page."""
    for part in ("machine", "build", "reference_build"):
        for field, text in msgspec.structs.asdict(getattr(record, part)).items():
            if isinstance(text, str) and (not text.isprintable() or "<" in text or ">" in text):
                yield f"{part}.{field}: {_quoted(text)} has characters that no name has"
    for field, packages in (("packages", record.packages), ("reference_packages", record.reference_packages)):
        for name, package in packages.items():
            if not PACKAGE.fullmatch(name):
                yield f"{field}: {_quoted(name)} is no package's name"
            if package.version is not None and not PACKAGE_VERSION.fullmatch(package.version):
                yield f"{field}.{name}.version: {_quoted(package.version)} is no version"


def _code_faults(record: Record, scenarios: Mapping[str, Scenario]) -> Iterator[str]:
    """Compare the hashes with this checkout's, whose files the pages show with the results."""
    measured = {series.scenario for series in record.series}
    for name in sorted(measured | record.scenario_sha256.keys()):
        if name not in scenarios or record.scenario_sha256.get(name) != scenarios[name].scenario_sha256:
            yield f"scenario_sha256: that of {_quoted(name)} is not of this commit's files"
    for series in record.series:
        runners = scenarios[series.scenario].runners if series.scenario in scenarios else {}
        if series.runner not in runners or series.source_sha256 != runners[series.runner].source_sha256:
            yield f"source_sha256: that of {_quoted(of_runner(series))} is not of this commit's file"


def _series_faults(record: Record, expected: Expectation) -> Iterator[str]:
    """Compare the series with the planned ones."""
    if not record.series:
        yield "series: there is none"
    plan = expected.known.plan
    every = entries_of(plan, expected.job, expected.known.scenarios)
    planned = {entry.key for entry in every if entry.build == expected.number}
    for index, series in enumerate(record.series):
        if series.key not in planned:
            yield f"series[{index}]: {_quoted(' / '.join(series.key))} is not in the plan"
        if any(number > plan.rounds for number in series.samples.round):
            yield f"series[{index}].samples.round: there are rounds beyond the {plan.rounds} of the plan"


def _quoted(value: object) -> str:
    return repr(str(value)[:LONGEST_QUOTE])
