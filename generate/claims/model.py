"""What the claims files hold: sources, their claims and tables, and what is wrong with them.

CONTRIBUTING.md, "Add a claim", says what the fields are for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import msgspec

from generate.claims.kinds import ClaimKind  # noqa: TC001 - msgspec looks it up

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What claims are of: a published article, or an experiment of our own."""

    title: str
    """Its title, in quotation marks; a description where no title is known."""
    subject: str
    """What it is about, in a few words: the title of its page."""
    author: str = ""
    """Who wrote it, as it is cited; empty where no name is known, or the source is our own."""
    address: Annotated[str, msgspec.Meta(pattern=r"^(https?://[!-~]+)?$")] = ""
    """Where it can be read; empty where that is not known."""
    year: str = ""
    """Empty where it bears no date."""
    about: str = ""
    """What it ran on; empty where it does not say so."""


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the source printed, as "4.2 s"."""

    candidate: str
    baseline: str = ""


class Needs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a claim can be judged at all."""

    cores: int = 1
    """Usable cores, at least."""
    python: Annotated[str, msgspec.Meta(pattern=r"^3\.\d+$")] = "3.10"
    """Version, at least."""
    gil: bool | None = None
    """Only with it, only without, or either."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One thing that a claim says."""

    name: str = ""
    scenario: str = ""
    case: str = ""
    cases: tuple[str, ...] = ()
    """Instead of `case`: several, in order."""
    quick_case: str = ""
    """Instead of `case`, where only a quick run was made: a smaller one that such a run has."""
    candidate: str = ""
    """A runner."""
    baseline: str = ""
    """A runner of the same case, or case/runner."""
    baseline_words: str = ""
    """What it is called beside the candidate, where its own name leaves out what they differ in; else empty."""
    baseline_build: Literal["own", "gil_twin"] = "own"
    """Whose the baseline is: the same build's, or the same Python's with the GIL, measured in the same run."""
    rule: str = ""
    """One of the map, by its name in analysis/map_rules.py, in the place of a case and runners."""
    metric: str = ""
    """Empty: the scenario's first."""
    printed: Printed | None = None
    expect: ClaimKind | None = None
    needs: Needs = Needs()
    why: str = ""
    """Why this bound, written before the measurement was looked at."""
    not_measured: str = ""
    """Why it is not measured at all; it then has no comparison."""
    not_applicable: str = ""
    """Why no set-up here could refute it, or none confirm it: it then has no comparison and says nothing."""
    depends_on: str = ""
    """What the outcome turns on that was measured at one value alone: then it refutes nobody on home."""
    ours: bool = False
    """Whether it is our question and not the source's: it does not count for the claim."""


class TableCell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A figure of the source, and what is measured beside it. All may be empty."""

    printed: str = ""
    scenario: str = ""
    case: str = ""
    runner: str = ""
    metric: str = ""


class TableRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An experiment of the source."""

    name: str
    cells: tuple[TableCell, ...]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the source."""

    title: str
    columns: tuple[str, ...]
    row: tuple[TableRow, ...]
    note: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError where a row has not one cell a column."""
        if any(len(row.cells) != len(self.columns) for row in self.row):
            msg = "a row has a cell for each of the columns"
            raise ValueError(msg)


class Claim(NamedTuple):
    """A published claim."""

    id: str
    says: str
    parts: tuple[Part, ...]
    file: str
    table: Mapping[str, Any]
    """As the file has it."""

    @property
    def source(self) -> str:
        """The source that makes it."""
        return self.id.partition(".")[0]


class Fault(NamedTuple):
    """What is wrong with a file."""

    file: str
    key: str
    """Where in it; empty where it could not be read at all."""
    message: str

    @property
    def source(self) -> str:
        """The source whose file it is."""
        return self.file.rpartition("/")[2].removesuffix(".toml")

    def __str__(self) -> str:
        """Write it in one line: keys can hold any character, and a job's log acts on lines."""
        text = ": ".join(filter(None, self))
        return "".join(letter if letter.isprintable() else " " for letter in text)


class MistakeError(Exception):
    """Something in a file can't be; `key` is where."""

    def __init__(self, *, key: str, message: str) -> None:
        """Keep the key."""
        super().__init__(message)
        self.key = key


class Claims(NamedTuple):
    """All that the claims files hold."""

    folder: str
    """Where they are, as faults name it."""
    claims: list[Claim]
    """In order of source and number."""
    sources: dict[str, Source]
    """By id, in order; a file that could not be read is a source all the same."""
    tables: dict[str, tuple[Table, ...]]
    """By source: the tables of its page."""
    faults: list[Fault]

    def figures(self) -> Iterator[tuple[str, str, TableCell]]:
        """Go through the cells of all tables that name a measurement, each with its file and key."""
        for source, tables in self.tables.items():
            rows = [(f"table[{n}].row[{m}]", row) for n, table in enumerate(tables) for m, row in enumerate(table.row)]
            for key, row in rows:
                for number, cell in enumerate(row.cells):
                    if cell.scenario:
                        yield f"{self.folder}/{source}.toml", f"{key}.cells[{number}]", cell

    def citation(self, source: str) -> str:
        """Return how a source is cited; its id alone where nothing is known of it."""
        known = self.sources.get(source, UNREADABLE)
        if known is UNREADABLE:
            return source
        named = ", ".join(filter(None, [source, known.author, known.title]))
        return f"{named} ({'; '.join(filter(None, [known.year or 'undated', known.about]))})"

    def groups(self) -> list[SourceGroup]:
        """Return the sources as they are shown: each by itself, but those that are widely quoted as one."""
        quoted = tuple(source for source in self.sources if is_quoted(source))
        alone = [SourceGroup(source, known.title, (source,)) for source, known in self.sources.items()]
        together = [SourceGroup(QUOTED, "widely quoted", quoted)] if quoted else []
        return [*(group for group in alone if not is_quoted(group.id)), *together]


class SourceGroup(NamedTuple):
    """Sources that stand in one table of the board."""

    id: str
    """The source's id; of those that are widely quoted the letter of theirs."""
    title: str
    sources: tuple[str, ...]


QUOTED = "W"
"""What the ids of sources begin with that are widely quoted: each says one thing, mostly."""


def is_quoted(source: str) -> bool:
    """Say whether a source is one of those that are widely quoted, by its id."""
    return source.startswith(QUOTED)


UNREADABLE = Source("a source whose file has a mistake", "not readable")


def key_of(claim: str, table: Mapping[str, Any], number: int, path: str) -> str:
    """Return where the file has a *path* of a part: `S1.2.part[1].expect`, or `S1.2.expect` above the parts."""
    parts, name = table.get("part"), re.split(r"[.\[]", path)[1]
    is_above = parts is None or (name in table and name not in parts[number])
    return claim + path if is_above else f"{claim}.part[{number}]{path}"
