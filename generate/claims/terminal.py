"""The board of verdicts in a terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from generate.claims.marks import SYMBOLS
from generate.claims.sentences import describe_verdict
from generate.words import patterns
from generate.words.builds import format_build
from generate.words.machines import format_ownership
from generate.words.names import strip_markup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.claims.board import Board
    from generate.claims.judge import Verdict
    from generate.claims.marks import ClaimVerdict
    from generate.claims.model import Claim
    from generate.data.files import MachineKey, ResultKey

STYLES: dict[Verdict, str] = {"holds": "green", "does not hold": "red", "undecided": "yellow"}
BUILD_ROOM, CLAIM_ROOM = 13, 28
"""Characters of a build's column with its frame, and at least of a claim's."""


def show(board: Board, claims: Sequence[Claim], console: Console | None = None, *, in_full: bool = False) -> None:
    """Print the verdicts on *claims* by machine, and the number of each kind.

    *in_full* adds what each part expects and what was measured on each build.
    """
    screen = console or Console(highlight=False)
    room = max(1, (screen.width - CLAIM_ROOM) // BUILD_ROOM)  # a table with more builds would be cut at the right
    for machine in board.machines():
        keys = board.results_on(machine)
        for first in range(0, len(keys), room):
            screen.print(_make_table(board, claims, keys[first : first + room]))
        for claim in claims if in_full else ():
            _print_claim(screen, board, claim, keys)
    counts = Counter(
        part.verdict for claim in claims for each in board.row(claim, board.results) for part in each.parts
    )
    numbers = ", ".join(f"{symbol} {counts[each]} {each}" for each, symbol in SYMBOLS.items())
    screen.print(patterns.COUNTED_PARTS.format(numbers))


def _make_table(board: Board, claims: Sequence[Claim], keys: Sequence[ResultKey]) -> Table:
    table = Table(title=escape(_describe_machine(keys[0].machine_key)), title_justify="left", expand=True)
    table.add_column("claim", no_wrap=True, min_width=5)
    table.add_column("statement", no_wrap=True, overflow="ellipsis", ratio=1)
    for key in keys:
        table.add_column(escape(format_build(key.build)), justify="center", min_width=BUILD_ROOM - 3)
    for claim in claims:
        table.add_row(claim.id, escape(claim.says), *map(_marks, board.row(claim, keys)))
    return table


def _describe_machine(machine: MachineKey) -> str:
    return f"{machine.machine}, {strip_markup(machine.processor)}{format_ownership(machine.machine, machine.local)}"


def _print_claim(screen: Console, board: Board, claim: Claim, keys: Sequence[ResultKey]) -> None:
    """Print what each part of a claim expects, then what was measured on each build."""
    screen.print(f"\n[bold]{claim.id}[/] {escape(claim.says)}", soft_wrap=True)
    for part in board.parts[claim.id]:
        expected = patterns.CLAIM_EXPECTED.format(part.hypothesis.expectation) if part.hypothesis else part.reason
        screen.print(f"{part.id} {escape('; '.join(filter(None, [part.name, expected])))}", soft_wrap=True)
        for verdict in board.part_row(part, keys) if part.hypothesis else ():
            screen.print(f"  {_styled(verdict.verdict)} {escape(describe_verdict(verdict))}", soft_wrap=True)


def _marks(verdict: ClaimVerdict) -> str:
    return "".join(map(_styled, verdict.marks))


def _styled(verdict: Verdict) -> str:
    style = STYLES.get(verdict)
    return f"[{style}]{SYMBOLS[verdict]}[/]" if style else SYMBOLS[verdict]
