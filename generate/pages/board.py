"""The board of verdicts: a row a claim, a square a build; and what a page fetches of it when it is wanted. Pure."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generate.claims.marks import Agreement, find_agreement, merge_marks
from generate.claims.sentences import describe_answer
from generate.pages import choices
from generate.pages.article_list import about
from generate.pages.templates import fragment, root_of
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
"""The page that the board is on; what it fetches has its links from there."""
CARDS = "assets/cards"
"""Where the cards of each cell lie below docs/."""

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
"""Builds: fewer are never folded, as their agreement says little."""
MOST_SHOWN = 20
"""Rows that a screen has room for: a further group that would be more is folded."""


class Row(NamedTuple):
    """A claim on the builds of a machine."""

    claim: Claim
    source: str
    """The filter's name of its source: those that are widely quoted have one together."""
    families: list[str]
    """Of the runners that it compares."""
    answer: str
    parts: list[tuple[str, str, str]]
    """Name of each part, what is decided, and what of ours that depends on; empty if it is the whole claim."""
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
    """Return the board of the current machine, with the filters that choose another."""
    of_claims, hosts = context.board, context.board.machines()
    sources = [group for group in of_claims.claims.groups() if of_claims.claims_from(*group.sources)]
    families = sorted({*chain.from_iterable(map(_families, of_claims.parts.values()))})
    return fragment(
        "board.html",
        faults=of_claims.faults,
        machines=hosts,
        machine_name=context.site.machine_name,
        builds=[*dict.fromkeys(cell.build for cell in of_claims.cells)],
        sources=[(group.id, group.id if group.sources == (group.id,) else group.title) for group in sources],
        families=families,
        legend=LEGEND,
        matrix=matrix(context, hosts[0], page) if hosts else "",
        root=root_of(page),
    )


def matrix(context: SiteContext, host: MachineKey, page: str) -> Markup:
    """Return the claims on the builds of one machine; empty if none of its builds is on the board."""
    cells = context.board.cells_on(host)
    if not cells:
        return Markup()
    current = next((each.key for each in context.site.cells() if each.key in cells), cells[-1])
    facts = {
        "groups": _groups(context.board, cells),
        "has_free_threaded": any(is_free_threaded(c.build) for c in cells),
    }
    return fragment(
        "matrix.html",
        host=host,
        machine_name=context.site.machine_name(host),
        cells=cells,
        current=current,
        root=root_of(page),
        **facts,
    )


def fetched(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Yield what the board fetches, path and JSON: the other machines' rows, and the cards of each cell."""
    of_claims = context.board
    for host in of_claims.machines()[1:]:
        yield choices.path(host, "board"), choices.encoded({"board": matrix(context, host, HOME)})
    for cell in of_claims.cells:
        verdicts = [of_claims.verdicts[claim.id, cell] for claim in of_claims.claims.claims]
        cards = {
            each.claim.id: fragment(
                "card.html",
                verdict=each,
                article=about(context.articles, each.claim),
                machine=context.site.machine_name(cell.machine_key),
                root=root_of(HOME),
            )
            for each in verdicts
        }
        yield f"{CARDS}/{cell.key}.json", choices.as_json(cards)


def _groups(of_claims: Board, cells: Sequence[ResultKey]) -> list[Group]:
    """Return the claims by how far the builds agree on them; what differs comes first, what is the same is folded.

    Few builds are never said to agree: then what is decided comes first.
    """
    sources = {source: group.id for group in of_claims.claims.groups() for source in group.sources}
    has_many = len(cells) >= FEWEST_TO_AGREE
    alike = {Agreement.SAME, Agreement.UNKNOWN} if has_many else {Agreement.UNKNOWN}
    rows: dict[Agreement, list[Row]] = defaultdict(list)
    for claim in of_claims.claims.claims:
        verdicts = of_claims.row(claim, cells)
        kind = find_agreement(verdicts)
        rows[kind].append(_row(of_claims, verdicts, sources[claim.source], is_alike=kind in alike))
    headings = {kind: kind.value for kind in Agreement}
    order = [*Agreement]
    if not has_many:
        headings[Agreement.SAME] = "Decided"
        order = [Agreement.DIFFERENT, Agreement.SAME, Agreement.OPEN, Agreement.UNKNOWN]
    groups: list[Group] = []
    for kind in (kind for kind in order if rows[kind]):
        shown = len(rows[kind]) + sum(len(group.rows) for group in groups if not group.is_folded)
        groups.append(Group(headings[kind], rows[kind], kind in alike or bool(groups and shown > MOST_SHOWN)))
    return groups


def _row(of_claims: Board, verdicts: Sequence[ClaimVerdict], source: str, *, is_alike: bool) -> Row:
    claim, cells = verdicts[0].claim, [each.cell for each in verdicts]
    parts, letters = of_claims.parts[claim.id], [each.letters for each in verdicts]
    return Row(
        claim,
        source,
        _families(parts),
        describe_answer(verdicts),
        [(part.name, of_claims.part_answer(part, cells), part.written.depends_on) for part in parts if len(parts) > 1],
        [merge_marks(verdicts)] if is_alike else [each.marks for each in verdicts],
        letters[0] if len({*letters}) == 1 else " ".join(letters),
    )


def _families(parts: Iterable[ClaimPart]) -> list[str]:
    """Name the families of the runners that a claim is about."""
    hypotheses = [part.hypothesis for part in parts if part.hypothesis]
    return sorted({judged.scenario.runners[name].family for judged in hypotheses for name in judged.runners})
