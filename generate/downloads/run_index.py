"""The index of the data: every run, its cells, and where the file of each lies. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from generate.analysis.history_words import why_history
from generate.results.runs import by_run
from runners.harness.record.build_names import build_name
from runners.harness.record.cells_file import RunOutcomes  # noqa: TC001 - the data dictionary reads the types

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from generate.analysis.between_runs import RunsOfCell
    from generate.results.model import FileHeader, Measured
    from generate.results.runs import ResultRun
    from runners.harness.run.session import Revision


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
    """Of the code that measured; null where it was in no checkout."""
    trigger: str
    """local, dispatch (by hand on a hosted machine) or schedule."""
    url: str | None
    """Of the hosted run; null of any other."""
    cells: list[IndexCell]
    """Its result files."""


class IndexRunsBeside(TypedDict):
    """Full runs that stand beside each other: of one machine, build and scenario, measured in the same way."""

    machine: str
    """Label of the machine."""
    local: bool
    """Whether it is somebody's own and not published."""
    build: str
    """The interpreter."""
    scenario: str
    """The scenario: other files may stand beside each other in another."""
    raw: list[str]
    """The result files, below data/, in the order in which one gives way to another: at most five. `runs` of a row
    counts those of them that have its series with the same `source_sha256`, the same packages of the runner and of its
    baseline, the status ok, a value, and no place in `refused`."""


class GeneratedFrom(TypedDict):
    """What this data was made from."""

    commit: str | None
    """Of the code that made it; null where it was in no checkout."""
    dirty: bool | None
    """Whether files beside results/ differed from that commit; null where it was in no checkout."""
    newest_run: str | None
    """`id` of the published run that ended last; null where there is none."""
    newest_run_ended: str | None
    """When that ended, in UTC; where it was cut off, when it began."""


class Index(TypedDict):
    """The whole of index.json."""

    schema_version: int
    """Of index.json: raised where a field goes or means something else."""
    tables_version: int
    """Of the columns of all tables, the fields of metrics.json, and pyperf's files: raised likewise.
    `schema_version` of a row is that of its result file."""
    generated_from: GeneratedFrom
    """From which code and results all files beside it were made."""
    runs: list[IndexRun]
    """Every run, those that ended last first."""
    runs_beside: list[IndexRunsBeside]
    """Where several full runs are summed up: which."""
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
    """False where the run was cut off."""
    raw: str
    """Of the result file, below data/."""
    sha256: str
    """Of its bytes, in hexadecimal."""
    size_bytes: int
    """How long it is."""
    scenarios: list[str]
    """Those that it has series of."""
    leads: bool
    """Whether it is current: pages and tables have series of it, not necessarily all that it has."""
    leads_in: list[str]
    """The scenarios of which it has current series; of each series `path` of the summaries says so."""
    why_not: str | None
    """Why it is not current, in one word; null where it is."""
    refused: list[dict[str, str]]
    """The series that the sanity gate refuses (scenario, case, runner, role), and the reason: they are failed in tables
    and on pages, whatever status they have in the file."""


def indexed_runs(files: Sequence[FileHeader], current: Mapping[str, Collection[Measured]]) -> list[IndexRun]:
    """Return all runs with their cells, those that ended last first.

    *current* has, by path, the files that pages and tables are made from, and which series of each.
    """
    why = why_history(files, current)
    return [_run(run, current, why) for run in by_run(files)]


def indexed_runs_beside(runs: RunsOfCell) -> list[IndexRunsBeside]:
    """Return which full runs stand beside each other, in order of machine, build and scenario."""
    return [
        {
            "machine": cell.machine,
            "local": cell.local,
            "build": cell.build,
            "scenario": scenario,
            "raw": [f"raw/{file.path}" for file in files],
        }
        for (cell, scenario), files in sorted(runs.items(), key=lambda each: each[0])
    ]


def generated_from(files: Iterable[FileHeader], revision: Revision) -> GeneratedFrom:
    """Return what the data was made from: the *revision* of the code, and the newest published run."""
    newest = next(iter(by_run(file for file in files if not file.local)), None)
    return {
        "commit": revision.commit,
        "dirty": revision.dirty,
        "newest_run": newest.id if newest else None,
        "newest_run_ended": newest.ended if newest else None,
    }


def _run(run: ResultRun, current: Mapping[str, Collection[Measured]], why: Mapping[str, str]) -> IndexRun:
    asked = run.run
    return {
        "id": run.id,
        "started": run.started,
        "profile": asked.profile,
        "rounds": asked.rounds,
        "commit": asked.commit,
        "trigger": asked.trigger,
        "url": asked.url,
        "cells": [_cell(file, current, why.get(file.path)) for file in run.files],
    }


def _cell(file: FileHeader, current: Mapping[str, Collection[Measured]], why_not: str | None) -> IndexCell:
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
        "scenarios": _scenarios(file.measured),
        "leads": file.path in current,
        "leads_in": _scenarios(current.get(file.path, ())),
        "why_not": why_not,
        "refused": [{**series._asdict(), "reason": reason} for series, reason in file.refused],
    }


def _scenarios(measured: Collection[Measured]) -> list[str]:
    return sorted({series.scenario for series in measured})
