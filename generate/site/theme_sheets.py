"""The theme's stylesheets without the rules that no page of the site can use. Pure.

A browser reads every rule before it paints, and two in five of the theme's are for other sites: for other languages and
colours, for tabs, comments and announcements. What the site's pages and scripts do not name is taken out; a rule stays
where that is in doubt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import tinycss2
from tinycss2.ast import AtRule, IdentToken, LiteralToken, ParseError, QualifiedRule, SquareBracketsBlock, StringToken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tinycss2.ast import Node

WORD = re.compile(r"[A-Za-z_][\w-]*")
ATTRIBUTES = ("dir", "data-md-color-primary", "data-md-color-accent")
"""Those that have no other value than pages give them. (Scripts give one that stands at a switch of the page.)"""
GIVEN = re.compile(rf"""\b({"|".join(ATTRIBUTES)})=["']?([\w-]+)""")
NESTING = ("media", "supports")


@dataclass(frozen=True)
class Named:
    """What the pages and scripts of a site name."""

    words: frozenset[str]
    """All words: those that are classes, and many others."""
    starts: tuple[str, ...]
    """Words that end in a hyphen or an underscore, to which a script adds the rest of a class."""
    values: frozenset[tuple[str, str]]
    """Each of ATTRIBUTES with each value that a page gives it."""

    def may_match(self, selector: Sequence[Node]) -> bool:
        """Return whether anything on a page may match *selector*."""
        return all(map(self._is_given, selector)) and all(
            name.value in self.words or name.value.startswith(self.starts) or not WORD.fullmatch(name.value)
            for dot, name in pairwise(selector)
            if isinstance(dot, LiteralToken) and dot.value == "." and isinstance(name, IdentToken)
        )

    def _is_given(self, part: Node) -> bool:
        if not isinstance(part, SquareBracketsBlock):
            return True
        match part.content:
            case [IdentToken(value=name), LiteralToken(value="="), IdentToken() | StringToken() as value]:
                return name not in ATTRIBUTES or (name, value.value) in self.values
        return True


def named(pages: Iterable[str], scripts: Iterable[str]) -> Named:
    """Return what the site's pages, and the pieces of pages that these fetch, and its scripts name."""
    words: set[str] = set()
    values: set[tuple[str, str]] = set()
    for page in pages:
        words.update(WORD.findall(page))
        values.update(GIVEN.findall(page))
    for script in scripts:
        words.update(WORD.findall(script))
    too_short = {"md-", "_"}  # all of the theme's classes begin so
    starts = (word for word in words if word.endswith(("-", "_")) and word not in too_short)
    return Named(frozenset(words), tuple(starts), frozenset(values))


def trimmed(sheet: str, names: Named) -> str:
    """Return *sheet* without the rules of which no selector may match anything, and what stands between rules."""
    return "".join(_kept(tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True), names))


def _kept(rules: Iterable[Node], names: Named) -> Iterator[str]:
    for rule in rules:
        if isinstance(rule, QualifiedRule):
            matching = [tinycss2.serialize(each) for each in _selectors(rule.prelude) if names.may_match(each)]
            if matching:
                yield f"{','.join(matching)}{{{tinycss2.serialize(rule.content)}}}"
        elif isinstance(rule, AtRule) and rule.lower_at_keyword in NESTING and rule.content is not None:
            within = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            nested = "".join(_kept(within, names))
            if nested:
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{nested}}}"
        elif not isinstance(rule, ParseError):  # which browsers pass over too
            yield rule.serialize()


def _selectors(prelude: Iterable[Node]) -> list[list[Node]]:
    """Split a list of selectors at its commas: those within brackets are parts of one."""
    selectors: list[list[Node]] = [[]]
    for part in prelude:
        if isinstance(part, LiteralToken) and part.value == ",":
            selectors.append([])
        else:
            selectors[-1].append(part)
    return selectors
