"""Answers a claim in words, from the verdicts of its parts on several builds. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING

from generate.claims.marks import is_applicable
from generate.data.estimates import DECIDED
from generate.words.builds import format_build
from generate.words.names import build_order, is_free_threaded, list_names
from runners.harness.record.build_names import name_parts, prerelease, release

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generate.claims.marks import ClaimVerdict
    from generate.claims.verdicts import PartVerdict, Verdict
    from generate.data.estimates import Decision

MOST_NAMED = 3
"""More builds than these are counted, not named."""
_OPPOSITE: Mapping[Decision, str] = {"holds": "it does not", "does not hold": "it does"}
_PLURAL = {
    "holds": "hold",
    "does not hold": "do not hold",
    "does not apply": "do not apply",
    "undecided": "are undecided",
    "not measured": "are not measured",
    "it does not": "they do not",
    "it does": "they do",
}
_SINGULAR = {"undecided": "is undecided", "not measured": "is not measured"}


def describe_answer(row: Sequence[ClaimVerdict]) -> str:
    """Put into words what is decided of a claim on the builds of *row*, as a clause: "holds (undecided on 3.11)".

    If its parts differ they are named: "“faster at all” holds. “by as much as printed” does not hold". Empty without a
    build.
    """
    by_part = [*zip(*(each.count_noun for each in row), strict=True)]
    telling = [part for part in by_part if any(map(is_applicable, part))] or by_part[:1]
    names: dict[str, list[str]] = defaultdict(list)
    for part in telling:
        names[describe_part(part)].append(f"“{part[0].part.written.name}”")
    if len(names) > 1:
        return ". ".join(f"{list_names(of)} {_after_names(words, len(of))}" for words, of in names.items())
    return "".join(names)


def describe_part(part: Iterable[PartVerdict]) -> str:
    """Put into words what is decided of one part on several builds."""
    return describe_spread(group_builds(part))


def group_builds(verdicts: Iterable[PartVerdict]) -> dict[Verdict, list[str]]:
    """Return the builds by the verdict that they have on one part."""
    builds: dict[Verdict, list[str]] = defaultdict(list)
    for verdict in verdicts:
        builds[verdict.verdict].append(verdict.cell.build)
    return dict(builds)


def describe_spread(by_verdict: Mapping[Verdict, Sequence[str]]) -> str:
    """Put into words which verdict falls on which builds, the commonest first.

    "holds"; "holds (undecided on 3.11 and 3.14)"; "holds up to 3.14; from 3.15 it does not"; "holds with the GIL;
    without it, it does not". Builds that a claim is not about are left out, as are those without a measurement unless
    they are most.
    """
    measured = {verdict: builds for verdict in (*DECIDED, "undecided") if (builds := by_verdict.get(verdict))}
    unmeasured = by_verdict.get("not measured", ())
    if not measured:
        return "not measured" if unmeasured else "does not apply" if by_verdict else ""
    decided = {verdict: measured[verdict] for verdict in DECIDED if verdict in measured}
    undecided = measured.get("undecided", ())
    rest: Mapping[Decision, Sequence[str]] = {"undecided": undecided} if undecided else {}
    if len(decided) > 1:
        words = _by_gil(decided) or _by_release(decided) or _by_name(decided)
    elif decided and len(undecided) <= sum(map(len, decided.values())):
        (words,) = decided
    else:
        words, rest = "undecided", decided
    notes = [f"{verdict} on {_named(builds)}" for verdict, builds in rest.items()]
    known = [*chain.from_iterable(measured.values())]
    notes += [f"measured only on {_named(known)}"] if len(known) <= MOST_NAMED < len(unmeasured) else []
    return f"{words} ({', '.join(notes)})" if notes else words


def _by_gil(decided: Mapping[Decision, Sequence[str]]) -> str:
    """Word it if builds with the GIL have one verdict and those without it the other."""
    kinds = {verdict: {*map(is_free_threaded, builds)} for verdict, builds in decided.items()}
    with_gil = next((verdict for verdict, kind in kinds.items() if kind == {False}), None)
    if with_gil is None or {True} not in kinds.values():
        return ""
    return f"{with_gil} with the GIL; without it, {_OPPOSITE[with_gil]}"


def _by_release(decided: Mapping[Decision, Sequence[str]]) -> str:
    """Word it if one verdict falls on all releases before those of the other; patch releases count as one."""
    if len({build_order(build)[0] for builds in decided.values() for build in builds}) > 1:
        return ""  # versions of two implementations have no order in common
    versions = {
        verdict: sorted(build_order(build)[1].release[:2] for build in builds) for verdict, builds in decided.items()
    }
    (before, older), (_, newer) = sorted(versions.items(), key=lambda each: each[1])
    if older[-1] >= newer[0]:
        return ""
    last, first = (".".join(map(str, version)) for version in (older[-1], newer[0]))
    until = f"on {last}" if older[0] == older[-1] else f"up to {last}"
    return f"{before} {until}; from {first} {_OPPOSITE[before]}"


def _by_name(decided: Mapping[Decision, Sequence[str]]) -> str:
    (most, builds), (_, others) = sorted(decided.items(), key=lambda each: -len(each[1]))
    return f"{most} on {_named(builds)}; {_OPPOSITE[most]} on {_named(others)}"


def _named(builds: Sequence[str]) -> str:
    """Name some builds by their release; of many, say how many they are."""
    if len(builds) > MOST_NAMED:
        return f"{len(builds)} builds"
    short = [*map(_release, builds)]
    return list_names(
        [name if short.count(name) == 1 else format_build(build) for build, name in zip(builds, short, strict=True)]
    )


def _release(build: str) -> str:
    implementation, version, is_free, kinds, _ = name_parts(build)
    words = [
        *(["PyPy"] if implementation == "pypy" else []),
        release(version) + prerelease(version),
        *(["free-threaded"] if is_free else []),
        *(f"with {kind.upper()}" for kind in kinds),
    ]
    return " ".join(words)


def _after_names(words: str, count: int) -> str:
    """Put an answer behind the names of the parts that have it: "is undecided", "hold"."""
    for whole, said in (_PLURAL if count > 1 else _SINGULAR).items():
        words = re.sub(rf"(^|; (?:from [\d.]+ |without it, |)){whole}\b(?! not)", rf"\g<1>{said}", words)
    return words
