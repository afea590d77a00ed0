"""How expectations and answers to claims are worded, on one build and on many."""

import pytest
from judging import VERDICTS, claim_row

from generate.claims.kinds import claim_kind
from generate.claims.sentences import describe_answer, describe_spread
from generate.words.numbers import NO_BREAK
from generate.words.units import find_unit


@pytest.mark.parametrize(
    ("expect", "unit", "words"),
    [
        ({"ratio_below": 0.2}, "ns", "at least 5 times as fast"),
        ({"ratio_below": 1}, "ns", "faster"),
        ({"ratio_below": 1.1}, "ns", "at most 1.1 times as long"),
        ({"ratio_above": 2}, "ns", "at least 2 times as long"),
        ({"ratio_above": 0.5}, "ns", "at most 2 times as fast"),
        ({"ratio_above": 1}, "bytes", "more"),
        ({"ratio_below": 0.1}, "bytes", "lower by a factor of at least 10"),
        ({"ratio_above": 2}, "per_s", "at least 2 times as many per second"),
        ({"ratio_within": 0.25}, "ns", "no difference beyond 25 %"),
        ({"ratio_near_printed": 1.25}, "ns", "2 times as fast, give or take a factor of 1.25"),
        ({"never_falls": 0.25}, "ns", "no step down by more than 25 %"),
        ({"value_at_most": "100 ms"}, "ns", "at most 100 ms"),
        ({"value_within": ["1", "2"]}, "count", "at least 1 and at most 2"),
        ({"value_within": ["5", "5"]}, "count", "exactly 5"),
        ({"right_at_least": 0.8}, "ratio", "right for at least 80 % of the points"),
    ],
)
def test_expectation_is_worded(expect: dict[str, object], unit: str, words: str) -> None:
    described = claim_kind(expect).describe(unit, 0.5, find_unit(unit).kind)
    assert described.replace(NO_BREAK, " ") == words


@pytest.mark.parametrize(
    ("builds", "words"),
    [
        ("3.11.9:h 3.14.0:h", "holds"),
        ("3.11.9:h 3.13.2:h 3.14.0:h 3.14.0t:c", "holds (undecided on 3.14 free-threaded)"),
        ("3.13.2:x 3.14.0:x 3.11.9:c 3.14.0t:c", "does not hold (undecided on 3.11 and 3.14 free-threaded)"),
        ("3.11.9:h 3.13.2:c 3.14.0:c", "undecided (holds on 3.11)"),
        ("3.11.9:n 3.13.2:n 3.14.0:n", "does not apply"),
        ("3.11.9:m 3.14.0:n", "not measured"),
        ("3.11.9:m 3.13.2:m 3.14.0t:m 3.10.1:m 3.14.0:h", "holds (measured only on 3.14)"),
        ("3.11.9:h 3.13.2:h 3.14.0:h 3.14.0t:x", "holds with the GIL; without it, it does not"),
        ("3.11.9:x 3.13.2:x 3.14.0:h 3.14.0t:h", "does not hold up to 3.13; from 3.14 it does"),
        ("3.11.9:h 3.13.2:c 3.14.0:x 3.14.0t:x", "holds up to 3.11; from 3.14 it does not (undecided on 3.13)"),
        ("3.11.9:h 3.14.0:h 3.13.2:x", "holds on 3.11 and 3.14; it does not on 3.13"),
        ("3.14.1:h 3.13.2:h 3.14.0:x", "holds on 3.14 and 3.13; it does not on 3.14"),
        ("3.11.9:h 3.11.2:h 3.14.0:x pypy-3.11.1:x", "holds on 3.11.9 and 3.11.2; it does not on 3.14 and PyPy 3.11"),
    ],
)
def test_spread_of_a_verdict_is_worded(builds: str, words: str) -> None:
    pairs = [each.split(":") for each in builds.split()]
    named = [(name if "-" in name else f"cpython-{name}", VERDICTS[letter]) for name, letter in pairs]
    by_verdict = {verdict: [name for name, each in named if each == verdict] for _, verdict in named}
    assert describe_spread(by_verdict) == words


@pytest.mark.parametrize(
    ("by_build", "words"),
    [
        ("", ""),
        ("hh hh hh", "holds"),
        ("hX hX hX", "holds"),
        ("-- --", "does not apply"),
        ("h- h-", "“part h” holds. “part -” does not apply"),
        ("hx hx", "“part h” holds. “part x” does not hold"),
        ("hhx hhx", "“part h” and “part h” hold. “part x” does not hold"),
        ("hc hc xc xc", "“part h” holds up to 3.13; from 3.14 it does not. “part c” is undecided"),
    ],
)
def test_parts_that_differ_are_named(by_build: str, words: str) -> None:
    assert describe_answer(claim_row(*by_build.split()) if by_build else []) == words
