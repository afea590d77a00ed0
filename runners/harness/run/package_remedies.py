"""What users can do about packages that did not install."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from runners.harness.builds.environments import LACKING, REFUSED, UNREACHABLE, log_path

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from runners.harness.builds.interpreters import Prepared


NO_SUCH_REFERENCE = (
    "couldn't find remote ref|could not read (username|password)|repository not found|authentication failed"
    "|(invalid reference|bad revision|not our ref|unadvertised object)"
)
"""Git's messages if GitHub doesn't have a repository or a branch, or it is private."""
REMEDIES = (
    (NO_SUCH_REFERENCE, "choose a public repository on GitHub, and a branch, tag or commit of it"),
    ("git operation failed", "GitHub can't be reached: connect, and run again"),
    (
        "certificate|UnknownIssuer",
        "set UV_SYSTEM_CERTS=true, or SSL_CERT_FILE to your network's certificate, and run again",
    ),
    ("proxy authentication", "the proxy wants credentials: add them to the address in HTTPS_PROXY, and run again"),
    (REFUSED, "the index refuses access: fix its credentials (in ~/.netrc, or in UV_DEFAULT_INDEX), and run again"),
    (UNREACHABLE, "the index can't be reached: connect, or set UV_DEFAULT_INDEX to another, and run again"),
    (LACKING, "the index lacks it: choose another version, or set UV_DEFAULT_INDEX to an index that has it"),
    (
        "has no (usable )?wheels|no matching distribution",
        "there is no wheel for this build: choose another version, or once there is one remove {folder} and run again",
    ),
    ("failed to read", "build that file again"),
    (
        "failed to build|no solution found",
        "{log} has the installer's output; fix the cause, remove {folder} and run again",
    ),
)
"""Patterns of the installer's output, in any case of letters; the first that matches counts."""


def _remedy(reason: str, log: Path) -> str:
    text = next((text for pattern, text in REMEDIES if re.search(pattern, reason, re.IGNORECASE)), "")
    return text.format(log=log, folder=log.parent)


def installation_problem(build: Prepared, name: str) -> str:
    """Return why a package did not install on *build*, and what to do."""
    reason = one_line(build.packages[name].reason).removeprefix("error: ").rstrip(".")
    parts = [f"{name} did not install: {reason}", _remedy(reason, log_path(name, build.python))]
    return "; ".join(filter(None, parts))


def variant_problems(builds: Iterable[Prepared]) -> list[str]:
    """Return a line for each variant whose own package did not install: without it, there is nothing to compare."""
    return [
        f"{build.request.text}: {installation_problem(build, name)}"
        for build in builds
        for name in build.varied
        if build.packages[name].version is None
    ]


def one_line(reason: str | None) -> str:
    """Return a reason as one printable line."""
    letters = (letter if letter.isprintable() else " " for letter in reason or "no reason")
    return " ".join("".join(letters).split())
