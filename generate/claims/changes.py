"""What a new Python changed: the parts of claims that one release confirms and the next refutes, or the reverse."""

from itertools import pairwise
from typing import NamedTuple

from packaging.version import Version

from generate.claims.board import Board
from generate.claims.judge import PartVerdict
from generate.claims.model import Claim
from generate.data.estimates import DECIDED
from generate.data.files import ResultKey
from runners.harness.record.build_names import name_parts, release


class Compared(NamedTuple):
    """A part of a claim that is decided on two releases."""

    before: PartVerdict
    after: PartVerdict

    @property
    def is_changed(self) -> bool:
        return self.before.verdict != self.after.verdict


class Step(NamedTuple):
    """The step from one release of CPython with the GIL to the next."""

    older: str
    newer: str
    compared: list[Compared]

    @property
    def changed(self) -> list[Compared]:
        return [each for each in self.compared if each.is_changed]


def list_steps(board: Board) -> list[Step]:
    """Return the steps between the releases on the board, the newest first. A claim is compared on one machine."""
    newest = {claim: _newest_by_release(board, claim) for claim in board.claims.claims}
    releases = sorted({name for keys in newest.values() for name in keys}, key=Version)
    steps = []
    for older, newer in pairwise(releases):
        both = ((claim, keys) for claim, keys in newest.items() if {older, newer} <= keys.keys())
        rows = (board.row(claim, [keys[older], keys[newer]]) for claim, keys in both)
        pairs = [Compared(*pair) for row in rows for pair in zip(*(each.counting_parts for each in row), strict=True)]
        steps.append(Step(older, newer, [each for each in pairs if {*DECIDED} >= {part.verdict for part in each}]))
    return steps[::-1]


def _newest_by_release(board: Board, claim: Claim) -> dict[str, ResultKey]:
    """Return the newest build of each release that measured a claim."""
    newest: dict[str, ResultKey] = {}
    for key in board.results_for(claim):  # in order
        implementation, version, free_threaded, kinds, _ = name_parts(key.build)
        is_plain = implementation == "cpython" and not free_threaded and not kinds
        if is_plain and board.verdicts[claim.id, key].is_measured:
            newest[release(version)] = key
    return newest
