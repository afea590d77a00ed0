"""Verifies a result file that a job of a run brought: it must say what the plan asked for. Pure.

A job executes the code of runners and of their packages: whatever it brings may have been made up. What can be known
beforehand must be exactly so; what is a measurement is left to the sanity gate.
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
    """What is known of all files beforehand."""

    plan: Plan
    run: HostedRun
    scenarios: Mapping[str, Scenario]
    """Of this checkout's catalogue, which is that of the measuring jobs."""
    machines: Mapping[str, Machine]
    """By label, of this checkout's matrix.toml."""


@dataclass(frozen=True)
class Expectation:
    """What is known of a file beforehand."""

    known: Known
    job: PlannedJob
    attempt: int
    """The one whose job brought it."""
    number: int
    """Of its build among the job's."""
    reference: Record | None = None
    """The reference's file, where that is another and was accepted."""

    @property
    def python(self) -> str:
        """What the file is about."""
        return self.job.pythons[self.number]

    @property
    def is_by_product(self) -> bool:
        """Whether it is the reference's, measured beside the job's cells."""
        return bool(self.job.reference) and self.number == 0

    @property
    def machine(self) -> Machine:
        """What the job ran on."""
        return self.known.machines[self.job.machine]

    @property
    def request(self) -> BuildRequest:
        """What was asked for."""
        return named_builds.request_of(self.python, self.machine)


@dataclass(frozen=True)
class Accepted:
    """A file that is published."""

    data: bytes
    file: ResultFile
    faults: list[str]
    """What the sanity gate rejects in it, each as "file on processor: fault"."""


def verify_file(data: bytes, name: str, expected: Expectation) -> Accepted | Refused:
    """Verify the bytes of the file that is to have *name* in the folder of its attempt."""
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
    except Exception as error:  # noqa: BLE001 - what one file breaks must not cost the others
        return Refused(f"it can't be checked: {describe_mistake(error)}")


def _faults(record: Record, expected: Expectation) -> Iterator[str]:
    """Say what is not as planned, the field before it."""
    for field, (what, said, right) in _facts(record, expected).items():
        if said != right:
            yield f"{field}: {what} is {_quoted(said)}, not {right!r}"
    yield from _of_times(record, expected.known.run.day)
    yield from _of_builds(record, expected)
    yield from _of_texts(record)
    yield from named_builds.package_faults(record.packages, record.build.variant, expected.request)
    yield from _of_code(record, expected.known.scenarios)
    yield from _of_series(record, expected)


def _facts(record: Record, expected: Expectation) -> dict[str, tuple[str, object, object]]:
    """Return by field what it is in words, what the file says, and what it must say."""
    run, plan, hosted = record.run, expected.known.plan, expected.known.run
    name = hosted.name(expected.attempt)
    return {
        "schema_version": ("the version", record.schema_version, SCHEMA_VERSION),
        "kind": ("its kind", record.kind, "by_product" if expected.is_by_product else "cell"),
        "run.id": ("the run's id", run.id, f"{name}.{expected.job.id}"),
        "run.name": ("the run's name", run.name, name),
        "run.commit": ("the commit", run.commit, hosted.commit),
        "run.dirty": ("whether files were changed", run.dirty, False),
        "run.trigger": ("what started it", run.trigger, hosted.trigger),
        "run.url": ("the address", run.url, hosted.url),
        "run.profile": ("the profile", run.profile, plan.profile),
        "run.rounds": ("the rounds", run.rounds, plan.rounds),
        "run.scenarios": ("the scenarios", run.scenarios, plan.scenarios),
        "run.runners": ("the runners", run.runners, []),
        "run.cases": ("the cases", run.cases, []),
        "machine.label": ("the machine", record.machine.label, expected.job.machine),
    }


def _of_times(record: Record, day: dt.date) -> Iterator[str]:
    """Compare the times with the run's day: the newest result is current, so one of a far day would be for ever.

    A record's times are real and all written in one way, which sorts as they do. One that is not complete but finished
    is of a job whose time ran out, one that did not finish of a job that was ended.
    """
    run = record.run
    # a job that begins on the last day prepares its builds before its run starts, which may be past midnight
    too_late, far_too_late = (str(day + dt.timedelta(days=MOST_DAYS + more)) for more in (2, 3))
    if not str(day) <= run.started < too_late:
        yield f"run.started: {_quoted(run.started)} is not on {day} or the {MOST_DAYS + 1} days after it"
    elif not run.started <= (run.finished or run.started) < far_too_late:
        yield f"run.finished: {_quoted(run.finished)} is not within a day after that"
    elif run.finished is None and record.complete:
        yield "run.finished: it is null, which only a run that was cut off may have"


def _of_builds(record: Record, expected: Expectation) -> Iterator[str]:
    reference = (record.reference_build, record.reference_packages, expected.job.pythons[0])
    for field, words, (build, packages, python) in (
        ("build", "the build", (record.build, record.packages, expected.python)),
        ("reference_build", "the reference build", reference),
    ):
        for part, said, right in named_builds.faults(build, packages, python, expected.machine):
            yield f"{field}.{part}: {words} is {_quoted(said)}, not {right!r}"
    same = record if expected.number == 0 else expected.reference
    if same is not None and record.reference_build != same.build:
        yield "reference_build: it is not the build that the reference's file was measured with"
    if same is not None and record.reference_packages != same.packages:
        yield "reference_packages: they are not those that the reference's file was measured with"


def _of_texts(record: Record) -> Iterator[str]:
    """Check that names are made of what names are made of: they stand on every page."""
    for part in ("machine", "build", "reference_build"):
        for field, text in msgspec.structs.asdict(getattr(record, part)).items():
            if isinstance(text, str) and (not text.isprintable() or "<" in text or ">" in text):
                yield f"{part}.{field}: {_quoted(text)} holds characters that no name has"
    for field, packages in (("packages", record.packages), ("reference_packages", record.reference_packages)):
        for name, package in packages.items():
            if not PACKAGE.fullmatch(name):
                yield f"{field}: {_quoted(name)} is no package's name"
            if package.version is not None and not PACKAGE_VERSION.fullmatch(package.version):
                yield f"{field}.{name}.version: {_quoted(package.version)} is no version"


def _of_code(record: Record, scenarios: Mapping[str, Scenario]) -> Iterator[str]:
    """Compare the hashes with this checkout's: the pages show its files beside the results."""
    ours = {name: scenario.scenario_sha256 for name, scenario in scenarios.items()}
    measured = {series.scenario for series in record.series}
    for name in sorted(measured | record.scenario_sha256.keys()):
        if record.scenario_sha256.get(name) != ours.get(name):
            yield f"scenario_sha256: that of {_quoted(name)} is not of this commit's files"
    files = {
        f"{scenario.name}/{runner}": facts.source_sha256
        for scenario in scenarios.values()
        for runner, facts in scenario.runners.items()
    }
    of_series = ((of_runner(series), series.source_sha256) for series in record.series)
    for name, sha256 in of_series:
        if sha256 != files.get(name):
            yield f"source_sha256: that of {_quoted(name)} is not of this commit's file"


def _of_series(record: Record, expected: Expectation) -> Iterator[str]:
    """Compare the series with those that the plan measures."""
    if not record.series:
        yield "series: there is none"
    plan = expected.known.plan
    every = entries_of(plan, expected.job, expected.known.scenarios)
    measured = {entry.key for entry in every if entry.build == expected.number}
    for index, series in enumerate(record.series):
        if series.key not in measured:
            yield f"series[{index}]: {_quoted(' / '.join(series.key))} is none that the plan measures"
        if any(number > plan.rounds for number in series.samples.round):
            yield f"series[{index}].samples.round: there are rounds beyond the {plan.rounds} of the plan"


def _quoted(said: object) -> str:
    return repr(str(said)[:LONGEST_QUOTE])
