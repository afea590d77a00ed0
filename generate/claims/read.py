"""Reads the sources and their claims: docs/claims/<source>.toml.

`[source]` describes the source, `[[table]]` is one of its tables, `[S1.2]` is a claim and `[[S1.2.part]]` a part of
it; keys above the parts hold for all of them. A mistake only affects its own claim, and is reported with file and key.
"""

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from generate.claims.kinds import claim_kind
from generate.claims.model import UNREADABLE, Claim, Claims, Fault, Part, Source, Table

FOLDER = "claims"
_SOURCE_ID = re.compile(r"[A-Z]+\d+")
_To = TypeVar("_To")


class _WrittenClaim(msgspec.Struct):
    """A claim's own fields. Its parts share all others."""

    says: Annotated[str, msgspec.Meta(min_length=1)]
    question: str = ""
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
    with _noting(claims, file, "source"):
        claims.sources[source] = _convert(tree.pop("source", {}), Source)
    with _noting(claims, file, "table"):
        claims.tables[source] = _convert(tree.pop("table", ()), tuple[Table, ...])
    with _noting(claims, file, source):
        tables = _convert(tree.pop(source, {}), dict[str, dict[str, Any]])
        for number in sorted(tables, key=lambda number: (len(number), number)):
            with _noting(claims, file, f"{source}.{number}"):
                claims.claims.append(_claim(f"{source}.{number}", tables[number], file))
    for key in tree:
        claims.faults.append(Fault(file, key, f"is not a table of this file: a claim is [{source}.1]"))


@contextmanager
def _noting(claims: Claims, file: str, key: str) -> Iterator[None]:
    try:
        yield
    except msgspec.ValidationError as error:  # it has the path below the key
        claims.faults.append(Fault(file, key, f"{error}"))


def _claim(name: str, table: dict[str, Any], file: str) -> Claim:
    if not name.partition(".")[2].isdecimal():
        msg = "has no number: name it like S1.2"
        raise msgspec.ValidationError(msg)
    written = _convert(table, _WrittenClaim)
    shared = {name: value for name, value in table.items() if name not in _WrittenClaim.__struct_fields__}
    parts = _convert([{**shared, **part} for part in written.part], tuple[Part, ...])
    return Claim(name, written.says, parts, file, written.question)


def _convert(value: object, to: type[_To]) -> _To:
    return msgspec.convert(value, to, dec_hook=lambda _kind, given: claim_kind(given))


def _order(path: Path) -> tuple[bool, list[str | int]]:
    """Sort published articles and experiments first, and S2 before S10."""
    parts: list[str | int] = [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", path.stem)]
    return not path.stem.startswith("S"), parts
