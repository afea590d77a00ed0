"""The chart library: nothing is put on the site but what is pinned."""

from __future__ import annotations

import hashlib
import io
import subprocess
import tarfile
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from generate.site import plotly_js

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = f"/**\n* plotly.js (basic - minified) v{plotly_js.VERSION}\n*/ window.Plotly = {{}}".encode()
FULL = files("plotly").joinpath("package_data/plotly.min.js").read_bytes()
NAME = f"{plotly_js.PACKAGE}-{plotly_js.VERSION}.tgz"


def archive(script: bytes) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as made:
        facts = tarfile.TarInfo(plotly_js.MEMBER)
        facts.size = len(script)
        made.addfile(facts, io.BytesIO(script))
    return written.getvalue()


GOOD, FORGED = archive(SCRIPT), archive(SCRIPT + b"; evil()")


@pytest.fixture(autouse=True)
def _pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plotly_js, "ARCHIVE_SHA256", hashlib.sha256(GOOD).hexdigest())
    monkeypatch.setattr("shutil.which", lambda _: None)


def test_the_pin_is_the_version_of_the_wheel() -> None:
    assert plotly_js.read_version(FULL) == plotly_js.VERSION, "pin the small bundle of the wheel's version"


def test_the_small_bundle_is_used_if_it_is_the_pinned_one(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(GOOD)
    bundle = plotly_js.find_bundle(tmp_path)
    assert bundle.data == SCRIPT
    assert bundle.path == f"assets/plotly-{hashlib.sha256(SCRIPT).hexdigest()[:12]}.min.js"


@pytest.mark.parametrize("copy", [GOOD[:-30], b"", b"no archive", FORGED], ids=["cut", "empty", "text", "forged"])
def test_another_copy_is_removed_and_the_wheel_s_is_used(tmp_path: Path, copy: bytes) -> None:
    (tmp_path / NAME).write_bytes(copy)
    assert plotly_js.find_bundle(tmp_path).data == FULL
    assert not (tmp_path / NAME).exists()


@pytest.mark.parametrize(
    ("packed", "used"), [(GOOD, SCRIPT), (FORGED, FULL), (None, FULL)], ids=["good", "forged", "failed"]
)
def test_npm_is_asked_and_its_copy_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bytes | None, used: bytes
) -> None:
    def run(_: object, *, cwd: Path, **_options: object) -> None:
        if packed is None:
            raise subprocess.SubprocessError
        (cwd / NAME).write_bytes(packed)

    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr("subprocess.run", run)
    (tmp_path / NAME).write_bytes(b"cut off")
    assert plotly_js.find_bundle(tmp_path).data == used
    assert (tmp_path / NAME).exists() == (used is SCRIPT)
