"""The index of the data: every run, its result files, and which of them are pooled. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

from generate.data.files import group_by_run, is_debug, why_busy
from generate.data.selection import ResultKey
from runners.harness.record.build_names import build_name
from runners.harness.record.cells_file import RunOutcomes  # noqa: TC001 - the data dictionary reads the types

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generate.data.files import FileHeader, ResultRun
    from generate.data.gate import CheckedRecord
    from generate.data.results import Results
    from runners.harness.run.session import Revision

WhyHistory = Literal["busy", "debug_build", "clock", "older_code", "newer_patch", "unknown_scenario"]
WORDS: Mapping[WhyHistory, str] = {
    "busy": "The machine had other work, or its host kept processor time for others.",
    "debug_build": "The interpreter has CPython's debug checks, which make it slower.",
    "clock": "Its clock ran backwards: it ended before it began.",
    "older_code": "It measured other code than newer runs of its machine and build, or another build of that name.",
    "newer_patch": "A newer patch release of the same Python was measured on its machine.",
    "unknown_scenario": "It has no scenario that the code still knows.",
}
"""Why a file is in no pool."""


class IndexRun(TypedDict):
    """A command that measured, or a hosted run with all its jobs."""

    id: str
    """Its name: of a hosted run the one that its jobs have in common."""
    started: str
    """When the first of its files was begun, in UTC."""
    profile: str
    """quick, full or map."""
    rounds: int
    """How many were asked for."""
    commit: str | None
    """Of the code that measured; null if it was in no checkout."""
    trigger: str
    """local, dispatch (by hand on a hosted machine) or schedule."""
    url: str | None
    """Of the hosted run; null for any other."""
    cells: list[IndexCell]
    """Its result files."""


class IndexPool(TypedDict):
    """The runs that every number of a machine, build and scenario is estimated over."""

    machine: str
    """Label of the machine."""
    processor: str
    """Model of the processor: with another it is another machine."""
    cores: int
    """Usable cores."""
    local: bool
    """True if it is somebody's own and not published."""
    build: str
    """The interpreter."""
    scenario: str
    """The scenario."""
    raw: list[str]
    """The result files, below data/, newest first. A series takes those that have it with the code and packages of the
    newest one: `runs` of a row counts them."""


class GeneratedFrom(TypedDict):
    """What this data was made from."""

    commit: str | None
    """Of the code that made it; null if it was in no checkout."""
    dirty: bool | None
    """True if files beside results/ differed from that commit; null if it was in no checkout."""
    newest_run: str | None
    """`id` of the published run that ended last; null if there is none."""
    newest_run_ended: str | None
    """When that ended, in UTC; if it was cut off, when it began."""


class Index(TypedDict):
    """The whole of index.json."""

    schema_version: int
    """Of index.json: raised if a field goes or means something else."""
    tables_version: int
    """Of the columns of all tables, the fields of metrics.json, and pyperf's files: raised likewise."""
    generated_from: GeneratedFrom
    """From which code and results all files next to it were made."""
    runs: list[IndexRun]
    """Every run, those that ended last first."""
    pools: list[IndexPool]
    """Which runs are pooled: of each machine, build and scenario."""
    outcomes: list[RunOutcomes]
    """What became of the cells of each hosted run, also of those that brought no file."""


class IndexCell(TypedDict):
    """A machine and a build of a run: one result file."""

    run: str
    """The command that measured it."""
    machine: str
    """Label of the machine: machines of one label may have several processors."""
    processor: str
    """Model of the processor."""
    build: str
    """The interpreter that was measured."""
    reference_build: str
    """The one that was measured in turn with it, or itself."""
    complete: bool
    """False if the run was cut off."""
    raw: str
    """Of the result file, below data/."""
    sha256: str
    """Of its bytes, in hexadecimal."""
    size_bytes: int
    """How long it is."""
    scenarios: list[str]
    """Those that it has series of."""
    pooled_in: list[str]
    """Those in whose pools it is: pages and tables are made from it."""
    why_history: str | None
    """Why it is in no pool, in one word; null if it is in any."""
    refused: list[dict[str, str]]
    """The series of a pooled file that the sanity gate rejects (scenario, case, runner, role), and the reason: they are
    failed in tables and on pages, whatever status they have in the file."""


class Standing(NamedTuple):
    """What became of a file."""

    pooled_in: list[str]
    why_history: WhyHistory | None
    refused: list[dict[str, str]]


def standings(site: Results, records: Iterable[CheckedRecord]) -> dict[str, Standing]:
    """Return what became of each file, by path."""
    pooled = pooled_in(site)
    rejected = {record.file.path: record.rejected for record in records}
    return {
        file.path: Standing(
            pooled.get(file.path, []),
            None if file.path in pooled else _why_history(site, file),
            [{**key._asdict(), "reason": reason} for key, reason in rejected.get(file.path, {}).items()],
        )
        for file in site.files
    }


def pooled_in(site: Results) -> dict[str, list[str]]:
    """Return the scenarios that each pooled file is pooled in, by path."""
    found: dict[str, list[str]] = {}
    for name in sorted(site.current):
        for result in site.current[name]:
            for run in result.runs:
                found.setdefault(run.file.path, []).append(name)
    return found


def _why_history(site: Results, file: FileHeader) -> WhyHistory:
    if file.why_excluded:
        return "busy" if why_busy(file.machine) else "debug_build" if is_debug(file.build) else "clock"
    known = [site.current[name] for name in file.scenario_sha256 if name in site.current]
    if not known:
        return "unknown_scenario"
    has_successor = any(result.key == ResultKey.of(file) for results in known for result in results)
    return "older_code" if has_successor else "newer_patch"


def indexed_runs(files: Sequence[FileHeader], of_files: Mapping[str, Standing]) -> list[IndexRun]:
    """Return all runs with their files, those that ended last first."""
    return [_run(run, of_files) for run in group_by_run(files)]


def indexed_pools(site: Results) -> list[IndexPool]:
    """Return which runs are pooled, in order of scenario, machine and build."""
    return [
        {
            "machine": result.machine,
            "processor": result.machine_key.processor,
            "cores": result.machine_key.cores,
            "local": result.machine_key.local,
            "build": result.build,
            "scenario": name,
            "raw": [f"raw/{run.file.path}" for run in result.runs],
        }
        for name in sorted(site.current)
        for result in sorted(site.current[name], key=lambda result: result.key)
    ]


def generated_from(files: Iterable[FileHeader], revision: Revision) -> GeneratedFrom:
    """Return what the data was made from: the *revision* of the code, and the newest published run."""
    newest = next(iter(group_by_run(file for file in files if not file.local)), None)
    return {
        "commit": revision.commit,
        "dirty": revision.dirty,
        "newest_run": newest.id if newest else None,
        "newest_run_ended": newest.ended if newest else None,
    }


def _run(run: ResultRun, of_files: Mapping[str, Standing]) -> IndexRun:
    asked = run.run
    return {
        "id": run.id,
        "started": run.started,
        "profile": asked.profile,
        "rounds": asked.rounds,
        "commit": asked.commit,
        "trigger": asked.trigger,
        "url": asked.url,
        "cells": [_cell(file, of_files[file.path]) for file in run.files],
    }


def _cell(file: FileHeader, standing: Standing) -> IndexCell:
    return {
        "run": file.run.id,
        "machine": file.machine.label,
        "processor": file.machine.cpu,
        "build": build_name(file.build),
        "reference_build": build_name(file.reference_build),
        "complete": file.complete,
        "raw": f"raw/{file.path}",
        "sha256": file.sha256,
        "size_bytes": file.size_bytes,
        "scenarios": sorted(file.scenario_sha256),
        "pooled_in": standing.pooled_in,
        "why_history": standing.why_history,
        "refused": standing.refused,
    }
