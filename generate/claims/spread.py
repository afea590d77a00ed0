"""Says on which builds a verdict falls, as a person would: on all of them, without the GIL, from a version on. Pure."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from generate.text.builds import build_words
from generate.text.names import build_order, is_free_threaded, listed_briefly

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAMED_EACH = 2
"""So few builds are named one by one."""


def spread_words(by_verdict: Mapping[str, Sequence[str]]) -> str:
    """Say which verdict falls on which builds: "holds on all 8 builds", "holds with the GIL, does not hold without it".

    Builds to which a claim does not apply are left out, unless there are some where it was not measured: both then come
    last, in brackets, by name, of more than two as a number. Empty where there is no build.
    """
    applies = {verdict: builds for verdict, builds in by_verdict.items() if verdict != "not applicable" and builds}
    if not applies:
        return "not applicable" if by_verdict else ""
    unknown = applies.pop("not measured", ()) if len(applies) > 1 else ()
    apart = by_verdict.get("not applicable", ())
    if not unknown:
        return _decided(applies, has_others=bool(apart))
    return _decided(applies, has_others=False) + _beside({"not applicable": apart, "not measured": unknown})


def _decided(applies: Mapping[str, Sequence[str]], *, has_others: bool) -> str:
    count = sum(map(len, applies.values()))
    if count <= NAMED_EACH:
        return "; ".join(f"{verdict} on {_named(builds)}" for verdict, builds in applies.items())
    if len(applies) == 1:
        ((verdict, _),) = applies.items()
        which = f"any of the {count}" if verdict.startswith(("not ", "does not ")) else f"all {count}"
        return f"{verdict} on {which} builds{' that it is about' if has_others else ''}"
    return _by_gil(applies) or _by_release(applies) or _one_by_one(applies, count)


def _beside(others: Mapping[str, Sequence[str]]) -> str:
    """Say of which builds nothing is said, and why: after others, so without the implementation that these name."""
    said = [
        f"{why} on {_named(builds).removeprefix('CPython ') if len(builds) <= NAMED_EACH else f'{len(builds)} more'}"
        for why, builds in others.items()
        if builds
    ]
    return f" ({', '.join(said)})" if said else ""


def _named(builds: Sequence[str]) -> str:
    return listed_briefly([*map(build_words, builds)])


def _by_gil(applies: Mapping[str, Sequence[str]]) -> str:
    """Say it where builds with the GIL have one verdict and those without it another."""
    verdicts: dict[bool, set[str]] = defaultdict(set)
    for verdict, builds in applies.items():
        for build in builds:
            verdicts[is_free_threaded(build)].add(verdict)
    if [len(verdicts[kind]) for kind in (False, True)] != [1, 1]:
        return ""
    (with_gil,), (without,) = verdicts[False], verdicts[True]
    return f"{with_gil} with the GIL, {without} without it"


def _by_release(applies: Mapping[str, Sequence[str]]) -> str:
    """Say it where one verdict falls on all versions before another and the other on all from it on.

    In whole versions: what changes may change with a patch release. Empty where builds are of two implementations,
    whose versions have no order in common.
    """
    if len({build_order(build)[0] for builds in applies.values() for build in builds}) > 1:
        return ""
    versions = {verdict: {build_order(build)[1] for build in builds} for verdict, builds in applies.items()}
    if len(versions) != 2:  # noqa: PLR2004 - one before another
        return ""
    (before, older), (after, newer) = sorted(versions.items(), key=lambda each: min(each[1]))
    last, first = max(older), min(newer)
    if last.release[:2] >= first.release[:2]:
        return ""
    until = f"on {last}" if len(older) == 1 else f"up to {last}"
    since = f"on {first}" if len(newer) == 1 else f"from {first} on"
    return f"{before} {until}, {after} {since}"


def _one_by_one(applies: Mapping[str, Sequence[str]], count: int) -> str:
    """Name the builds of each verdict, the commonest first: of many builds that has a number."""
    (verdict, builds), *others = sorted(applies.items(), key=lambda each: -len(each[1]))
    most = f"{len(builds)} of {count} builds" if len(builds) > NAMED_EACH else _named(builds)
    rest = "; ".join(f"{other} on {_named(named)}" for other, named in others)
    return f"{verdict} on {most}; {rest}"
