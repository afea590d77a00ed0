"""The findings of `check`, and their messages."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from factory import Plan, altered, make_record, some_scenarios
from msgspec.structs import replace

from generate.__main__ import main
from generate.check import check
from generate.words.patterns import FILES_CHECKED
from runners.harness.record.codec import encode
from runners.harness.record.model import Record

SCENARIOS = {"primes": some_scenarios()["primes"]}
RUN = "20260101T000000Z-00000000"
NEW = f"2026-01-01/{RUN}/a.json"


def write(folder: Path, record: Record, name: str = "2026-01-01/run/a.json") -> Path:
    path = folder / "results" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(record))
    return path


def messages(folder: Path) -> list[str]:
    return [str(finding) for finding in check([folder / "results"], SCENARIOS).findings]


def test_good_files_have_no_finding(tmp_path: Path) -> None:
    cut = make_record(SCENARIOS, Plan(complete=False))
    hosted = replace(cut, run=replace(cut.run, trigger="schedule"))  # one that ran out of time is published, too
    for record in (make_record(SCENARIOS), hosted):
        report = check([write(tmp_path, record)], SCENARIOS)
        assert (report.exit_status, report.lines()) == (0, [FILES_CHECKED.format("1 file", "0 findings")])


def test_broken_file_is_named_with_field_and_remedy(tmp_path: Path) -> None:
    write(tmp_path, make_record(SCENARIOS))
    broken = write(tmp_path, make_record(SCENARIOS), "2026-01-01/run/b.json")
    broken.write_bytes(broken.read_bytes().replace(b'"usable_cores":2', b'"usable_cores":-2'))
    report = check([tmp_path / "results"], SCENARIOS)
    (finding,) = report.findings
    assert (finding.path, finding.kind) == ("2026-01-01/run/b.json", "unreadable")
    assert finding.place == "$.machine.usable_cores"
    assert "measure again" in finding.message
    assert (report.checked, report.exit_status) == (1, 1)
    assert report.lines()[-1] == FILES_CHECKED.format("1 file", "1 finding")


@pytest.mark.parametrize(
    ("plan", "field"),
    [
        (Plan(dirty=True), "$.run.dirty"),
        (Plan(dirty=None), "$.run.dirty"),
        (Plan(complete=False), "$.complete"),
        (Plan(rounds=600), ""),
    ],
)
def test_unpublishable_files_may_lie_under_local(tmp_path: Path, plan: Plan, field: str) -> None:
    path = write(tmp_path, make_record(SCENARIOS, plan))
    (finding,) = check([path], SCENARIOS).findings
    assert (finding.kind, finding.place) == ("unpublishable", field)
    path.unlink()
    write(tmp_path, make_record(SCENARIOS, plan), "local/2026-01-01/run/a.json")
    assert messages(tmp_path) == []


def impossible() -> Record:
    def nonsense(series: dict[str, Any]) -> None:
        series["samples"]["values"]["cpu_us"][2] = 10**10

    return altered(make_record(SCENARIOS, Plan(run_id=RUN)), lambda series: series.runner == "thread_pool", nonsense)


def test_impossible_result_only_fails_a_strict_check(tmp_path: Path) -> None:
    path = write(tmp_path, impossible(), NEW)
    lenient, strict = (check([tmp_path / "results"], SCENARIOS, strict=strict) for strict in (False, True))
    assert (lenient.exit_status, strict.exit_status, lenient.findings) == (0, 1, strict.findings)
    assert lenient.lines()[0].startswith(f"{NEW}: impossible: primes / published / thread_pool (subject): ")
    path.unlink()
    write(tmp_path, impossible(), "local/a.json")
    assert messages(tmp_path)[0].startswith("local/a.json: impossible: ")


def test_file_that_breaks_the_gate_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, make_record(SCENARIOS))
    monkeypatch.setattr("generate.check.gate.faults", lambda *_: 1 / 0)
    assert "ZeroDivisionError" in messages(tmp_path)[0]


def strictly(folder: Path, record: Record, name: str = NEW) -> list[str]:
    """Return what a strict check prints of one file."""
    path = write(folder, record, name)
    report = check([path], SCENARIOS, strict=True)
    assert (report.exit_status == 1) is bool(report.findings)
    return [str(finding).partition(f"{name}: ")[2] for finding in report.findings]


@pytest.mark.parametrize("label", ["my-laptop", "linux-x86_64-4-core", "macos-arm64-8-core", "windows-amd64-2-core"])
def test_results_measured_by_hand_pass(tmp_path: Path, label: str) -> None:
    assert strictly(tmp_path, make_record(SCENARIOS, Plan(run_id=RUN, machine=label))) == []


@pytest.mark.parametrize(
    ("run", "name", "field"),
    [
        ({"trigger": "dispatch"}, NEW, "$.run"),
        ({"url": "https://example.org"}, NEW, "$.run"),
        ({"finished": "2099-01-01T00:00:00Z"}, NEW, "$.run.started"),
        ({"finished": "2025-12-31T23:59:59Z"}, NEW, "$.run.finished"),
        ({"id": "another"}, "2026-01-01/another/a.json", "$.run.id"),
        ({"seed": 1}, NEW, "$.run.id"),
        ({}, "2026-01-01/another/a.json", "$.run.id"),
        ({}, f"2026-01-02/{RUN}/a.json", "$.run.id"),
        ({}, f"local/2026-01-01/{RUN}/a.json", "$.run.id"),
        ({}, f"2026-01-01/{RUN}/deeper/a.json", "$.run.id"),
        ({}, f"2026-01-01/{RUN}/a b.json", "$.run.id"),
    ],
)
def test_strict_check_refuses_somebody_elses_run(tmp_path: Path, run: dict[str, Any], name: str, field: str) -> None:
    record = make_record(SCENARIOS, Plan(run_id=RUN))
    (finding,) = strictly(tmp_path, replace(record, run=replace(record.run, **run)), name)
    assert finding.startswith(f"unpublishable: {field}: ")


@pytest.mark.parametrize(
    "label",
    [
        *("ubuntu-24.04", "Ubuntu 24.04", "ubuntu-24.O4", "ubuntu-20.04", "ubuntu\N{EN DASH}24.04"),
        *("windows_11-arm", "macos-26-lntel", "\N{CYRILLIC SMALL LETTER EM}acos-26"),
        *("a\n::error::b", "a\u202eb", "x" * 61),
    ],
)
def test_strict_check_refuses_labels_like_hosted_ones(tmp_path: Path, label: str) -> None:
    (finding,) = strictly(tmp_path, make_record(SCENARIOS, Plan(run_id=RUN, machine=label)))
    assert finding.startswith("unpublishable: $.machine.label: ")


@pytest.mark.parametrize(
    ("cores", "cpu", "label"),
    [(2, "Fixture CPU", None), (8, "Fixture CPU", "desk-2"), (2, "Another", "desk-2"), (8, "Another", "desk-3")],
)
def test_strict_check_refuses_the_label_of_another_machine(
    tmp_path: Path, cores: int, cpu: str, label: str | None
) -> None:
    published = {"a": Plan(machine="Desk"), "b": Plan(machine="desk-2", cores=cores, cpu="Another", run_id="b")}
    for name, plan in published.items() if label != "desk-2" else [("a", published["a"])]:
        write(tmp_path / "published", make_record(SCENARIOS, plan), f"{name}.json")
    record = make_record(SCENARIOS, Plan(run_id=RUN, machine="desk", cpu=cpu, cores=cores))
    later = replace(record, run=replace(record.run, started="2026-01-01T00:00:01Z"))
    path = write(tmp_path, later, NEW)
    report = check([path], SCENARIOS, strict=True, published=tmp_path / "published" / "results")
    messages = [finding.message for finding in report.findings if finding.place == "$.machine.label"]
    assert [message.rpartition("--machine ")[2] for message in messages] == ([label] if label else [])


def test_hostile_name_stays_on_one_line(tmp_path: Path) -> None:
    write(tmp_path, make_record(SCENARIOS, Plan(complete=False)), "2026-01-01/run/a\n::error::b.json")
    (line,) = messages(tmp_path)
    assert line.startswith("2026-01-01/run/a : :error: :b.json: unpublishable: ")


def test_command_prints_findings_and_has_their_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, impossible())
    monkeypatch.setattr("runners.harness.catalogue.scenarios.ROOT", tmp_path)
    results, gone = str(tmp_path / "results"), str(tmp_path / "gone.json")
    for arguments, status in (([], 0), (["--strict"], 1), ([results], 0), ([results, gone], 2)):
        done = CliRunner().invoke(main, ["check", *arguments])
        assert done.exit_code == status
        assert ("2026-01-01/run/a.json: impossible: " in done.stdout) is (status < 2)
        assert (gone in done.stderr) is (status == 2)
