"""Reads docs/home.toml: the rows, questions and findings of the home page."""

from pathlib import Path

import msgspec

from generate.words.patterns import NOT_MEASURED
from runners.harness.errors import UserError

FILE = "home.toml"
MOST_WORDS = 6
"""In a finding's title."""
REASONS = ("can't", "needn't", NOT_MEASURED)
"""How a cell without a runner begins."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    family: str
    page: str
    """The address of its answer, below the site's root."""
    without_gil: bool = False
    """True for the counterpart without the GIL, compared by pairs within its runs."""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    about: str
    """What is compared: "Time for 1,000 tasks that each wait 100 ms"."""
    page: str
    scenario: str
    case: str
    metric: str
    """A metric of the scenario, or the time at a point of the map."""
    cells: dict[str, str]
    """By row: a runner, or why there is none."""

    def runner(self, row: str) -> str:
        """Return a row's runner; empty without one."""
        cell = self.cells.get(row, NOT_MEASURED)
        return "" if cell.startswith(REASONS) else cell

    def reason(self, row: str) -> tuple[str, str]:
        """Split why a row has no runner: "can't", "each has a copy"."""
        word, _, reason = self.cells.get(row, NOT_MEASURED).partition(": ")
        return word, reason


class Finding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    """True whenever `row` is clearly better than `against`, or clearly worse."""
    question: str
    row: str
    against: str
    is_better: bool


class HomeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    row: dict[str, Row] = {}
    question: dict[str, Question] = {}
    finding: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError for a row or question that is not in the file, or a long title."""
        rows = {row for each in self.question.values() for row in each.cells}
        rows |= {row for each in self.finding for row in (each.row, each.against)}
        unknown = [*rows - {*self.row}, *{each.question for each in self.finding} - {*self.question}]
        if unknown:
            msg = f"no row or question is called {min(unknown)!r}"
            raise ValueError(msg)
        for each in self.finding:
            if len(each.title.split()) > MOST_WORDS:
                msg = f"a finding's title has more than {MOST_WORDS} words: {each.title!r}"
                raise ValueError(msg)


def read(docs: Path) -> HomeFile:
    """Read the file below *docs*; empty without one. Raises UserError with the field."""
    path = docs / FILE
    try:
        return msgspec.toml.decode(path.read_bytes(), type=HomeFile) if path.exists() else HomeFile()
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        msg = f"{docs.name}/{FILE}: {error}"
        raise UserError(msg) from error
