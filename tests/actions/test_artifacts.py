"""Artifacts as they are downloaded, as zips: read no further than the files may reach, and never unpacked."""

from __future__ import annotations

import os
import stat
import zipfile
from typing import TYPE_CHECKING

import pytest
from artifacts import CELL, OTHER, OWN, collected, good_files, kept, pack, put, statuses

from actions.artifacts import MOST_ZIP_BYTES, digest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


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


def test_the_digest_follows_names_and_bytes_in_any_order() -> None:
    files = {"a/a.json": b"a", "b.json": b"b"}
    assert digest(files) == digest(dict(reversed(files.items())))
    others = ({"a/a.json": b"a"}, {"a/a.json": b"a", "b.json": b"c"}, {"a/a.json": b"a", "c.json": b"b"})
    assert len({digest(files), *map(digest, others)}) == 4
