"""Says how far the builds agree on a claim: the board shows first what differs, and folds what is the same. Pure."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from generate.claims.marks import standing
from generate.statistics.bounds import DECIDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.claims.marks import ClaimVerdict

FEWEST_TO_AGREE = 3
"""Of fewer builds nothing is folded: that they agree says little."""


class Agreement(Enum):
    """How far builds agree on a claim, in the order of the board. The values head its groups."""

    DIFFERENT = "Not the same on all builds"
    """A part holds on one build and does not hold on another."""
    OPEN = "Not decided on every build"
    """Some part is too close to call on some build, or only leans."""
    SAME = "All builds agree"
    """Each part has one verdict on all builds that it is about and that measured it."""
    UNKNOWN = "Not measured"
    """No part was measured, or applies."""


def agreement(row: Sequence[ClaimVerdict]) -> Agreement:
    """Say how far the builds of *row* agree on its claim."""
    by_part = zip(*([standing(part) for part in each.counted] for each in row), strict=True)
    said = [{*standings} - {"not measured", "not applicable"} for standings in by_part]
    if any({*DECIDED} <= verdicts for verdicts in said):
        return Agreement.DIFFERENT
    if any(verdicts & {"too close to call", "leans"} for verdicts in said):
        return Agreement.OPEN
    return Agreement.SAME if any(said) else Agreement.UNKNOWN
