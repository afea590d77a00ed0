"""Sums up the parts of a claim on one build: which verdicts they have, and what a small square shows of that. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Self

from generate.claims.sentences import SYMBOLS
from generate.claims.verdicts import Verdict
from generate.text.names import slug

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.analysis.selection import Cell
    from generate.claims.model import Claim
    from generate.claims.verdicts import PartVerdict

OverallVerdict = Literal[Verdict, "in part"]
"""A verdict, or what is said of a claim whose parts have different ones."""
Standing = Literal[Verdict, "leans"]
"""What a part counts as where parts are counted: one that only leans is not decided, whichever way it leans."""

LETTERS: Mapping[Standing, str] = {
    "does not hold": "x",
    "holds": "h",
    "too close to call": "c",
    "leans": "l",
    "not measured": "m",
    "not applicable": "n",
}
"""What stands for each in a page, in the order in which a square shows them: what is refuted is seen first."""
_ORDER = [*LETTERS]


class Mark(NamedTuple):
    """What one or several parts of a claim have in common on a build."""

    verdict: Verdict
    """What is decided, or what it leans to."""
    leans: bool = False
    quick: bool = False
    """Whether a quick run decided it."""

    @classmethod
    def of(cls, part: PartVerdict) -> Self:
        """Return the mark of one part."""
        return cls(part.shown, part.is_leaning, part.is_quick)

    @property
    def letter(self) -> str:
        """What stands for its verdict in a page."""
        return LETTERS[self.verdict]


class ClaimVerdict(NamedTuple):
    """A claim on a cell."""

    claim: Claim
    cell: Cell
    parts: list[PartVerdict]

    @property
    def counted(self) -> Sequence[PartVerdict]:
        """The parts that count for the claim: the source's own, or, where all are questions of ours, those."""
        return [part for part in self.parts if not part.part.written.ours] or self.parts

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The different marks of the parts that count, what is refuted first."""
        return _marks([*filter(says_something, self.counted)] or self.counted)

    @property
    def is_of_ours_alone(self) -> bool:
        """Whether a question of ours was measured, and none of the parts that count."""
        return any(part.evidence for part in self.parts) and not any(part.evidence for part in self.counted)

    @property
    def verdict(self) -> OverallVerdict:
        """What is said of the claim as a whole; where its parts differ, it holds in part."""
        different: set[OverallVerdict] = {mark.verdict for mark in self.marks}
        return different.pop() if len(different) == 1 else "in part"

    @property
    def letters(self) -> str:
        """What each part that counts is counted as, a letter each."""
        return "".join(LETTERS[standing(part)] for part in self.counted)

    @property
    def anchor(self) -> str:
        """The id of its card."""
        return f"{slug(self.claim.id)}-{self.cell.key}"


def says_something(part: PartVerdict) -> bool:
    """Say whether a part counts for its claim on a build: one about another kind of build says nothing.

    One that no set-up here could refute or confirm does count: the claim as a whole was not shown to hold.
    """
    return part.verdict != "not applicable" or bool(part.part.written.not_applicable)


def common_marks(row: Sequence[ClaimVerdict]) -> tuple[Mark, ...]:
    """Return the marks of a claim on which builds agree: of each part that of the builds that measured it."""
    said: list[PartVerdict] = []
    for part in zip(*(each.counted for each in row), strict=True):
        applicable = [*filter(says_something, part)]
        said += [verdict for verdict in applicable if verdict.shown != "not measured"] or applicable
    return _marks(said) or row[0].marks


def _marks(parts: Sequence[PartVerdict]) -> tuple[Mark, ...]:
    return tuple(sorted({*map(Mark.of, parts)}, key=lambda mark: (_ORDER.index(mark.verdict), mark)))


def symbol_of(counted: Standing) -> str:
    """Return what a square shows of a part that counts as this: of one that leans, that it is too close to call."""
    return SYMBOLS["too close to call" if counted == "leans" else counted]


def standing(part: PartVerdict) -> Standing:
    """Return what a part is counted as."""
    return "leans" if part.is_leaning else part.verdict
