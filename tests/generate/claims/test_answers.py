"""How a claim is answered in words, on one build and on many."""

from __future__ import annotations

import pytest
from judging import claim_row

from generate.claims.answers import answer, answer_of


@pytest.mark.parametrize(
    ("by_build", "said"),
    [
        (["h"], "holds on CPython 3.12.1"),
        (["h", "h", "h"], "holds on all 3 builds"),
        (["hh", "hh", "hh"], "holds on all 3 builds"),
        (["hn", "hn", "hn"], "holds on all 3 builds"),
        (["hX", "hX", "hX"], "holds on all 3 builds"),
        (["n", "n", "n"], "not applicable"),
        (["nn", "nn", "nn"], "not applicable"),
        (["--", "--", "--"], "not applicable"),
        (["h-", "h-", "h-"], "of its two parts one holds and one is not applicable"),
        (["hm", "hm", "hm"], "of its two parts one holds and one is not measured"),
        (["h", "h", "h", "x"], "holds with the GIL, does not hold without it"),
        (["hx", "hx", "hx"], "refuted in part (of its two parts one holds and one does not hold)"),
        (
            ["hhxxh", "hhxxx", "hhxxx"],
            "refuted in part (of its five parts two hold, two do not hold and one is not the same on all builds)",
        ),
        (
            ["hxcm", "cxcm", "hcxm"],
            (
                "refuted in part (of its four parts one holds where it is decided, one does not hold where it is "
                "decided, one does not hold on the few builds that decide it and one is not measured)"
            ),
        ),
        (["hxxx", "hxxc"], "mostly refuted (of its four parts three do not hold where they are decided and one holds)"),
        (
            ["hxxx", "cccc", "cccc"],
            (
                "of its four parts three do not hold on the few builds that decide them and one holds on the few "
                "builds that decide it"
            ),
        ),
        (["xx", "xc"], "neither part holds where it is decided"),
        (["xx", "mx", "xx"], "neither part holds"),
        (["xxx", "xxc"], "none of the three parts holds where it is decided"),
        (["hhh", "hhc"], "all three parts hold where they are decided"),
        (
            ["mcx", "mcx"],
            "refuted in part (of its three parts one is not measured, one is undecided and one does not hold)",
        ),
        (["hc", "hl", "hc"], "of its two parts one holds and one is undecided"),
        (["hh", "hc", "hc"], "both parts hold, one of them where few builds decide it"),
        (["hh", "hc", "cc", "hc"], "both parts hold where they are decided, one of them on few builds"),
        (["xxx", "xcc", "xcc"], "none of the three parts holds, two of them where few builds decide them"),
        (
            ["hhc", "hcc", "hcc"],
            "of its three parts one holds, one holds on the few builds that decide it and one is undecided",
        ),
        (["hxM"], "refuted in part (of the source's two parts one holds and one does not hold)"),
        (["xc", "cx", "cc"], "neither part holds; few builds decide them"),
        (["hh", "hc"], "both parts hold where they are decided"),
        (["hh", "mh", "hh"], "both parts hold"),
        (["hxh", "xhh", "hxx"], "all three parts are not the same on all builds"),
    ],
)
def test_the_parts_of_a_claim_are_counted_where_they_differ(by_build: list[str], said: str) -> None:
    assert answer_of(claim_row(*by_build)) == said


def test_where_there_is_no_build_nothing_is_said() -> None:
    assert answer_of([]) == answer([[]]) == ""
