"""The board of verdicts as text: in a terminal, and on the page of a hosted run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from generate.claims.sentences import SYMBOLS, build_words
from generate.text.hosted_machines import ownership_note
from generate.text.names import plain

if TYPE_CHECKING:
    from generate.claims.board import Board, ClaimVerdict


CLAIM_ROOM, BUILD_ROOM = 11, 11
"""Characters of a column, its frame included."""
FEWEST_CHARACTERS = 10


def show(board: Board, console: Console | None = None) -> None:
    """Print a table a machine, then what the symbols mean and how many verdicts of each kind there are."""
    screen = console or Console(highlight=False)
    for machine, local in board.machines():
        columns = board.of_machine(machine, local)
        table = Table(title=escape(f"{machine}{ownership_note(machine, local)}"), title_justify="left")
        table.add_column("claim", no_wrap=True, min_width=5)
        room = screen.width - CLAIM_ROOM - BUILD_ROOM * len(columns)
        table.add_column("says", width=max(room, FEWEST_CHARACTERS), no_wrap=True, overflow="ellipsis")
        for column in columns:
            table.add_column(
                build_words(column.build).replace("free-threaded", "t"), justify="center", width=BUILD_ROOM - 3
            )
        for claim in board.claims.claims:
            table.add_row(claim.id, escape(claim.says), *(_mark(square) for square in board.row(claim, columns)))
        screen.print(table)
    screen.print(", ".join(f"{symbol} {verdict}" for verdict, symbol in SYMBOLS.items()) + "; in brackets: leans")
    counts = board.counts()
    screen.print("parts of claims: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))


def markdown(board: Board) -> str:
    """Return the board as tables of Markdown, for the page of a run."""
    lines = ["## Verdicts", ""]
    for machine, local in board.machines():
        columns = board.of_machine(machine, local)
        heads = ["claim", *(build_words(column.build) for column in columns)]
        lines += [f"### {plain(machine)}", "", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
        for claim in board.claims.claims:
            marks = [f"{_mark(square)} {square.verdict}" for square in board.row(claim, columns)]
            lines.append(f"| {' | '.join([f'{claim.id} {_in_a_cell(claim.says)}', *marks])} |")
        lines.append("")
    return "\n".join([*lines, "In brackets: leans that way, not decided.", ""])


def _in_a_cell(text: str) -> str:
    """Write a text of ours into a table of Markdown."""
    return re.sub(r"([|*_`<])", r"\\\1", text)


def _mark(square: ClaimVerdict) -> str:
    symbol = SYMBOLS[square.verdict]
    return f"({symbol})" if square.leans else symbol
