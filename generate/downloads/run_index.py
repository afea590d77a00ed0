"""index.json: every run with its result files, and the pools they belong to."""

from collections.abc import Mapping
from typing import Literal, TypedDict

from generate.claims.entries import Place, make_place
from generate.data.cells_file import RunOutcomes
from generate.data.files import ResultFile, group_by_run
from generate.data.results import Results
from runners.harness.builds.host import why_busy
from runners.harness.record.build_names import build_name, slowed_by
from runners.harness.run.revision import Revision

INDEX_VERSION = 2
TABLES_VERSION = 2
"""Raised if a column of the tables, or a field of pyperf's files, is removed or changes its meaning."""
WhyHistory = Literal["busy", "debug_build", "clock", "older_code", "newer_patch", "unknown_scenario"]
WORDS: Mapping[WhyHistory, str] = {
    "busy": "The machine had other work, or its host kept processor time for others.",
    "debug_build": "The interpreter has CPython's debug checks, which make it slower.",
    "clock": "Its clock ran backwards: it ended before it began.",
    "older_code": "Newer runs of its machine and build measured different code or a different build, or suffice.",
    "newer_patch": "A newer patch release of the same Python was measured on its machine.",
    "unknown_scenario": "The code no longer has any of its scenarios.",
}
"""Why a file is not in any pool."""


class IndexRun(TypedDict):
    """A measuring command, or a hosted run with all its jobs."""

    id: str
    """Its name. The jobs of a hosted run share one."""
    started: str
    """When its first file was begun, in UTC."""
    profile: str
    """quick, full or map."""
    rounds: int
    """Number of rounds requested."""
    commit: str | None
    """Commit of the code that measured; null outside a checkout."""
    trigger: str
    """local, dispatch (by hand on a hosted machine) or schedule."""
    url: str | None
    """Address of the hosted run; null for any other."""
    cells: "list[IndexCell]"
    """Its result files."""


class IndexPool(Place):
    """The runs behind every estimate of a machine, build and scenario."""

    scenario: str
    """The scenario."""
    raw: list[str]
    """The result files, below data/, newest first. A series uses those that have it with the code and packages of the
    newest one. `runs` of a row counts them."""


class GeneratedFrom(TypedDict):
    """The origin of this data."""

    commit: str | None
    """Commit of the code that made it; null outside a git checkout."""
    dirty: bool | None
    """True if files other than results/ differed from that commit; null outside a git checkout."""
    newest_run: str | None
    """`id` of the published run that ended last; null without one."""
    newest_run_ended: str | None
    """When that ended, or began if it was cut off, in UTC."""


class Index(TypedDict):
    """The contents of index.json."""

    schema_version: int
    """Version of index.json: raised if a field is removed or changes its meaning."""
    tables_version: int
    """Version of the columns of all tables, the fields of metrics.json, and pyperf's files: raised likewise."""
    generated_from: GeneratedFrom
    """The code and results that all files next to it were made from."""
    runs: list[IndexRun]
    """Every run, the last to end first."""
    pools: list[IndexPool]
    """The pooled runs of each machine, build and scenario."""
    outcomes: list[RunOutcomes]
    """Outcomes of the cells of each hosted run, including those without a file."""


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
    """The build that was measured in turn with it, or itself."""
    complete: bool
    """False if the run was cut off."""
    raw: str
    """Path of the result file, below data/."""
    sha256: str
    """Hash of its bytes, in hexadecimal."""
    size_bytes: int
    """Its size."""
    scenarios: list[str]
    """Scenarios that it has series of."""
    pooled_in: list[str]
    """Scenarios whose pools it is in: pages and tables are made from it."""
    why_history: str | None
    """Why it is not in any pool, in one word; null if it is."""
    refused: list[dict[str, str]]
    """The series of a pooled file that the sanity gate rejects (scenario, case, runner, role), with the reason. Tables
    and pages show them as failed, whatever their status in the file."""


def index(site: Results, revision: Revision) -> Index:
    """Return the index; *revision* is that of this code."""
    pooled = pooled_in(site)
    rejected = {
        record.file.path: [(key, series.rejected) for key, series in record.series.items() if series.rejected]
        for record in site.records
    }
    newest = next(iter(group_by_run(file for file in site.files if not file.local)), None)

    def cell(file: ResultFile) -> IndexCell:
        refused = rejected.get(file.path, [])
        return {
            "run": file.record.run.id,
            "machine": file.record.machine.label,
            "processor": file.record.machine.cpu,
            "build": build_name(file.record.build),
            "reference_build": build_name(file.record.reference_build),
            "complete": file.record.complete,
            "raw": f"raw/{file.path}",
            "sha256": file.sha256,
            "size_bytes": file.size_bytes,
            "scenarios": sorted(file.record.scenario_sha256),
            "pooled_in": pooled.get(file.path, []),
            "why_history": None if file.path in pooled else _why_history(site, file),
            "refused": [{**key._asdict(), "reason": reason} for key, reason in refused],
        }

    return {
        "schema_version": INDEX_VERSION,
        "tables_version": TABLES_VERSION,
        "generated_from": {
            "commit": revision.commit,
            "dirty": revision.dirty,
            "newest_run": newest.id if newest else None,
            "newest_run_ended": newest.ended if newest else None,
        },
        "runs": [
            {
                "id": run.id,
                "started": run.started,
                "profile": run.run.profile,
                "rounds": run.run.rounds,
                "commit": run.run.commit,
                "trigger": run.run.trigger,
                "url": run.run.url,
                "cells": [cell(file) for file in run.files],
            }
            for run in group_by_run(site.files)
        ],
        "pools": [
            {**make_place(result.key), "scenario": name, "raw": [f"raw/{run.file.path}" for run in result.runs]}
            for name in sorted(site.current)
            for result in sorted(site.current[name], key=lambda result: result.key)
        ],
        "outcomes": [*site.runs],
    }


def pooled_in(site: Results) -> dict[str, list[str]]:
    """Return the scenarios that each pooled file is pooled in, by path."""
    scenarios: dict[str, list[str]] = {}
    for name in sorted(site.current):
        for result in site.current[name]:
            for run in result.runs:
                scenarios.setdefault(run.file.path, []).append(name)
    return scenarios


def _why_history(site: Results, file: ResultFile) -> WhyHistory:
    if file.why_excluded:
        return "busy" if why_busy(file.record.machine) else "debug_build" if slowed_by(file.record.build) else "clock"
    known = [site.current[name] for name in file.record.scenario_sha256 if name in site.current]
    if not known:
        return "unknown_scenario"
    has_successor = any(result.key == file.key for results in known for result in results)
    return "older_code" if has_successor else "newer_patch"
