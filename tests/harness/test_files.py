"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest

from runners.harness import files
from runners.harness.files import write_atomically


def test_folders_are_made_and_only_the_file_is_left(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a" / "b.json", b"new")
    assert (tmp_path / "a" / "b.json").read_bytes() == b"new"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.json"]
    others_may_read = 0o666 if os.name == "nt" else 0o644  # Windows knows one bit alone: whether it may be written
    assert (tmp_path / "a" / "b.json").stat().st_mode & 0o777 == others_may_read


@pytest.mark.parametrize("broken", ["chmod", "replace"])
@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, broken: str, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "b.json"
    write_atomically(path, b"old")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Path, broken, fail)
    with pytest.raises(error):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("failures", "is_written"), [(0, True), (3, True), (files.ATTEMPTS, False)])
def test_on_windows_a_file_that_somebody_has_open_is_tried_again(
    tmp_path: Path, failures: int, *, is_written: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, left, replace = tmp_path / "b.json", [None] * failures, Path.replace

    def busy(self: Path, target: Path) -> Path:
        if left:
            left.pop()
            raise PermissionError
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", busy)
    monkeypatch.setattr(files, "IS_WINDOWS", True)
    monkeypatch.setattr(files, "PAUSE_S", 0.0)
    with contextlib.nullcontext() if is_written else pytest.raises(PermissionError):
        write_atomically(path, b"new")
    assert path.exists() is is_written
    assert len([*tmp_path.iterdir()]) == int(is_written)
