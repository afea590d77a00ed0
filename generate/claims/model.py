"""Contents of the claims files: sources, their claims and tables, and faults.

For the fields see CONTRIBUTING.md, "Add a claim".
"""

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

import msgspec

from generate.claims.kinds import ClaimKind
from generate.words.log_lines import log_line


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published article, or an experiment of our own."""

    title: str
    """In quotation marks; a description if no title is known."""
    subject: str
    author: str = ""
    address: Annotated[str, msgspec.Meta(pattern=r"^(https?://[!-~]+)?$")] = ""
    year: str = ""
    about: str = ""


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the source printed, as "4.2 s"."""

    candidate: str
    baseline: str = ""


class Needs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a build and machine must have for a claim to be judged at all."""

    cores: int = 1
    python: Annotated[str, msgspec.Meta(pattern=r"^3\.\d+$")] = "3.10"
    gil: bool | None = None


BaselineBuild = Literal["own", "gil_twin", "no_jit", "previous"]
"""The build of a baseline: the candidate's own; the same Python with the GIL; the same Python with its just-in-time
compiler off; or the release before `needs.python`, for claims about that release only."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of a claim: one comparison."""

    name: str = ""
    scenario: str = ""
    case: str = ""
    cases: Annotated[tuple[str, ...], msgspec.Meta(min_length=2)] = ()
    """Several cases in order, instead of `case`."""
    candidate: str = ""
    baseline: str = ""
    """A runner of the same case, or case/runner."""
    baseline_build: BaselineBuild = "own"
    rule: str = ""
    """Name of a rule of the map in data/map_rules.py, instead of a case and runners."""
    metric: str = ""
    printed: Printed | None = None
    expect: ClaimKind | None = None
    needs: Needs = Needs()
    why: str = ""
    not_measured: str = ""
    """Why it is never measured, instead of a comparison."""
    not_applicable: str = ""
    """Why no set-up could refute or confirm it, instead of a comparison."""
    depends_on: str = ""
    """The bound or grid of ours, or the processor, that the outcome depends on. Pages do not lead with such a part."""
    ours: bool = False
    """True if it is our own question, which does not count for the claim."""


class TableCell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A figure of the source, and what we measured for it. Any field may be empty."""

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
    title: str
    columns: tuple[str, ...]
    row: tuple[TableRow, ...]
    note: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless each row has one cell per column."""
        if any(len(row.cells) != len(self.columns) for row in self.row):
            msg = "each row needs one cell per column"
            raise ValueError(msg)


class Claim(NamedTuple):
    id: str
    says: str
    parts: tuple[Part, ...]
    file: str
    question: str = ""
    """As a reader would ask it, so that "yes" is what the source claims; may be empty."""

    @property
    def title(self) -> str:
        """The question, or the claim itself without one."""
        return self.question or self.says

    @property
    def source(self) -> str:
        return self.id.partition(".")[0]


class Fault(NamedTuple):
    file: str
    key: str
    message: str

    @property
    def source(self) -> str:
        return self.file.rpartition("/")[2].removesuffix(".toml")

    def __str__(self) -> str:
        """Format it as one line: keys can hold any character, and a job's log acts on lines."""
        return log_line(": ".join(filter(None, self)))


class Claims(NamedTuple):
    """The contents of all claims files."""

    folder: str
    claims: list[Claim]
    """In order of source and number."""
    sources: dict[str, Source]
    """By id, in order; a file that could not be read is a source too."""
    tables: dict[str, tuple[Table, ...]]
    faults: list[Fault]

    def figures(self) -> Iterator[tuple[str, str, TableCell]]:
        """Yield the table cells that name a measurement, each with its file and row."""
        for source, tables in self.tables.items():
            rows = ((f"{table.title}, {row.name}", row) for table in tables for row in table.row)
            cells = ((key, cell) for key, row in rows for cell in row.cells if cell.scenario)
            yield from ((f"{self.folder}/{source}.toml", key, cell) for key, cell in cells)

    def citation(self, source: str) -> str:
        """Cite a source, by its id if it is unreadable."""
        known = self.sources.get(source, UNREADABLE)
        if known is UNREADABLE:
            return source
        named = ", ".join(filter(None, [source, known.author, known.title]))
        return f"{named} ({'; '.join(filter(None, [known.year or 'undated', known.about]))})"


QUOTED = "W"
"""Prefix of the ids of widely quoted sources."""


def is_quoted(source: str) -> bool:
    """True if a source is widely quoted, by its id."""
    return source.startswith(QUOTED)


UNREADABLE = Source("a source whose file has a mistake", "not readable")
