"""The board of verdicts: a row a claim, a square a build; and the cards that it fetches."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generate.claims.marks import Agreement, find_agreement, merge_marks
from generate.claims.sentences import describe_answer
from generate.pages.articles import article_about
from generate.pages.templates import fragment, path_to_root
from generate.words.names import is_free_threaded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generate.claims.board import Board
    from generate.claims.hypotheses import ClaimPart
    from generate.claims.judge import Verdict
    from generate.claims.marks import ClaimVerdict
    from generate.claims.model import Claim
    from generate.data.selection import MachineKey, ResultKey
    from generate.pages.context import SiteContext

HOME = "index.md"
"""The page with the board; its cards have their links from there."""
CARDS = "assets/cards"
"""Where the cards of each build are below docs/."""

LEGEND: tuple[tuple[tuple[Verdict, ...], str], ...] = (
    (("holds",), "holds"),
    (("does not hold",), "does not hold"),
    (("undecided",), "undecided"),
    (("not measured",), "not measured"),
    (("does not apply",), "does not apply"),
    (("does not hold", "holds"), "split: its parts differ; red, one does not hold"),
)
"""What squares mean, in words."""
FEWEST_TO_AGREE = 3
"""Builds: fewer are never folded, as their agreement shows little."""
MOST_SHOWN = 20
"""Rows that a screen has room for: a further group that would exceed it is folded."""


class Row(NamedTuple):
    """A claim on the builds of a machine."""

    claim: Claim
    source: str
    """The filter's name of its source: widely quoted ones have one together."""
    families: list[str]
    """Of the runners that it compares."""
    answer: str
    parts: list[tuple[str, str, str]]
    """Name of each part, its answer, and the choice of ours that it depends on; empty for a claim of one part."""
    squares: list[tuple[Verdict, ...]]
    """One a build; if all agree, one for all."""
    letters: str
    """The verdict of each part, a word a build; one word if it is the same for all."""


class Group(NamedTuple):
    """Rows under one heading."""

    heading: str
    rows: list[Row]
    is_folded: bool


def board(context: SiteContext, page: str) -> Markup:
    """Return the board of the first machine, with its filters. Other machines have theirs on their pages."""
    claims = context.board
    sources = [group for group in claims.claims.groups() if claims.claims_from(*group.sources)]
    return fragment(
        "board.html",
        faults=claims.faults,
        machines=claims.machines(),
        builds=[cell.build for cell in claims.current_cells()],
        sources=[(group.id, group.id if group.sources == (group.id,) else group.title) for group in sources],
        families=sorted({name for parts in claims.parts.values() for name in _families(parts)}),
        legend=LEGEND,
        matrix=matrix(context, claims.machines()[0], page) if claims.cells else "",
        root=path_to_root(page),
    )


def matrix(context: SiteContext, host: MachineKey, page: str) -> Markup:
    """Return the claims on the builds of one machine; empty if none of its builds is on the board."""
    cells = context.board.cells_on(host)
    if not cells:
        return Markup()
    return fragment(
        "matrix.html",
        groups=_groups(context.board, cells),
        has_free_threaded=any(is_free_threaded(cell.build) for cell in cells),
        host=host,
        machine_name=context.site.machine_name(host),
        cells=cells,
        current=next((each.key for each in context.site.cells if each.key in cells), cells[-1]),
        root=path_to_root(page),
    )


def fetched(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Yield the cards of each build on the board, path and JSON."""
    board = context.board
    articles = {claim.id: article_about(context.articles, claim) for claim in board.claims.claims}
    for cell in board.current_cells():
        facts = {"machine": context.site.machine_name(cell.machine_key), "root": path_to_root(HOME)}
        cards = {
            each.claim.id: fragment("card.html", verdict=each, article=articles[each.claim.id], **facts)
            for each in (board.verdicts[claim.id, cell] for claim in board.claims.claims)
        }
        yield f"{CARDS}/{cell.key}.json", json.dumps(cards, separators=(",", ":"), ensure_ascii=False)


def _groups(board: Board, cells: Sequence[ResultKey]) -> list[Group]:
    """Group the claims by how far the builds agree: differences first, agreement folded.

    Few builds are never said to agree: then decided claims are one of the groups.
    """
    sources = {source: group.id for group in board.claims.groups() for source in group.sources}
    has_many = len(cells) >= FEWEST_TO_AGREE
    alike = {Agreement.SAME, Agreement.UNKNOWN} if has_many else {Agreement.UNKNOWN}
    rows: dict[Agreement, list[Row]] = defaultdict(list)
    for claim in board.claims.claims:
        verdicts = board.row(claim, cells)
        kind = find_agreement(verdicts)
        rows[kind].append(_row(board, verdicts, sources[claim.source], is_alike=kind in alike))
    order = [*Agreement] if has_many else [Agreement.DIFFERENT, Agreement.SAME, Agreement.OPEN, Agreement.UNKNOWN]
    groups: list[Group] = []
    for kind in filter(rows.get, order):
        shown = len(rows[kind]) + sum(len(group.rows) for group in groups if not group.is_folded)
        heading = kind.value if has_many or kind is not Agreement.SAME else "Decided"
        groups.append(Group(heading, rows[kind], kind in alike or bool(groups and shown > MOST_SHOWN)))
    return groups


def _row(board: Board, verdicts: Sequence[ClaimVerdict], source: str, *, is_alike: bool) -> Row:
    claim, cells = verdicts[0].claim, [each.cell for each in verdicts]
    parts, letters = board.parts[claim.id], [each.letters for each in verdicts]
    named = [(part.name, board.part_answer(part, cells), part.written.depends_on) for part in parts]
    return Row(
        claim,
        source,
        _families(parts),
        describe_answer(verdicts),
        named if len(named) > 1 else [],
        [merge_marks(verdicts)] if is_alike else [each.marks for each in verdicts],
        letters[0] if len({*letters}) == 1 else " ".join(letters),
    )


def _families(parts: Iterable[ClaimPart]) -> list[str]:
    """Return the families of the runners that a claim is about."""
    hypotheses = [part.hypothesis for part in parts if part.hypothesis]
    return sorted({judged.scenario.runners[name].family for judged in hypotheses for name in judged.runners})
