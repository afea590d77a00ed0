"""The board of verdicts: claims by builds, and where builds differ. Pure functions that return HTML."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from generate.claims.sentences import SHORT, SYMBOLS, build_words, listed
from generate.pages.templates import fragment, root_of
from generate.text.names import plain, slug

if TYPE_CHECKING:
    from markupsafe import Markup

    from generate.analysis.selection import Host
    from generate.claims.board import Board, ClaimVerdict, Difference
    from generate.claims.model import Claim
    from generate.pages.context import SiteContext


def board_html(context: SiteContext, page: str) -> Markup:
    """Return the board: for each machine where its builds differ, and a table a source, claims by builds."""
    board = context.board
    machines = [_machine(board, host) for host in board.machines()]
    families = sorted({family for claim in board.claims.claims for family in _families(board, claim)})
    return fragment(
        "verdict_board.html",
        machines=machines,
        builds=list(dict.fromkeys((build, words) for machine in machines for build, words, _head in machine["builds"])),
        sources=list(dict.fromkeys(claim.source for claim in board.claims.claims)),
        families=families,
        verdicts=list(SYMBOLS),
        symbols=SYMBOLS,
        faults=board.faults,
        root=root_of(page),
    )


def _machine(board: Board, host: Host) -> dict[str, Any]:
    cells, current = board.of_machine(host), board.current_cells()
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for claim in board.claims.claims:
        squares = [verdict_facts(each, has_card=each.cell in current) for each in board.row(claim, cells)]
        rows[claim.source].append({"claim": claim, "families": _families(board, claim), "squares": squares})
    return {
        "name": host.machine,
        "local": host.local,
        "key": host.key,
        "builds": [(cell.build, build_words(cell.build), _head(cell.build)) for cell in cells],
        "sources": [
            {"name": source, "title": board.claims.sources[source].title, "rows": of_source}
            for source, of_source in rows.items()
        ],
        "differences": [*map(_difference, board.differences(cells))],
    }


def _head(build: str) -> str:
    """Name a build as the head of a narrow column has room for: "3.14.0t"; other implementations by their name too."""
    return plain(build.removeprefix("cpython-"))


def _families(board: Board, claim: Claim) -> list[str]:
    """Name the families of the runners that a claim is about."""
    hypotheses = [part.hypothesis for part in board.parts[claim.id] if part.hypothesis]
    return sorted({each.scenario.runners[name].family for each in hypotheses for name in each.runners})


def verdict_facts(verdict: ClaimVerdict, *, has_card: bool = True) -> dict[str, Any]:
    """Return what a square shows. Its link is for readers without JavaScript: not every machine has cards on a page."""
    claim, cell = verdict.claim, verdict.cell
    return {
        "verdict": verdict.verdict,
        "leans": verdict.leans,
        "symbol": SYMBOLS[verdict.verdict],
        "words": SHORT.get(verdict.verdict, verdict.verdict),
        "build": build_words(cell.build),
        "cell": cell.key,
        "link": f"claims/{claim.source}.html#{verdict.anchor if has_card else slug(claim.id)}",
    }


def _difference(difference: Difference) -> dict[str, Any]:
    return {
        "claim": difference.part.claim,
        "id": difference.part.id,
        "part": difference.part.name,
        "builds": [
            (SYMBOLS[verdict], verdict, listed([*map(build_words, builds)])) for verdict, builds in difference.builds
        ],
    }


def differences_html(context: SiteContext, page: str) -> Markup:
    """Return the claims that the builds of the current machine decide differently, and which builds there are."""
    board = context.board
    cells = board.current_cells()
    return fragment(
        "differences.html",
        builds=[build_words(cell.build) for cell in cells],
        differences=[*map(_difference, board.differences(cells))],
        root=root_of(page),
    )
