"""The board of verdicts: claims by builds, and where builds differ. Pure functions that return HTML."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from generate.analysis.selection import Host
from generate.claims.sentences import SHORT, SYMBOLS, build_words, listed, name_of
from generate.pages.templates import fragment, root_of
from generate.text.names import plain, slug
from generate.text.sources import SOURCES

if TYPE_CHECKING:
    from markupsafe import Markup

    from generate.claims.board import Board, ClaimVerdict, Difference
    from generate.claims.read import Claim
    from generate.pages.templates import SiteContext


def board_html(context: SiteContext, page: str) -> Markup:
    """Return the board: for each machine where its builds differ, and a table a source, claims by builds."""
    board = context.board
    machines = [_machine(board, name, local=local) for name, local in board.machines()]
    families = sorted({family for claim in board.claims.claims for family in _families(board, claim)})
    sources = {claim.source for claim in board.claims.claims}
    return fragment(
        "verdict_board.html",
        machines=machines,
        builds=list(dict.fromkeys((build, words) for machine in machines for build, words, _head in machine["builds"])),
        sources=sorted(sources),
        families=families,
        verdicts=list(SYMBOLS),
        symbols=SYMBOLS,
        faults=board.faults,
        root=root_of(page),
    )


def _machine(board: Board, name: str, *, local: bool) -> dict[str, Any]:
    columns, leading = board.of_machine(name, local), board.leading()
    sources: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for claim in board.claims.claims:
        squares = [square_facts(each, has_card=each.column in leading) for each in board.row(claim, columns)]
        sources[claim.source].append({"claim": claim, "families": _families(board, claim), "squares": squares})
    return {
        "name": name,
        "local": local,
        "key": Host(name, local).key,
        "builds": [(column.build, build_words(column.build), _head(column.build)) for column in columns],
        "sources": [{"name": name, "title": SOURCES[name].name, "rows": rows} for name, rows in sources.items()],
        "differences": [_difference(found) for found in board.differences(columns)],
    }


def _head(build: str) -> str:
    """Name a build as the head of a narrow column has room for: "3.14.0t"; other implementations by their name too."""
    return plain(build.removeprefix("cpython-"))


def _families(board: Board, claim: Claim) -> list[str]:
    """Name the families of the runners that a claim is about."""
    questions = [asked.question for asked in board.asked[claim.id] if asked.question]
    return sorted({question.scenario.runners[name].family for question in questions for name in question.runners})


def square_facts(square: ClaimVerdict, *, has_card: bool = True) -> dict[str, Any]:
    """Return what a square shows. Its link is for readers without JavaScript: not every machine has cards on a page."""
    verdict, leans = square.verdict, square.leans
    return {
        "verdict": verdict,
        "leans": leans,
        "symbol": SYMBOLS[verdict],
        "words": SHORT[verdict],
        "build": build_words(square.column.build),
        "cell": square.column.key,
        "link": f"claims/{square.claim.source}.html#{square.anchor if has_card else slug(square.claim.id)}",
    }


def _difference(found: Difference) -> dict[str, Any]:
    return {
        "claim": found.asked.claim,
        "id": found.asked.id,
        "part": name_of(found.asked.part),
        "builds": [
            (SYMBOLS[verdict], verdict, listed([*map(build_words, builds)])) for verdict, builds in found.builds
        ],
    }


def differences_html(context: SiteContext, page: str) -> Markup:
    """Return the claims that the builds of the leading machine decide differently, and which builds there are."""
    board = context.board
    columns = board.leading()
    return fragment(
        "differences.html",
        builds=[build_words(column.build) for column in columns],
        differences=[_difference(found) for found in board.differences(columns)],
        root=root_of(page),
    )
