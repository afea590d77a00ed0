"""The verdicts in a terminal."""

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from generate.claims.board import Board
from generate.claims.marks import LETTERS, find_badge
from generate.claims.model import Claim
from generate.claims.sentences import describe_answer, describe_verdict
from generate.data.files import MachineKey, ResultKey
from generate.words import patterns
from generate.words.builds import format_build
from generate.words.machines import format_ownership
from generate.words.names import capital, strip_markup


def show(board: Board, claims: Sequence[Claim], console: Console | None = None, *, in_full: bool = False) -> None:
    """Print the verdicts on *claims* by machine, and the number of each kind.

    *in_full* adds what each part expects and what was measured on each build.
    """
    screen = console or Console(highlight=False)
    for machine in board.machines():
        keys = board.results_on(machine)
        builds = ", ".join(format_build(key.build) for key in keys)
        screen.print(f"\n[bold]{escape(_describe_machine(machine))}[/]: {escape(builds)}", soft_wrap=True)
        for claim in claims:
            row = board.row(claim, keys)
            verdict = f"{find_badge(row).value}: {claim.title} {capital(describe_answer(row))}."
            screen.print(f"[bold]{claim.id}[/] {escape(verdict)}", soft_wrap=True)
            if in_full:
                _print_parts(screen, board, claim, keys)
    parts = [part for claim in claims for verdict in board.row(claim, board.results) for part in verdict.parts]
    counts = Counter(part.verdict for part in parts)
    screen.print(patterns.COUNTED_PARTS.format(", ".join(f"{counts[each]} {each}" for each in LETTERS)))


def _describe_machine(machine: MachineKey) -> str:
    return f"{machine.machine}, {strip_markup(machine.processor)}{format_ownership(machine.machine, machine.local)}"


def _print_parts(screen: Console, board: Board, claim: Claim, keys: Sequence[ResultKey]) -> None:
    """Print what each part of a claim expects, then what was measured on each build."""
    for part in board.parts[claim.id]:
        expected = patterns.CLAIM_EXPECTED.format(part.hypothesis.expectation) if part.hypothesis else part.reason
        screen.print(f"  {part.id} {escape('; '.join(filter(None, [part.name, expected])))}", soft_wrap=True)
        for verdict in board.part_row(part, keys) if part.hypothesis else ():
            screen.print(escape(f"    {verdict.verdict}: {describe_verdict(verdict)}"), soft_wrap=True)
