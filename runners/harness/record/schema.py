"""The JSON Schema of a result file, from the record's types and the docstrings of their fields."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path

import msgspec

from runners.harness.record import model


def json_schema() -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) of a result file, with a description of each field."""
    schema = msgspec.json.schema(model.Record)
    for kind, texts in field_texts(Path(model.__file__)).items():
        for name, text in texts.items() if kind in schema["$defs"] else ():
            schema["$defs"][kind]["properties"][name]["description"] = text
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Result of one cell", **schema}


def field_texts(module: Path) -> dict[str, dict[str, str]]:
    """Return the docstrings of fields in a module, by class and field."""
    texts: dict[str, dict[str, str]] = {}
    kinds = [node for node in ast.parse(module.read_bytes()).body if isinstance(node, ast.ClassDef)]
    for kind in kinds:
        texts[kind.name] = {}
        for node, after in pairwise(kind.body):
            match node, after:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    texts[kind.name][name] = " ".join(text.split())
    return texts
