"""The one module that writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from generate.site.write import OutputError, write


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    out, sources = tmp_path / "out", tmp_path / "docs"
    first = write(out, {"docs/a.md": "a", "docs/b/c.bin": b"\x00"}, sources)
    before = (out / "docs/a.md").stat().st_mtime_ns
    second = write(out, {"docs/a.md": "a", "docs/b/c.bin": b"\x01"}, sources)
    assert (first.written, first.unchanged, first.removed) == (2, 0, 0)
    assert (second.written, second.unchanged, second.removed) == (1, 1, 0)
    assert (out / "docs/a.md").stat().st_mtime_ns == before


def test_what_is_no_longer_made_is_removed_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, {"docs/old/a.md": "a", "docs/b.md": "b"}, tmp_path / "docs")
    (out / "docs/mine.txt").write_text("somebody's")
    assert write(out, {"docs/b.md": "b"}, tmp_path / "docs").removed == 1
    assert not (out / "docs/old").exists()
    assert (out / "docs/mine.txt").read_text() == "somebody's"


def test_a_file_is_copied_as_it_is(tmp_path: Path) -> None:
    source = tmp_path / "source.json"
    source.write_bytes(b"\xff\r\n")
    write(tmp_path / "out", {"docs/copy.json": source}, tmp_path / "docs")
    assert (tmp_path / "out/docs/copy.json").read_bytes() == b"\xff\r\n"


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "out", {"docs/a": tmp_path / "absent"}, tmp_path / "docs")
    assert not list((tmp_path / "out").rglob("*.*"))


def test_the_hand_written_pages_are_never_overwritten(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="choose another folder"):
        write(tmp_path, {"docs/index.md": ""}, tmp_path / "docs")


@pytest.mark.parametrize("path", ["../a", "docs/../../a", str(Path("/a").absolute())])
def test_no_path_leads_out_of_the_folder(tmp_path: Path, path: str) -> None:
    with pytest.raises(OutputError, match="leads out"):
        write(tmp_path / "out", {path: ""}, tmp_path / "docs")
