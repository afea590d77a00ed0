"""The hand-written pages: no measurement of ours is typed in, and nothing is said of where it was written.

A number with a unit comes from a helper, or stands in typed_figures.toml with where it is from. To list one is to say
that no new measurement can make it wrong.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from runners.harness.catalogue import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
LISTED = tomllib.loads(Path(__file__).with_name("typed_figures.toml").read_text(encoding="utf-8"))
KINDS = {"printed", "parameter", "rule", "arithmetic"}
UNITS = (
    "ns|µs|ms|s|seconds?|minutes?|hours?|milliseconds?|microseconds?"
    "|times|x|\N{MULTIPLICATION SIGN}|%|per cent|per second|requests?/s|requests per second|requests a second"
)
FIGURE = re.compile(rf"(?<![\w.])(\d[\d,.]*)[ \N{{NO-BREAK SPACE}}]?({UNITS})(?!\w)")
NOT_PROSE = (
    re.compile(r"\A---\n.*?\n---\n", re.DOTALL),
    re.compile(r"```.*?```", re.DOTALL),
    re.compile(r"\{[{%#].*?[}%#]\}", re.DOTALL),
    re.compile(r"`[^`\n]*`"),
)


def typed_in(text: str) -> set[str]:
    for pattern in NOT_PROSE:
        text = pattern.sub(" ", text)
    return {f"{number} {unit}" for number, unit in FIGURE.findall(text)}


def listed(page: str) -> set[str]:
    return {figure for figures in LISTED.get(page, {}).values() for figure in figures}


@pytest.mark.parametrize("page", PAGES)
def test_no_measurement_is_typed_in(page: str) -> None:
    found = typed_in((DOCS / page).read_text(encoding="utf-8"))
    assert found - listed(page) == set(), "take it from a helper, or list where it is from"
    assert listed(page) - found == set(), "listed, and not on the page"


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("articles/")])
def test_an_article_can_be_read_in_one_sitting(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    for pattern in NOT_PROSE:
        text = pattern.sub(" ", text)
    assert 800 <= len(re.findall(r"[A-Za-z][\w'-]*", text)) <= 1600


def test_every_listed_figure_says_where_it_is_from() -> None:
    assert LISTED.keys() <= {*PAGES}
    assert {kind for page in LISTED.values() for kind in page} <= KINDS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It took 1.9 s.", {"1.9 s"}),
        ("twice: 3,000 requests/s and 2.5\N{NO-BREAK SPACE}times", {"3,000 requests/s", "2.5 times"}),
        ("`1.9 s` and {{ value('a', 'b', 'c') }} s, Python 3.13, S5.2, 12 at once", set()),
        ("```\n4 ms\n```", set()),
    ],
)
def test_a_figure_is_a_number_with_a_unit_outside_code_and_helpers(text: str, expected: set[str]) -> None:
    assert typed_in(text) == expected
