"""What users can do about packages that did not install."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from runners.harness.builds.build_request import NOT_AS_CLONED
from runners.harness.builds.environments import LACKING, REFUSED, UNREACHABLE, log_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from runners.harness.builds.interpreters import Prepared

NO_WHEEL = re.compile("has no (usable )?wheels|no matching distribution", re.IGNORECASE)
UNRESOLVED_OR_UNBUILT = re.compile("failed to build|no solution found", re.IGNORECASE)
NETWORK = {
    re.compile("certificate|UnknownIssuer", re.IGNORECASE): (
        "set UV_SYSTEM_CERTS=true, or SSL_CERT_FILE to your network's certificate, and run again"
    ),
    re.compile("proxy authentication", re.IGNORECASE): (
        "the proxy wants credentials: add them to the address in HTTPS_PROXY, and run again"
    ),
    REFUSED: "the index refuses access: fix its credentials (in ~/.netrc, or in UV_DEFAULT_INDEX), and run again",
    UNREACHABLE: "the index can't be reached: connect, or set UV_DEFAULT_INDEX to another, and run again",
}
"""Remedies for problems that affect every package."""
NO_SUCH_REFERENCE = re.compile(
    "couldn't find remote ref|could not read (username|password)|repository not found|authentication failed"
    "|(invalid reference|bad revision|not our ref|unadvertised object)",
    re.IGNORECASE,
)
"""Git's message if GitHub doesn't have a repository or a branch, or it is private."""
GIT = re.compile("git operation failed", re.IGNORECASE)
BROKEN_WHEEL = re.compile("failed to read", re.IGNORECASE)


def remedy(reason: str, log: Path) -> str:
    """Return what a user can do about a pinned package that did not install, or an empty string."""
    remedies = {
        **NETWORK,
        LACKING: "the index lacks it: set UV_DEFAULT_INDEX to one that has it, and run again",
        NO_WHEEL: f"there is no wheel for this build; once there is, remove {log.parent} and run again",
        UNRESOLVED_OR_UNBUILT: f"{log} has the installer's output; fix the cause, remove {log.parent} and run again",
    }
    return _first_match(remedies, reason)


def variant_problems(builds: Iterable[Prepared]) -> list[str]:
    """Return a line for each variant whose own package did not install: without it, there is nothing to compare."""
    lines = []
    for build in builds:
        for name in build.varied:
            if (package := build.packages[name]).version is None:
                reason = one_line(package.reason).removeprefix("error: ").rstrip(".")
                parts = [f"{name} did not install", reason, _variant_remedy(name, reason, log_of(name, build.python))]
                lines.append(f"{build.named}: {parts[0]}: {'; '.join(filter(None, parts[1:]))}")
    return lines


def _variant_remedy(name: str, reason: str, log: Path) -> str:
    output = f"{log} has the installer's output; fix the cause and remove {log.parent}, or choose another"
    remedies = {
        NO_SUCH_REFERENCE: "choose a public repository on GitHub, and a branch, tag or commit of it",
        GIT: "GitHub can't be reached: connect, and run again",
        **NETWORK,
        LACKING: "choose a version that the index has, or set UV_DEFAULT_INDEX to one that has this",
        NO_WHEEL: "choose a version, or a wheel, made for this build",
        BROKEN_WHEEL: "build that file again",
        UNRESOLVED_OR_UNBUILT: (NOT_AS_CLONED.get(name) if "git+" in reason else None) or output,
    }
    return _first_match(remedies, reason)


def _first_match(remedies: Mapping[re.Pattern[str], str], reason: str) -> str:
    return next((text for pattern, text in remedies.items() if pattern.search(reason)), "")


def one_line(reason: str | None) -> str:
    """Return a reason as one printable line."""
    letters = (letter if letter.isprintable() else " " for letter in reason or "no reason")
    return " ".join("".join(letters).split())
