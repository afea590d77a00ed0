"""Collecting artifacts: planned files are kept, others are refused by name, and the summary lists both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from artifacts import (
    CELL,
    JOB,
    OTHER,
    OTHER_JOB,
    OTHERS_OWN,
    OWN,
    REFERENCE,
    RUN,
    brought,
    collected,
    good_files,
    outcome,
    pack,
    record,
    statuses,
)
from factory import altered

from actions import collect, dispatch, job_summary
from generate.data import gate
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pytest

    from actions.collect import Collected
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.model import Record


def test_planned_files_are_kept_byte_for_byte(tmp_path: Path) -> None:
    found = brought(tmp_path)
    assert found.rejected == []
    assert set(statuses(found).values()) == {"measured"}
    folder = "2026-01-01/2026-01-01-gh1001-1"
    assert {accepted.file.path: accepted.data for accepted in found.accepted} == {
        f"{folder}/{OTHERS_OWN}": encode(record("3.14", OTHER_JOB)),
        **{f"{folder}/{name}": data for name, data in good_files().items()},
    }
    assert outcome(found).files == [f"{folder}/{REFERENCE}", f"{folder}/{OWN}"]
    assert (found.outcomes.run_id, found.outcomes.note) == ("2026-01-01-gh1001-1", "a note")


def test_unplanned_files_and_artifacts_are_named(tmp_path: Path) -> None:
    names = ("extra.json", f"deeper/{OWN}", "..\\..\\evil.json", "../../evil.json")
    for name in ("evil--1", "..\\evil"):
        (tmp_path / name).mkdir()
    found = brought(tmp_path, **dict.fromkeys(names, b"{}"))
    assert set(statuses(found).values()) == {"measured"}
    assert {*found.rejected} == {
        f"{JOB}: 4 files that nobody planned: {', '.join(sorted(names))}",
        *(f"{name}: no job of the plan, or no attempt so far" for name in ("evil--1", "..\\evil")),
    }
    assert len(found.accepted) == 3


def test_excluded_cell_is_an_outcome(tmp_path: Path) -> None:
    plan = dispatch.make_plan({"machines": "windows-11-arm", "pythons": "3.10,3.13"}, ["primes"])
    found = collect.collect(plan, RUN, tmp_path / "none")
    assert statuses(found) == {"windows-11-arm--3.13": "failed", "windows-11-arm--3.10": "excluded"}


def test_refused_reference_is_in_the_outcome(tmp_path: Path) -> None:
    found = outcome(brought(tmp_path, **{REFERENCE: b"{"}))
    assert (found.status, found.files) == ("measured", [f"2026-01-01/2026-01-01-gh1001-1/{OWN}"])
    assert (found.reason or "").startswith("its reference's file was refused: ")


def test_failed_job_explains_missing_files(tmp_path: Path) -> None:
    reason = "no Python '3.14t' is on this machine\n::error::<script>`x`\n" + "more " * 1000
    pack(tmp_path, JOB, 1, {f"{JOB}.failed.txt": reason.encode()})
    found = collected(tmp_path)
    failed = outcome(found).reason or ""
    assert failed.startswith("no Python '3.14t' is on this machine : :error: : script x more more")
    assert len(failed) <= 500
    assert any(one.startswith(f"{JOB}/{REFERENCE}: no Python '3.14t'") for one in found.rejected)
    assert found.accepted == []


def test_file_of_an_ended_job_is_incomplete(tmp_path: Path) -> None:
    cut = record("3.14t")
    cut = msgspec.structs.replace(cut, run=msgspec.structs.replace(cut.run, finished=None), complete=False)
    found = brought(tmp_path, **{OWN: encode(cut)})
    assert (outcome(found).status, found.rejected) == ("measured", [])
    assert [accepted.file.record.complete for accepted in found.accepted if accepted.file.path.endswith(OWN)] == [False]


def test_impossible_samples_are_kept_and_listed(tmp_path: Path) -> None:
    impossible = altered(
        record("3.14t"),
        lambda series: series.runner == "sync_loop" and series.role == "subject",
        lambda tree: tree["samples"]["values"].update(elapsed_ns=[0] * 12),
    )
    found = brought(tmp_path, **{OWN: encode(impossible)})
    assert found.rejected == []
    assert f"2026-01-01/2026-01-01-gh1001-1/{OWN}" in outcome(found).files
    assert found.impossible
    assert all(fault.startswith(f"{JOB}/{OWN} on Fixture CPU: primes / ") for fault in found.impossible)
    assert any("it took 0 ns" in fault for fault in found.impossible)
    text = summary(found)
    assert f"## Rejected by the sanity gate\n\n- {found.impossible[0]}" in text
    assert "## Refused\n" not in text


def test_file_that_breaks_the_gate_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = gate.faults

    def breaking(one: Record, scenarios: Mapping[str, Scenario]) -> list[gate.Fault]:
        if one.build.free_threaded:
            raise ZeroDivisionError
        return faults(one, scenarios)

    monkeypatch.setattr(gate, "faults", breaking)
    found = brought(tmp_path)
    (rejected,) = found.rejected
    assert rejected.startswith(f"{JOB}/{OWN}: it can't be checked: ZeroDivisionError (actions/verify.py:")
    assert statuses(found) == {CELL: "failed", OTHER: "measured"}


def summary(found: Collected) -> str:
    files = [one.file for one in found.accepted]
    return job_summary.format_cells(found.outcomes.cells, files, found.rejected, found.impossible)


def test_summary_is_inert(tmp_path: Path) -> None:
    (tmp_path / "<img src=x>|`id`").mkdir()
    text = summary(brought(tmp_path, **{"::error::x": b""}))
    assert "| ubuntu-24.04, Fixture CPU | 3.14t | 3.14t | measured |" in text
    assert not any(acting in text for acting in ("<img", "`", "::"))
