"""Files are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from runners.harness.store import write_atomically


def test_folders_are_made_and_only_the_file_is_left(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a" / "b.json", b"new")
    assert (tmp_path / "a" / "b.json").read_bytes() == b"new"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.json"]
    assert (tmp_path / "a" / "b.json").stat().st_mode & 0o777 == 0o644


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
