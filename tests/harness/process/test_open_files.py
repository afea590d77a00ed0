"""How many files a run may open on systems that allow few."""

from unittest.mock import Mock

import pytest

from runners.harness.process import open_files

resource = pytest.importorskip("resource", reason="Windows has no such limit")


@pytest.mark.parametrize(
    ("system", "hard", "allowed"), [("darwin", 512, [(384, 512)]), ("darwin", 256, [(256, 256)]), ("linux", 512, [])]
)
def test_only_macos_raises_the_limit_up_to_the_hard_one(
    monkeypatch: pytest.MonkeyPatch, system: str, hard: int, allowed: list[tuple[int, int]]
) -> None:
    limit = Mock()
    monkeypatch.setattr(resource, "getrlimit", lambda _: (128, hard))
    monkeypatch.setattr(resource, "setrlimit", limit)
    monkeypatch.setattr(open_files, "ENOUGH", 384)
    open_files.raise_limit(system)
    assert [call.args[1] for call in limit.call_args_list] == allowed
