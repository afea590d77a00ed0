"""How far builds agree on a claim: the board shows first what differs, and folds what is the same."""

from __future__ import annotations

import pytest
from judging import claim_row

from generate.claims.agreement import Agreement, agreement


@pytest.mark.parametrize(
    ("by_build", "how_far"),
    [
        (["h", "h", "h"], Agreement.SAME),
        (["x", "x", "x"], Agreement.SAME),
        (["hx", "hx", "hx"], Agreement.SAME),
        (["h", "n", "h"], Agreement.SAME),
        (["m", "m", "h"], Agreement.SAME),
        (["hm", "hm", "hm"], Agreement.SAME),
        (["h", "h", "x"], Agreement.DIFFERENT),
        (["hx", "hx", "xx"], Agreement.DIFFERENT),
        (["hc", "hc", "xc"], Agreement.DIFFERENT),
        (["h", "h", "c"], Agreement.OPEN),
        (["c", "c", "c"], Agreement.OPEN),
        (["hc", "hc", "hc"], Agreement.OPEN),
        (["h", "l", "h"], Agreement.OPEN),
        (["m", "m", "m"], Agreement.UNKNOWN),
        (["n", "m", "n"], Agreement.UNKNOWN),
    ],
)
def test_builds_agree_where_all_that_decide_a_part_decide_it_alike(by_build: list[str], how_far: Agreement) -> None:
    assert agreement(claim_row(*by_build)) is how_far


def test_what_we_ask_ourselves_opens_no_claim() -> None:
    assert agreement(claim_row("hX", "hH", "hC")) is Agreement.SAME
