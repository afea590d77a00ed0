"""The functions of hand-written pages that speak of claims and verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.articles import claims
from generate.articles.validation import validation_html
from generate.claims.sentences import SHORT, build_words, listed
from generate.downloads.browser_values import current_cells
from generate.pages.templates import fragment, root_of
from generate.text.hosted_machines import ownership_note
from generate.text.names import plain
from generate.text.numbers import NOT_MEASURED
from runners.harness.catalogue.scenarios import select

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from markupsafe import Markup

    from generate.claims.hypotheses import Hypothesis
    from generate.pages.context import SiteContext


class ClaimFunctions:
    """The functions that speak of claims, for one page."""

    def __init__(self, context: SiteContext, page: str) -> None:
        """Make the functions for *page*, a path below docs/."""
        self._context, self._page = context, page

    def board(self) -> Markup:
        """Return the board of verdicts: claims by builds, a table a machine."""
        board = self._context.board
        hypotheses = {
            claim: [part.hypothesis for part in parts if part.hypothesis] for claim, parts in board.parts.items()
        }
        return fragment(
            "verdict_board.html",
            board=board,
            builds=[*dict.fromkeys(cell.build for cell in board.cells)],
            sources=[*dict.fromkeys(claim.source for claim in board.claims.claims)],
            families={claim: _families(of_claim) for claim, of_claim in hypotheses.items()},
            short=SHORT,
            root=root_of(self._page),
        )

    def verdict(self, claim: str) -> str:
        """Say what is decided of a claim or a part of it ("S4.2c"): "holds on CPython 3.10.13 and 3.11.7"."""
        return _words(self._context.board.by_verdict(claim))

    def claim_list(self) -> Markup:
        """Return a list of all claims; the search finds each on the page of its source."""
        return fragment("claim_list.html", claims=self._context.board.claims.claims, root=root_of(self._page))

    def verdict_list(self, source: str) -> Markup:
        """Return a list of the claims of a source with what is decided of each of their parts."""
        board = self._context.board
        entries = [
            {
                "claim": claim,
                "parts": [(part.name, _words(board.by_verdict(part.id))) for part in board.parts[claim.id]],
            }
            for claim in board.of_source(self._source(source))
        ]
        return fragment("verdict_list.html", entries=entries, root=root_of(self._page))

    def differences(self) -> Markup:
        """Return the claims that the builds of the current machine decide differently."""
        board = self._context.board
        cells = board.current_cells()
        return fragment("differences.html", cells=cells, differences=board.differences(cells), root=root_of(self._page))

    def verdicts(self, source: str) -> Markup:
        """Return every claim of a source, with its bounds and a card for each cell."""
        return claims.source_verdicts(self._context, self._source(source), self._page)

    def remeasured(self, source: str) -> Markup:
        """Return the tables of a source, printed and measured."""
        return claims.source_tables(self._context, self._source(source), self._page)

    def source(self, name: str) -> str:
        """Return how a source is cited."""
        return self._context.board.claims.citation(self._source(name))

    def source_list(self) -> Markup:
        """Return a table of all sources, each with a link to its page."""
        return claims.source_list(self._context)

    def compare_form(self) -> Markup:
        """Return the form that chooses two cells, and the place for what comes of it."""
        site, root = self._context.site, root_of(self._page)
        cells = sorted(current_cells(site).values(), key=lambda cell: (not cell.file.local, cell.machine, cell.order))
        options = [(c.address, f"{build_words(c.build)}, {plain(c.machine)}{ownership_note(*c.host)}") for c in cells]
        return fragment("compare.html", options=options, scenarios=[*site.scenarios], root=root)

    def validation(self) -> Markup:
        """Return the figures of the last validation of the statistics."""
        return validation_html(self._context.validated)

    def _source(self, name: str) -> str:
        """Return the id of a source. Raises UnknownNameError, which lists what there is."""
        return select(self._context.board.claims.sources, [name], "source")[0]


def _families(hypotheses: Iterable[Hypothesis]) -> list[str]:
    """Name the families of the runners that a claim is about."""
    return sorted({part.scenario.runners[name].family for part in hypotheses for name in part.runners})


def _words(by_verdict: Mapping[str, Sequence[str]]) -> str:
    decided = [f"{verdict} on {listed([*map(build_words, builds)])}" for verdict, builds in by_verdict.items()]
    return "; ".join(decided) or NOT_MEASURED
