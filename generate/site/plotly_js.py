"""Finds the chart library to put on the site: the small bundle where npm has it, else the one of the plotly wheel.

Both are the same version of plotly.js, so that a chart looks the same either way; the small one is a third of the size.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = "plotly.js-basic-dist-min"
MEMBER = "package/plotly-basic.min.js"
NPM_TIME_LIMIT_S = 30
_VERSION = re.compile(rb"plotly\.js(?: \([^)]*\))? v(\d+\.\d+\.\d+)")
_HEADER_BYTES = 500


@dataclass(frozen=True)
class Bundle:
    """The chart library as one file of the site."""

    name: str
    """File name with a part of its hash in it, so that it can be cached for ever."""
    data: bytes
    origin: str
    """Which it is, for the log."""

    @property
    def path(self) -> str:
        """Where it lies below docs/."""
        return f"assets/{self.name}"


def find_bundle(cache: Path) -> Bundle:
    """Return the small bundle of the wheel's plotly.js version, or the wheel's whole one."""
    whole = files("plotly").joinpath("package_data/plotly.min.js").read_bytes()
    version = version_of(whole)
    small, reason = _small(cache, version) if version else (None, "the wheel's version is unknown")
    if small is None:
        return _bundle(whole, f"plotly.js {version}, whole, from the plotly wheel ({reason})")
    return _bundle(small, f"plotly.js {version}, basic, from npm")


def version_of(script: bytes) -> str | None:
    """Read the version from the comment that a plotly.js file begins with."""
    match = _VERSION.search(script[:_HEADER_BYTES])
    return match[1].decode() if match else None


def _bundle(data: bytes, origin: str) -> Bundle:
    return Bundle(f"plotly-{hashlib.sha256(data).hexdigest()[:12]}.min.js", data, origin)


def _small(cache: Path, version: str) -> tuple[bytes | None, str]:
    """Return the small bundle, or why there is none."""
    archive = cache / f"{PACKAGE}-{version}.tgz"
    if not archive.is_file() and (reason := _pack(cache, version)):
        return None, reason
    try:
        with tarfile.open(archive) as opened:
            member = opened.extractfile(MEMBER)
            data = member.read() if member else b""
    except (OSError, KeyError, tarfile.TarError) as error:
        return None, f"npm's archive is unusable: {type(error).__name__}"
    if version_of(data) != version:
        return None, f"npm's archive holds version {version_of(data)}"
    return data, ""


def _pack(cache: Path, version: str) -> str:
    """Have npm put the archive into *cache*; return why it could not."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not installed"
    cache.mkdir(parents=True, exist_ok=True)
    command = [npm, "pack", f"{PACKAGE}@{version}", "--json", "--prefer-offline", "--fetch-retries=0"]
    try:
        done = subprocess.run(command, cwd=cache, capture_output=True, timeout=NPM_TIME_LIMIT_S, check=True)  # noqa: S603 - no shell, fixed words
        json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return f"npm could not fetch it: {type(error).__name__}"
    return ""
