"""The JSON Schema of a result file, made from the record's types and what is said of each field there."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from runners.harness.record import model

if TYPE_CHECKING:
    from collections.abc import Iterator


def json_schema() -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) of a result file, with what is said of each field."""
    schema = msgspec.json.schema(model.Record)
    for kind, name, said in _said_of_fields():
        if kind in schema["$defs"]:
            schema["$defs"][kind]["properties"][name]["description"] = said
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Result of one cell", **schema}


def _said_of_fields() -> Iterator[tuple[str, str, str]]:
    """Give the class, the name and the docstring of each field of the record that has one."""
    kinds = [node for node in ast.parse(Path(model.__file__).read_bytes()).body if isinstance(node, ast.ClassDef)]
    for kind in kinds:
        for node, after in pairwise(kind.body):
            match node, after:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(said))):
                    yield kind.name, name, " ".join(said.split())
