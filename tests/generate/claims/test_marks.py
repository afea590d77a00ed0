"""The badge of a claim, on one build and over several."""

import pytest
from judging import claim_row

from generate.claims.marks import Badge, differs_between_builds, find_badge


@pytest.mark.parametrize(
    ("badge", "rows"),
    [
        (Badge.HOLDS, ("h", "hh", "hn", "hX", "h m n", "h h c")),
        (Badge.HALF, ("hx", "hc", "hm", "h-", "h x", "hx mx hm", "hc xc")),
        (Badge.REFUTED, ("X", "xx", "xc", "x-", "xm", "x x c")),
        (Badge.UNDECIDED, ("c", "cm", "h c c", "x c c")),
        (Badge.NOT_MEASURED, ("m", "m-", "m n")),
        (Badge.NOT_JUDGED, ("nn", "-", "n n")),
    ],
)
def test_badge_sums_up_parts_and_builds(badge: Badge, rows: tuple[str, ...]) -> None:
    assert {find_badge(claim_row(*by_build.split())) for by_build in rows} == {badge}
    assert find_badge([]) is Badge.NOT_MEASURED


@pytest.mark.parametrize(("row", "differs"), [("h x", True), ("hx hx", False), ("h c", False), ("hc xc", True)])
def test_builds_differ_if_some_refute_what_others_confirm(row: str, *, differs: bool) -> None:
    assert differs_between_builds(claim_row(*row.split())) is differs
