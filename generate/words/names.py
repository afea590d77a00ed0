"""Names in addresses, in titles, and in order. Pure."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from runners.harness.record.build_names import name_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_LETTERS = 60
"""Of a name in an address: with two of them in it a file's name stays below what systems allow."""
_KEPT = re.compile(r"(?:[\w .()-]|\+(?=[A-Za-z0-9]))+", re.ASCII)
"""A + that nothing follows is what tells 3.14.0+, which was built between releases, from 3.14.0."""
_DIGEST_LETTERS = 8


def slug(name: str) -> str:
    """Return *name* so that it can stand in an address.

    Where letters of other scripts are left out of it or a + at an end, or it is long, a digest keeps it apart.
    """
    short = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")
    if _KEPT.fullmatch(name) and short and len(short) <= MOST_LETTERS:
        return short
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_LETTERS]
    return f"{short[:MOST_LETTERS].strip('-.') or 'unnamed'}-{digest}"


def format_address(machine: str, build: str, *, local: bool) -> str:
    """Return the name of a machine and build in addresses: one's own machine is not a published one of that name."""
    return f"{slug(machine)}-{slug(build)}{'-local' * local}"


def label_runner(identifier: str) -> str:
    """Return how a runner is called that no catalogue knows: "thread pool"."""
    return strip_markup(identifier.replace("_", " "))


def strip_markup(name: str) -> str:
    """Return *name* without what could be markup or turn the text around: for titles, which engines don't escape.

    An equals sign or a slash within a word is none: PYTHON_JIT=1, I/O.
    """
    return " ".join(re.sub(r"(?:(?!\b[=/]\b)[^\w .,:?+()'%-])+", " ", name).split()) or "unnamed"


def list_names(names: Sequence[str], last: str = "and") -> str:
    """Write names as people do: "a, b and c"."""
    return f" {last} ".join([*filter(None, [", ".join(names[:-1])]), *names[-1:]])


def list_names_briefly(names: Sequence[str]) -> str:
    """Write names as people do, what all begin with once: "CPython 3.13.1, 3.14.0 and 3.15.0"."""
    first, *others = names
    shared = first.partition(" ")[0] + " "
    if all(name.startswith(shared) for name in names):
        others = [name.removeprefix(shared) for name in others]
    return list_names([first, *others])


def build_order(build: str) -> tuple[str, Version, bool, str]:
    """Return where a build's name stands among others: by implementation, version, whether it is free-threaded.

    A variant comes after the plain build. A version that is none comes before all others of its implementation.
    """
    implementation, version, free_threaded, kinds, variant = name_parts(build)
    number = version.removesuffix("+")
    kind = "+" * (number != version) + "-".join(kinds) + "".join(f"+{word}" for word in variant)
    try:
        return implementation, Version(number), free_threaded, kind
    except InvalidVersion:
        return implementation, Version("0.dev0"), free_threaded, version


def is_prerelease(build: str) -> bool:
    """Say by its name whether a build is of a version that leads to a release; a version that is none counts as one."""
    return build_order(build)[1].is_prerelease


def is_free_threaded(build: str) -> bool:
    """Say whether a build is one without the GIL, by its name."""
    return build_order(build)[2]
