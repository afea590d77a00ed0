"""Artifacts as they are downloaded, as zips: read as folders are, and no further than the files may reach."""

from __future__ import annotations

import shutil
import stat
import zipfile
from typing import TYPE_CHECKING

import pytest
from artifacts import CELL, collected, files, put, statuses

from actions.artifacts import MOST_ZIP_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OTHER = "ubuntu-24.04--3.13"
OWN = f"{CELL}.json"


def pack(artifact: Path, act: Callable[[zipfile.ZipFile, bytes], None] | None = None) -> Path:
    """Put the zip of an artifact's files in their place; *act* writes the cell's own file."""
    contents = {path.name: path.read_bytes() for path in sorted(artifact.iterdir())}
    shutil.rmtree(artifact)
    artifact.mkdir()
    packed = artifact / f"{artifact.name}.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in contents.items():
            if act is not None and name == OWN:
                act(opened, data)
            else:
                opened.writestr(name, data)
    return packed


def test_zips_are_read_as_folders_are(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    before = files(tmp_path / "artifacts")
    expected = {path.rpartition("/")[2]: (tmp_path / "artifacts" / path).read_bytes() for path in before}
    for artifact in (tmp_path / "artifacts").iterdir():
        pack(artifact)
    found = collected(tmp_path)
    assert found.refused == []
    assert set(statuses(found).values()) == {"measured"}
    out = tmp_path / "out" / "run"
    assert {name: (out / name).read_bytes() for name in files(out) - {"cells.json"}} == expected


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
    put(tmp_path / "artifacts")
    pack(tmp_path / "artifacts" / f"run-{CELL}.1", act)
    before = files(tmp_path)
    found = collected(tmp_path)
    assert statuses(found) == {CELL: "failed", OTHER: "measured"}
    assert any(one.startswith(f"{CELL}/{OWN}: {reason}") for one in found.refused)
    kept = {f"out/run/{name}" for name in ("cells.json", f"{CELL}.reference.json", f"{OTHER}.json")}
    assert files(tmp_path) - before == kept


def cut(packed: Path) -> None:
    packed.write_bytes(packed.read_bytes()[: packed.stat().st_size // 2])


def spoilt(packed: Path) -> None:
    data = bytearray(packed.read_bytes())
    data[200:1200] = bytes(1000)
    packed.write_bytes(data)


def swollen(packed: Path) -> None:
    with zipfile.ZipFile(packed, "a") as opened:
        opened.writestr("more", bytes(MOST_ZIP_BYTES))


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (cut, f"{CELL}/{OWN}: it did not come back"),
        (spoilt, f"{CELL}/{OWN}: its artifact can't be read: "),
        (swollen, f"{CELL}/{OWN}: its artifact has 2,"),
    ],
)
def test_a_zip_that_is_no_good_as_a_whole_costs_its_own_cell_alone(
    tmp_path: Path, act: Callable[[Path], None], reason: str
) -> None:
    put(tmp_path / "artifacts")
    act(pack(tmp_path / "artifacts" / f"run-{CELL}.1"))
    found = collected(tmp_path)
    assert statuses(found)[OTHER] == "measured"
    assert any(one.startswith(reason) for one in found.refused)
