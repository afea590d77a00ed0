"""Collecting artifacts: planned files are kept, others are refused by name, and the newest measurement counts."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from artifacts import (
    CELL,
    JOB,
    OTHER,
    OTHER_JOB,
    OTHERS_OWN,
    OWN,
    REFERENCE,
    RUN,
    SCENARIOS,
    collect_from,
    good_files,
    kept,
    outcome,
    pack,
    pack_both,
    record,
    statuses,
    with_status,
)

from actions import collect, dispatch
from actions.artifacts import MISSING
from generate.data import gate
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.record.codec import encode
from runners.harness.record.model import Record

FOLDER = "2026-01-01/2026-01-01-gh1001-1"


def test_planned_files_are_kept_byte_for_byte(tmp_path: Path) -> None:
    pack_both(tmp_path)
    collected = collect_from(tmp_path)
    assert (collected.refused, {*statuses(collected).values()}) == ([], {"measured"})
    assert {accepted.path: accepted.data for accepted in collected.accepted} == {
        f"{FOLDER}/{OTHERS_OWN}": encode(record("3.14", OTHER_JOB)),
        **{f"{FOLDER}/{name}": data for name, data in good_files().items()},
    }
    assert outcome(collected).files == [f"{FOLDER}/{REFERENCE}", f"{FOLDER}/{OWN}"]
    assert (collected.outcomes.run_id, collected.outcomes.note) == ("2026-01-01-gh1001-1", "a note")


def test_unplanned_files_and_artifacts_are_named(tmp_path: Path) -> None:
    names = ("extra.json", f"deeper/{OWN}", "..\\..\\evil.json", "../../evil.json")
    odd = [f"run-{JOB}{end}" for end in ("", ".0", ".x", ".99999", ".2", ".\N{ARABIC-INDIC DIGIT ONE}")]
    for name in (*odd, "evil--1", "..\\evil", "run-plan.1", "run-plan.2"):
        (tmp_path / name).mkdir()
    pack_both(tmp_path, **dict.fromkeys(names, b"{}"))
    collected = collect_from(tmp_path)
    assert {*statuses(collected).values()} == {"measured"}
    assert {*collected.refused} == {
        collect.FOREIGN_FILES.format(JOB, ", ".join(sorted(names))),
        *map(collect.FOREIGN_ARTIFACT.format, (*odd, "evil--1", "..\\evil")),
    }
    assert len(collected.accepted) == 3


def test_refused_reference_and_excluded_cell_are_outcomes(tmp_path: Path) -> None:
    excluding = dispatch.make_plan({"machines": "windows-11-arm", "pythons": "3.10,3.13"}, ["primes"])
    without_artifacts = collect_from(tmp_path / "none", by=excluding)
    assert statuses(without_artifacts) == {"windows-11-arm--3.13": "failed", "windows-11-arm--3.10": "excluded"}
    pack_both(tmp_path, **{REFERENCE: b"{"})
    cell = outcome(collect_from(tmp_path))
    assert (cell.status, cell.files) == ("measured", [f"{FOLDER}/{OWN}"])
    assert (cell.reason or "").startswith(collect.REFERENCE_REFUSED.format(""))


def test_failed_job_explains_missing_files(tmp_path: Path) -> None:
    reason = "no Python '3.14t' is on this machine\n::error::<script>`x`\n" + "more " * 1000
    pack(tmp_path, JOB, 1, {f"{JOB}.failed.txt": reason.encode()})
    collected = collect_from(tmp_path)
    failed = outcome(collected).reason or ""
    assert failed.startswith("no Python '3.14t' is on this machine : :error: : script x more more")
    assert len(failed) <= collect.LONGEST_REASON
    assert any(reason.startswith(f"{JOB}/{REFERENCE}: no Python '3.14t'") for reason in collected.refused)
    assert collected.accepted == []


def test_file_that_breaks_the_gate_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = gate.faults

    def break_once(made: Record, scenarios: Mapping[str, Scenario]) -> list[gate.Fault]:
        if made.build.free_threaded:
            raise ZeroDivisionError
        return faults(made, scenarios)

    monkeypatch.setattr(gate, "faults", break_once)
    pack_both(tmp_path)
    collected = collect_from(tmp_path)
    (refused,) = collected.refused
    assert refused.startswith(f"{JOB}/{OWN}: it can't be checked: ZeroDivisionError (actions/verify.py:")
    assert statuses(collected) == {CELL: "failed", OTHER: "measured"}


def test_summary_is_inert(tmp_path: Path) -> None:
    (tmp_path / "<img src=x>|`id`").mkdir()
    pack_both(tmp_path, **{"::error::x": b""})
    text = collect.summarise(collect_from(tmp_path))
    assert f"| {CELL} | Fixture CPU | measured |" in text
    assert not any(acting in text for acting in ("<img", "`", "::"))


def test_newest_attempt_has_a_folder_of_its_own(tmp_path: Path) -> None:
    pack_both(tmp_path)
    for attempt in (10, 9):
        times = dict.fromkeys(("started", "finished"), f"2026-01-01T{attempt:02}:00:00Z")
        pack(tmp_path, OTHER_JOB, attempt, {OTHERS_OWN: encode(record("3.14", OTHER_JOB, attempt, **times))})
    collected = collect_from(tmp_path, 10)
    assert collected.refused == []
    assert kept(collected) == {f"1/{OWN}", f"1/{REFERENCE}", f"10/{OTHERS_OWN}"}
    assert collected.outcomes.run_id == "2026-01-01-gh1001-10"


ONLY_BASELINES = record("3.14", OTHER_JOB, 2)
for each in {*SCENARIOS["primes"].runners} - {SCENARIOS["primes"].baseline}:
    ONLY_BASELINES = with_status(ONLY_BASELINES, each, "unsupported")


@pytest.mark.parametrize(
    "files",
    [{f"{OTHER_JOB}.failed.txt": b"the disk was full"}, {OTHERS_OWN: b"{"}, {OTHERS_OWN: encode(ONLY_BASELINES)}],
)
def test_failed_attempt_replaces_no_measurement(tmp_path: Path, files: dict[str, bytes]) -> None:
    pack_both(tmp_path)
    pack(tmp_path, OTHER_JOB, 2, files)
    collected = collect_from(tmp_path, 2)
    assert statuses(collected) == {CELL: "measured", OTHER: "measured"}
    assert {name for name in kept(collected) if name.endswith(OTHERS_OWN)} == {f"1/{OTHERS_OWN}"}
    assert {each.reason for each in collected.outcomes.cells} == {None}


def test_file_belongs_to_its_attempt(tmp_path: Path) -> None:
    pack_both(tmp_path)  # in an attempt before the plan's
    pack(tmp_path, JOB, 2, {OWN: encode(record("3.14t"))})
    collected = collect_from(tmp_path, 2, planned_in=2)
    reason = f"run.id: it is '{RUN.name(1)}.{JOB}', not '{RUN.name(2)}.{JOB}'"
    assert [outcome(collected, cell).reason for cell in (CELL, OTHER)] == [reason, MISSING.reason]
    assert not any(name in reason for reason in collected.refused for name in ("run-", "attempt"))
