"""What a hostile job may bring: each is refused by name, the others are kept, and nothing is written elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from artifacts import CELL, EXPECTED, collected, files, put, record, statuses

from runners.harness.record.codec import encode
from runners.harness.record.model import Package

OTHER = "ubuntu-24.04--3.13"
Act = Callable[[Path], object]
Changed = dict[str, Any]


def broken(old: bytes, new: bytes) -> Act:
    def act(path: Path) -> None:
        data = path.read_bytes()
        assert old in data, "nothing would be planted"
        path.write_bytes(data.replace(old, new, 1))

    return act


def ran(**changes: Any) -> Act:  # noqa: ANN401 - of the run
    return lambda path: path.write_bytes(encode(record("3.14t", **changes)))


def said(**changes: Any) -> Act:  # noqa: ANN401 - of the record
    return lambda path: path.write_bytes(encode(msgspec.structs.replace(record("3.14t"), **changes)))


def built(which: str = "build", **changes: Any) -> Act:  # noqa: ANN401 - of a build
    def act(path: Path) -> None:
        made = record("3.14t")
        changed: Changed = {which: msgspec.structs.replace(getattr(made, which), **changes)}
        path.write_bytes(encode(msgspec.structs.replace(made, **changed)))

    return act


def host(**changes: Any) -> Act:  # noqa: ANN401 - of the machine
    def act(path: Path) -> None:
        made = record("3.14t")
        path.write_bytes(
            encode(msgspec.structs.replace(made, machine=msgspec.structs.replace(made.machine, **changes)))
        )

    return act


def first(**changes: Any) -> Act:  # noqa: ANN401 - of the first series
    def act(path: Path) -> None:
        made = record("3.14t")
        series = [msgspec.structs.replace(made.series[0], **changes), *made.series[1:]]
        path.write_bytes(encode(msgspec.structs.replace(made, series=series)))

    return act


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def deep(path: Path) -> None:
    path.write_bytes(b"[" * 100_000 + b"]" * 100_000)


def linked(path: Path) -> None:
    secret = path.parents[2] / "secret.json"
    secret.write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(secret)


def huge(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(200_000_000)


def piped(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def swapped(path: Path) -> None:
    path.write_bytes((path.parents[1] / f"run-{OTHER}.1" / f"{OTHER}.json").read_bytes())


def twin(path: Path) -> None:
    path.write_bytes(path.with_name(f"{CELL}.reference.json").read_bytes())


def beyond(path: Path) -> None:
    samples = record("3.14t").series[0].samples
    first(samples=msgspec.structs.replace(samples, round=[*samples.round[:-1], 13]))(path)


def column(path: Path) -> None:
    samples = record("3.14t").series[0].samples
    values = {"elapsed_ns\n": samples.values["elapsed_ns"]}
    first(samples=msgspec.structs.replace(samples, values=values))(path)


def held(name: str, cell: object) -> Act:
    """Give the first series a column that holds something in every sample."""

    def act(path: Path) -> None:
        samples = record("3.14t").series[0].samples
        values: Changed = {**samples.values, name: [cell] * len(samples.round)}
        first(samples=msgspec.structs.replace(samples, values=values))(path)

    return act


def placed(**places: list[int]) -> Act:
    def act(path: Path) -> None:
        first(samples=msgspec.structs.replace(record("3.14t").series[0].samples, **places))(path)

    return act


def unhashed(path: Path) -> None:
    made = record("3.14t")
    extra = {**made.source_sha256, "primes/evil": "0" * 64}
    path.write_bytes(encode(msgspec.structs.replace(made, source_sha256=extra)))


def in_a_sample(word: bytes) -> Act:
    return broken(b'"elapsed_ns":[', b'"elapsed_ns":[' + word + b",")


HOSTILE: dict[str, tuple[Act, str]] = {
    "cut off": (cut, "truncated"),
    "not a number": (in_a_sample(b"NaN"), ""),
    "infinity": (in_a_sample(b"Infinity"), ""),
    "a number that overflows": (in_a_sample(b"1e999"), ""),
    "nested deeply": (deep, ""),
    "a symbolic link": (linked, "not a plain file"),
    "a pipe": (piped, "not a plain file"),
    "200 MB": (huge, "200,000,000 bytes"),
    "another cell's bytes": (swapped, "run.id: the run's id is"),
    "its reference's bytes": (twin, "build.version: the build is '3.13', not '3.14t'"),
    "another run's": (ran(id="2026-01-01-gh999.1.x"), "run.id: the run's id is"),
    "an id that leads elsewhere": (broken(f"{EXPECTED.run_id}.".encode(), b"../../"), "run.id"),
    "another commit": (ran(commit="0" * 40), "run.commit: the commit is"),
    "changed code": (ran(dirty=True), "run.dirty: whether files were changed is"),
    "fewer rounds": (ran(rounds=2), "run.rounds: the rounds is"),
    "the other profile": (ran(profile="quick"), "run.profile: the profile is"),
    "other scenarios": (ran(scenarios=["power"]), "run.scenarios: the scenarios is"),
    "fewer runners": (ran(runners=["sync_loop"]), "run.runners: the runners is"),
    "another trigger": (ran(trigger="local"), "run.trigger: what started it is 'local', not 'dispatch'"),
    "another address": (ran(url="https://example.com/evil"), "run.url: the address is"),
    "begun in a far year": (ran(started="9999-12-31T23:59:59Z"), "run.started: '9999-12-31T23:59:59Z' is not on"),
    "begun before the run": (ran(started="2025-12-31T23:59:59Z"), "run.started"),
    "begun three days after": (ran(started="2026-01-04T00:00:00Z"), "run.started"),
    "begun on no day": (ran(started="2026-13-41T00:00:00Z"), "run.started"),
    "finished before it began": (ran(finished="2025-12-31T00:00:00Z"), "run.finished"),
    "finished in a far year": (ran(finished="9999-12-31T23:59:59Z"), "run.finished"),
    "not complete": (said(complete=False), "complete: whether it is complete"),
    "another build": (built(version="3.13.1"), "build.version: the build is '3.13t', not '3.14t'"),
    "a build with the GIL": (built(free_threaded=False), "build.version: the build is '3.14', not '3.14t'"),
    "a hostile version": (built(version="3.14.0/../../x"), "build.version: the build is 'CPython 3.14.0/../../x'"),
    "a version and a script": (built(version="3.14.<script>"), "build.version"),
    "a version in other digits": (built(version="3.14.\N{ARABIC-INDIC DIGIT ONE}"), "build.version"),
    "an unknown implementation": (built(implementation="EvilPython"), "build.version"),
    "a script in the compiler": (built(compiler="<b>GCC"), "build.compiler"),
    "another reference": (built("reference_build", version="3.13.2"), "reference_build: it is not the build"),
    "a reference nobody asked for": (built("reference_build", version="3.12.1"), "reference_build.version"),
    "a script in the machine's label": (host(label="<script>alert(1)</script>"), "machine.label: the machine is"),
    "a script in the machine's name": (host(cpu="<script>alert(1)</script>"), "machine.cpu: '<script>alert(1)"),
    "a line end in the machine's name": (host(os="Linux\n::error::x"), "machine.os"),
    "a package with a hostile name": (said(packages={"../x": Package(version="1", reason=None)}), "packages: '../x'"),
    "a script in a package's version": (
        said(packages={"gevent": Package(version="<script>", reason=None)}),
        "packages.gevent.version: '<script>'",
    ),
    "an unknown field": (broken(b'"complete":', b'"extra":1,"complete":'), "extra"),
    "no series": (said(series=[]), "series: there is none"),
    "another runner's file": (first(source_sha256="0" * 64), "source_sha256: that of 'primes/"),
    "a runner that is not there": (unhashed, "source_sha256: that of 'primes/evil'"),
    "another scenario's files": (said(scenario_sha256={"primes": "0" * 64}), "scenario_sha256: that of 'primes'"),
    "no scenario's files": (said(scenario_sha256={}), "scenario_sha256: that of 'primes'"),
    "a case that leads elsewhere": (first(case="../../evil"), "series[0]: 'primes / ../../evil / "),
    "a role that has its own file": (first(role="reference"), "series[0]"),
    "rounds beyond the plan": (beyond, "series[0].samples.round"),
    "a column with a line end": (column, "series[0].samples.values"),
    "one latency for many": (held("latency_steps_us", 5), "a single number, where the column's name asks for lists"),
    "one depth for a trace": (held("depth_trace_count", 7), "values.depth_trace_count: a single number"),
    "a trace of nothing": (held("depth_trace_count", []), "values.depth_trace_count: an empty list"),
    "a list for a number": (held("elapsed_ns", [1, 2]), "values.elapsed_ns: a list, where"),
    "a place beyond all numbers": (placed(position=[2**63] * 12), "series[0].samples.position: Expected at most"),
    "a round beyond all numbers": (placed(round=[2**63 + n for n in range(12)]), "series[0].samples.round: Expected"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_by_name_and_the_others_are_kept(tmp_path: Path, name: str) -> None:
    put(tmp_path / "artifacts")
    act, reason = HOSTILE[name]
    act(tmp_path / "artifacts" / f"run-{CELL}.1" / f"{CELL}.json")
    before = files(tmp_path)
    found = collected(tmp_path)
    (refused,) = found.refused
    assert refused.startswith(f"{CELL}/{CELL}.json: ")
    assert reason in refused
    assert statuses(found) == {CELL: "failed", OTHER: "measured"}
    kept = {f"out/run/{name}" for name in ("cells.json", f"{CELL}.reference.json", f"{OTHER}.json")}
    assert files(tmp_path) - before == kept


def test_a_whole_artifact_in_the_folder_of_another_cell_is_refused(tmp_path: Path) -> None:
    artifacts = tmp_path / "artifacts"
    put(artifacts)
    (artifacts / f"run-{OTHER}.1").rename(artifacts / "kept")
    (artifacts / f"run-{CELL}.1").rename(artifacts / f"run-{OTHER}.1")
    (artifacts / "kept").rename(artifacts / f"run-{CELL}.1")
    found = collected(tmp_path)
    assert set(statuses(found).values()) == {"failed"}
    assert f"{OTHER}/{CELL}.json: not a file that the plan expects" in found.refused
    assert files(tmp_path / "out") == {"run/cells.json"}


def test_a_name_that_would_lead_upwards_is_not_followed(tmp_path: Path) -> None:
    artifacts = tmp_path / "artifacts"
    put(artifacts)
    (artifacts / f"run-{CELL}.1" / "..\\..\\evil.json").write_text("{}")
    (artifacts / "..\\evil").mkdir()
    found = collected(tmp_path)
    assert set(statuses(found).values()) == {"measured"}
    assert f"{CELL}/..\\..\\evil.json: not a file that the plan expects" in found.refused
    assert "..\\evil: no cell of the plan" in found.refused


def test_of_very_many_foreign_files_some_are_named_and_all_are_counted(tmp_path: Path) -> None:
    artifacts = tmp_path / "artifacts"
    put(artifacts)
    for number in range(1000):
        (artifacts / f"run-{CELL}.1" / f"{number:04}.json").touch()
    found = collected(tmp_path)
    assert set(statuses(found).values()) == {"measured"}
    assert found.refused[-1] == f"{CELL}/...: 980 more such files"
    assert len(found.refused) == 21


def test_builds_before_their_release_are_taken(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    for version in ("3.14.0rc1", "3.14.0a7+", "3.14.12"):
        built(version=version)(tmp_path / "artifacts" / f"run-{CELL}.1" / f"{CELL}.json")
        assert collected(tmp_path).refused == []
