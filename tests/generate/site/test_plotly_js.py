"""The chart library: only pinned files are put on the site."""

import hashlib
import io
import subprocess
import tarfile
from importlib.resources import files
from pathlib import Path

import pytest

from generate.site import plotly_js

SCRIPT = f"/**\n* plotly.js (basic - minified) v{plotly_js.VERSION}\n*/ window.Plotly = {{}}".encode()
FULL = files("plotly").joinpath("package_data/plotly.min.js").read_bytes()
NAME = f"{plotly_js.PACKAGE}-{plotly_js.VERSION}.tgz"


def archive(script: bytes) -> bytes:
    facts, written = tarfile.TarInfo(plotly_js.MEMBER), io.BytesIO()
    facts.size = len(script)
    with tarfile.open(fileobj=written, mode="w:gz") as made:
        made.addfile(facts, io.BytesIO(script))
    return written.getvalue()


GOOD, FORGED = archive(SCRIPT), archive(SCRIPT + b"; evil()")


def test_the_pin_is_the_version_of_the_wheel() -> None:
    assert f" v{plotly_js.VERSION}\n".encode() in FULL[:500], "pin the small bundle of the wheel's version"


@pytest.mark.parametrize(
    ("cached", "packed", "used"),
    [
        (GOOD, None, SCRIPT),
        (GOOD[:-30], None, FULL),
        (b"", None, FULL),
        (b"no archive", None, FULL),
        (FORGED, None, FULL),
        (b"cut off", GOOD, SCRIPT),
        (b"cut off", FORGED, FULL),
    ],
)
def test_only_the_pinned_bundle_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cached: bytes, packed: bytes | None, used: bytes
) -> None:
    def run(_: object, *, cwd: Path, **_options: object) -> None:
        if packed is None:
            raise subprocess.SubprocessError
        (cwd / NAME).write_bytes(packed)

    monkeypatch.setattr(plotly_js, "ARCHIVE_SHA256", hashlib.sha256(GOOD).hexdigest())
    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr("subprocess.run", run)
    (tmp_path / NAME).write_bytes(cached)
    bundle = plotly_js.find_bundle(tmp_path)
    assert bundle.data == used
    assert bundle.path == f"assets/plotly-{hashlib.sha256(used).hexdigest()[:12]}.min.js"
    assert (tmp_path / NAME).exists() == (used is SCRIPT)
