"""How the builds of a run are found once more, where it is gone on with."""

from __future__ import annotations

import errno
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


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep interpreters in a folder of the test's own."""
    monkeypatch.setattr(found_again, "KEPT", tmp_path / "runs")
    return tmp_path / "runs"


@pytest.fixture
def kept(tmp_path: Path) -> dict[str, Path]:
    """Keep two builds of a run that say the same of themselves; return their interpreters by label."""
    paths = {label: tmp_path / f"cpython+{label}" / "python" for label in ("base", "patched")}
    for path in paths.values():
        path.parent.mkdir()
        path.touch()
    builds = [Prepared(tmp_path, PLAIN, {}, base=paths["base"]), Prepared(tmp_path, PATCHED, {}, base=paths["patched"])]
    found_again.keep(RUN, builds)
    return paths


def test_two_builds_that_say_the_same_of_themselves_are_each_found_where_the_run_began(kept: dict[str, Path]) -> None:
    assert found_again.named_again(RUN, PLAIN, {}) == str(kept["base"])
    assert found_again.named_again(RUN, PATCHED, {}) == f"patched={kept['patched']}"


def test_what_is_different_about_a_build_is_asked_for_once_more(kept: dict[str, Path], tmp_path: Path) -> None:
    variant = ("aiohttp 3.13.5", "gevent/gevent@0a1b", "PYTHON_GIL=0", "-X dev")
    build = msgspec.structs.replace(PLAIN, variant=variant, variables=("PYTHON_GIL=0",), options=("dev",))
    found_again.keep(RUN, [Prepared(tmp_path, build, {}, base=kept["base"])])
    pieces = "+aiohttp==3.13.5+gevent/gevent@0a1b+PYTHON_GIL=0+-Xdev"
    assert found_again.named_again(RUN, build, {}) == f"{kept['base']}{pieces}"


def test_an_interpreter_that_was_installed_anew_meanwhile_is_refused(kept: dict[str, Path]) -> None:
    os.utime(kept["patched"], (1, 1))
    with pytest.raises(UserError, match=r"cpython-3\.13\.0\+patched was installed anew since the run began"):
        found_again.named_again(RUN, PATCHED, {})
    assert found_again.named_again(RUN, PLAIN, {}) == str(kept["base"])


def test_where_nothing_was_kept_a_plain_build_is_looked_for_by_version_and_a_label_is_refused() -> None:
    free = msgspec.structs.replace(PLAIN, free_threaded=True)
    assert found_again.named_again(RUN, free, {}) == "3.13.0t"
    with pytest.raises(UserError, match="says which interpreter that was; start anew"):
        found_again.named_again(RUN, PATCHED, {})


WHEEL = "gevent-1-py3-none-any.whl"
WITH_WHEEL = msgspec.structs.replace(PLAIN, variant=(f"{WHEEL} {hashlib.sha256(b'ours').hexdigest()[:8]}",))
RECORDED = {"gevent": Package("1", None, WHEEL, hashlib.sha256(b"ours").hexdigest())}


@pytest.fixture
def wheel(tmp_path: Path, kept: dict[str, Path]) -> Path:
    """Keep a build with a wheel; return the wheel's path, which has a + in it."""
    path = tmp_path / "c++" / WHEEL
    path.parent.mkdir()
    path.write_bytes(b"ours")
    made = Prepared(tmp_path, WITH_WHEEL, {}, base=kept["base"], wheels={WHEEL: str(path)})
    found_again.keep(RUN, [made])
    return path


def test_a_wheel_is_found_where_the_run_began_with_it(wheel: Path, kept: dict[str, Path]) -> None:
    asked = found_again.named_again(RUN, WITH_WHEEL, RECORDED)
    assert asked == f"{kept['base']}+{wheel}"
    (package,) = parse(asked, ["gevent"]).packages
    assert package.requirement == str(wheel)


def test_a_wheel_that_is_gone_or_another_by_now_is_refused_with_its_path_and_digest(wheel: Path) -> None:
    wheel.write_bytes(b"made anew")
    digest = RECORDED["gevent"].sha256
    with pytest.raises(UserError) as another:
        found_again.named_again(RUN, WITH_WHEEL, RECORDED)
    assert str(another.value).startswith(f"{wheel} is another file than the run began with: put the one with")
    assert f"sha256 {digest} there again to go on" in str(another.value)
    wheel.unlink()
    with pytest.raises(UserError) as gone:
        found_again.named_again(RUN, WITH_WHEEL, RECORDED)
    remedy = f"put the file with the sha256 {digest} there again to go on, or start anew"
    assert str(gone.value) == f"{wheel} is gone: {remedy}"


@pytest.mark.usefixtures("kept")
def test_a_wheel_of_which_nothing_was_kept_is_refused() -> None:
    with pytest.raises(UserError, match=r"says where gevent-1-py3-none-any\.whl was; start anew"):
        found_again.named_again(RUN, WITH_WHEEL, RECORDED)


@pytest.mark.usefixtures("kept")
def test_no_file_elsewhere_is_read_for_an_id_that_anybody_wrote(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(found_again, "KEPT", folder / "inner")
    with pytest.raises(UserError, match="start anew"):
        found_again.named_again(f"../{RUN}", PATCHED, {})


@pytest.mark.usefixtures("kept")
def test_what_can_not_be_removed_does_no_harm(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unlink(_: Path, *, missing_ok: bool) -> None:
        raise OSError(errno.EROFS, f"Read-only file system {missing_ok}")

    monkeypatch.setattr(type(found_again.KEPT), "unlink", unlink)
    found_again.forget(RUN)
    assert (folder / f"{RUN}.json").is_file()


@pytest.mark.usefixtures("kept")
def test_what_was_kept_of_a_complete_run_is_removed(folder: Path) -> None:
    found_again.forget(RUN)
    found_again.forget(RUN)
    assert [*folder.iterdir()] == []


@pytest.mark.parametrize("content", [b"{", b'{"cpython-3.13.0": ["/a/python"]}'], ids=["cut off", "of another version"])
def test_what_was_kept_and_can_not_be_read_counts_as_not_kept(content: bytes, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / f"{RUN}.json").write_bytes(content)
    assert found_again.named_again(RUN, PLAIN, {}) == "3.13.0"
    with pytest.raises(UserError, match="start anew"):
        found_again.named_again(RUN, PATCHED, {})


FROM_INDEX = {"gevent": Package("1", None, sha256="a" * 64, requires=())}


@pytest.mark.parametrize(
    ("found", "are_alike"),
    [
        (FROM_INDEX, True),
        ({"gevent": Package("1", None, requires=())}, True),
        ({"gevent": Package("1", None, sha256="b" * 64, requires=())}, False),
        ({"gevent": Package("2", None, sha256="a" * 64, requires=())}, False),
        ({}, False),
        (FROM_INDEX | {"trio": Package("1", None)}, False),
    ],
    ids=["the same", "a hash that is not known", "another file", "another version", "one less", "one more"],
)
def test_a_run_is_gone_on_with_where_its_packages_are_the_same(found: dict[str, Package], *, are_alike: bool) -> None:
    assert found_again.has_same_packages(FROM_INDEX, found) is are_alike
    assert found_again.has_same_packages(found, FROM_INDEX) is are_alike
