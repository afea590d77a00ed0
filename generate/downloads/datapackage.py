"""datapackage.json: the CSV tables and their columns, for tools that read Frictionless data packages."""

from collections.abc import Iterable, Mapping
from typing import Any

from generate.data.table import sample_columns, summary_columns
from generate.downloads.data_dictionary import Meaning, column_meanings
from generate.words.patterns import SITE_NAME

TYPES = {"text": "string", "whole number": "integer", "number": "number", "true or false": "boolean"}
"""By the data dictionary's names of types."""


def datapackage(tables: Iterable[str], site_url: str) -> dict[str, Any]:
    """Return the package and its two schemas, by file. All tables of a kind have the same columns."""
    resources = [_resource(name) for name in sorted(tables) if ".csv" in name]
    package = {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "python-concurrency-remeasured",
        "title": f"{SITE_NAME}: results",
        "licenses": [{"name": "CC-BY-4.0", "path": "https://creativecommons.org/licenses/by/4.0/"}],
        **({"homepage": site_url} if site_url else {}),
        "resources": resources,
    }
    schemas = {
        "summaries": _schema(column_meanings(summary_columns())),
        "samples": _schema(column_meanings(sample_columns())),
    }
    return {"datapackage.json": package} | {f"{name}.schema.json": schema for name, schema in schemas.items()}


def _resource(name: str) -> dict[str, Any]:
    table = name.partition(".")[0]
    return {
        "name": table.replace("_", "-"),
        "path": name,
        "format": "csv",
        "encoding": "utf-8",
        **({"compression": "gz"} if name.endswith(".gz") else {}),
        "schema": f"{'samples' if table.endswith('samples') else 'summaries'}.schema.json",
    }


def _schema(columns: Mapping[str, Meaning]) -> dict[str, Any]:
    return {"fields": [_field(name, meaning) for name, meaning in columns.items()], "missingValues": [""]}


def _field(name: str, meaning: Meaning) -> dict[str, Any]:
    kind = TYPES[meaning.type.removesuffix(" or empty")]
    values = {"trueValues": ["True"], "falseValues": ["False"]} if kind == "boolean" else {}
    return {"name": name, "type": kind, "description": meaning.text, **values}
