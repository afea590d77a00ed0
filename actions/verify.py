"""Holds what a result file says of itself to what the plan asked for. Pure.

A job of a run executes the code of runners and of their packages: whatever it brings may have been made up. What can
be known beforehand must be exactly so; what is a measurement is left to the sanity gate.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from runners.harness.record.model import of_runner
from runners.harness.run.plan import Selection, entries

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from actions.dispatch import CellJob, Plan
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.model import Build, Record, Run

MOST_DAYS = 2
"""From the run's day to the last on which one of its jobs may begin: jobs wait for a free machine."""
LONGEST_QUOTE = 60
VERSION = re.compile(r"([0-9]\.[0-9]{1,2})\.[0-9]{1,2}((a|b|rc)[0-9]{1,2})?\+?")
PREFIXES = {"cpython": "", "pypy": "pypy"}
"""By implementation, what stands before the version in the names of matrix.toml."""
PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
PACKAGE_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+!_-]{0,59}")


class Expected(NamedTuple):
    """What every file of a run must say of itself."""

    run_id: str
    """The day, Actions' number, and the attempt that planned."""
    commit: str
    url: str
    trigger: str

    @property
    def planned_in(self) -> int:
        """The attempt that planned: what an earlier one measured was asked for by another plan."""
        return int(self.run_id.rpartition(".")[2])


class Expectation(NamedTuple):
    """What a file is held to."""

    cell: CellJob
    plan: Plan
    expected: Expected
    scenarios: Mapping[str, Scenario]
    """Of this checkout's catalogue, which is that of the measuring jobs."""
    is_reference: bool
    """Whether it is the file of the cell's reference build, not the cell's own."""
    reference: Build | None
    """Where it is the cell's own: the build of the reference's file, if that was taken."""


def fault(record: Record, wanted: Expectation) -> str | None:
    """Say what is not as planned, the field before it; None where all is."""
    return next(_faults(record, wanted), None)


def _faults(record: Record, wanted: Expectation) -> Iterator[str]:
    for field, (what, said, right) in _facts(record, wanted).items():
        if said != right:
            yield f"{field}: {what} is {_quoted(said)}, not {right!r}"
    yield from _of_times(record.run, wanted.expected.run_id)
    yield from _of_builds(record, wanted)
    yield from of_texts(record)
    yield from of_code(record, wanted.scenarios)
    yield from _of_series(record, wanted)


def _facts(record: Record, wanted: Expectation) -> dict[str, tuple[str, object, object]]:
    """Return by field what it is in words, what the file says, and what it must say."""
    run, plan, expected = record.run, wanted.plan, wanted.expected
    return {
        "run.id": ("the run's id", run.id, f"{expected.run_id}.{wanted.cell.id}"),
        "run.commit": ("the commit", run.commit, expected.commit),
        "run.dirty": ("whether files were changed", run.dirty, False),
        "run.trigger": ("what started it", run.trigger, expected.trigger),
        "run.url": ("the address", run.url, expected.url),
        "run.profile": ("the profile", run.profile, plan.profile),
        "run.rounds": ("the rounds", run.rounds, plan.rounds),
        "run.scenarios": ("the scenarios", run.scenarios, plan.scenarios),
        "run.runners": ("the runners", run.runners, []),
        "machine.label": ("the machine", record.machine.label, wanted.cell.machine),
        "complete": ("whether it is complete", record.complete, True),
    }


def _of_times(run: Run, run_id: str) -> Iterator[str]:
    """Hold the times to the run's day: the newest result leads the site, so one of a far day would lead it for ever."""
    day = dt.datetime.fromisoformat(run_id[:10]).replace(tzinfo=dt.UTC)
    last = day + dt.timedelta(days=MOST_DAYS + 1)
    started, finished = _moment(run.started), _moment(run.finished)
    if started is None or not day <= started < last:
        yield f"run.started: {_quoted(run.started)} is not on {run_id[:10]} or the {MOST_DAYS} days after it"
    elif finished is None or not started <= finished < last + dt.timedelta(days=1):
        yield f"run.finished: {_quoted(run.finished)} is not within a day after that"


def may_begin(run_id: str, day: dt.date) -> bool:
    """Tell whether a job of the run may still begin on *day*, so that what it measures is taken in."""
    begun = dt.date.fromisoformat(run_id[:10])
    return begun <= day <= begun + dt.timedelta(days=MOST_DAYS)


def _moment(text: str | None) -> dt.datetime | None:
    """Read a time; None where it is none, or written in another way."""
    try:
        moment = dt.datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return moment if moment.strftime("%Y-%m-%dT%H:%M:%SZ") == text else None


def _of_builds(record: Record, wanted: Expectation) -> Iterator[str]:
    reference = wanted.cell.reference or wanted.cell.python
    of_file = reference if wanted.is_reference else wanted.cell.python
    for field, words, build, python in (
        ("build", "the build", record.build, of_file),
        ("reference_build", "the reference build", record.reference_build, reference),
    ):
        if (said := python_of(build)) != python:
            told = _quoted(said or f"{build.implementation} {build.version}")
            yield f"{field}.version: {words} is {told}, not {python!r}"
    same = record.build if of_file == reference else wanted.reference
    if same is not None and record.reference_build != same:
        yield "reference_build: it is not the build that the reference's file was measured with"


def python_of(build: Build) -> str | None:
    """Return the build as a dispatch names it, such as 3.14t or pypy3.11; None where it is none that could be named."""
    match, prefix = VERSION.fullmatch(build.version), PREFIXES.get(build.implementation.lower())
    if match is None or prefix is None:
        return None
    return f"{prefix}{match[1]}{'t' if build.free_threaded else ''}"


def of_texts(record: Record) -> Iterator[str]:
    """Hold names to what names are made of: they stand on every page."""
    for part in ("machine", "build", "reference_build"):
        for field, text in msgspec.structs.asdict(getattr(record, part)).items():
            if isinstance(text, str) and (not text.isprintable() or "<" in text or ">" in text):
                yield f"{part}.{field}: {_quoted(text)} holds characters that no name has"
    for name, package in record.packages.items():
        if not PACKAGE.fullmatch(name):
            yield f"packages: {_quoted(name)} is no package's name"
        if package.version is not None and not PACKAGE_VERSION.fullmatch(package.version):
            yield f"packages.{name}.version: {_quoted(package.version)} is no version"


def of_code(record: Record, scenarios: Mapping[str, Scenario]) -> Iterator[str]:
    """Hold the hashes to this checkout's: the pages show its files beside the results."""
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
    told = [*record.source_sha256.items(), *((of_runner(series), series.source_sha256) for series in record.series)]
    for name, sha256 in told:
        if sha256 != files.get(name):
            yield f"source_sha256: that of {_quoted(name)} is not of this commit's file"


def _of_series(record: Record, wanted: Expectation) -> Iterator[str]:
    if not record.series:
        yield "series: there is none"
    plan = wanted.plan
    measured = entries(wanted.scenarios, Selection(plan.profile, tuple(plan.scenarios)), 1)
    known = {(entry.scenario, entry.case, entry.runner, entry.role) for entry in measured}
    for index, series in enumerate(record.series):
        name = (series.scenario, series.case, series.runner, series.role)
        if name not in known:
            yield f"series[{index}]: {_quoted(' / '.join(name))} is none that the plan measures"
        if any(number > plan.rounds for number in series.samples.round):
            yield f"series[{index}].samples.round: there are rounds beyond the {plan.rounds} of the plan"
        if odd := next((column for column in series.samples.values if not column.isidentifier()), None):
            yield f"series[{index}].samples.values: {_quoted(odd)} is no column's name"


def _quoted(said: object) -> str:
    return repr(str(said)[:LONGEST_QUOTE])
