"""What a hostile job may bring, files and zips: each is refused by name, and the others are kept."""

from __future__ import annotations

import functools
import operator
import tracemalloc
import zipfile
from typing import TYPE_CHECKING

import msgspec
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
    collected,
    good_files,
    kept,
    pack,
    put,
    record,
    statuses,
)

from actions import dispatch
from actions.artifacts import MOST_ZIP_BYTES, Artifact
from actions.collect import LONGEST_FAILURE_BYTES
from generate.check import MOST_BYTES
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GOOD = good_files()


def at(place: str, value: object) -> bytes:
    """Return the cell's own file with another value at a place, as `run.commit` or `series.0.case`."""
    tree = msgspec.to_builtins(record("3.14t"))
    *way, last = (int(key) if key.isdecimal() else key for key in place.split("."))
    functools.reduce(operator.getitem, way, tree)[last] = value
    return msgspec.json.encode(tree)


def column(name: str, cell: object) -> bytes:
    """Give the first series a column that holds something in every sample."""
    return at(f"series.0.samples.values.{name}", [cell] * 12)


HOSTILE: dict[str, tuple[bytes, str]] = {
    "cut off": (GOOD[OWN][: len(GOOD[OWN]) // 2], "truncated"),
    "nested deeply": (b"[" * 100_000 + b"]" * 100_000, ""),
    "another cell's bytes": (encode(record("3.14", OTHER_JOB)), "run.id: it is"),
    "its reference's bytes": (GOOD[REFERENCE], "kind: it is 'by_product', not 'cell'"),
    "another run's": (at("run.id", "2026-01-01-gh999.1.x"), "run.id: it is"),
    "a variant": (at("build.variant", ["aiohttp 3.13.5"]), "build.variant: it is 'aiohttp 3.13.5', not ''"),
    "a switch": (at("build.variables", ["PYTHON_GIL=1"]), "build.variables: it is 'PYTHON_GIL=1', not ''"),
    "a reference that is a variant": (at("reference_build.variant", ["a"]), "reference_build.variant: it is"),
    "a package from elsewhere": (
        at("packages", {"aiohttp": {"version": "1", "reason": None, "source": "evil/aiohttp@main"}}),
        "packages.aiohttp.source: the plan has no package from outside the index",
    ),
    "other packages beside it": (
        at("reference_packages", {"aiohttp": {"version": "1", "reason": None}}),
        "reference_packages: they are not those of the reference's file",
    ),
    "an id that leads elsewhere": (at("run.id", "../../x"), "run.id"),
    "another commit": (at("run.commit", "0" * 40), "run.commit: it is"),
    "changed code": (at("run.dirty", value=True), "run.dirty: it is"),
    "more rounds": (at("run.rounds", 24), "run.rounds: it is"),
    "fewer runners": (at("run.runners", ["sync_loop"]), "run.runners: it is"),
    "another trigger": (at("run.trigger", "local"), "run.trigger: it is 'local', not 'dispatch'"),
    "begun in a far year": (at("run.started", "2099-12-31T23:59:59Z"), "run.started: '2099-12-31T23:59:59Z' is not on"),
    "begun before the run": (at("run.started", "2025-12-31T23:59:59Z"), "run.started"),
    "finished in a far year": (at("run.finished", "2099-12-31T23:59:59Z"), "run.finished"),
    "interrupted": (at("run.finished", None), "run.finished: it is null, which only an interrupted run may have"),
    "another build": (at("build.version", "3.13.1"), "build.version: it is '3.13t', not '3.14t'"),
    "a version and a script": (at("build.version", "3.13.<script>"), "build.version"),
    "an unknown implementation": (at("build.implementation", "EvilPython"), "build.version"),
    "a reference nobody asked for": (at("reference_build.version", "3.12.1"), "reference_build.version"),
    "a script in the machine's name": (
        at("machine.cpu", "<script>1</script>"),
        "machine.cpu: '<script>1",
    ),
    "a line end in the machine's name": (at("machine.os", "Linux\n::error::x"), "machine.os"),
    "a package with a hostile name": (at("packages", {"../x": {"version": "1", "reason": None}}), "packages: '../x'"),
    "a script in a package's version": (
        at("packages", {"gevent": {"version": "<script>", "reason": None}}),
        "packages.gevent.version: '<script>'",
    ),
    "an unknown field": (at("extra", 1), "extra"),
    "no series": (at("series", []), "series: there is none"),
    "another scenario's files": (at("scenario_sha256", {"primes": "0" * 64}), "scenario_sha256: that of 'primes'"),
    "a case that leads elsewhere": (at("series.0.case", "../../evil"), "series[0]: 'primes / ../../evil / "),
    "a role that has its own file": (at("series.0.role", "reference"), "series[0]"),
    "rounds beyond the plan": (at("series.0.samples.round", [*range(1, 12), 13]), "series[0].samples.round"),
    "one latency for many": (column("latency_steps_us", 5), "a single number, where the column's name asks for lists"),
    "a trace of nothing": (column("depth_trace_count", []), "values.depth_trace_count: an empty list"),
    "a list for a number": (column("elapsed_ns", [1, 2]), "values.elapsed_ns: a list, where"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_is_refused_and_others_are_kept(tmp_path: Path, name: str) -> None:
    data, reason = HOSTILE[name]
    put(tmp_path, **{OWN: data})
    found = collected(tmp_path)
    (rejected,) = found.rejected
    assert rejected.startswith(f"{JOB}/{OWN}: ")
    assert reason in rejected
    assert statuses(found) == {CELL: "failed", OTHER: "measured"}
    assert kept(found) == {f"{RUN.name(1)}/{REFERENCE}", f"{RUN.name(1)}/{OTHERS_OWN}"}


def bomb(opened: zipfile.ZipFile, _data: bytes) -> None:
    with opened.open(OWN, "w") as stream:
        for _ in range(200):
            stream.write(bytes(1_000_000))


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
        (bomb, f"more than {MOST_BYTES:,} bytes, and no more are published"),
        (otherwise, "compressed in a way that is not read here"),
        (locked, "its artifact can't be read: "),
        (elsewhere, "it did not come back"),
    ],
)
def test_hostile_member_of_a_zip_is_refused(
    tmp_path: Path, act: Callable[[zipfile.ZipFile, bytes], None], reason: str
) -> None:
    files = good_files()
    data = files.pop(OWN)
    put(tmp_path)
    with zipfile.ZipFile(pack(tmp_path, JOB, 1, files), "a", zipfile.ZIP_DEFLATED) as opened:
        act(opened, data)
    found = collected(tmp_path)
    assert statuses(found) == {CELL: "failed", OTHER: "measured"}
    assert any(one.startswith(f"{JOB}/{OWN}: {reason}") for one in found.rejected)
    folder = "2026-01-01-gh1001-1"
    assert kept(found) == {f"{folder}/{REFERENCE}", f"{folder}/{OTHERS_OWN}"}


def test_zip_bomb_is_only_read_to_the_limit(tmp_path: Path) -> None:
    with zipfile.ZipFile(pack(tmp_path, JOB, 1, {}), "a", zipfile.ZIP_DEFLATED) as opened:
        bomb(opened, b"")
    tracemalloc.start()
    try:
        Artifact(tmp_path / f"run-{JOB}.1", JOB, 1).read({OWN: MOST_BYTES})
        assert tracemalloc.get_traced_memory()[1] < 20 * MOST_BYTES
    finally:
        tracemalloc.stop()


def cut(packed: Path) -> None:
    packed.write_bytes(packed.read_bytes()[: packed.stat().st_size // 2])


def spoilt(packed: Path) -> None:
    data = bytearray(packed.read_bytes())
    data[200:1200] = bytes(1000)
    packed.write_bytes(data)


def swollen(packed: Path) -> None:
    with zipfile.ZipFile(packed, "a") as opened:
        opened.writestr("more", bytes(MOST_ZIP_BYTES))


def doubled(packed: Path) -> None:
    packed.with_name("another.zip").write_bytes(packed.read_bytes())


def test_zip_of_the_largest_files_is_read() -> None:
    files = dispatch.BUILDS_A_JOB + 1
    assert files * MOST_BYTES + LONGEST_FAILURE_BYTES < MOST_ZIP_BYTES


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (cut, "its artifact can't be read: BadZipFile: "),
        (spoilt, "its artifact can't be read: "),
        (swollen, "its artifact has 4,"),
        (doubled, "its artifact is not a folder with one zip"),
    ],
)
def test_broken_zip_only_fails_its_cell(tmp_path: Path, act: Callable[[Path], None], reason: str) -> None:
    act(put(tmp_path / "artifacts"))
    found = collected(tmp_path / "artifacts")
    assert statuses(found) == {CELL: "failed", OTHER: "measured"}
    assert not any("ended early" in (one.reason or "") for one in found.outcomes.cells)
    assert any(one.startswith(f"{JOB}/{OWN}: {reason}") for one in found.rejected)
