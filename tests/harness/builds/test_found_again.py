"""How a resumed run finds its interpreters and wheels."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import factory
import msgspec
import pytest

from runners.harness.builds import found_again
from runners.harness.builds.build_request import parse
from runners.harness.builds.interpreters import Prepared
from runners.harness.errors import UserError
from runners.harness.record.model import Package

if TYPE_CHECKING:
    from pathlib import Path

RUN = "20261126T101112Z-0a1b2c3d"
PLAIN = factory.build("3.13.0")
PATCHED = msgspec.structs.replace(PLAIN, variant=("patched",))
WHEEL = "gevent-1-py3-none-any.whl"
SHA256 = hashlib.sha256(b"ours").hexdigest()
WITH_WHEEL = msgspec.structs.replace(PLAIN, variant=(f"{WHEEL} {SHA256[:8]}",))
RECORDED = {"gevent": Package("1", None, source=WHEEL, sha256=SHA256)}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(found_again, "KEPT", tmp_path / "runs")
    return tmp_path / "runs"


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "dist" / WHEEL
    path.parent.mkdir()
    path.write_bytes(b"ours")
    return path


@pytest.fixture
def kept(tmp_path: Path, wheel: Path) -> dict[str, Path]:
    """Keep three builds of a run with equal facts; return their interpreters by label."""
    paths = {label: tmp_path / f"cpython+{label}" / "python" for label in ("base", "patched")}
    for path in paths.values():
        path.parent.mkdir()
        path.touch()
    builds = [
        Prepared(tmp_path, PLAIN, {}, base=paths["base"]),
        Prepared(tmp_path, PATCHED, {}, base=paths["patched"]),
        Prepared(tmp_path, WITH_WHEEL, {}, base=paths["base"], wheels={WHEEL: str(wheel)}),
    ]
    found_again.keep(RUN, builds)
    return paths


def test_builds_with_equal_facts_keep_their_interpreters(kept: dict[str, Path]) -> None:
    assert found_again.named_again(RUN, PLAIN, {}) == str(kept["base"])
    assert found_again.named_again(RUN, PATCHED, {}) == f"patched={kept['patched']}"
    os.utime(kept["patched"], (1, 1))  # as if it were reinstalled
    with pytest.raises(UserError, match=r"cpython-3\.13\.0\+patched"):
        found_again.named_again(RUN, PATCHED, {})
    with pytest.raises(UserError, match="start a new run"):
        found_again.named_again(f"../runs/{RUN}", PATCHED, {})  # a hostile id
    found_again.forget(RUN)
    found_again.forget(RUN)
    assert [*found_again.KEPT.iterdir()] == []


@pytest.mark.usefixtures("folder")
def test_packages_and_switches_are_named_again() -> None:
    variant = ("aiohttp 3.13.5", "gevent/gevent@0a1b", "PYTHON_GIL=0", "-X dev")
    build = msgspec.structs.replace(PLAIN, variant=variant, variables=("PYTHON_GIL=0",), options=("dev",))
    assert found_again.named_again(RUN, build, {}) == "3.13.0+aiohttp==3.13.5+gevent/gevent@0a1b+PYTHON_GIL=0+-Xdev"


def test_wheel_is_named_by_its_path_unless_it_changed(wheel: Path, kept: dict[str, Path]) -> None:
    text = found_again.named_again(RUN, WITH_WHEEL, RECORDED)
    assert text == f"{kept['base']}+{wheel}"
    assert [package.requirement for package in parse(text, ["gevent"]).packages] == [str(wheel)]
    for change in (lambda: wheel.write_bytes(b"other"), wheel.unlink):
        change()
        with pytest.raises(UserError, match=SHA256):
            found_again.named_again(RUN, WITH_WHEEL, RECORDED)


@pytest.mark.parametrize("content", [None, b"{", b'{"cpython-3.13.0": ["/a/python"]}'])
def test_without_a_readable_file_only_plain_builds_resume(content: bytes | None, folder: Path) -> None:
    if content:
        folder.mkdir(parents=True)
        (folder / f"{RUN}.json").write_bytes(content)
    assert found_again.named_again(RUN, msgspec.structs.replace(PLAIN, free_threaded=True), {}) == "3.13.0t"
    for build in (PATCHED, WITH_WHEEL):
        with pytest.raises(UserError, match="start a new run"):
            found_again.named_again(RUN, build, RECORDED)
