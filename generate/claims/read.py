"""Reads the sources and their claims: docs/claims/<source>.toml.

`[source]` says what the source is, a `[[table]]` is a table of it, `[S1.2]` is a claim and `[[S1.2.part]]` each thing
that it says; what stands above the parts holds for all of them. A mistake costs its claim and no other, and is reported
with the file and the key.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import msgspec

from generate.claims.kinds import ClaimKind, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

FOLDER = "claims"
_SOURCE_ID = re.compile(r"([A-Z]+)(\d+)")


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What claims are of: a published article, or an experiment of our own."""

    title: str
    """Its title, in quotation marks; a description where no title is known."""
    subject: str
    """What it is about, in a few words: the title of its page."""
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
    python: str = "3.10"
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
    candidate: str = ""
    """A runner."""
    baseline: str = ""
    """A runner of the same case, or case/runner."""
    metric: str = ""
    """Empty: the scenario's first."""
    printed: Printed | None = None
    expect: ClaimKind | None = None
    needs: Needs = Needs()
    why: str = ""
    """Why this bound, written before the measurement was looked at."""
    not_measured: str = ""
    """Why it is not measured at all; it then has no comparison."""
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

    def key_of(self, number: int, field: str) -> str:
        """Return where the file has a field of a part: `S1.2.part[1].expect`, or `S1.2.expect` above the parts."""
        return _key(self.id, self.table, number, f".{field}")


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


class Claims(NamedTuple):
    """All that the claims files hold."""

    claims: list[Claim]
    """In order of source and number."""
    sources: dict[str, Source]
    """By id, in order; a file that could not be read is a source all the same."""
    tables: dict[str, tuple[Table, ...]]
    """By source: the tables of its page."""
    faults: list[Fault]

    def citation(self, source: str) -> str:
        """Return how a source is cited; its id alone where nothing is known of it."""
        found = self.sources.get(source, UNREADABLE)
        if found is UNREADABLE:
            return source
        return f"{source}, {found.title} ({'; '.join(filter(None, [found.year or 'undated', found.about]))})"


UNREADABLE = Source("a source whose file has a mistake", "not readable")
_To = TypeVar("_To")


class _WrittenClaim(msgspec.Struct):
    """What a claim's table holds of its own; all else is shared by its parts."""

    says: Annotated[str, msgspec.Meta(min_length=1)]
    part: Annotated[tuple[dict[str, Any], ...], msgspec.Meta(min_length=1)] = ({},)


class _MistakeError(Exception):
    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def read(docs: Path) -> Claims:
    """Read every source and claim below *docs*. Raises nothing: what is wrong is among the faults."""
    found = Claims([], {}, {}, [])
    for path in sorted((docs / FOLDER).glob("*.toml"), key=lambda path: _order(path.stem)):
        _read_file(path, f"{docs.name}/{FOLDER}/{path.name}", found)
    return found


def _read_file(path: Path, file: str, found: Claims) -> None:
    """Add to *found* what a file holds."""
    source = path.stem
    if not _SOURCE_ID.fullmatch(source):
        found.faults.append(Fault(file, "", "name it after its source, in capitals and a number, as S6.toml"))
        return
    found.sources[source] = UNREADABLE
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        found.faults.append(Fault(file, "", f"{error}; write it as TOML in UTF-8"))
        return
    with _noting(file, found):
        found.sources[source] = _convert(tree.pop("source", {}), Source, "source{}".format)
    with _noting(file, found):
        found.tables[source] = _convert(tree.pop("table", ()), tuple[Table, ...], "table{}".format)
    with _noting(file, found):
        claims = _convert(tree.pop(source, {}), dict[str, Any], f"{source}{{}}".format)
        for number in sorted(claims, key=lambda number: (len(number), number)):
            with _noting(file, found):
                found.claims.append(_claim(f"{source}.{number}", claims[number], file))
    for key in tree:
        found.faults.append(Fault(file, key, f"is no table of this file: a claim is [{source}.1]"))


@contextmanager
def _noting(file: str, found: Claims) -> Iterator[None]:
    try:
        yield
    except _MistakeError as error:
        found.faults.append(Fault(file, error.key, f"{error}"))


def _claim(key: str, table: dict[str, Any], file: str) -> Claim:
    """Make a claim of its table. Raises _MistakeError."""
    if not key.partition(".")[2].isdecimal():
        raise _MistakeError(key, "has no number: a claim is called like S1.2")
    written = _convert(table, _WrittenClaim, f"{key}{{}}".format)
    shared = {name: value for name, value in table.items() if name not in _WrittenClaim.__struct_fields__}
    parts = [
        _convert({**shared, **part}, Part, partial(_key, key, table, number))
        for number, part in enumerate(written.part)
    ]
    return Claim(key, written.says, tuple(parts), file, table)


def _convert(value: object, to: type[_To], key_of: Callable[[str], str]) -> _To:
    """Make *value* an object of its type. Raises _MistakeError, whose key *key_of* makes of a path as `.expect`."""
    try:
        return msgspec.convert(value, to, dec_hook=lambda _kind, given: kind_of(given))
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$")
        unknown = re.search(r"unknown field `(\w+)`", message)
        raise _MistakeError(key_of(path.rstrip("`") + (f".{unknown[1]}" if unknown else "")), message) from error


def _key(claim: str, table: Mapping[str, Any], number: int, path: str) -> str:
    """Return where the file has a *path* of a part: it may stand above the parts."""
    parts, name = table.get("part"), re.split(r"[.\[]", path)[1]
    is_above = parts is None or (name in table and name not in parts[number])
    return claim + path if is_above else f"{claim}.part[{number}]{path}"


def _order(source: str) -> tuple[str, int, str]:
    found = _SOURCE_ID.fullmatch(source)
    return (found[1], int(found[2]), "") if found else ("", 0, source)
