"""Names of builds in files, pages and tables, and their versions."""

import functools
import hashlib
import re
from typing import NamedTuple

from runners.harness.facts import SLOWED
from runners.harness.record.model import Build

DEBUG_BUILD = "a debug or instrumented build"
LONGEST_WORD = 40
DIGEST_LETTERS = 8
_WHEEL = re.compile(rf"([^-\s]+-[^-\s]+)-\S+\.whl ([0-9a-f]{{{DIGEST_LETTERS}}})")
"""An installed wheel in a variant: its file name, whose tags we leave out, and the first digits of its sha256."""
_PRERELEASE = r"(?:a|b|rc)[0-9]+"
_NAME = re.compile(
    rf"(?P<version>[0-9.]+(?:{_PRERELEASE})?\+?)(?P<free_threaded>t?)(?P<gil>-gil)?(?P<jit>-jit)?(?P<debug>-debug)?"
    r"(?P<variant>(?:\+[^+]+)*)"
)
"""The rest after the implementation. A version that ends in + is of a branch, ahead of its number."""


def build_name(build: Build) -> str:
    """Return a build's name, such as cpython-3.13.0, or cpython-3.14.0t if it is free-threaded.

    -gil is free-threaded with the GIL on from the start, -jit has its compiler on, -debug is for finding faults, and a
    + begins a variant: cpython-3.14.0+aiohttp-3.13.5. A user's own wheel has the first digits of its sha256:
    cpython-3.14.0+aiohttp-4.0.dev0-1a2b3c4d.
    """
    kinds = "-gil" * (build.free_threaded and build.gil_at_start) + "-jit" * bool(build.jit)
    kinds += "-debug" * bool(slowed_by(build))
    variant = "".join(f"+{_address(word)}" for word in build.variant)
    return f"{build.implementation.lower()}-{build.version}{'t' * build.free_threaded}{variant or kinds}"


def slowed_by(build: Build) -> str:
    """Return how a build was made for finding faults or profiling, as "--with-pydebug"; empty if it was not."""
    return next((word for word in build.flags.split() if word.startswith(SLOWED)), "")


class NameParts(NamedTuple):
    implementation: str
    version: str
    free_threaded: bool
    kinds: tuple[str, ...]
    variant: tuple[str, ...]


@functools.cache  # each square of the board needs one of a few
def name_parts(name: str) -> NameParts:
    """Parse a name from `build_name`. In any other name, everything after the implementation is the version."""
    implementation, _, rest = name.partition("-")
    match = _NAME.fullmatch(rest)
    if not match:
        return NameParts(implementation, rest, free_threaded=False, kinds=(), variant=())
    kinds = tuple(kind for kind in ("gil", "jit", "debug") if match[kind])
    variant = tuple(filter(None, match["variant"].split("+")))
    return NameParts(implementation, match["version"], bool(match["free_threaded"]), kinds, variant)


def short_word(word: str) -> str:
    """Return a word of a variant, without the tags of a wheel."""
    wheel = _WHEEL.fullmatch(word)
    return "-".join(wheel.groups()) if wheel else word


def _address(word: str) -> str:
    """Return a word of a variant for addresses. The end of a long one becomes a digest."""
    wheel = _WHEEL.fullmatch(word)
    head, digest = wheel.groups() if wheel else (word, "")
    plain = re.sub(r"[^A-Za-z0-9._=-]+", "-", head).strip("-")
    if len(plain) > LONGEST_WORD and not digest:
        digest = hashlib.sha256(word.encode()).hexdigest()[:DIGEST_LETTERS]
    return f"{plain[:LONGEST_WORD]}-{digest}" if digest else plain


def release(version: str) -> str:
    """Return the release of a version: 3.14 for 3.14.0rc1."""
    return ".".join(version.split(".")[:2])


def prerelease(version: str) -> str:
    """Return the mark of a pre-release: rc1 for 3.14.0rc1, empty for a final version."""
    match = re.match(rf"[0-9.]+({_PRERELEASE})", version)
    return match[1] if match else ""


@functools.cache
def numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version: (3, 14, 0) for 3.14.0rc1."""
    leading = re.match(r"[0-9]+(\.[0-9]+)*", version)
    return tuple(map(int, leading[0].split("."))) if leading else ()


def is_older(version: str, least: tuple[int, ...]) -> bool:
    """Return True if a version precedes *least*, compared to its length: 3.12.1 is not older than (3, 12)."""
    return numbers(version)[: len(least)] < least
