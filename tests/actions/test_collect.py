"""Taking in artifacts: what is as planned is kept, the rest is refused by name, and nothing is written elsewhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from artifacts import CELL, EXPECTED, at_nothing, collected, files, put, record, statuses
from factory import altered

from actions import collect, dispatch
from generate.analysis import gate
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pytest

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.model import Record


def test_what_is_as_planned_is_kept_byte_for_byte(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    found = collected(tmp_path)
    assert found.refused == []
    assert set(statuses(found).values()) == {"measured"}
    expected = {f"{CELL}.json", f"{CELL}.reference.json", "ubuntu-24.04--3.13.json", "cells.json"}
    assert files(tmp_path / "out" / "run") == expected
    kept = (tmp_path / "out" / "run" / f"{CELL}.json").read_bytes()
    assert kept == (tmp_path / "artifacts" / f"run-{CELL}.1" / f"{CELL}.json").read_bytes()


def test_no_file_of_a_cell_is_written_outside_the_runs_folder(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    before = files(tmp_path)
    collected(tmp_path)
    new = {name for name in files(tmp_path) - before if not name.startswith("out/run/")}
    assert new == set()


def test_a_cell_that_brought_nothing_is_published_as_failed(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    (tmp_path / "artifacts" / f"run-{CELL}.1" / f"{CELL}.json").unlink()
    found = collected(tmp_path)
    assert statuses(found) == {CELL: "failed", "ubuntu-24.04--3.13": "measured"}
    told = json.loads((tmp_path / "out" / "run" / "cells.json").read_bytes())
    assert told["note"] == "a note"
    assert any("did not come back" in (one["reason"] or "") for one in told["cells"])


def test_files_and_artifacts_that_nobody_planned_are_left_out_and_named(tmp_path: Path) -> None:
    artifacts = tmp_path / "artifacts"
    put(artifacts)
    (artifacts / f"run-{CELL}.1" / "extra.json").write_text("{}")
    (artifacts / f"run-{CELL}.1" / "deeper").mkdir()
    (artifacts / f"run-{CELL}.1" / "deeper" / f"{CELL}.json").write_text("{}")
    (artifacts / "evil--1").mkdir()
    found = collected(tmp_path)
    assert set(statuses(found).values()) == {"measured"}
    assert any("extra.json" in reason for reason in found.refused)
    assert any("deeper" in reason for reason in found.refused)
    assert "evil--1: no cell of the plan" in found.refused
    assert "extra.json" not in files(tmp_path / "out")


def test_an_artifact_that_is_a_link_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    artifacts = tmp_path / "artifacts"
    put(artifacts)
    (artifacts / f"run-{CELL}.1").rename(tmp_path / "elsewhere")
    (artifacts / f"run-{CELL}.1").symlink_to(tmp_path / "elsewhere")
    found = collected(tmp_path)
    assert statuses(found)[CELL] == "failed"
    assert any("symbolic link" in reason for reason in found.refused)


def test_an_excluded_cell_is_among_the_outcomes(tmp_path: Path) -> None:
    plan = dispatch.planned({"machines": "windows-11-arm", "pythons": "3.10,3.14"}, ["primes"])
    found = collect.collect(plan, tmp_path / "none", tmp_path / "out", EXPECTED, at_nothing)
    assert statuses(found) == {"windows-11-arm--3.14": "failed", "windows-11-arm--3.10": "excluded"}


def test_of_a_failed_cell_the_reason_is_that_of_its_own_file(tmp_path: Path) -> None:
    artifacts = tmp_path / "artifacts"
    put(artifacts)
    (artifacts / f"run-{CELL}.1" / f"{CELL}.json").write_text("{")
    (artifacts / f"run-{CELL}.1" / "deeper").mkdir()
    (artifacts / f"run-{CELL}.1" / "deeper" / f"{CELL}.json").write_text("{}")
    (artifacts / f"run-{CELL}.1" / f"a{CELL}.json").write_text("{}")
    failed = next(one for one in collected(tmp_path).outcomes.cells if one.cell == CELL)
    assert failed.status == "failed"
    assert "truncated" in (failed.reason or "")


def test_where_the_references_file_alone_is_refused_the_outcome_says_so(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    (tmp_path / "artifacts" / f"run-{CELL}.1" / f"{CELL}.reference.json").write_text("{")
    (measured,) = [one for one in collected(tmp_path).outcomes.cells if one.cell == CELL]
    assert (measured.status, measured.files) == ("measured", [f"{CELL}.json"])
    assert (measured.reason or "").startswith("its reference's file was refused: ")


def test_a_failed_job_is_quoted_in_place_of_what_did_not_come_back(tmp_path: Path) -> None:
    artifacts = tmp_path / "artifacts" / f"run-{CELL}.1"
    artifacts.mkdir(parents=True)
    said = "no Python '3.14t' is on this machine\n::error::<script>`x`\n" + "more " * 1000
    (artifacts / f"{CELL}.failed.txt").write_text(said)
    found = collected(tmp_path)
    (failed,) = [one for one in found.outcomes.cells if one.cell == CELL]
    assert (failed.reason or "").startswith("no Python '3.14t' is on this machine : :error: : script x more more")
    assert len(failed.reason or "") <= 500
    assert any(one.startswith(f"{CELL}/{CELL}.reference.json: no Python '3.14t'") for one in found.refused)
    assert files(tmp_path / "out" / "run") == {"cells.json"}


def test_what_a_failed_job_left_that_is_no_plain_short_file_is_not_read(tmp_path: Path) -> None:
    artifacts = tmp_path / "artifacts" / f"run-{CELL}.1"
    artifacts.mkdir(parents=True)
    (tmp_path / "secret").write_text("a secret")
    (artifacts / f"{CELL}.failed.txt").symlink_to(tmp_path / "secret")
    (failed,) = [one for one in collected(tmp_path).outcomes.cells if one.cell == CELL]
    assert failed.reason == "it did not come back"


def test_what_the_sanity_gate_refuses_is_kept_and_named(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    impossible = altered(
        record("3.14t"),
        lambda series: series.runner == "sync_loop" and series.role == "subject",
        lambda tree: tree["samples"]["values"].update(elapsed_ns=[0] * 12),
    )
    (tmp_path / "artifacts" / f"run-{CELL}.1" / f"{CELL}.json").write_bytes(encode(impossible))
    found = collected(tmp_path)
    assert found.refused == []
    assert set(statuses(found).values()) == {"measured"}
    assert f"{CELL}.json" in files(tmp_path / "out" / "run")
    assert found.impossible
    assert all(fault.startswith(f"{CELL}/{CELL}.json: primes / ") for fault in found.impossible)
    assert any("it took 0 ns" in fault for fault in found.impossible)


def test_a_file_that_breaks_who_reads_it_is_refused_and_the_others_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "artifacts")
    faults = gate.faults

    def breaking(one: Record, scenarios: Mapping[str, Scenario]) -> list[gate.Fault]:
        if one.build.free_threaded:
            raise ZeroDivisionError
        return faults(one, scenarios)

    monkeypatch.setattr(gate, "faults", breaking)
    found = collected(tmp_path)
    (refused,) = found.refused
    assert refused.startswith(f"{CELL}/{CELL}.json: it can't be checked: ZeroDivisionError")
    assert statuses(found) == {CELL: "failed", "ubuntu-24.04--3.13": "measured"}
