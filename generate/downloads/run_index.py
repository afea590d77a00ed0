"""The index of the data: every run, its cells, and where the file of each lies. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from generate.analysis.history_words import why_history
from generate.results.runs import by_run
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from generate.results.model import FileHeader, Measured
    from generate.results.runs import ResultRun


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


def indexed_runs(files: Sequence[FileHeader], current: Mapping[str, Collection[Measured]]) -> list[dict[str, Any]]:
    """Return all runs with their cells, those that ended last first.

    *current* has, by path, the files that pages and tables are made from, and which series of each.
    """
    why = why_history(files, current)
    return [_run(run, current, why) for run in by_run(files)]


def _run(run: ResultRun, current: Mapping[str, Collection[Measured]], why: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": run.name.rpartition("/")[2],
        "started": run.started,
        **{name: getattr(run.run, name) for name in ("profile", "rounds", "commit", "trigger", "url")},
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
