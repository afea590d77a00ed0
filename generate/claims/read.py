"""Reads the published claims: docs/claims/*.toml, one table a claim.

A claim is `[S1.2]`, with `[[S1.2.part]]` for each thing that it says; what stands above the parts holds for all of
them. Each claim is read by itself, so that a mistake in one costs no other; it is told with its file and line.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

FOLDER = "claims"
_CLAIM = re.compile(r"^\[(S\d+)\.(\d+)\]\s*(?:#.*)?$")


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


class Expect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a claim expects: exactly one of these. A ratio is candidate / baseline, paired by round."""

    ratio_below: float | None = None
    ratio_above: float | None = None
    ratio_within: float | None = None
    """No difference: 1 plus or minus this."""
    ratio_near_printed: float | None = None
    """The printed ratio, within so many times of it."""
    never_falls: float | None = None
    """From each of the cases to the next, the ratio is not below 1 less this."""
    value_at_most: str | None = None
    value_at_least: str | None = None
    value_within: tuple[str, str] | None = None

    def kind(self) -> str:
        """Name the one that is given. Raises ValueError where there is none, or more than one."""
        given = [name for name in self.__struct_fields__ if getattr(self, name) is not None]
        if len(given) != 1:
            msg = f"expects {' and '.join(given) or 'nothing'}; it must be one of {', '.join(self.__struct_fields__)}"
            raise ValueError(msg)
        return given[0]


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
    expect: Expect | None = None
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


class _Parts(msgspec.Struct, forbid_unknown_fields=True):
    part: tuple[Part, ...]


class _Tables(msgspec.Struct, forbid_unknown_fields=True):
    table: tuple[Table, ...] = ()


class Claim(NamedTuple):
    """A published claim."""

    id: str
    says: str
    parts: tuple[Part, ...]
    text: Text

    @property
    def source(self) -> str:
        """The source that makes it."""
        return self.id.partition(".")[0]


class Text(NamedTuple):
    """A stretch of a claims file."""

    file: str
    first_line: int
    lines: tuple[str, ...]

    def line_of(self, field: str) -> int:
        """Return the line of a field, as `$.part[1].expect`; that of the nearest thing around it where it has none."""
        found = 0
        for name, index in re.findall(r"\.(\w+)(?:\[(\d+)\])?", field):
            headers = self._lines_with(rf"\[\[(?:[\w.]+\.)?{name}\]\]", found)[int(index or 0) :]
            keys = self._lines_with(rf"\s*{name}\s*=", found) or self._lines_with(rf"\s*{name}\s*=", 0)
            found = next(iter(headers or keys), found)
        return self.first_line + found

    def _lines_with(self, pattern: str, start: int) -> list[int]:
        return [number for number, line in enumerate(self.lines) if number >= start and re.match(pattern, line)]


class Fault(NamedTuple):
    """What is wrong with a claims file."""

    claim: str
    """Its id; empty where it is no claim's."""
    place: str
    """File and line."""
    message: str

    def __str__(self) -> str:
        """Tell it in one line."""
        return f"{self.place}: {self.claim + ': ' if self.claim else ''}{self.message}"


class Claims(NamedTuple):
    """All that the claims files hold."""

    claims: tuple[Claim, ...]
    """In order of source and number."""
    tables: Mapping[str, tuple[Table, ...]]
    """By source: the tables of its page."""
    faults: tuple[Fault, ...]


def read(docs: Path) -> Claims:
    """Read every claim below *docs*. Raises nothing: what is wrong is among the faults."""
    claims: dict[str, Claim] = {}
    tables: dict[str, tuple[Table, ...]] = {}
    faults: list[Fault] = []
    for path in sorted((docs / FOLDER).glob("*.toml")):
        name = f"{docs.name}/{FOLDER}/{path.name}"
        for key, text in _stretches(name, path.read_text(encoding="utf-8")):
            try:
                if not key:
                    tables[path.stem] = msgspec.convert(_parsed(text), _Tables).table
                elif key in claims:
                    faults.append(Fault(key, f"{name}:{text.first_line}", f"is there twice; {_first(claims[key])}"))
                else:
                    claims[key] = _claim(key, text)
            except tomllib.TOMLDecodeError as error:
                faults.append(Fault(key, f"{name}:{text.first_line + _toml_line(error)}", f"{error}"))
            except msgspec.ValidationError as error:
                message, _, field = str(error).partition(" - at `")
                unknown = re.search(r"unknown field `(\w+)`", message)
                field += f".{unknown[1]}" if unknown else ""
                faults.append(Fault(key, f"{name}:{text.line_of(field)}", message))
    return Claims(tuple(sorted(claims.values(), key=lambda claim: _order(claim.id))), tables, tuple(faults))


def _stretches(name: str, content: str) -> Iterator[tuple[str, Text]]:
    """Cut a file where a claim begins. What comes before the first has no id."""
    lines = content.splitlines()
    starts = [number for number, line in enumerate(lines) if _CLAIM.match(line)]
    ends = [*starts[1:], len(lines)]
    yield "", Text(name, 1, tuple(lines[: starts[0] if starts else len(lines)]))
    for start, end in zip(starts, ends, strict=False):
        found = _CLAIM.match(lines[start])
        yield ".".join(found.groups()) if found else "", Text(name, start + 1, tuple(lines[start:end]))


def _parsed(text: Text) -> dict[str, Any]:
    return tomllib.loads("\n".join(text.lines))


def _claim(key: str, text: Text) -> Claim:
    source, _, number = key.partition(".")
    tree = _parsed(text)
    if tree.keys() != {source} or tree[source].keys() != {number}:
        msg = f"this table holds more than {key}: a claim is [S1.2], a part of it [[S1.2.part]]"
        raise msgspec.ValidationError(msg)
    table: dict[str, Any] = tree[source][number]
    says = msgspec.convert(table.pop("says", None), str)
    parts = msgspec.convert(table.pop("part", [{}]), list[dict[str, Any]])
    made = msgspec.convert({"part": [{**table, **part} for part in parts]}, _Parts)
    return Claim(key, says, made.part, text)


def _first(claim: Claim) -> str:
    return f"the first is in line {claim.text.first_line} of {claim.text.file}"


def _toml_line(error: tomllib.TOMLDecodeError) -> int:
    found = re.search(r"at line (\d+)", str(error))
    return int(found[1]) - 1 if found else 0


def _order(key: str) -> tuple[str, int]:
    source, _, number = key.partition(".")
    return source, int(number)
