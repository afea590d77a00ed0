"""Names a build, the same in file names, on pages and in tables, and reads its version."""

from __future__ import annotations

import functools
import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from runners.harness.record.model import Build

LONGEST_WORD = 40
DIGEST_LETTERS = 8
_WHEEL = re.compile(rf"([^-\s]+-[^-\s]+)-\S+\.whl ([0-9a-f]{{{DIGEST_LETTERS}}})")
"""What a variant calls a wheel that was installed: its name and the first digits of its sha256. Of the name, package
and version tell it from others; the tags behind them don't, and are long.
"""
_PRERELEASE = r"(?:a|b|rc)[0-9]+"
_NAME = re.compile(
    rf"(?P<version>[0-9.]+(?:{_PRERELEASE})?\+?)(?P<free_threaded>t?)(?P<gil>-gil)?(?P<jit>-jit)?"
    r"(?P<variant>(?:\+[^+]+)*)"
)
"""What follows the implementation. A version that ends in + is of a branch, ahead of what it is named for."""


def build_name(build: Build) -> str:
    """Name a build: cpython-3.13.0; cpython-3.14.0t is free-threaded.

    What makes another build of the same version is in the name: -gil is free-threaded with the GIL on from the start,
    -jit has its just-in-time compiler on, and what follows a + is a variant: cpython-3.14.0+aiohttp-3.13.5. That of a
    wheel of one's own ends in the first digits of the wheel's sha256: cpython-3.14.0+aiohttp-4.0.dev0-1a2b3c4d.
    """
    kinds = "-gil" * (build.free_threaded and build.gil_at_start) + "-jit" * bool(build.jit)
    variant = "".join(f"+{_address(word)}" for word in build.variant)
    return f"{build.implementation.lower()}-{build.version}{'t' * build.free_threaded}{variant or kinds}"


class NameParts(NamedTuple):
    """What a build's name says of it."""

    implementation: str
    version: str
    free_threaded: bool
    kinds: tuple[str, ...]
    """gil, jit: see `build_name`."""
    variant: tuple[str, ...]


@functools.cache  # asked for every square of the board, of the same few names
def name_parts(name: str) -> NameParts:
    """Take apart what `build_name` made; of any other name, all that follows the implementation is the version."""
    implementation, _, rest = name.partition("-")
    found = _NAME.fullmatch(rest)
    if not found:
        return NameParts(implementation, rest, free_threaded=False, kinds=(), variant=())
    kinds = tuple(kind for kind in ("gil", "jit") if found[kind])
    variant = tuple(filter(None, found["variant"].split("+")))
    return NameParts(implementation, found["version"], bool(found["free_threaded"]), kinds, variant)


def short_word(word: str) -> str:
    """Return a word of a variant; of a wheel without the tags behind its version. Its digits stay those of its file."""
    wheel = _WHEEL.fullmatch(word)
    return "-".join(wheel.groups()) if wheel else word


def _address(word: str) -> str:
    """Return a word of a variant as it can stand in an address; a long one with a digest in the place of its end."""
    wheel = _WHEEL.fullmatch(word)
    head, digest = wheel.groups() if wheel else (word, "")
    plain = re.sub(r"[^A-Za-z0-9._=-]+", "-", head).strip("-")
    if len(plain) > LONGEST_WORD and not digest:
        digest = hashlib.sha256(word.encode()).hexdigest()[:DIGEST_LETTERS]
    return f"{plain[:LONGEST_WORD]}-{digest}" if digest else plain


def release(version: str) -> str:
    """Return the release that a version is of: 3.14 of 3.14.0rc1."""
    return ".".join(version.split(".")[:2])


def prerelease(version: str) -> str:
    """Return what tells a pre-release from the release that it leads to: rc1 of 3.14.0rc1; empty of any other."""
    found = re.match(rf"[0-9.]+({_PRERELEASE})", version)
    return found[1] if found else ""


@functools.cache
def numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version: 3.14.0rc1 gives (3, 14, 0)."""
    leading = re.match(r"[0-9]+(\.[0-9]+)*", version)
    return tuple(map(int, leading[0].split("."))) if leading else ()


def is_older(version: str, least: tuple[int, ...]) -> bool:
    """Return whether a version comes before *least*, as far as that goes: 3.12.1 is not older than (3, 12)."""
    return numbers(version)[: len(least)] < least
