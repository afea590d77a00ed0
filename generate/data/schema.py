"""The JSON Schemas of result files and own records, from their types and the docstrings of their fields."""

import ast
from collections import ChainMap
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from runners.harness.own import record as own_record
from runners.harness.record import model


def json_schema() -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) of a result file, with a description of each field."""
    return _schema("Result of one cell", model.Record, Path(model.__file__))


def own_json_schema() -> dict[str, object]:
    """Return the same of a record that `try` writes."""
    return _schema(
        "A function of the user's own", own_record.OwnRecord, Path(model.__file__), Path(own_record.__file__)
    )


def _schema(title: str, kind: type, *modules: Path) -> dict[str, object]:
    schema = msgspec.json.schema(kind)
    add_descriptions(schema["$defs"], *modules)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}


def add_descriptions(kinds: dict[str, Any], *modules: Path) -> None:
    """Describe each field of the *kinds* of a JSON Schema by its docstring in one of *modules*, in their order."""
    for kind, texts in field_texts(*modules).items():
        if kind in kinds:
            facts = kinds[kind]["properties"]
            kinds[kind]["properties"] = {name: {**facts[name], "description": text} for name, text in texts.items()}


def field_texts(*modules: Path) -> dict[str, dict[str, str]]:
    """Return the docstrings of fields by class and field, own ones first. Modules of base classes come first."""
    texts: dict[str, dict[str, str]] = {}
    parsed = (node for module in modules for node in ast.parse(module.read_bytes()).body)
    for kind in (node for node in parsed if isinstance(node, ast.ClassDef)):
        own = {}
        for node, after in pairwise(kind.body):
            match node, after:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    own[name] = " ".join(text.split())
        inherited = [texts.get(base.id, {}) for base in reversed(kind.bases) if isinstance(base, ast.Name)]
        texts[kind.name] = own | dict(ChainMap(*inherited))
    return texts
