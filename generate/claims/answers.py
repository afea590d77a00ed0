"""Answers a claim in words, from the verdicts of its parts on several builds. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from generate.claims.marks import says_something
from generate.claims.spread import spread_words
from generate.statistics.bounds import DECIDED
from generate.text.names import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from generate.claims.marks import ClaimVerdict
    from generate.claims.verdicts import PartVerdict

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
"""As prose writes them; from here on digits do."""


class Wording(NamedTuple):
    """What is said of a part that stands among others, and of several that share it."""

    one: str
    several: str


HOLDS = Wording("holds", "hold")
FAILS = Wording("does not hold", "do not hold")
DEPENDS = Wording("is not the same on all builds", "are not the same on all builds")
HOLDS_MOSTLY = Wording("holds where it is decided", "hold where they are decided")
FAILS_MOSTLY = Wording("does not hold where it is decided", "do not hold where they are decided")
UNDECIDED = Wording("is undecided", "are undecided")
HOLDS_ON_FEW = Wording("holds on the few builds that decide it", "hold on the few builds that decide them")
FAILS_ON_FEW = Wording(
    "does not hold on the few builds that decide it", "do not hold on the few builds that decide them"
)
SAME_BUT_ON_FEW: Mapping[Wording, Wording] = {
    HOLDS: HOLDS_ON_FEW,
    HOLDS_MOSTLY: HOLDS_ON_FEW,
    FAILS: FAILS_ON_FEW,
    FAILS_MOSTLY: FAILS_ON_FEW,
}
"""What is one answer, but that of some parts few builds decide it."""
NOT_MEASURED = Wording("is not measured", "are not measured")
NOT_APPLICABLE = Wording("is not applicable", "are not applicable")


def answer(by_part: Iterable[Sequence[PartVerdict]], *, whose: str = "its") -> str:
    """Say what is decided of a claim, given each of its parts on the same builds: "holds on all 8 builds".

    Empty where there is no build. Where its parts do not agree: "refuted in part (of its four parts two hold, one does
    not hold and one is not the same on all builds)". *Whose* parts they are is said where there are others.
    """
    parts = [*by_part]
    applicable = [builds_by_verdict(part) for part in parts if any(map(says_something, part))]
    applicable = applicable or [builds_by_verdict(part) for part in parts[:1]]
    words = {spread_words(spread) for spread in applicable}
    return _counted([_wording(spread) for spread in applicable], whose) if len(words) > 1 else "".join(words)


def answer_of(row: Sequence[ClaimVerdict]) -> str:
    """Say what is decided of a claim on the builds of *row*."""
    has_ours = any(len(each.counted) < len(each.parts) for each in row)
    return answer(zip(*(each.counted for each in row), strict=True), whose="the source's" if has_ours else "its")


def builds_by_verdict(verdicts: Iterable[PartVerdict]) -> dict[str, list[str]]:
    """Return the builds by the verdict that they have on one part; a leaning is named as such."""
    builds: dict[str, list[str]] = defaultdict(list)
    for verdict in verdicts:
        name = f"leans to “{verdict.leans}”" if verdict.is_leaning else verdict.verdict
        builds[name].append(verdict.cell.build)
    return dict(builds)


def _wording(spread: Mapping[str, Collection[str]]) -> Wording:
    if spread.keys() == {"not applicable"}:
        return NOT_APPLICABLE
    said = spread.keys() - {"not applicable", "not measured"}
    is_all = len(said) == 1
    if {*DECIDED} <= said:
        return DEPENDS
    decided = sum(len(spread[verdict]) for verdict in said & {*DECIDED})
    is_on_few = 2 * decided < sum(len(spread[verdict]) for verdict in said)
    if "holds" in said:
        return HOLDS if is_all else HOLDS_ON_FEW if is_on_few else HOLDS_MOSTLY
    if "does not hold" in said:
        return FAILS if is_all else FAILS_ON_FEW if is_on_few else FAILS_MOSTLY
    return UNDECIDED if said else NOT_MEASURED


def _counted(wordings: Sequence[Wording], whose: str) -> str:
    """Say how many parts each wording is said of, the commonest first; and before that whether the claim is refuted.

    Refuted in part: some part holds on no build, and at least half of the builds decide that. Mostly refuted: most do.
    """
    counts, total = Counter(_merged(wordings)), number_words(len(wordings))
    if len(counts) == 1:
        (wording,) = counts
        return _of_all(total, wording)
    for whole, on_few in SAME_BUT_ON_FEW.items():
        if {*counts} == {whole, on_few}:
            return _of_all(total, whole) + _on_few(counts[on_few], is_of_decided=whole in {HOLDS_MOSTLY, FAILS_MOSTLY})
    said = [
        f"{number_words(count)} {wording.one if count == 1 else wording.several}"
        for wording, count in counts.most_common()
    ]
    counted = f"of {whose} {total} parts {listed(said)}"
    refuted = counts[FAILS] + counts[FAILS_MOSTLY]
    return (
        f"{'mostly refuted' if 2 * refuted > len(wordings) else 'refuted in part'} ({counted})" if refuted else counted
    )


def _of_all(total: str, wording: Wording) -> str:
    """Say what is said of every part of a claim that has *total*."""
    if wording in {FAILS, FAILS_MOSTLY, FAILS_ON_FEW}:
        none = "neither part" if total == "two" else f"none of the {total} parts"
        return f"{none} holds; few builds decide them" if wording is FAILS_ON_FEW else f"{none} {_not_held(wording)}"
    return f"{'both' if total == 'two' else f'all {total}'} parts {wording.several}"


def _on_few(parts: int, *, is_of_decided: bool) -> str:
    where = "on few builds" if is_of_decided else f"where few builds decide {'it' if parts == 1 else 'them'}"
    return f", {number_words(parts)} of them {where}"


def _not_held(wording: Wording) -> str:
    """Say after "neither part" what does not hold: of it the negation is there already."""
    return wording.one.replace("does not hold", "holds")


def _merged(wordings: Sequence[Wording]) -> list[Wording]:
    """Return the wordings, those of parts that are decided on every build and on some alike where a claim has both."""
    alike = [(HOLDS, HOLDS_MOSTLY), (FAILS, FAILS_MOSTLY)]
    merged = {whole: mostly for whole, mostly in alike if mostly in wordings}
    return [merged.get(wording, wording) for wording in wordings]


def number_words(count: int) -> str:
    """Write a count as prose does: a word up to twelve, then digits."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)
