"""Files are written completely or not at all."""

import os
from pathlib import Path
from unittest.mock import Mock

import pytest

from runners.harness import files
from runners.harness.files import write_atomically


@pytest.mark.skipif(os.name == "nt", reason="there is no umask")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_umask_decides_who_may_read_a_file(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        for _ in range(2):  # a new file, and one that replaces another
            write_atomically(tmp_path / "a" / "b.json", b"new")
            assert (tmp_path / "a" / "b.json").stat().st_mode & 0o777 == mode
        assert [path.read_bytes() for path in (tmp_path / "a").iterdir()] == [b"new"]
    finally:
        os.umask(before)


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_failed_or_interrupted_write_leaves_the_old_file(
    tmp_path: Path, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "b.json"
    write_atomically(path, b"old")
    monkeypatch.setattr(Path, "replace", Mock(side_effect=error))
    with pytest.raises(error):
        write_atomically(path, b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("b.json", b"old")]


def test_file_open_elsewhere_is_retried_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = Mock(side_effect=[PermissionError] * 3 + [None])
    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(files, "IS_WINDOWS", True)
    monkeypatch.setattr(files, "PAUSE_S", 0.0)
    write_atomically(tmp_path / "b.json", b"new")
    assert replace.call_count == 4
