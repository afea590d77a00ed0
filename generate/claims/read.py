"""Reads the sources and their claims: docs/claims/<source>.toml.

`[source]` describes the source, `[[table]]` is one of its tables, `[S1.2]` is a claim and `[[S1.2.part]]` a part of
it; keys above the parts hold for all of them. A mistake costs only its own claim, and is reported
with the file and the key.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec

from generate.claims.kinds import claim_kind
from generate.claims.model import UNREADABLE, Claim, Claims, Fault, MistakeError, Part, Source, Table, part_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDER = "claims"
_SOURCE_ID = re.compile(r"[A-Z]+\d+")
_To = TypeVar("_To")


class _WrittenClaim(msgspec.Struct):
    """A claim's own fields. Its parts share all others."""

    says: Annotated[str, msgspec.Meta(min_length=1)]
    part: Annotated[tuple[dict[str, Any], ...], msgspec.Meta(min_length=1)] = ({},)


def read(docs: Path) -> Claims:
    """Read every source and claim below *docs*. Errors are returned as faults."""
    claims = Claims(f"{docs.name}/{FOLDER}", [], {}, {}, [])
    for path in sorted((docs / FOLDER).glob("*.toml"), key=_order):
        _read_file(path, f"{claims.folder}/{path.name}", claims)
    return claims


def _read_file(path: Path, file: str, claims: Claims) -> None:
    """Add the contents of a file to *claims*."""
    source = path.stem
    if not _SOURCE_ID.fullmatch(source):
        claims.faults.append(Fault(file, "", "name it after its source, as capitals and a number: S6.toml"))
        return
    claims.sources[source] = UNREADABLE
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        claims.faults.append(Fault(file, "", f"{error}; write it as TOML in UTF-8"))
        return
    with _noting(file, claims):
        claims.sources[source] = _convert(tree.pop("source", {}), Source, "source")
    with _noting(file, claims):
        claims.tables[source] = _convert(tree.pop("table", ()), tuple[Table, ...], "table")
    with _noting(file, claims):
        tables = _convert(tree.pop(source, {}), dict[str, Any], source)
        for number in sorted(tables, key=lambda number: (len(number), number)):
            with _noting(file, claims):
                claims.claims.append(_claim(f"{source}.{number}", tables[number], file))
    for key in tree:
        claims.faults.append(Fault(file, key, f"is not a table of this file: a claim is [{source}.1]"))


@contextmanager
def _noting(file: str, claims: Claims) -> Iterator[None]:
    try:
        yield
    except MistakeError as error:
        claims.faults.append(Fault(file, error.key, f"{error}"))


def _claim(key: str, table: dict[str, Any], file: str) -> Claim:
    """Return the claim in a table. Raises MistakeError."""
    if not key.partition(".")[2].isdecimal():
        raise MistakeError(key=key, message="has no number: name it like S1.2")
    written = _convert(table, _WrittenClaim, key)
    shared = {name: value for name, value in table.items() if name not in _WrittenClaim.__struct_fields__}
    count = len(written.part)
    parts = (_convert({**shared, **part}, Part, part_id(key, n, count)) for n, part in enumerate(written.part))
    return Claim(key, written.says, tuple(parts), file)


def _convert(value: object, to: type[_To], key: str) -> _To:
    """Convert the *value* at *key*. Raises MistakeError."""
    try:
        return msgspec.convert(value, to, dec_hook=lambda _kind, given: claim_kind(given))
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$")
        unknown = re.search(r"unknown field `(.*)`", message)
        path = path.rstrip("`") + (f".{unknown[1]}" if unknown else "")
        raise MistakeError(key=key + path, message=message) from error


def _order(path: Path) -> tuple[bool, list[str | int]]:
    """Put published articles and experiments first, and S2 before S10."""
    parts: list[str | int] = [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", path.stem)]
    return not path.stem.startswith("S"), parts
