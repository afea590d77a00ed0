"""The board of verdicts as text: in a terminal, and on the page of a hosted run."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from generate.claims.marks import Mark
from generate.claims.sentences import SYMBOLS, sentence
from generate.text.builds import build_words
from generate.text.hosted_machines import ownership_note
from generate.text.names import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generate.analysis.selection import Cell
    from generate.claims.board import Board
    from generate.claims.evidence import Evidence
    from generate.claims.marks import ClaimVerdict
    from generate.claims.model import Claim


CLAIM_ROOM, BUILD_ROOM = 11, 11
"""Characters of a column, its frame included."""
FEWEST_CHARACTERS = 10
ROUNDS_WHERE_MARGINAL = 20


def show(board: Board, claims: Sequence[Claim], console: Console | None = None, *, in_full: bool = False) -> None:
    """Print which verdicts *claims* have, what the symbols mean and how many verdicts of each kind there are.

    *In full*: with what each part expects and what was measured on each build.
    """
    screen = console or Console(highlight=False)
    for host in board.machines():
        for cells in _that_fit(board.of_machine(host), screen.width):
            screen.print(_table(board, claims, cells, screen.width))
        for claim in claims if in_full else ():
            _print_claim(screen, board, claim, board.of_machine(host))
    screen.print(", ".join(f"{symbol} {verdict}" for verdict, symbol in SYMBOLS.items()) + "; in brackets: leans")
    verdicts = [part for claim in claims for each in board.row(claim, board.cells) for part in each.parts]
    counts = Counter(part.verdict for part in verdicts)
    screen.print("parts of claims: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    for each in verdicts:
        if each.evidence is not None and each.evidence.is_marginal:
            what = f"{each.part.id} on {escape(each.cell.build)} is within a tenth of its noise"
            screen.print(f"{what}: {how_to_decide(each.evidence)}")


def _that_fit(cells: Sequence[Cell], width: int) -> Iterator[Sequence[Cell]]:
    """Go through as many builds at a time as a table has room for: what is wider would be cut at the right."""
    room = max(1, (width - CLAIM_ROOM - FEWEST_CHARACTERS) // BUILD_ROOM)
    for first in range(0, len(cells), room):
        yield cells[first : first + room]


def _table(board: Board, claims: Sequence[Claim], cells: Sequence[Cell], width: int) -> Table:
    host = cells[0].host
    table = Table(title=escape(f"{host.machine}{ownership_note(*host)}"), title_justify="left")
    table.add_column("claim", no_wrap=True, min_width=5)
    room = width - CLAIM_ROOM - BUILD_ROOM * len(cells)
    table.add_column("says", width=max(room, FEWEST_CHARACTERS), no_wrap=True, overflow="ellipsis")
    for cell in cells:
        table.add_column(build_words(cell.build).replace("free-threaded", "t"), justify="center", width=BUILD_ROOM - 3)
    for claim in claims:
        table.add_row(claim.id, escape(claim.says), *map(_mark, board.row(claim, cells)))
    return table


def _print_claim(screen: Console, board: Board, claim: Claim, cells: Sequence[Cell]) -> None:
    """Print what each part of a claim expects, and below it what was measured on each build."""
    screen.print(f"\n{claim.id} {escape(claim.says)}", soft_wrap=True)
    for part in board.parts[claim.id]:
        expects = f"judged as {part.hypothesis.words}" if part.hypothesis else part.reason
        name = f"{part.name}; " if part.name else ""
        screen.print(f"{part.id} {escape(name + expects)}", soft_wrap=True)
        for verdict in board.part_row(part, cells) if part.hypothesis else ():
            why = f" ({verdict.reason})" if verdict.evidence and verdict.reason else ""
            said = f"{sentence(verdict).removesuffix('.')}{why}."
            screen.print(f"  {_symbol(Mark.of(verdict))} {escape(said)}", soft_wrap=True)


def how_to_decide(evidence: Evidence) -> str:
    """Say what to measure for longer: a run of one build alone gives way to one of both, with and without the GIL."""
    file = evidence.gated.file
    other = "with" if file.record.build.free_threaded else "without"
    beside = f", in one run with the same Python {other} the GIL," if file.is_paired else ""
    return f"measure {evidence.hypothesis.scenario.name} there{beside} with --rounds {ROUNDS_WHERE_MARGINAL}"


def markdown(board: Board) -> str:
    """Return the board as tables of Markdown, for the page of a run."""
    lines = ["## Verdicts", ""]
    for host in board.machines():
        cells = board.of_machine(host)
        heads = ["claim", *(build_words(cell.build) for cell in cells)]
        lines += [f"### {plain(host.machine)}", "", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
        for claim in board.claims.claims:
            marks = [f"{_mark(verdict)} {verdict.verdict}" for verdict in board.row(claim, cells)]
            says = re.sub(r"([|*_`<])", r"\\\1", claim.says)
            lines.append(f"| {' | '.join([f'{claim.id} {says}', *marks])} |")
        lines.append("")
    return "\n".join([*lines, "In brackets: leans that way, not decided.", ""])


def _mark(verdict: ClaimVerdict) -> str:
    return "".join(map(_symbol, verdict.marks))


def _symbol(mark: Mark) -> str:
    return f"({SYMBOLS[mark.verdict]})" if mark.leans else SYMBOLS[mark.verdict]
