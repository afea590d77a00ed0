"""What a small square shows of the parts of a claim."""

from __future__ import annotations

from dataclasses import replace

import pytest
from judging import FAST, FASTER, claim_row, record_with, verdict_on

from generate.claims.marks import common_marks


@pytest.mark.parametrize(
    ("parts", "drawn", "verdict"),
    [
        ("h", ["h"], "holds"),
        ("hh", ["h"], "holds"),
        ("hx", ["x", "h"], "in part"),
        ("hcx", ["x", "h", "c"], "in part"),
        ("mch", ["h", "c", "m"], "in part"),
        ("hn", ["h"], "holds"),
        ("h-", ["h", "n"], "in part"),
        ("nn", ["n"], "not applicable"),
        ("l", ["h leans"], "holds"),
        ("lh", ["h", "h leans"], "holds"),
        ("hX", ["h"], "holds"),
        ("X", ["x"], "does not hold"),
    ],
)
def test_a_square_shows_each_verdict_of_the_parts_that_count_and_what_is_refuted_first(
    parts: str, drawn: list[str], verdict: str
) -> None:
    (on_build,) = claim_row(parts)
    assert [mark.letter + " leans" * mark.leans for mark in on_build.marks] == drawn
    assert on_build.verdict == verdict


def test_a_build_that_measured_a_question_of_ours_alone_is_told_from_one_that_measured_a_part_of_the_source_s() -> None:
    evidence = verdict_on(record_with(FAST), FASTER).evidence
    (none,) = claim_row("mX")
    of_source, ours = none.parts
    alone = none._replace(parts=[of_source, replace(ours, evidence=evidence)])
    both = none._replace(parts=[replace(each, evidence=evidence) for each in none.parts])
    assert [each.is_of_ours_alone for each in (none, alone, both)] == [False, True, False]


def test_filters_count_parts_and_one_that_leans_is_none_that_holds() -> None:
    assert [each.letters for each in claim_row("hxL", "lcX")] == ["hx", "lc"]


@pytest.mark.parametrize(
    ("by_build", "drawn"),
    [
        (["h", "m", "n"], ["h"]),
        (["hx", "mx", "hm"], ["x", "h"]),
        (["hm", "hm", "hm"], ["h", "m"]),
        (["n", "n", "n"], ["n"]),
        (["h-", "m-", "h-"], ["h", "n"]),
    ],
)
def test_one_square_stands_for_all_builds_that_agree(by_build: list[str], drawn: list[str]) -> None:
    assert [mark.letter for mark in common_marks(claim_row(*by_build))] == drawn
