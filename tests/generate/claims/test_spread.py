"""How it is said on which builds a verdict falls."""

from __future__ import annotations

import pytest

from generate.claims.spread import spread_words

OLD, MIDDLE, NEW, FREE = "cpython-3.11.9", "cpython-3.13.2", "cpython-3.14.0", "cpython-3.14.0t"


@pytest.mark.parametrize(
    ("by_verdict", "words"),
    [
        ({}, ""),
        ({"holds": [OLD]}, "holds on CPython 3.11.9"),
        ({"holds": [OLD, NEW]}, "holds on CPython 3.11.9 and 3.14.0"),
        ({"holds": [OLD], "does not hold": [NEW]}, "holds on CPython 3.11.9; does not hold on CPython 3.14.0"),
        ({"holds": [OLD, MIDDLE, NEW]}, "holds on all 3 builds"),
        (
            {"too close to call": [OLD, MIDDLE, NEW], "not applicable": [FREE]},
            "too close to call on all 3 builds that it is about",
        ),
        ({"not applicable": [OLD, MIDDLE, NEW]}, "not applicable"),
        (
            {"holds": [OLD, MIDDLE, NEW], "does not hold": [FREE]},
            "holds with the GIL, does not hold without it",
        ),
        ({"does not hold": [OLD, MIDDLE], "holds": [NEW, FREE]}, "does not hold up to 3.13.2, holds on 3.14.0"),
        ({"holds": [NEW, FREE], "does not hold": [OLD, MIDDLE]}, "does not hold up to 3.13.2, holds on 3.14.0"),
        (
            {"holds": [OLD], "does not hold": [MIDDLE, NEW, FREE]},
            "holds on 3.11.9, does not hold from 3.13.2 on",
        ),
        (
            {"holds": [OLD, MIDDLE, NEW], "leans to “holds”": ["cpython-3.12.1"], "too close to call": [FREE]},
            (
                "holds on 3 of 5 builds; leans to “holds” on CPython 3.12.1; "
                "too close to call on CPython 3.14.0 free-threaded"
            ),
        ),
        (
            {"holds": [OLD, NEW], "does not hold": [MIDDLE]},
            "holds on CPython 3.11.9 and 3.14.0; does not hold on CPython 3.13.2",
        ),
        (
            {"holds": [OLD, NEW], "does not hold": [MIDDLE, FREE]},
            ("holds on CPython 3.11.9 and 3.14.0; does not hold on CPython 3.13.2 and 3.14.0 free-threaded"),
        ),
        (
            {"holds": [OLD, NEW, MIDDLE], "does not hold": [FREE], "not applicable": ["pypy-3.11.1"]},
            "holds with the GIL, does not hold without it",
        ),
        ({"not measured": [OLD, MIDDLE, FREE]}, "not measured on any of the 3 builds"),
        ({"does not hold": [OLD, MIDDLE, FREE]}, "does not hold on any of the 3 builds"),
        ({"leans to “does not hold”": [OLD, MIDDLE, FREE]}, "leans to “does not hold” on all 3 builds"),
        (
            {"not measured": [OLD, FREE], "holds": [NEW]},
            "holds on CPython 3.14.0 (not measured on 3.11.9 and 3.14.0 free-threaded)",
        ),
        ({"not measured": [OLD, MIDDLE, FREE], "holds": [NEW]}, "holds on CPython 3.14.0 (not measured on 3 more)"),
        ({"not measured": ["pypy-3.11.1"], "holds": [NEW]}, "holds on CPython 3.14.0 (not measured on PyPy 3.11.1)"),
        (
            {"not measured": [OLD, MIDDLE, FREE], "holds": [NEW], "not applicable": ["cpython-3.12.1"]},
            "holds on CPython 3.14.0 (not applicable on 3.12.1, not measured on 3 more)",
        ),
        (
            {
                "not measured": ["cpython-3.10.1"],
                "holds": [OLD, MIDDLE, NEW],
                "not applicable": ["cpython-3.12.1", FREE],
            },
            "holds on all 3 builds (not applicable on 3.12.1 and 3.14.0 free-threaded, not measured on 3.10.1)",
        ),
        ({"holds": [OLD], "not applicable": [MIDDLE]}, "holds on CPython 3.11.9"),
        (
            {"holds": [OLD], "too close to call": [MIDDLE], "leans to “holds”": [NEW]},
            "holds on CPython 3.11.9; too close to call on CPython 3.13.2; leans to “holds” on CPython 3.14.0",
        ),
    ],
)
def test_it_is_said_as_a_person_would(by_verdict: dict[str, list[str]], words: str) -> None:
    assert spread_words(by_verdict) == words


def test_versions_of_two_implementations_have_no_order_in_common() -> None:
    said = spread_words({"holds": ["pypy-3.11.13"], "does not hold": ["cpython-3.13.2", "cpython-3.14.7"]})
    assert "up to" not in said
    assert "PyPy 3.11.13" in said
