"""The chart library: nothing is put on the site but what is pinned."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import tarfile
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from generate.site import plotly_js

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = f"/**\n* plotly.js (basic - minified) v{plotly_js.VERSION}\n*/ window.Plotly = {{}}".encode()
WHOLE = files("plotly").joinpath("package_data/plotly.min.js").read_bytes()


def archive(script: bytes) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as made:
        facts = tarfile.TarInfo(plotly_js.MEMBER)
        facts.size = len(script)
        made.addfile(facts, io.BytesIO(script))
    return written.getvalue()


GOOD = archive(SCRIPT)
NAME = f"{plotly_js.PACKAGE}-{plotly_js.VERSION}.tgz"


@pytest.fixture(autouse=True)
def _pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plotly_js, "ARCHIVE_SHA256", hashlib.sha256(GOOD).hexdigest())
    monkeypatch.setattr("shutil.which", lambda _: None)


def test_the_pins_are_of_the_version_that_the_wheel_has() -> None:
    assert plotly_js.version_of(WHOLE) == plotly_js.VERSION, "pin the small bundle of the wheel's version anew"


def test_the_small_one_is_used_where_it_is_the_pinned_one(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(GOOD)
    found = plotly_js.find_bundle(tmp_path)
    assert found.data == SCRIPT
    assert found.name == f"plotly-{hashlib.sha256(SCRIPT).hexdigest()[:12]}.min.js"


@pytest.mark.parametrize("copy", [GOOD[:-30], GOOD[:20], b"", b"no archive", archive(SCRIPT + b"; evil()")])
def test_a_copy_that_is_cut_off_or_forged_is_thrown_away_and_the_wheel_s_is_used(tmp_path: Path, copy: bytes) -> None:
    (tmp_path / NAME).write_bytes(copy)
    found = plotly_js.find_bundle(tmp_path)
    assert found.data == WHOLE
    assert "npm is not installed" in found.origin
    assert not (tmp_path / NAME).exists()


@pytest.mark.parametrize(("packed", "used"), [(GOOD, SCRIPT), (archive(b"another"), WHOLE)], ids=["pinned", "another"])
def test_such_a_copy_is_fetched_anew_and_what_npm_has_refused_where_it_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bytes, used: bytes
) -> None:
    def run(_: object, *, cwd: Path, **_options: object) -> None:
        (cwd / NAME).write_bytes(packed)

    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr("subprocess.run", run)
    (tmp_path / NAME).write_bytes(b"cut off")
    found = plotly_js.find_bundle(tmp_path)
    assert found.data == used
    assert ("not what is pinned" in found.origin) == (used is WHOLE)
    assert (tmp_path / NAME).exists() == (used is SCRIPT)


def test_npm_that_fails_is_not_asked_again_for_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def run(*_: object, **__: object) -> None:
        asked.append(1)
        raise subprocess.SubprocessError

    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr("subprocess.run", run)
    assert "npm could not fetch it: SubprocessError" in plotly_js.find_bundle(tmp_path).origin
    assert "npm could not fetch it within the last day" in plotly_js.find_bundle(tmp_path).origin
    assert len(asked) == 1
    (failed,) = tmp_path.glob("*.failed")
    a_day_ago = failed.stat().st_mtime - plotly_js.NOT_AGAIN_FOR_S
    os.utime(failed, (a_day_ago, a_day_ago))
    plotly_js.find_bundle(tmp_path)
    assert len(asked) == 2
