"""The board of verdicts as text: in a terminal, and on the page of a hosted run."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from generate.claims.sentences import SYMBOLS, describe_verdict
from generate.words.builds import describe_build, format_build
from generate.words.machines import format_ownership
from generate.words.names import strip_markup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generate.claims.board import Board
    from generate.claims.marks import ClaimVerdict
    from generate.claims.model import Claim
    from generate.claims.verdicts import Verdict
    from generate.data.selection import MachineKey, ResultKey

STYLES: dict[Verdict, str] = {"holds": "green", "does not hold": "red", "undecided": "yellow"}
BUILD_ROOM, CLAIM_ROOM = 13, 28
"""Characters of a column, its frame included; a claim has at least so many."""
FEWEST_LETTERS = 15
"""Of what a claim says."""


def show(board: Board, claims: Sequence[Claim], console: Console | None = None, *, in_full: bool = False) -> None:
    """Print the verdicts on *claims*, machine by machine, and how many there are of each kind.

    *In full*: with what each part expects and what was measured on each build.
    """
    screen = console or Console(highlight=False)
    for host in board.machines():
        for cells in _that_fit(board.of_machine(host), screen.width):
            screen.print(_table(board, claims, cells, screen.width))
        for claim in claims if in_full else ():
            _print_claim(screen, board, claim, board.of_machine(host))
    counts = Counter(part.verdict for claim in claims for each in board.row(claim, board.cells) for part in each.parts)
    screen.print("Parts of claims: " + ", ".join(f"{symbol} {counts[each]} {each}" for each, symbol in SYMBOLS.items()))


def _that_fit(cells: Sequence[ResultKey], width: int) -> Iterator[Sequence[ResultKey]]:
    """Yield as many builds at a time as a table has room for: a wider one would be cut at the right."""
    room = max(1, (width - CLAIM_ROOM) // BUILD_ROOM)
    for first in range(0, len(cells), room):
        yield cells[first : first + room]


def _table(board: Board, claims: Sequence[Claim], cells: Sequence[ResultKey], width: int) -> Table:
    table = Table(title=escape(_machine(cells[0].machine_key)), title_justify="left")
    table.add_column("claim", no_wrap=True, min_width=5)
    room = width - CLAIM_ROOM + FEWEST_LETTERS - BUILD_ROOM * len(cells)
    table.add_column("says", no_wrap=True, overflow="ellipsis", width=max(room, FEWEST_LETTERS))
    for cell in cells:
        table.add_column(escape(format_build(cell.build)), justify="center", min_width=BUILD_ROOM - 3)
    for claim in claims:
        table.add_row(claim.id, escape(claim.says), *map(_marks, board.row(claim, cells)))
    return table


def _machine(host: MachineKey) -> str:
    return f"{host.machine}, {strip_markup(host.processor)}{format_ownership(host.machine, host.local)}"


def _print_claim(screen: Console, board: Board, claim: Claim, cells: Sequence[ResultKey]) -> None:
    """Print what each part of a claim expects, and below it what was measured on each build."""
    screen.print(f"\n[bold]{claim.id}[/] {escape(claim.says)}", soft_wrap=True)
    for part in board.parts[claim.id]:
        expected = f"expected: {part.hypothesis.words}" if part.hypothesis else part.reason
        screen.print(f"{part.id} {escape('; '.join(filter(None, [part.name, expected])))}", soft_wrap=True)
        for verdict in board.part_row(part, cells) if part.hypothesis else ():
            screen.print(f"  {_styled(verdict.verdict)} {escape(describe_verdict(verdict))}", soft_wrap=True)


def markdown(board: Board) -> str:
    """Return the board as tables of Markdown, for the page of a run."""
    lines = ["## Verdicts", ""]
    for host in board.machines():
        cells = board.of_machine(host)
        heads = ["claim", *(describe_build(cell.build) for cell in cells)]
        lines += [f"### {strip_markup(_machine(host))}", "", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
        for claim in board.claims.claims:
            row = board.row(claim, cells)
            marks = [f"{''.join(SYMBOLS[each] for each in verdict.marks)} {verdict.verdict}" for verdict in row]
            says = re.sub(r"([|*_`<])", r"\\\1", claim.says)
            lines.append(f"| {' | '.join([f'{claim.id} {says}', *marks])} |")
        lines.append("")
    return "\n".join(lines)


def _marks(verdict: ClaimVerdict) -> str:
    return "".join(map(_styled, verdict.marks))


def _styled(verdict: Verdict) -> str:
    style = STYLES.get(verdict)
    return f"[{style}]{SYMBOLS[verdict]}[/]" if style else SYMBOLS[verdict]
