"""How a claim is answered in words, on one build and on many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from judging import claim_row

from generate.claims.sentences import describe_answer, describe_spread

if TYPE_CHECKING:
    from generate.claims.judge import Verdict

OLD, MIDDLE, NEW, FREE = "cpython-3.11.9", "cpython-3.13.2", "cpython-3.14.0", "cpython-3.14.0t"


@pytest.mark.parametrize(
    ("by_verdict", "words"),
    [
        ({}, ""),
        ({"holds": [OLD, NEW]}, "holds"),
        ({"holds": [OLD, MIDDLE, NEW], "undecided": [FREE]}, "holds (undecided on 3.14 free-threaded)"),
        (
            {"does not hold": [MIDDLE, NEW], "undecided": [OLD, FREE]},
            "does not hold (undecided on 3.11 and 3.14 free-threaded)",
        ),
        ({"holds": [OLD], "undecided": [MIDDLE, NEW]}, "undecided (holds on 3.11)"),
        ({"undecided": [OLD, MIDDLE], "does not apply": [FREE]}, "undecided"),
        ({"does not apply": [OLD, MIDDLE, NEW]}, "does not apply"),
        ({"not measured": [OLD], "does not apply": [NEW]}, "not measured"),
        ({"not measured": [OLD], "holds": [MIDDLE, NEW]}, "holds"),
        ({"not measured": [OLD, MIDDLE, FREE, "cpython-3.10.1"], "holds": [NEW]}, "holds (measured only on 3.14)"),
        ({"holds": [OLD, MIDDLE, NEW], "does not hold": [FREE]}, "holds with the GIL; without it, it does not"),
        ({"does not hold": [OLD, MIDDLE], "holds": [NEW, FREE]}, "does not hold up to 3.13; from 3.14 it does"),
        ({"holds": [OLD], "does not hold": [MIDDLE, NEW, FREE]}, "holds on 3.11; from 3.13 it does not"),
        (
            {"holds": [OLD], "undecided": [MIDDLE], "does not hold": [NEW, FREE]},
            "holds on 3.11; from 3.14 it does not (undecided on 3.13)",
        ),
        ({"holds": [OLD, NEW], "does not hold": [MIDDLE]}, "holds on 3.11 and 3.14; it does not on 3.13"),
        ({"holds": ["cpython-3.14.1", MIDDLE], "does not hold": [NEW]}, "holds on 3.14 and 3.13; it does not on 3.14"),
        (
            {"holds": [OLD, "cpython-3.11.2"], "does not hold": [NEW, "pypy-3.11.1"]},
            "holds on 3.11.9 and 3.11.2; it does not on 3.14 and PyPy 3.11",
        ),
    ],
)
def test_spread_of_a_verdict_is_worded(by_verdict: dict[Verdict, list[str]], words: str) -> None:
    assert describe_spread(by_verdict) == words


@pytest.mark.parametrize(
    ("by_build", "words"),
    [
        ([], ""),
        (["h"], "holds"),
        (["hh", "hh", "hh"], "holds"),
        (["hn", "hn", "hn"], "holds"),
        (["hX", "hX", "hX"], "holds"),
        (["n", "n", "n"], "does not apply"),
        (["--", "--"], "does not apply"),
        (["h-", "h-"], "“part h” holds. “part -” does not apply"),
        (["hm", "hm"], "“part h” holds. “part m” is not measured"),
        (["hx", "hx"], "“part h” holds. “part x” does not hold"),
        (["hhx", "hhx"], "“part h” and “part h” hold. “part x” does not hold"),
        (
            ["hhc", "hhc", "xxc", "xxc"],
            "“part h” and “part h” hold up to 3.13; from 3.14 they do not. “part c” is undecided",
        ),
        (["ccm", "ccm"], "“part c” and “part c” are undecided. “part m” is not measured"),
    ],
)
def test_parts_that_differ_are_named(by_build: list[str], words: str) -> None:
    assert describe_answer(claim_row(*by_build) if by_build else []) == words
