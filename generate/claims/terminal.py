"""The board of verdicts as text: in a terminal, and on the page of a hosted run."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from generate.claims.sentences import SYMBOLS, build_words
from generate.text.hosted_machines import ownership_note
from generate.text.names import plain

if TYPE_CHECKING:
    from generate.claims.board import Board
    from generate.claims.evidence import Evidence
    from generate.claims.marks import ClaimVerdict


CLAIM_ROOM, BUILD_ROOM = 11, 11
"""Characters of a column, its frame included."""
FEWEST_CHARACTERS = 10
ROUNDS_WHERE_MARGINAL = 20


def show(board: Board, console: Console | None = None) -> None:
    """Print a table a machine, then what the symbols mean and how many verdicts of each kind there are."""
    screen = console or Console(highlight=False)
    for host in board.machines():
        cells = board.of_machine(host)
        table = Table(title=escape(f"{host.machine}{ownership_note(*host)}"), title_justify="left")
        table.add_column("claim", no_wrap=True, min_width=5)
        room = screen.width - CLAIM_ROOM - BUILD_ROOM * len(cells)
        table.add_column("says", width=max(room, FEWEST_CHARACTERS), no_wrap=True, overflow="ellipsis")
        for cell in cells:
            table.add_column(
                build_words(cell.build).replace("free-threaded", "t"), justify="center", width=BUILD_ROOM - 3
            )
        for claim in board.claims.claims:
            table.add_row(claim.id, escape(claim.says), *map(_mark, board.row(claim, cells)))
        screen.print(table)
    screen.print(", ".join(f"{symbol} {verdict}" for verdict, symbol in SYMBOLS.items()) + "; in brackets: leans")
    counts = Counter(part.verdict for part in board.part_verdicts())
    screen.print("parts of claims: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    for part in board.part_verdicts():
        if part.evidence is not None and part.evidence.is_marginal:
            what = f"{part.part.id} on {escape(part.cell.build)} is within a tenth of its noise"
            screen.print(f"{what}: {how_to_decide(part.evidence)}")


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
    return "".join(f"({SYMBOLS[mark.verdict]})" if mark.leans else SYMBOLS[mark.verdict] for mark in verdict.marks)
