"""Hostile files and zips: each is refused by name, and the others are kept."""

import functools
import operator
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

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

GOOD = good_files()
KEPT = {f"1/{REFERENCE}", f"1/{OTHERS_OWN}"}
COLUMNS = "series.0.samples.values"
AIOHTTP = {"version": "1", "reason": None}

HOSTILE_BYTES: dict[str, tuple[bytes, str]] = {
    "cut off": (GOOD[OWN][: len(GOOD[OWN]) // 2], "truncated"),
    "nested deeply": (b"[" * 100_000 + b"]" * 100_000, ""),
    "another cell's bytes": (encode(record("3.14", OTHER_JOB)), "run.id: it is"),
    "its reference's bytes": (GOOD[REFERENCE], "kind: it is 'by_product', not 'cell'"),
}
HOSTILE_VALUES: list[tuple[str, object, str]] = [
    ("run.id", "2026-01-01-gh999.1.x", "run.id: it is"),
    ("run.name", "2026-01-01-gh999-1", "run.name"),
    ("run.commit", "0" * 40, "run.commit: it is"),
    ("run.dirty", True, "run.dirty: it is"),
    ("run.profile", "quick", "run.profile"),
    ("run.rounds", 24, "run.rounds: it is"),
    ("run.scenarios", ["power"], "run.scenarios"),
    ("run.runners", ["sync_loop"], "run.runners: it is"),
    ("run.trigger", "local", "run.trigger: it is 'local', not 'dispatch'"),
    ("run.url", "https://example.com/evil", "run.url"),
    ("run.started", "2025-12-31T23:59:59Z", "run.started"),
    ("run.started", "2026-01-05T00:00:00Z", "run.started"),
    ("run.finished", "2099-12-31T23:59:59Z", "run.finished"),
    ("run.finished", None, "run.finished: it is null, which only an interrupted run may have"),
    ("build.implementation", "EvilPython", "build.version: it is 'EvilPython "),
    ("build.version", "3.13.1", "build.version: it is '3.13t', not '3.14t'"),
    ("build.version", "3.13.<script>", "build.version"),
    ("build.variant", ["aiohttp 3.13.5"], "build.variant: it is 'aiohttp 3.13.5', not ''"),
    ("build.variables", ["PYTHON_GIL=1"], "build.variables: it is 'PYTHON_GIL=1', not ''"),
    ("build.options", ["jit=1"], "build.options"),
    ("reference_build.version", "3.12.1", "reference_build.version"),
    ("reference_build.variant", ["a"], "reference_build.variant: it is"),
    ("machine.cpu", "<script>1</script>", "machine.cpu: '<script>1"),
    ("machine.os", "Linux\n::error::x", "machine.os"),
    ("packages", {"aiohttp": AIOHTTP | {"source": "evil/aiohttp@main"}}, "packages.aiohttp.source: the plan has no "),
    ("packages", {"../x": AIOHTTP}, "packages: '../x'"),
    ("packages", {"gevent": AIOHTTP | {"version": "<script>"}}, "packages.gevent.version: '<script>'"),
    ("reference_packages", {"aiohttp": AIOHTTP}, "reference_packages: they are not those of the reference's file"),
    ("extra", 1, "extra"),
    ("series", [], "series: there is none"),
    ("series.0.source_sha256", "0" * 64, "source_sha256: that of 'primes/"),
    ("series.0.case", "../../evil", "series[0]: 'primes / ../../evil / "),
    ("scenario_sha256", {"primes": "0" * 64}, "scenario_sha256: that of 'primes'"),
    (f"{COLUMNS}.elapsed_ns", [[1], [1]], "a list, where the column's name asks for single numbers"),
]


def set_at(place: str, value: object) -> bytes:
    """Return the cell's own file with another value at a place, as `run.commit` or `series.0.case`."""
    tree = msgspec.to_builtins(record("3.14t"))
    *way, last = (int(key) if key.isdecimal() else key for key in place.split("."))
    functools.reduce(operator.getitem, way, tree)[last] = value
    return msgspec.json.encode(tree)


def assert_refused(artifacts: Path, reason: str, *, and_reference: bool = False) -> None:
    """Fail unless the cell's own file is refused with a reason, and maybe its reference's, but no other."""
    collected = collect_from(artifacts)
    assert any(line.startswith(f"{JOB}/{OWN}: ") and reason in line for line in collected.refused)
    assert statuses(collected) == {CELL: "failed", OTHER: "measured"}
    assert not any("ended early" in (each.reason or "") for each in collected.outcomes.cells)
    assert kept(collected) in ([KEPT, {f"1/{OTHERS_OWN}"}] if and_reference else [KEPT])


@pytest.mark.parametrize("name", HOSTILE_BYTES)
def test_hostile_file_is_refused_and_others_are_kept(tmp_path: Path, name: str) -> None:
    data, reason = HOSTILE_BYTES[name]
    pack_both(tmp_path, **{OWN: data})
    assert_refused(tmp_path, reason)


@pytest.mark.parametrize(("place", "value", "reason"), HOSTILE_VALUES)
def test_hostile_value_is_refused_by_its_field(tmp_path: Path, place: str, value: object, reason: str) -> None:
    pack_both(tmp_path, **{OWN: set_at(place, value)})
    assert_refused(tmp_path, reason)


def test_hostile_package_of_a_refused_reference_is_refused(tmp_path: Path) -> None:
    pack_both(tmp_path, **{OWN: set_at("reference_packages", {"../x": AIOHTTP}), REFERENCE: b"{"})
    assert_refused(tmp_path, "reference_packages: '../x'", and_reference=True)


def add_bomb(opened: zipfile.ZipFile, _data: bytes = b"") -> None:
    with opened.open(OWN, "w") as stream:
        for _ in range(30):
            stream.write(bytes(1_000_000))


def lock(opened: zipfile.ZipFile, data: bytes) -> None:
    opened.writestr(OWN, data)
    opened.getinfo(OWN).flag_bits |= 1


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (add_bomb, f"more than {MOST_BYTES:,} bytes, and no more are published"),
        (lambda opened, data: opened.writestr(OWN, data, zipfile.ZIP_BZIP2), "compressed in a way that is not read"),
        (lock, "its artifact can't be read: "),
        (lambda opened, data: opened.writestr(f"../{OWN}", data), MISSING.reason),
    ],
    ids=["a bomb", "another method", "locked", "a path that leads elsewhere"],
)
def test_hostile_member_of_a_zip_is_refused(
    tmp_path: Path, act: Callable[[zipfile.ZipFile, bytes], None], reason: str
) -> None:
    pack_both(tmp_path)
    with zipfile.ZipFile(pack(tmp_path, JOB, 1, {REFERENCE: GOOD[REFERENCE]}), "a", zipfile.ZIP_DEFLATED) as opened:
        act(opened, GOOD[OWN])
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
    assert (dispatch.BUILDS_A_JOB + 1) * MOST_BYTES + LONGEST_FAILURE_BYTES < MOST_ZIP_BYTES


def swell(packed: Path) -> None:
    with zipfile.ZipFile(packed, "a") as opened:
        opened.writestr("more", bytes(MOST_ZIP_BYTES))


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (lambda packed: packed.write_bytes(packed.read_bytes()[:2000]), "its artifact can't be read: BadZipFile: "),
        (
            lambda packed: packed.write_bytes(packed.read_bytes()[:200] + bytes(1000) + packed.read_bytes()[1200:]),
            "its artifact can't be read: ",
        ),
        (swell, "its artifact has 4,"),
        (
            lambda packed: packed.with_name("another.zip").write_bytes(b""),
            "its artifact is not a folder with one zip",
        ),
    ],
    ids=["cut", "spoilt", "swollen", "two zips"],
)
def test_broken_zip_only_fails_its_cell(tmp_path: Path, act: Callable[[Path], object], reason: str) -> None:
    act(pack_both(tmp_path))
    assert_refused(tmp_path, reason, and_reference=True)
