"""Finds the chart library to put on the site: the small bundle where npm has it, else the one of the plotly wheel.

Both are the same version of plotly.js, so that a chart looks the same either way; the small one is a third of the size.
The wheel is pinned with the other requirements, and the small bundle here: nothing else is ever put on the site.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tarfile
import time
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = "plotly.js-basic-dist-min"
MEMBER = "package/plotly-basic.min.js"
VERSION = "4.1.1"
"""Of the small bundle whose hash follows: that of the wheel. A test says so when a new wheel has another."""
ARCHIVE_SHA256 = "ea907f854b6cec4f6a2fa71540ec019a21ed2c61e6a109ddd5c072103a96eed0"
"""Of what `npm pack plotly.js-basic-dist-min@VERSION` writes."""
NPM_TIME_LIMIT_S = 30
NOT_AGAIN_FOR_S = 24 * 60 * 60
"""After a failure npm is not asked for so long: behind a proxy each build would wait for it until its time is up."""
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
    """Return the small bundle of the wheel's plotly.js version, or the wheel's whole one. *cache* keeps npm's."""
    whole = files("plotly").joinpath("package_data/plotly.min.js").read_bytes()
    version = version_of(whole)
    small, reason = _small(cache) if version == VERSION else (None, f"the small one is pinned at {VERSION}")
    if small is None:
        return _bundle(whole, f"plotly.js {version}, whole, from the plotly wheel ({reason})")
    return _bundle(small, f"plotly.js {version}, basic, from npm")


def version_of(script: bytes) -> str | None:
    """Read the version from the comment that a plotly.js file begins with."""
    match = _VERSION.search(script[:_HEADER_BYTES])
    return match[1].decode() if match else None


def _bundle(data: bytes, origin: str) -> Bundle:
    return Bundle(f"plotly-{_sha256(data)[:12]}.min.js", data, origin)


def _small(cache: Path) -> tuple[bytes | None, str]:
    """Return the small bundle, or why there is none. A copy in the cache that is not the pinned one is thrown away."""
    archive = cache / f"{PACKAGE}-{VERSION}.tgz"
    if not _is_pinned(archive):
        archive.unlink(missing_ok=True)
        reason = _pack(cache)
        if reason or not _is_pinned(archive):
            archive.unlink(missing_ok=True)
            return None, reason or "what npm has is not what is pinned"
    with tarfile.open(archive) as opened:
        member = opened.extractfile(MEMBER)
        return (member.read(), "") if member else (None, f"its {MEMBER} is no file")


def _is_pinned(archive: Path) -> bool:
    return archive.is_file() and _sha256(archive.read_bytes()) == ARCHIVE_SHA256


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _pack(cache: Path) -> str:
    """Have npm put the archive into *cache*; return why it could not."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not installed"
    cache.mkdir(parents=True, exist_ok=True)
    failed = cache / f"{PACKAGE}-{VERSION}.failed"
    if failed.is_file() and time.time() - failed.stat().st_mtime < NOT_AGAIN_FOR_S:
        return f"npm could not fetch it within the last day; to have it asked again, remove {failed.name} from .cache"
    command = [npm, "pack", f"{PACKAGE}@{VERSION}", "--prefer-offline", "--fetch-retries=0"]
    try:
        subprocess.run(command, cwd=cache, capture_output=True, timeout=NPM_TIME_LIMIT_S, check=True)  # noqa: S603 - no shell, fixed words
    except (OSError, subprocess.SubprocessError) as error:
        failed.touch()
        return f"npm could not fetch it: {type(error).__name__}"
    failed.unlink(missing_ok=True)
    return ""
