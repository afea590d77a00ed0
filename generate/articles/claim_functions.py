"""The helpers of hand-written pages that speak of claims and verdicts; helpers.py lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.articles import board, claims, compare
from generate.articles.validation import validation_html
from generate.claims.sentences import build_words, listed, name_of
from generate.pages.templates import fragment, root_of
from generate.text.numbers import NOT_MEASURED
from generate.text.sources import SOURCES
from runners.harness.catalogue.scenarios import select

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from generate.pages.templates import SiteContext


class ClaimHelpers:
    """The helpers for one page."""

    def __init__(self, context: SiteContext, page: str) -> None:
        """Make the helpers for *page*, a path below docs/."""
        self._book, self._page = context, page

    def board(self) -> Markup:
        """Return the board of verdicts."""
        return board.board_html(self._book, self._page)

    def verdict(self, claim: str) -> str:
        """Say what is decided of a claim or of a part of it, build by build, on the machine that leads the board."""
        return _told(self._book.board.by_verdict(claim))

    def claim_list(self) -> Markup:
        """Return a list of all claims; the search finds each on the page of its source."""
        return fragment("claim_list.html", claims=self._book.board.claims.claims, root=root_of(self._page))

    def verdict_list(self, source: str) -> Markup:
        """Return a list of the claims of a source with what is decided of each of their parts."""
        select(SOURCES, [source], "source")
        board = self._book.board
        entries = [
            {
                "claim": claim,
                "parts": [(name_of(asked.part), _told(board.by_verdict(asked.id))) for asked in board.asked[claim.id]],
            }
            for claim in board.of_source(source)
        ]
        return fragment("verdict_list.html", entries=entries, root=root_of(self._page))

    def differences(self) -> Markup:
        """Return the claims that the builds of the leading machine decide differently."""
        return board.differences_html(self._book, self._page)

    def verdicts(self, source: str) -> Markup:
        """Return every claim of a source with its verdicts."""
        select(SOURCES, [source], "source")
        return claims.source_verdicts(self._book, source, self._page)

    def remeasured(self, source: str) -> Markup:
        """Return the tables of a source, printed and measured."""
        select(SOURCES, [source], "source")
        return claims.source_tables(self._book, source, self._page)

    def compare_form(self) -> Markup:
        """Return the form that compares two cells."""
        return compare.form(self._book, self._page)

    def validation(self) -> Markup:
        """Return the figures of the last validation of the statistics."""
        return validation_html(self._book.validated)


def _told(by_verdict: Mapping[str, Sequence[str]]) -> str:
    told = [f"{verdict} on {listed([*map(build_words, builds)])}" for verdict, builds in by_verdict.items()]
    return "; ".join(told) or NOT_MEASURED
