"""A run that was partly run again: the newest attempt that measured a cell counts, in a folder of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifacts import (
    CELL,
    JOB,
    OTHER,
    OTHER_JOB,
    OTHERS_OWN,
    OWN,
    REFERENCE,
    SCENARIOS,
    collected,
    kept,
    outcome,
    pack,
    put,
    record,
    statuses,
    with_status,
)

from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = "2026-01-01-gh1001-1", "2026-01-01-gh1001-2"


def again(artifacts: Path, attempt: int) -> None:
    """Measure the other cell once more."""
    times = dict.fromkeys(("started", "finished"), f"2026-01-01T{attempt:02}:00:00Z")
    pack(artifacts, OTHER_JOB, attempt, {OTHERS_OWN: encode(record("3.14", OTHER_JOB, attempt, **times))})


def test_newest_attempt_has_a_folder_of_its_own(tmp_path: Path) -> None:
    put(tmp_path)
    again(tmp_path, 10)
    again(tmp_path, 9)
    found = collected(tmp_path, 10)
    assert found.rejected == []
    assert kept(found) == {f"{FIRST}/{OWN}", f"{FIRST}/{REFERENCE}", f"2026-01-01-gh1001-10/{OTHERS_OWN}"}
    assert found.outcomes.run_id == "2026-01-01-gh1001-10"


def test_failed_attempt_replaces_no_measurement(tmp_path: Path) -> None:
    put(tmp_path)
    pack(tmp_path, OTHER_JOB, 2, {f"{OTHER_JOB}.failed.txt": b"the disk was full"})
    pack(tmp_path, OTHER_JOB, 3, {OTHERS_OWN: b"{"})
    found = collected(tmp_path, 3)
    assert statuses(found) == {CELL: "measured", OTHER: "measured"}
    assert f"{FIRST}/{OTHERS_OWN}" in kept(found)
    assert {one.reason for one in found.outcomes.cells} == {None}


def without_values(attempt: int) -> bytes:
    """Make what the other cell's job brings where nothing but the baseline could be measured."""
    made, scenario = record("3.14", OTHER_JOB, attempt), SCENARIOS["primes"]
    for runner in {*scenario.runners} - {scenario.baseline}:
        made = with_status(made, runner, "unsupported")
    return encode(made)


def test_file_without_values_replaces_no_measurement(tmp_path: Path) -> None:
    put(tmp_path)
    pack(tmp_path, OTHER_JOB, 2, {OTHERS_OWN: without_values(2)})
    found = collected(tmp_path, 2)
    assert statuses(found) == {CELL: "measured", OTHER: "measured"}
    assert f"{FIRST}/{OTHERS_OWN}" in kept(found)
    assert f"{SECOND}/{OTHERS_OWN}" not in kept(found)


def test_file_belongs_to_its_attempt(tmp_path: Path) -> None:
    put(tmp_path)
    pack(tmp_path, JOB, 2, {OWN: encode(record("3.14t"))})
    reason = outcome(collected(tmp_path, 2, planned_in=2)).reason
    assert reason == f"run.id: it is '{FIRST}.{JOB}', not '{SECOND}.{JOB}'"


def test_attempt_before_the_plan_is_ignored(tmp_path: Path) -> None:
    put(tmp_path)
    found = collected(tmp_path, 2, planned_in=2)
    assert {one.reason for one in found.outcomes.cells} == {"it did not come back"}
    assert not any("no job of the plan" in reason for reason in found.rejected)


def test_attempt_of_the_future_is_refused(tmp_path: Path) -> None:
    put(tmp_path)
    again(tmp_path, 2)
    found = collected(tmp_path, 1)
    assert found.rejected == [f"run-{OTHER_JOB}.2: no job of the plan, or no attempt so far"]
    assert f"{FIRST}/{OTHERS_OWN}" in kept(found)


def test_odd_names_of_artifacts_are_refused(tmp_path: Path) -> None:
    put(tmp_path)
    odd = [f"run-{JOB}{end}" for end in ("", ".0", ".x", ".99999", ".\N{ARABIC-INDIC DIGIT ONE}")]
    for name in (*odd, "run-plan.2", "run-plan.1"):
        (tmp_path / name).mkdir()
    assert collected(tmp_path).rejected == [f"{name}: no job of the plan, or no attempt so far" for name in sorted(odd)]
