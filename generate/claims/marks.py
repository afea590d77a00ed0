"""Sums up the parts of a claim on one build: which verdicts they have, and what a small square shows of that. Pure."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Literal, NamedTuple

from generate.claims.verdicts import Verdict
from generate.data.estimates import DECIDED
from generate.words.names import format_address, slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generate.claims.model import Claim
    from generate.claims.verdicts import PartVerdict
    from generate.data.selection import ResultKey

OverallVerdict = Literal[Verdict, "in part"]
"""A verdict; or that of a claim whose parts have different ones."""

LETTERS: Mapping[Verdict, str] = {
    "does not hold": "x",
    "holds": "h",
    "undecided": "c",
    "not measured": "m",
    "does not apply": "n",
}
"""What stands for each in a page, in the order in which a square shows them: what is refuted is seen first."""
_ORDER = [*LETTERS]


class ClaimVerdict(NamedTuple):
    """A claim on a cell."""

    claim: Claim
    cell: ResultKey
    parts: list[PartVerdict]

    @property
    def count_noun(self) -> Sequence[PartVerdict]:
        """The parts that count for the claim: the source's own, or, if all are questions of ours, those."""
        return [part for part in self.parts if not part.part.written.ours] or self.parts

    @property
    def marks(self) -> tuple[Verdict, ...]:
        """The different verdicts of the parts that count, what is refuted first."""
        return _marks([*filter(is_applicable, self.count_noun)] or self.count_noun)

    @property
    def is_of_ours_alone(self) -> bool:
        """True if only a question of ours was measured."""
        return any(part.evidence for part in self.parts) and not any(part.evidence for part in self.count_noun)

    @property
    def verdict(self) -> OverallVerdict:
        """What is said of the whole claim; if its parts differ, it holds in part."""
        return self.marks[0] if len(self.marks) == 1 else "in part"

    @property
    def letters(self) -> str:
        """The verdict of each part that counts, a letter each."""
        return "".join(LETTERS[part.verdict] for part in self.count_noun)

    @property
    def anchor(self) -> str:
        """The id of its card."""
        return f"{slug(self.claim.id)}-{self.cell.key}"

    @property
    def former_anchor(self) -> str:
        """The id that it had before a machine had its processor in its name."""
        address = format_address(self.cell.machine, self.cell.build, local=self.cell.local)
        return f"{slug(self.claim.id)}-{address}"


def is_applicable(part: PartVerdict) -> bool:
    """True if a part counts for its claim on a build: one about another kind of build says nothing.

    One that no set-up here could refute or confirm does count: the whole claim was not shown to hold.
    """
    return part.verdict != "does not apply" or bool(part.part.written.not_applicable)


def merge_marks(row: Sequence[ClaimVerdict]) -> tuple[Verdict, ...]:
    """Return the marks of a claim on which builds agree: of each part, those of the builds that measured it."""
    said: list[PartVerdict] = []
    for part in zip(*(each.count_noun for each in row), strict=True):
        applicable = [*filter(is_applicable, part)]
        said += [verdict for verdict in applicable if verdict.verdict != "not measured"] or applicable
    return _marks(said) or row[0].marks


def _marks(parts: Iterable[PartVerdict]) -> tuple[Verdict, ...]:
    return tuple(sorted({part.verdict for part in parts}, key=_ORDER.index))


class Agreement(Enum):
    """How far builds agree on a claim, in the order of the board. The values head its groups."""

    DIFFERENT = "Not the same on all builds"
    """A part holds on one build and does not hold on another."""
    OPEN = "Not decided on every build"
    SAME = "All builds agree"
    """Each part has one verdict on all builds that it is about and that measured it."""
    UNKNOWN = "Not measured"


def find_agreement(row: Sequence[ClaimVerdict]) -> Agreement:
    """Return how far the builds of *row* agree on its claim."""
    by_part = zip(*(each.count_noun for each in row), strict=True)
    found = [{part.verdict for part in parts} - {"not measured", "does not apply"} for parts in by_part]
    if any({*DECIDED} <= verdicts for verdicts in found):
        return Agreement.DIFFERENT
    if any("undecided" in verdicts for verdicts in found):
        return Agreement.OPEN
    return Agreement.SAME if any(found) else Agreement.UNKNOWN
