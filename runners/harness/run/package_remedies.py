"""Says what a user can do about packages that did not install. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from runners.harness.builds.build_request import NOT_AS_CLONED
from runners.harness.builds.environments import LACKING, REFUSED, UNREACHABLE, log_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from runners.harness.builds.interpreters import Prepared

CERTIFICATE = re.compile("certificate|UnknownIssuer", re.IGNORECASE)
"""How uv complains of one that it does not trust."""
PROXY = re.compile("proxy authentication", re.IGNORECASE)
NO_WHEEL = re.compile("has no (usable )?wheels|no matching distribution", re.IGNORECASE)
UNSOLVED_OR_UNBUILT = re.compile("failed to build|no solution found", re.IGNORECASE)
OF_THE_NETWORK = {
    CERTIFICATE: "set UV_SYSTEM_CERTS=true, or SSL_CERT_FILE to your network's certificate, and run again",
    PROXY: "the proxy wants credentials: put them into the address in HTTPS_PROXY, and run again",
    REFUSED: "the index refuses: mend its credentials (in ~/.netrc, or in UV_DEFAULT_INDEX), and run again",
    UNREACHABLE: "the index can't be reached: connect, or set UV_DEFAULT_INDEX to another, and run again",
}
"""Remedies for what keeps every package away."""
NO_SUCH_REFERENCE = re.compile(
    "couldn't find remote ref|could not read (username|password)|repository not found|authentication failed"
    "|(invalid reference|bad revision|not our ref|unadvertised object)",
    re.IGNORECASE,
)
"""What git says of a repository, or of a branch, that GitHub does not have, or does not show to anybody."""
GIT = re.compile("git operation failed", re.IGNORECASE)
BROKEN = re.compile("failed to read", re.IGNORECASE)


def variant_problems(builds: Iterable[Prepared]) -> list[str]:
    """Return a line for each variant whose own package did not install: measured without it, it can't be compared."""
    lines = []
    for build in builds:
        for name in build.varied:
            if (package := build.packages[name]).version is None:
                reason = one_line(package.reason).removeprefix("error: ").rstrip(".")
                what_to_do = _own_remedy(name, reason, log_of(name, build.python))
                lines.append(f"{build.named}: {name} did not install: {reason}{what_to_do}")
    return lines


def remedy(reason: str, log: Path) -> str:
    """Return what a user can do about a package that did not install for that *reason*; empty where we don't know."""
    remedies = {
        **OF_THE_NETWORK,
        LACKING: "the index lacks it: set UV_DEFAULT_INDEX to one that has it, and run again",
        NO_WHEEL: f"there is no wheel for this build; if there is one now, remove {log.parent} and run again",
        UNSOLVED_OR_UNBUILT: f"{log} has all that was said; mend it, remove that file's folder and run again",
    }
    return next((f"{words}; " for kind, words in remedies.items() if kind.search(reason)), "")


def _own_remedy(name: str, reason: str, log: Path) -> str:
    """Return the same for the package that a variant is named for: of that another can be named."""
    unbuilt = f"{log} has all that was said; mend it and remove that file's folder, or name another"
    as_cloned = NOT_AS_CLONED.get(name, "") if "git+" in reason else ""
    remedies = {
        NO_SUCH_REFERENCE: "name a repository on GitHub that anybody may read, and a branch, tag or commit of it",
        GIT: "GitHub can't be reached: connect, and run again",
        **OF_THE_NETWORK,
        LACKING: "name a version that the index has, or set UV_DEFAULT_INDEX to one that has this",
        NO_WHEEL: "name a version, or a wheel, that is made for this build",
        BROKEN: "make that file anew",
        UNSOLVED_OR_UNBUILT: as_cloned or unbuilt,
    }
    return next((f"; {words}" for kind, words in remedies.items() if kind.search(reason)), "")


def one_line(reason: str | None) -> str:
    """Return a reason in one line that a terminal can print."""
    letters = (letter if letter.isprintable() else " " for letter in reason or "no reason")
    return " ".join("".join(letters).split())
