"""The pairs that the Compare page offers. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generate.data.files import build_identity
from generate.words.names import build_order, is_prerelease

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from generate.data.selection import Result
    from runners.harness.record.model import Build

    Find = Callable[[Result, Sequence[Result]], Result | str]


class Pair(NamedTuple):
    """A result, what it is compared with, and which kind of comparison that is."""

    result: Result
    kind: str
    """A key of `KINDS`."""
    other: Result


def _reference(result: Result, others: Sequence[Result]) -> Result | str:
    wanted = build_identity(result.record.reference_build)
    if build_identity(result.record.build) == wanted:
        return "It is the reference build itself."
    found = (each for each in others if build_identity(each.record.build) == wanted)
    return next(found, "The reference build has no current result on this machine.")


def _counterpart(result: Result, others: Sequence[Result]) -> Result | str:
    """Find the same Python with the GIL; of a variant, the same Python as released."""
    build = result.record.build
    if not build.free_threaded and not build.variant:
        return "It has the GIL itself."
    wanted = build.implementation, build.version, build.free_threaded and bool(build.variant), ()
    found = (each for each in others if _python(each.record.build) == wanted)
    return next(found, "Its counterpart has no current result on this machine.")


def _python(build: Build) -> tuple[object, ...]:
    return build.implementation, build.version, build.free_threaded, build.variant


def _previous(result: Result, others: Sequence[Result]) -> Result | str:
    implementation, version, *kind = build_order(result.build)
    older = [
        (each_version, each)
        for each in others
        for each_implementation, each_version, *each_kind in [build_order(each.build)]
        if (each_implementation, each_kind) == (implementation, kind) and each_version < version
        if not is_prerelease(each.build)
    ]
    newest = max(older, key=lambda each: each[0], default=None)
    return newest[1] if newest else "No earlier release of its kind has a current result on this machine."


def _published(result: Result, others: Sequence[Result]) -> Result | str:
    if not result.key.local:
        return "It is published itself."
    same = (each for each in others if build_identity(each.record.build) == build_identity(result.record.build))
    return next(same, "Its build has no published result.")


KINDS: Mapping[str, tuple[str, Find]] = {
    "reference": ("the reference build", _reference),
    "counterpart": ("its counterpart (with the GIL; as released)", _counterpart),
    "previous": ("the previous release", _previous),
    "published": ("the published result", _published),
}
"""By name in addresses: the words for it, and how it is found."""


def others_of(result: Result, results: Sequence[Result]) -> dict[str, Result | str]:
    """Return by kind what *result* is compared with, or why with nothing."""
    beside = [each for each in results if each.machine_key == result.machine_key]
    published = [each for each in results if not each.key.local]
    return {kind: find(result, published if kind == "published" else beside) for kind, (_, find) in KINDS.items()}


def asked_most(results: Sequence[Result]) -> list[Pair]:
    """Return the pairs that the page comes with, the one that it opens with first.

    They are of the newest result of one's own, the newest release with the GIL, and the newest without it.
    """
    newest = sorted(results, key=lambda each: build_order(each.build), reverse=True)
    own = [each for each in newest if each.key.local]
    plain = [each for each in newest if not each.record.build.variant and not is_prerelease(each.build)]
    with_gil = [each for each in plain if not each.record.build.free_threaded]
    wanted = (("reference", own), ("published", own), ("previous", with_gil), ("counterpart", plain))
    pairs = [pair for kind, candidates in wanted for pair in _first_pair(kind, candidates, results)]
    return pairs or [pair for kind in KINDS for pair in _first_pair(kind, newest, results)][:1]


def _first_pair(kind: str, candidates: Sequence[Result], results: Sequence[Result]) -> list[Pair]:
    found = ((each, others_of(each, results)[kind]) for each in candidates)
    return next(([Pair(each, kind, other)] for each, other in found if not isinstance(other, str)), [])
