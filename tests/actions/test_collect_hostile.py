"""Hostile files and zips: each is refused by name, and the others are kept."""

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
    collect_from,
    good_files,
    kept,
    pack,
    pack_both,
    record,
    statuses,
)

from actions import dispatch
from actions.artifacts import MISSING, MOST_ZIP_BYTES, Artifact
from actions.collect import LONGEST_FAILURE_BYTES
from generate.check import MOST_BYTES
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GOOD = good_files()
KEPT = {f"1/{REFERENCE}", f"1/{OTHERS_OWN}"}


def set_at(place: str, value: object) -> bytes:
    """Return the cell's own file with another value at a place, as `run.commit` or `series.0.case`."""
    tree = msgspec.to_builtins(record("3.14t"))
    *way, last = (int(key) if key.isdecimal() else key for key in place.split("."))
    functools.reduce(operator.getitem, way, tree)[last] = value
    return msgspec.json.encode(tree)


HOSTILE: dict[str, tuple[bytes, str]] = {
    "cut off": (GOOD[OWN][: len(GOOD[OWN]) // 2], "truncated"),
    "nested deeply": (b"[" * 100_000 + b"]" * 100_000, ""),
    "another cell's bytes": (encode(record("3.14", OTHER_JOB)), "run.id: it is"),
    "its reference's bytes": (GOOD[REFERENCE], "kind: it is 'by_product', not 'cell'"),
    "another run's": (set_at("run.id", "2026-01-01-gh999.1.x"), "run.id: it is"),
    "a variant": (set_at("build.variant", ["aiohttp 3.13.5"]), "build.variant: it is 'aiohttp 3.13.5', not ''"),
    "a switch": (set_at("build.variables", ["PYTHON_GIL=1"]), "build.variables: it is 'PYTHON_GIL=1', not ''"),
    "a reference that is a variant": (set_at("reference_build.variant", ["a"]), "reference_build.variant: it is"),
    "a package from elsewhere": (
        set_at("packages", {"aiohttp": {"version": "1", "reason": None, "source": "evil/aiohttp@main"}}),
        "packages.aiohttp.source: the plan has no package from outside the index",
    ),
    "other packages of the reference": (
        set_at("reference_packages", {"aiohttp": {"version": "1", "reason": None}}),
        "reference_packages: they are not those of the reference's file",
    ),
    "another commit": (set_at("run.commit", "0" * 40), "run.commit: it is"),
    "changed code": (set_at("run.dirty", value=True), "run.dirty: it is"),
    "more rounds": (set_at("run.rounds", 24), "run.rounds: it is"),
    "fewer runners": (set_at("run.runners", ["sync_loop"]), "run.runners: it is"),
    "another trigger": (set_at("run.trigger", "local"), "run.trigger: it is 'local', not 'dispatch'"),
    "begun before the run": (set_at("run.started", "2025-12-31T23:59:59Z"), "run.started"),
    "finished in a far year": (set_at("run.finished", "2099-12-31T23:59:59Z"), "run.finished"),
    "interrupted": (set_at("run.finished", None), "run.finished: it is null, which only an interrupted run may have"),
    "another build": (set_at("build.version", "3.13.1"), "build.version: it is '3.13t', not '3.14t'"),
    "a version and a script": (set_at("build.version", "3.13.<script>"), "build.version"),
    "an unplanned reference": (set_at("reference_build.version", "3.12.1"), "reference_build.version"),
    "a script in the machine's name": (set_at("machine.cpu", "<script>1</script>"), "machine.cpu: '<script>1"),
    "a line end in the machine's name": (set_at("machine.os", "Linux\n::error::x"), "machine.os"),
    "a package with a hostile name": (
        set_at("packages", {"../x": {"version": "1", "reason": None}}),
        "packages: '../x'",
    ),
    "a script in a package's version": (
        set_at("packages", {"gevent": {"version": "<script>", "reason": None}}),
        "packages.gevent.version: '<script>'",
    ),
    "another run's name": (set_at("run.name", "2026-01-01-gh999-1"), "run.name"),
    "the other profile": (set_at("run.profile", "quick"), "run.profile"),
    "other scenarios": (set_at("run.scenarios", ["power"]), "run.scenarios"),
    "another address": (set_at("run.url", "https://example.com/evil"), "run.url"),
    "an option": (set_at("build.options", ["jit=1"]), "build.options"),
    "an unknown field": (set_at("extra", 1), "extra"),
    "no series": (set_at("series", []), "series: there is none"),
    "another runner's file": (set_at("series.0.source_sha256", "0" * 64), "source_sha256: that of 'primes/"),
    "another scenario's files": (set_at("scenario_sha256", {"primes": "0" * 64}), "scenario_sha256: that of 'primes'"),
    "a case that leads elsewhere": (set_at("series.0.case", "../../evil"), "series[0]: 'primes / ../../evil / "),
}


def assert_refused(artifacts: Path, reason: str, *, and_reference: bool = False) -> None:
    """Fail unless the cell's own file is refused with a reason, and maybe its reference's, but no other."""
    collected = collect_from(artifacts)
    assert any(line.startswith(f"{JOB}/{OWN}: ") and reason in line for line in collected.rejected)
    assert statuses(collected) == {CELL: "failed", OTHER: "measured"}
    assert not any("ended early" in (each.reason or "") for each in collected.outcomes.cells)
    assert kept(collected) in ([KEPT, {f"1/{OTHERS_OWN}"}] if and_reference else [KEPT])


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_is_refused_and_others_are_kept(tmp_path: Path, name: str) -> None:
    data, reason = HOSTILE[name]
    pack_both(tmp_path, **{OWN: data})
    assert_refused(tmp_path, reason)


def add_bomb(opened: zipfile.ZipFile, _data: bytes = b"") -> None:
    with opened.open(OWN, "w") as stream:
        for _ in range(30):
            stream.write(bytes(1_000_000))


def compress_otherwise(opened: zipfile.ZipFile, data: bytes) -> None:
    opened.writestr(OWN, data, zipfile.ZIP_BZIP2)


def lock(opened: zipfile.ZipFile, data: bytes) -> None:
    opened.writestr(OWN, data)
    opened.getinfo(OWN).flag_bits |= 1


def lead_elsewhere(opened: zipfile.ZipFile, data: bytes) -> None:
    opened.writestr(f"../{OWN}", data)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (add_bomb, f"more than {MOST_BYTES:,} bytes, and no more are published"),
        (compress_otherwise, "compressed in a way that is not read here"),
        (lock, "its artifact can't be read: "),
        (lead_elsewhere, MISSING.reason),
    ],
)
def test_hostile_member_of_a_zip_is_refused(
    tmp_path: Path, act: Callable[[zipfile.ZipFile, bytes], None], reason: str
) -> None:
    files = good_files()
    data = files.pop(OWN)
    pack_both(tmp_path)
    with zipfile.ZipFile(pack(tmp_path, JOB, 1, files), "a", zipfile.ZIP_DEFLATED) as opened:
        act(opened, data)
    assert_refused(tmp_path, reason)


def test_zip_bomb_is_only_read_to_the_limit(tmp_path: Path) -> None:
    with zipfile.ZipFile(pack(tmp_path, JOB, 1, {}), "a", zipfile.ZIP_DEFLATED) as opened:
        add_bomb(opened)
    tracemalloc.start()
    try:
        Artifact(tmp_path / f"run-{JOB}.1", JOB, 1).read({OWN: MOST_BYTES})
        assert tracemalloc.get_traced_memory()[1] < 20 * MOST_BYTES
    finally:
        tracemalloc.stop()


def test_zip_of_the_largest_files_is_read() -> None:
    files = dispatch.BUILDS_A_JOB + 1
    assert files * MOST_BYTES + LONGEST_FAILURE_BYTES < MOST_ZIP_BYTES


def cut(packed: Path) -> None:
    packed.write_bytes(packed.read_bytes()[: packed.stat().st_size // 2])


def spoil(packed: Path) -> None:
    data = bytearray(packed.read_bytes())
    data[200:1200] = bytes(1000)
    packed.write_bytes(data)


def swell(packed: Path) -> None:
    with zipfile.ZipFile(packed, "a") as opened:
        opened.writestr("more", bytes(MOST_ZIP_BYTES))


def double(packed: Path) -> None:
    packed.with_name("another.zip").write_bytes(packed.read_bytes())


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (cut, "its artifact can't be read: BadZipFile: "),
        (spoil, "its artifact can't be read: "),
        (swell, "its artifact has 4,"),
        (double, "its artifact is not a folder with one zip"),
    ],
)
def test_broken_zip_only_fails_its_cell(tmp_path: Path, act: Callable[[Path], None], reason: str) -> None:
    act(pack_both(tmp_path))
    assert_refused(tmp_path, reason, and_reference=True)
