"""The data dictionary: what each field of a result file, from its JSON Schema, and each column of a table means."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generate.analysis import summary
from runners.harness.catalogue.families import FAMILIES
from runners.harness.record.schema import texts_of_fields

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = "Record"
_TEXTS = texts_of_fields(Path(summary.__file__))
SUMMARIES = _TEXTS["Summary"] | {"family": f"Its kind: one of {', '.join(FAMILIES)}."}
"""Of the tables of summaries, one row a series and metric."""
SAMPLES = {field.name: {**SUMMARIES, **_TEXTS["SampleValue"]}[field.name] for field in fields(summary.SampleValue)}
"""Of the tables of samples, one row a sample and metric; the rest is in the summaries, by path, case, runner, role."""


class Field(NamedTuple):
    """A field of a kind of object."""

    name: str
    type: str
    required: bool
    text: str


class Kind(NamedTuple):
    """A kind of object in a result file."""

    name: str
    text: str
    fields: list[Field]


def dictionary(schema: Mapping[str, Any]) -> list[Kind]:
    """Return every kind of object of *schema*, the file itself first."""
    kinds = schema["$defs"]
    names = [ROOT, *(name for name in kinds if name != ROOT)]
    return [Kind(name, " ".join(kinds[name].get("description", "").split()), [*_fields(kinds[name])]) for name in names]


def _fields(kind: Mapping[str, Any]) -> Iterator[Field]:
    required = kind.get("required", ())
    for name, facts in kind["properties"].items():
        yield Field(name, _type(facts), name in required, facts.get("description", ""))


def _type(facts: Mapping[str, Any]) -> str:
    """Name a type in few words: "text", "list of whole numbers or null", "Samples"."""
    if "$ref" in facts:
        return str(facts["$ref"]).rpartition("/")[2]
    if "anyOf" in facts:
        return " or ".join(dict.fromkeys(_type(option) for option in facts["anyOf"]))
    if "enum" in facts:
        return " or ".join(f"“{value}”" for value in facts["enum"])
    if facts.get("type") == "array":
        return f"list of {_type(facts.get('items', {}))}"
    if facts.get("type") == "object":
        return f"names to {_type(facts.get('additionalProperties', {}))}"
    words = {
        "string": "text",
        "integer": "whole number",
        "number": "number",
        "boolean": "true or false",
        "null": "null",
    }
    return words.get(str(facts.get("type")), "anything")
