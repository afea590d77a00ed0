"""Sums up the parts of a claim on one build: their verdicts, and the marks in its square."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from generate.claims.judge import PartVerdict, Verdict
from generate.claims.model import Claim
from generate.data.estimates import DECIDED
from generate.data.files import ResultKey, slug

LETTERS: Mapping[Verdict, str] = {
    "does not hold": "x",
    "holds": "h",
    "undecided": "c",
    "not measured": "m",
    "does not apply": "n",
}
"""Used in pages. A square shows them in this order, refuted first."""


class ClaimVerdict(NamedTuple):
    claim: Claim
    result: ResultKey
    parts: list[PartVerdict]

    @property
    def counting_parts(self) -> Sequence[PartVerdict]:
        """The source's own parts; ours if it has none."""
        return [part for part in self.parts if not part.part.written.ours] or self.parts

    @property
    def is_measured(self) -> bool:
        """True if there is evidence for or against any part."""
        return any(part.evidence for part in self.parts)

    @property
    def marks(self) -> tuple[Verdict, ...]:
        """The distinct verdicts of the parts that count, refuted first."""
        parts = [*filter(is_applicable, self.counting_parts)] or self.counting_parts
        return _sort_marks({part.verdict for part in parts})

    @property
    def letters(self) -> str:
        """The verdict of each part that counts, a letter each."""
        return "".join(LETTERS[part.verdict] for part in self.counting_parts)

    @property
    def anchor(self) -> str:
        """The id of its card."""
        return f"{slug(self.claim.id)}-{self.result.key}"


def is_applicable(part: PartVerdict) -> bool:
    """True if a part is about this kind of build, so that it counts for its claim.

    A part that no set-up could refute or confirm counts too: the claim was not shown to hold.
    """
    return part.verdict != "does not apply" or bool(part.part.written.not_applicable)


def merge_marks(row: Sequence[ClaimVerdict]) -> tuple[Verdict, ...]:
    """Return the marks of a claim on which builds agree: for each part, the marks of every build that measured it."""
    return _sort_marks({mark for each in _verdicts_by_part(row) for mark in each}) or row[0].marks


def _verdicts_by_part(row: Sequence[ClaimVerdict]) -> list[set[Verdict]]:
    """Return the verdicts on each part that counts; “not measured” only if no build has a different one."""
    by_part = zip(*(each.counting_parts for each in row), strict=True)
    verdicts = [{part.verdict for part in parts if is_applicable(part)} for parts in by_part]
    return [each - {"not measured"} or each for each in verdicts]


def _sort_marks(verdicts: set[Verdict]) -> tuple[Verdict, ...]:
    return tuple(sorted(verdicts, key=[*LETTERS].index))


class Agreement(Enum):
    """How far builds agree on a claim, in the order of the board. The values head its groups."""

    DIFFERENT = "Not the same on all builds"
    OPEN = "Not decided on every build"
    SAME = "All builds agree"
    """Each part has one verdict on all builds that measured it and that it is about."""
    UNKNOWN = "Not measured"


def find_agreement(row: Sequence[ClaimVerdict]) -> Agreement:
    """Return how far the builds of *row* agree on its claim."""
    verdicts = _verdicts_by_part(row)
    if any({*DECIDED} <= each for each in verdicts):
        return Agreement.DIFFERENT
    if any("undecided" in each for each in verdicts):
        return Agreement.OPEN
    return Agreement.SAME if any({*DECIDED} & each for each in verdicts) else Agreement.UNKNOWN
