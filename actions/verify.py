"""Verifies a result file from a job against the plan. Pure.

A job runs the code of packages, which may have invented anything. Facts that are known beforehand must match exactly.
Measurements are left to the sanity gate.
"""

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter

import msgspec

from actions import named_builds
from actions.artifacts import Refused
from actions.job import MOST_DAYS, HostedRun
from actions.run_plan import Plan, PlannedJob, list_entries
from generate.data import gate
from generate.data.read import UnusableError, decode_checked
from generate.words.log_lines import describe_mistake
from runners.harness.builds.build_request import BuildRequest
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.matrix import Machine
from runners.harness.record.model import Record, Series, runner_path

LONGEST_QUOTE = 60
ONLY_BASELINES = "no runner but the baselines has a value; {}: {}"
PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
PACKAGE_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+!_-]{0,59}")


@dataclass(frozen=True)
class Expectation:
    """The facts about the files of a job, or about one of them."""

    plan: Plan
    run: HostedRun
    scenarios: Mapping[str, Scenario]
    machine: Machine
    job: PlannedJob
    attempt: int = 0
    number: int = 0
    """Number of the file's build in the job."""
    reference: Record | None = None
    """The reference's file, if that is a separate file and was accepted."""

    @property
    def request(self) -> BuildRequest:
        return named_builds.parse_build(self.job.pythons[self.number], self.machine)


@dataclass(frozen=True)
class Accepted:
    """A file that is published."""

    path: str
    """Below results/."""
    data: bytes
    record: Record
    problem: str | None
    """Why none of the build's own runners was measured."""


def verify_file(data: bytes, name: str, expected: Expectation) -> Accepted | Refused:
    try:
        record = decode_checked(data)
        if fault := next(_find_faults(record, expected), None):
            return Refused(fault)
        gate.faults(record, expected.scenarios)  # a file that crashes the gate would crash the site
        path = f"{expected.run.folder(expected.attempt)}/{name}"
        return Accepted(path, data, record, explain_shortfall(record, expected.scenarios))
    except UnusableError as error:
        field = error.field.removeprefix("$.")
        return Refused(f"{field}: {error.message}" if field else error.message)
    except Exception as error:  # noqa: BLE001 - one file must not spoil the others
        return Refused(f"it can't be checked: {describe_mistake(error)}")


def explain_shortfall(record: Record, scenarios: Mapping[str, Scenario]) -> str | None:
    """Return why nothing but baselines, which every build measures, has a value; None if anything has."""
    own = [series for series in record.series if not _is_baseline(series, scenarios[series.scenario])] or record.series
    if any(series.status in {"ok", "partial"} for series in own):
        return None
    return ONLY_BASELINES.format(runner_path(own[0]), own[0].reason)


def _is_baseline(series: Series, scenario: Scenario) -> bool:
    return (series.case, series.runner) == scenario.find_baseline(scenario.find_block(series.case))


def _find_faults(record: Record, expected: Expectation) -> Iterator[str]:
    """Yield the deviations from the plan, as "field: fault"."""
    for field, right in _list_facts(expected).items():
        if (value := attrgetter(field)(record)) != right:
            yield f"{field}: it is {_quote(value)}, not {right!r}"
    yield from _find_time_faults(record, expected.run.day)
    yield from _find_build_faults(record, expected)
    yield from _find_text_faults(record)
    yield from named_builds.find_package_faults(record.packages, record.build.variant, expected.request)
    yield from _find_code_faults(record, expected.scenarios)
    yield from _find_series_faults(record, expected)


def _list_facts(expected: Expectation) -> dict[str, object]:
    """Return the values that the plan requires, by field."""
    plan, run = expected.plan, expected.run
    name = run.name(expected.attempt)
    is_by_product = bool(expected.job.reference) and expected.number == 0
    return {
        "kind": "by_product" if is_by_product else "cell",
        "run.id": f"{name}.{expected.job.id}",
        "run.name": name,
        "run.commit": run.commit,
        "run.dirty": False,
        "run.trigger": run.trigger,
        "run.url": run.url,
        "run.profile": plan.profile,
        "run.rounds": plan.rounds,
        "run.scenarios": plan.scenarios,
        "run.runners": [],
        "run.cases": [],
        "machine.label": expected.job.machine,
    }


def _find_time_faults(record: Record, day: dt.date) -> Iterator[str]:
    """Compare the times, as sortable texts, with the run's day: a record from the future would always be the newest.

    If a job ran out of time, its record is finished but not complete. If the job was killed, it is not finished.
    """
    run = record.run
    # a job that begins on the last day first prepares its builds, so its run may start after midnight
    too_late, far_too_late = (str(day + dt.timedelta(days=MOST_DAYS + more)) for more in (2, 3))
    if not str(day) <= run.started < too_late:
        yield f"run.started: {_quote(run.started)} is not on {day} or the {MOST_DAYS + 1} days after it"
    elif not run.started <= (run.finished or run.started) < far_too_late:
        yield f"run.finished: {_quote(run.finished)} is not within a day after that"
    elif run.finished is None and record.complete:
        yield "run.finished: it is null, which only an interrupted run may have"


def _find_build_faults(record: Record, expected: Expectation) -> Iterator[str]:
    pythons = expected.job.pythons
    for field, build, packages, python in (
        ("build", record.build, record.packages, pythons[expected.number]),
        ("reference_build", record.reference_build, record.reference_packages, pythons[0]),
    ):
        for part, value, right in named_builds.find_build_faults(build, packages, python, expected.machine):
            yield f"{field}.{part}: it is {_quote(value)}, not {right!r}"
    reference = record if expected.number == 0 else expected.reference
    if reference is not None and record.reference_build != reference.build:
        yield "reference_build: it is not the build of the reference's file"
    if reference is not None and record.reference_packages != reference.packages:
        yield "reference_packages: they are not those of the reference's file"


def _find_text_faults(record: Record) -> Iterator[str]:
    """Yield names with characters that could act on a page."""
    for part in ("machine", "build", "reference_build"):
        for field, text in msgspec.structs.asdict(getattr(record, part)).items():
            if isinstance(text, str) and (not text.isprintable() or "<" in text or ">" in text):
                yield f"{part}.{field}: {_quote(text)} has characters that are not allowed in names"
    for field in ("packages", "reference_packages"):
        for name, package in getattr(record, field).items():
            if not PACKAGE.fullmatch(name):
                yield f"{field}: {_quote(name)} is not a package's name"
            if package.version is not None and not PACKAGE_VERSION.fullmatch(package.version):
                yield f"{field}.{name}.version: {_quote(package.version)} is not a version"


def _find_code_faults(record: Record, scenarios: Mapping[str, Scenario]) -> Iterator[str]:
    """Compare the hashes with this checkout's, whose files the pages show with the results."""
    measured = {series.scenario for series in record.series}
    for name in sorted(measured | record.scenario_sha256.keys()):
        if name not in scenarios or record.scenario_sha256.get(name) != scenarios[name].scenario_sha256:
            yield f"scenario_sha256: that of {_quote(name)} is not of this commit's files"
    for series in record.series:
        runners = scenarios[series.scenario].runners if series.scenario in scenarios else {}
        if series.runner not in runners or series.source_sha256 != runners[series.runner].source_sha256:
            yield f"source_sha256: that of {_quote(runner_path(series))} is not of this commit's file"


def _find_series_faults(record: Record, expected: Expectation) -> Iterator[str]:
    """Compare the series with the planned ones."""
    if not record.series:
        yield "series: there is none"
    entries = list_entries(expected.plan, expected.job, expected.scenarios)
    planned = {entry.key for entry in entries if entry.build == expected.number}
    for index, series in enumerate(record.series):
        if series.key not in planned:
            yield f"series[{index}]: {_quote(' / '.join(series.key))} is not in the plan"


def _quote(value: object) -> str:
    return repr(str(value)[:LONGEST_QUOTE])
