"""The marks in a square of the board, and how far builds agree."""

import pytest
from judging import claim_row

from generate.claims.marks import LETTERS, Agreement, find_agreement, merge_marks


@pytest.mark.parametrize(
    ("parts", "drawn"),
    [
        *(("h", "h"), ("hh", "h"), ("hn", "h"), ("hX", "h"), ("nn", "n"), ("X", "x")),
        *(("hx", "xh"), ("hcx", "xhc"), ("mch", "hcm"), ("h-", "hn")),
    ],
)
def test_square_shows_refuted_parts_first(parts: str, drawn: str) -> None:
    (on_build,) = claim_row(parts)
    assert "".join(LETTERS[mark] for mark in on_build.marks) == drawn


def test_filters_count_the_parts_of_the_source() -> None:
    assert [each.letters for each in claim_row("hxC", "mcX")] == ["hx", "mc"]


@pytest.mark.parametrize(
    ("by_build", "drawn"),
    [("h m n", "h"), ("hx mx hm", "xh"), ("hm hm hm", "hm"), ("n n n", "n"), ("h- m- h-", "hn")],
)
def test_one_square_serves_all_builds_that_agree(by_build: str, drawn: str) -> None:
    assert "".join(LETTERS[mark] for mark in merge_marks(claim_row(*by_build.split()))) == drawn


@pytest.mark.parametrize(
    ("how_far", "rows"),
    [
        (Agreement.SAME, ("h h h", "hx hx hx", "h n h", "m m h", "hX hH hC")),
        (Agreement.DIFFERENT, ("h h x", "hc hc xc")),
        (Agreement.OPEN, ("h h c", "hc hc hc")),
        (Agreement.UNKNOWN, ("n m n",)),
    ],
)
def test_builds_agree_if_all_that_decide_decide_alike(how_far: Agreement, rows: tuple[str, ...]) -> None:
    assert {find_agreement(claim_row(*by_build.split())) for by_build in rows} == {how_far}
