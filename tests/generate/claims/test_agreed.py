"""On which claims all builds agree: the board folds those away, and shows what is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from judging import FASTER

from generate.analysis.selection import Cell
from generate.claims.board import Board, ClaimVerdict
from generate.claims.model import Claim, Claims

if TYPE_CHECKING:
    from generate.claims.verdicts import OverallVerdict

CLAIM = Claim("S1.1", "says", (FASTER,), "S1.toml", {})
HOLDS: OverallVerdict = "holds"
NOT: OverallVerdict = "does not hold"
CLOSE: OverallVerdict = "too close to call"
NONE: OverallVerdict = "not applicable"


def agreed(*verdicts: OverallVerdict, leans: int | None = None) -> OverallVerdict | None:
    cells = [Cell("host", local=False, build=f"cpython-3.{10 + number}.0") for number in range(len(verdicts))]
    judged = {
        (CLAIM.id, cell): ClaimVerdict(CLAIM, cell, [], verdict, number == leans)
        for number, (cell, verdict) in enumerate(zip(cells, verdicts, strict=True))
    }
    return Board(Claims("docs/claims", [], {}, {}, []), {}, [], judged, cells).agreed(CLAIM, cells)


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        ([HOLDS, HOLDS, HOLDS], HOLDS),
        ([NOT, NOT, NOT], NOT),
        ([HOLDS, NONE, HOLDS], HOLDS),
        ([NONE, NONE, NONE], NONE),
        ([HOLDS, HOLDS, NOT], None),
        ([HOLDS, HOLDS, CLOSE], None),
        ([CLOSE, CLOSE, CLOSE], None),
        (["in part", "in part", "in part"], None),
        ([HOLDS, HOLDS], None),
    ],
)
def test_builds_agree_where_all_to_which_a_claim_applies_decide_it_alike(
    verdicts: list[OverallVerdict], verdict: OverallVerdict | None
) -> None:
    assert agreed(*verdicts) == verdict


def test_what_only_leans_is_open() -> None:
    assert agreed(HOLDS, HOLDS, HOLDS, leans=1) is None
