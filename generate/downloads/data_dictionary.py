"""The data dictionary: what stands in each download, and the types of a result file's fields in words."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generate.analysis import summary
from generate.analysis.history_words import WORDS
from generate.claims import entries
from generate.downloads import browser_values, run_index
from runners.harness.catalogue.columns import OF_ALL, OF_SERVERS, unit_of
from runners.harness.catalogue.families import FAMILIES
from runners.harness.record.schema import texts_of_fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.catalogue.scenarios import Scenario

_TEXTS = texts_of_fields(Path(summary.__file__))
SUMMARIES = _TEXTS["Summary"] | {"family": f"Its kind: one of {', '.join(FAMILIES)}."}
"""Of the tables of summaries, one row a series and metric."""
SAMPLES = {field.name: {**SUMMARIES, **_TEXTS["SampleValue"]}[field.name] for field in fields(summary.SampleValue)}
"""Of the tables of samples, one row a sample and metric.

The rest is in the summaries, by path, scenario, case, runner, role and metric.
"""

_VERDICTS = texts_of_fields(Path(entries.__file__))
_VALUES = texts_of_fields(Path(browser_values.__file__))
EXPLAINED: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "Column": {"Tables of summaries": SUMMARIES, "Tables of samples": SAMPLES},
    "Field": {
        "Cells of the index": texts_of_fields(Path(run_index.__file__))["IndexCell"],
        "Verdicts": _VERDICTS["VerdictEntry"] | _VERDICTS["Judged"],
        "Intervals of the verdicts": _VERDICTS["IntervalEntry"],
        "Runs of the verdicts": _VERDICTS["RunEntry"],
        "Runs of the values for Compare": _VALUES["RunValues"],
        "Series of the values for Compare": _VALUES["SeriesValues"],
    },
    "Word": {"Why a file is not current": WORDS},
}
"""All that is explained beside the fields of a result file: by what it is and of what, each name and its meaning."""


class Explained(NamedTuple):
    """A name that a scenario gives to something."""

    scenario: str
    """Or which scenarios."""
    name: str
    unit: str
    text: str


def raw_columns(scenarios: Mapping[str, Scenario]) -> list[Explained]:
    """Return what each column of the samples holds: those of all scenarios first, then those of each."""
    shared = {"all": OF_ALL}
    if servers := [name for name, scenario in scenarios.items() if scenario.columns.keys() > OF_SERVERS.keys()]:
        shared[", ".join(servers)] = OF_SERVERS
    common = OF_ALL.keys() | OF_SERVERS.keys()
    own = {
        name: {column: text for column, text in scenario.columns.items() if column not in common}
        for name, scenario in scenarios.items()
    }
    return [
        Explained(of, column, unit_of(column), text)
        for of, columns in (shared | own).items()
        for column, text in columns.items()
    ]


def computed_metrics(scenarios: Mapping[str, Scenario]) -> list[Explained]:
    """Return how each metric is computed that is no column."""
    return [
        Explained(name, metric.name, metric.unit, scenario.formulas[metric.name])
        for name, scenario in scenarios.items()
        for metric in scenario.metrics
        if metric.name in scenario.formulas
    ]


def type_words(facts: Mapping[str, Any]) -> str:
    """Name the type of a field of a JSON Schema in few words: "text", "list of whole numbers or null", "Samples"."""
    if "$ref" in facts:
        return str(facts["$ref"]).rpartition("/")[2]
    if "anyOf" in facts:
        return " or ".join(dict.fromkeys(type_words(option) for option in facts["anyOf"]))
    if "enum" in facts:
        return " or ".join(f"“{value}”" if isinstance(value, str) else str(value) for value in facts["enum"])
    if facts.get("type") == "array":
        return f"list of {type_words(facts.get('items', {}))}"
    if facts.get("type") == "object":
        return f"names to {type_words(facts.get('additionalProperties', {}))}"
    words = {
        "string": "text",
        "integer": "whole number",
        "number": "number",
        "boolean": "true or false",
        "null": "null",
    }
    return words.get(str(facts.get("type")), "anything")
