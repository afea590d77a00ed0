"""Finds the chart library to put on the site: the small bundle if npm has it, else the one of the plotly wheel.

Both are the same version of plotly.js, so that a chart looks the same either way; the small one is a third of the size.
The wheel is pinned with the other requirements, and the small bundle here: nothing else is ever put on the site.
"""

import contextlib
import hashlib
import shutil
import subprocess
import tarfile
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

PACKAGE = "plotly.js-basic-dist-min"
MEMBER = "package/plotly-basic.min.js"
VERSION = "4.1.1"
"""Version of the small bundle and the wheel. A test fails when a new wheel has a different one."""
ARCHIVE_SHA256 = "ea907f854b6cec4f6a2fa71540ec019a21ed2c61e6a109ddd5c072103a96eed0"
"""Hash of the archive from `npm pack plotly.js-basic-dist-min@VERSION`."""
NPM_TIME_LIMIT_S = 10


class Bundle(NamedTuple):
    """The chart library as one file of the site."""

    data: bytes
    origin: str
    """For the log."""

    @property
    def path(self) -> str:
        """Its path below docs/. The name has part of its hash, so that it can be cached for ever."""
        return f"assets/plotly-{hashlib.sha256(self.data).hexdigest()[:12]}.min.js"


def find_bundle(cache: Path) -> Bundle:
    """Return the small bundle, or the wheel's. *cache* keeps npm's archive."""
    archive = cache / f"{PACKAGE}-{VERSION}.tgz"
    if _is_pinned(archive) or _fetch(archive):
        with tarfile.open(archive) as opened:
            small = opened.extractfile(MEMBER)
            return Bundle(small.read() if small else b"", f"plotly.js {VERSION}, basic, from npm")
    full = files("plotly").joinpath("package_data/plotly.min.js").read_bytes()
    return Bundle(full, f"plotly.js of the plotly wheel: npm did not have the small one, {VERSION}, as pinned")


def _is_pinned(archive: Path) -> bool:
    return archive.is_file() and hashlib.sha256(archive.read_bytes()).hexdigest() == ARCHIVE_SHA256


def _fetch(archive: Path) -> bool:
    """Have npm write the archive; return True if it is the pinned one. Any other is removed."""
    archive.unlink(missing_ok=True)
    archive.parent.mkdir(parents=True, exist_ok=True)
    if npm := shutil.which("npm"):
        command = [npm, "pack", f"{PACKAGE}@{VERSION}", "--prefer-offline", "--fetch-retries=0"]
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(command, cwd=archive.parent, capture_output=True, timeout=NPM_TIME_LIMIT_S, check=True)  # noqa: S603 - no shell, fixed words
    if not _is_pinned(archive):
        archive.unlink(missing_ok=True)
    return archive.exists()
