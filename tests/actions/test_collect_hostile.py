"""What a hostile job may bring, files and zips: each is refused by name, and the others are kept."""

from __future__ import annotations

import os
import stat
import zipfile
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from artifacts import CELL, OTHER, OWN, REFERENCE, RUN, collected, good_files, kept, pack, put, record, statuses

from actions.artifacts import MOST_ZIP_BYTES
from runners.harness.record.codec import encode
from runners.harness.record.model import Package

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GOOD = good_files()


def broken(old: bytes, new: bytes) -> bytes:
    assert old in GOOD[OWN], "nothing would be planted"
    return GOOD[OWN].replace(old, new, 1)


def ran(**changes: Any) -> bytes:  # noqa: ANN401 - of the run
    return encode(record("3.14t", **changes))


def said(**changes: Any) -> bytes:  # noqa: ANN401 - of the record
    return encode(msgspec.structs.replace(record("3.14t"), **changes))


def built(which: str = "build", **changes: Any) -> bytes:  # noqa: ANN401 - of a build
    changed: dict[str, Any] = {which: msgspec.structs.replace(getattr(record("3.14t"), which), **changes)}
    return said(**changed)


def host(**changes: Any) -> bytes:  # noqa: ANN401 - of the machine
    return said(machine=msgspec.structs.replace(record("3.14t").machine, **changes))


def first(**changes: Any) -> bytes:  # noqa: ANN401 - of the first series
    one, *others = record("3.14t").series
    return said(series=[msgspec.structs.replace(one, **changes), *others])


def sampled(**changes: Any) -> bytes:  # noqa: ANN401 - of the first series' samples
    return first(samples=msgspec.structs.replace(record("3.14t").series[0].samples, **changes))


def held(name: str, cell: object) -> bytes:
    """Give the first series a column that holds something in every sample."""
    samples = record("3.14t").series[0].samples
    return sampled(values={**samples.values, name: [cell] * len(samples.round)})


def in_a_sample(word: bytes) -> bytes:
    return broken(b'"elapsed_ns":[', b'"elapsed_ns":[' + word + b",")


HOSTILE: dict[str, tuple[bytes, str]] = {
    "cut off": (GOOD[OWN][: len(GOOD[OWN]) // 2], "truncated"),
    "not a number": (in_a_sample(b"NaN"), ""),
    "infinity": (in_a_sample(b"Infinity"), ""),
    "a number that overflows": (in_a_sample(b"1e999"), ""),
    "nested deeply": (b"[" * 100_000 + b"]" * 100_000, ""),
    "another cell's bytes": (encode(record("3.13", OTHER)), "run.id: the run's id is"),
    "its reference's bytes": (GOOD[REFERENCE], "build.version: the build is '3.13', not '3.14t'"),
    "another run's": (ran(id="2026-01-01-gh999.1.x"), "run.id: the run's id is"),
    "an id that leads elsewhere": (broken(f"{RUN.name(1)}.".encode(), b"../../"), "run.id"),
    "another commit": (ran(commit="0" * 40), "run.commit: the commit is"),
    "changed code": (ran(dirty=True), "run.dirty: whether files were changed is"),
    "fewer rounds": (ran(rounds=2), "run.rounds: the rounds is"),
    "the other profile": (ran(profile="quick"), "run.profile: the profile is"),
    "other scenarios": (ran(scenarios=["power"]), "run.scenarios: the scenarios is"),
    "fewer runners": (ran(runners=["sync_loop"]), "run.runners: the runners is"),
    "another trigger": (ran(trigger="local"), "run.trigger: what started it is 'local', not 'dispatch'"),
    "another address": (ran(url="https://example.com/evil"), "run.url: the address is"),
    "begun in a far year": (ran(started="2099-12-31T23:59:59Z"), "run.started: '2099-12-31T23:59:59Z' is not on"),
    "begun before the run": (ran(started="2025-12-31T23:59:59Z"), "run.started"),
    "begun three days after": (ran(started="2026-01-04T00:00:00Z"), "run.started"),
    "begun on no day": (ran(started="2026-13-41T00:00:00Z"), "run.started"),
    "finished before it began": (ran(finished="2025-12-31T00:00:00Z"), "run.finished"),
    "finished in a far year": (ran(finished="2099-12-31T23:59:59Z"), "run.finished"),
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
    "a runner that is not there": (
        said(source_sha256={**record("3.14t").source_sha256, "primes/evil": "0" * 64}),
        "source_sha256: that of 'primes/evil'",
    ),
    "another scenario's files": (said(scenario_sha256={"primes": "0" * 64}), "scenario_sha256: that of 'primes'"),
    "no scenario's files": (said(scenario_sha256={}), "scenario_sha256: that of 'primes'"),
    "a case that leads elsewhere": (first(case="../../evil"), "series[0]: 'primes / ../../evil / "),
    "a role that has its own file": (first(role="reference"), "series[0]"),
    "rounds beyond the plan": (sampled(round=[*range(1, 12), 13]), "series[0].samples.round"),
    "a column with a line end": (sampled(values={"elapsed_ns\n": [1] * 12}), "series[0].samples.values"),
    "one latency for many": (held("latency_steps_us", 5), "a single number, where the column's name asks for lists"),
    "one depth for a trace": (held("depth_trace_count", 7), "values.depth_trace_count: a single number"),
    "a trace of nothing": (held("depth_trace_count", []), "values.depth_trace_count: an empty list"),
    "a list for a number": (held("elapsed_ns", [1, 2]), "values.elapsed_ns: a list, where"),
    "a place beyond all numbers": (sampled(position=[2**63] * 12), "series[0].samples.position"),
    "a round beyond all numbers": (sampled(round=[2**63 + n for n in range(12)]), "series[0].samples.round"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_by_name_and_the_others_are_kept(tmp_path: Path, name: str) -> None:
    data, reason = HOSTILE[name]
    put(tmp_path, **{OWN: data})
    found = collected(tmp_path)
    (refused,) = found.refused
    assert refused.startswith(f"{CELL}/{OWN}: ")
    assert reason in refused
    assert statuses(found) == {CELL: "failed", OTHER: "measured"}
    assert kept(found) == {f"{RUN.name(1)}/{REFERENCE}", f"{RUN.name(1)}/{OTHER}.json"}


def bomb(opened: zipfile.ZipFile, _data: bytes) -> None:
    with opened.open(OWN, "w") as stream:
        for _ in range(200):
            stream.write(bytes(1_000_000))


def link(opened: zipfile.ZipFile, _data: bytes) -> None:
    member = zipfile.ZipInfo(OWN)
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    opened.writestr(member, "/etc/passwd")


def twice(opened: zipfile.ZipFile, data: bytes) -> None:
    opened.writestr(OWN, data)
    with pytest.warns(UserWarning, match="Duplicate name"):
        opened.writestr(OWN, b"{}")


def otherwise(opened: zipfile.ZipFile, data: bytes) -> None:
    opened.writestr(OWN, data, zipfile.ZIP_BZIP2)


def locked(opened: zipfile.ZipFile, data: bytes) -> None:
    opened.writestr(OWN, data)
    opened.getinfo(OWN).flag_bits |= 1


def elsewhere(opened: zipfile.ZipFile, data: bytes) -> None:
    opened.writestr(f"../{OWN}", data)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (bomb, "more than 500,000 bytes, and no more are published"),
        (link, "not a plain file"),
        (twice, "it is there twice"),
        (otherwise, "compressed in a way that is not read here"),
        (locked, "its artifact can't be read: "),
        (elsewhere, "it did not come back"),
    ],
)
def test_a_hostile_member_is_refused_and_the_others_are_kept(
    tmp_path: Path, act: Callable[[zipfile.ZipFile, bytes], None], reason: str
) -> None:
    files = good_files()
    data = files.pop(OWN)
    put(tmp_path)
    with zipfile.ZipFile(pack(tmp_path, CELL, 1, files), "a", zipfile.ZIP_DEFLATED) as opened:
        act(opened, data)
    found = collected(tmp_path)
    assert statuses(found) == {CELL: "failed", OTHER: "measured"}
    assert any(one.startswith(f"{CELL}/{OWN}: {reason}") for one in found.refused)
    folder = "2026-01-01-gh1001-1"
    assert kept(found) == {f"{folder}/{CELL}.reference.json", f"{folder}/{OTHER}.json"}


def cut(packed: Path) -> None:
    packed.write_bytes(packed.read_bytes()[: packed.stat().st_size // 2])


def spoilt(packed: Path) -> None:
    data = bytearray(packed.read_bytes())
    data[200:1200] = bytes(1000)
    packed.write_bytes(data)


def swollen(packed: Path) -> None:
    with zipfile.ZipFile(packed, "a") as opened:
        opened.writestr("more", bytes(MOST_ZIP_BYTES))


def piped(packed: Path) -> None:
    packed.unlink()
    os.mkfifo(packed)


def doubled(packed: Path) -> None:
    packed.with_name("another.zip").write_bytes(packed.read_bytes())


def linked(packed: Path) -> None:
    folder = packed.parent
    folder.rename(folder.parent.with_name("elsewhere"))
    folder.symlink_to(folder.parent.with_name("elsewhere"))


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (cut, "its artifact can't be read: BadZipFile: "),
        (spoilt, "its artifact can't be read: "),
        (swollen, "its artifact has 2,"),
        (piped, "its artifact is not a folder with one zip"),
        (doubled, "its artifact is not a folder with one zip"),
        (linked, "its artifact is not a folder with one zip"),
    ],
)
def test_an_artifact_that_is_no_good_as_a_whole_costs_its_own_cell_alone(
    tmp_path: Path, act: Callable[[Path], None], reason: str
) -> None:
    act(put(tmp_path / "artifacts"))
    found = collected(tmp_path / "artifacts")
    assert statuses(found) == {CELL: "failed", OTHER: "measured"}
    assert any(one.startswith(f"{CELL}/{OWN}: {reason}") for one in found.refused)
