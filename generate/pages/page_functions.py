"""The functions of hand-written pages that return what a single page is about: its form, its list, its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from markupsafe import Markup

from generate.pages import compare, home, machines_and_builds
from generate.pages import surprises as refuted
from generate.pages.article_cards import cards, opening
from generate.pages.build_functions import scenario_named
from generate.pages.data import one_number, validation_html

if TYPE_CHECKING:
    from generate.pages.context import SiteContext


class PageFunctions:
    """The functions that hardly more than one page calls."""

    def __init__(self, context: SiteContext, page: str) -> None:
        """Make them for *page*, a path below docs/."""
        self._context, self._page = context, page

    def cell_list(self, kind: Literal["machine", "build", "variant"]) -> Markup:
        """Return the list of all machines or builds, each with what was measured there."""
        return machines_and_builds.cell_list(self._context, kind, self._page)

    def repository(self) -> Markup:
        """Return the address from which the project is cloned, or a word in its place where that is not known."""
        return Markup(self._context.clone_address)  # noqa: S704 - a pattern, or fixed words

    def home_pictures(self) -> Markup:
        """Return the three pictures of home, each under the sentence that the data choose."""
        return home.pictures(self._context, self._page)

    def article_cards(self) -> Markup:
        """Return the articles as cards: each with its picture, its question and what it is about."""
        return cards(self._context, self._page)

    def opening_picture(self) -> Markup:
        """Return the picture that the article has on its card, to stand below its title."""
        return opening(self._context, self._page)

    def surprises(self) -> Markup:
        """Return the claims that are refuted most clearly on the newest result's build."""
        return refuted.surprises(self._context, self._page)

    def comparisons(self) -> Markup:
        """Return the table of all comparisons of results."""
        return compare.overview(self._context.site, self._context.comparisons, self._page)

    def validation(self) -> Markup:
        """Return the figures of the last validation of the statistics."""
        return validation_html(self._context.validated)

    def one_number(self, scenario: str, case: str, runner: str) -> Markup:
        """Return the samples that a runner's median is made of, and how to compute it from the file."""
        scenario_named(self._context.site, scenario, case, runner)
        return one_number(self._context, self._page, scenario, case, runner)
