"""What `check` finds, and what it says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from factory import Plan, altered, make, some_scenarios

from generate.checks.check import MOST_BYTES, check
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Record

SCENARIOS = {"primes": some_scenarios()["primes"]}


def put(folder: Path, record: Record, name: str = "2026-01-01/run/a.json") -> Path:
    path = folder / "results" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(record))
    return path


def messages(folder: Path) -> list[str]:
    return [str(finding) for finding in check([folder / "results"], SCENARIOS).findings]


def test_a_good_file_or_none_has_no_finding_and_the_exit_status_is_0(tmp_path: Path) -> None:
    none = check([tmp_path], SCENARIOS)
    put(tmp_path, make(SCENARIOS))
    report = check([tmp_path / "results"], SCENARIOS)
    assert (none.exit_status, none.lines()) == (0, ["0 files read, no findings"])
    assert (report.exit_status, report.lines()) == (0, ["1 file read, no findings"])


def test_a_broken_file_is_named_with_field_and_remedy_and_the_others_are_checked(tmp_path: Path) -> None:
    put(tmp_path, make(SCENARIOS))
    broken = put(tmp_path, make(SCENARIOS), "2026-01-01/run/b.json")
    broken.write_bytes(broken.read_bytes().replace(b'"usable_cores":2', b'"usable_cores":-2'))
    report = check([tmp_path / "results"], SCENARIOS)
    (finding,) = report.findings
    assert (finding.path, finding.kind, finding.where) == (
        "2026-01-01/run/b.json",
        "unreadable",
        "$.machine.usable_cores",
    )
    assert "measure again" in finding.message
    assert (report.checked, report.exit_status) == (1, 1)
    assert report.lines()[-1] == "1 file read, 1 finding"


@pytest.mark.parametrize(
    ("plan", "field", "message"),
    [
        (Plan(dirty=True), "$.run.dirty", "measured from code that no commit holds"),
        (Plan(dirty=None), "$.run.dirty", "measured from code that no commit holds"),
        (Plan(complete=False), "$.complete", "the run was cut off"),
        (Plan(rounds=600), "", f"at most {MOST_BYTES:,} are published"),
    ],
)
def test_what_may_not_be_published_is_found_but_may_lie_under_local(
    tmp_path: Path, plan: Plan, field: str, message: str
) -> None:
    path = put(tmp_path, make(SCENARIOS, plan))
    (finding,) = check([path], SCENARIOS).findings
    assert (finding.kind, finding.where) == ("unpublishable", field)
    assert message in finding.message
    path.unlink()
    put(tmp_path, make(SCENARIOS, plan), "local/2026-01-01/run/a.json")
    assert messages(tmp_path) == []


def impossible() -> Record:
    def nonsense(series: dict[str, Any]) -> None:
        series["samples"]["values"]["cpu_us"][2] = 10**10

    return altered(make(SCENARIOS), lambda series: series.runner == "thread_pool", nonsense)


def test_an_impossible_result_is_found_under_local_too(tmp_path: Path) -> None:
    put(tmp_path, impossible(), "local/a.json")
    found = messages(tmp_path)
    assert found[0].startswith(
        "local/a.json: impossible: primes / published / thread_pool (subject): processor time in"
    )
    assert all("\n" not in line for line in found)


def test_an_impossible_result_is_printed_and_fails_a_strict_check_alone(tmp_path: Path) -> None:
    put(tmp_path, impossible())
    lenient, strict = (check([tmp_path / "results"], SCENARIOS, strict=strict) for strict in (False, True))
    assert lenient.exit_status == 0
    assert lenient.findings == strict.findings
    assert lenient.lines()[0].startswith("2026-01-01/run/a.json: impossible: ")
    assert lenient.lines()[-1] == f"1 file read, {len(lenient.findings)} findings; the site shows them as refused"
    assert strict.exit_status == 1
    assert "refused" not in strict.lines()[-1]


def test_an_impossible_result_hides_no_broken_file_beside_it(tmp_path: Path) -> None:
    put(tmp_path, impossible())
    put(tmp_path, make(SCENARIOS, Plan(complete=False)), "2026-01-01/run/b.json")
    assert check([tmp_path / "results"], SCENARIOS).exit_status == 1


def test_a_path_that_is_not_there_is_a_finding(tmp_path: Path) -> None:
    report = check([tmp_path / "gone.json", tmp_path / "gone"], SCENARIOS)
    assert [finding.kind for finding in report.findings] == ["unreadable"] * 2


def test_a_finding_has_a_hostile_name_on_one_line(tmp_path: Path) -> None:
    put(tmp_path, make(SCENARIOS, Plan(complete=False)), "2026-01-01/run/a\n::error::b.json")
    (line,) = messages(tmp_path)
    assert line.startswith("2026-01-01/run/a : :error: :b.json: unpublishable: ")
