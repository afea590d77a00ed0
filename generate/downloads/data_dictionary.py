"""The data dictionary: type and meaning of each column of the tables and each field of the JSON files."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from generate.claims import entries
from generate.data import cells_file
from generate.data.schema import add_descriptions, json_schema
from generate.data.table import Column, sample_columns, summary_columns
from generate.downloads import run_index, scenario_metrics
from runners.harness.catalogue.family_colours import FAMILIES
from runners.harness.catalogue.scenarios import Scenario

EVERY, SEVERAL = "Every scenario", "Several scenarios"


class Meaning(NamedTuple):
    type: str
    """In words."""
    text: str


class Section(NamedTuple):
    """Names that are explained together."""

    kind: str
    """Column, Field or Word."""
    name: str
    note: str
    """Note on all of them; may be empty."""
    meanings: Mapping[str, Meaning]


_NOTES = {
    "Tables of summaries": """One row for each series and metric of a machine and build, over all pooled runs.
    What is empty in CSV is null in Parquet. The columns of an estimate come four times: of the value, of its ratio to
    the baseline, to the reference build, and to its counterpart with the GIL.""",
    "Tables of samples": """One row for each sample and metric of the pooled runs. All else that is known about its
    series is in the summaries: join them by `cell`, `scenario`, `case`, `runner`, `role` and `metric`.""",
    "Verdicts": "For a part of a claim that is never measured, `scenario` to `bounds` are left out.",
    "Metrics of the scenarios": "The entry of each scenario in `metrics.json`, by name.",
}
_JSON: Mapping[str, type] = {
    "Index": run_index.Index,
    "Origin of the data": run_index.GeneratedFrom,
    "Runs of the index": run_index.IndexRun,
    "Cells of the index": run_index.IndexCell,
    "Pools of the index": run_index.IndexPool,
    "Outcomes of hosted runs": cells_file.RunOutcomes,
    "Outcomes of their cells": cells_file.CellOutcome,
    "Metrics of the scenarios": scenario_metrics.ScenarioMetric,
    "Verdicts": entries.VerdictEntry,
    "Estimates of the verdicts": entries.EstimateEntry,
    "Runs of the verdicts": entries.RunEntry,
}
"""The kinds of records in JSON files, a section each."""
_HEADINGS = {kind.__name__: f"“{heading}”" for heading, kind in _JSON.items()}


def record_sections() -> list[Section]:
    """Return the kinds of records in a result file with their fields, the file itself first."""
    schema: dict[str, Any] = json_schema()
    return [
        Section("Field", name, " ".join(kind["description"].split()), _fields(kind))
        for name, kind in schema["$defs"].items()
    ]


def explain_fields() -> list[Section]:
    """Return everything to explain besides the fields of a result file."""
    _, kinds = msgspec.json.schema_components(_JSON.values())
    add_descriptions(
        kinds, *(Path(str(module.__file__)) for module in (entries, run_index, cells_file, scenario_metrics))
    )
    words: dict[str, Meaning] = {word: Meaning("", text) for word, text in run_index.WORDS.items()}
    return [
        _section("Column", "Tables of summaries", column_meanings(summary_columns())),
        _section("Column", "Tables of samples", column_meanings(sample_columns())),
        *(_section("Field", heading, _fields(kinds[kind.__name__])) for heading, kind in _JSON.items()),
        _section("Word", "Why a file is history", words),
    ]


def _section(kind: str, name: str, meanings: Mapping[str, Meaning]) -> Section:
    return Section(kind, name, " ".join(_NOTES.get(name, "").split()), meanings)


def _fields(kind: Mapping[str, Any]) -> dict[str, Meaning]:
    """Return the type and meaning of each property of an object of a JSON Schema."""
    meanings = {}
    for name, facts in kind["properties"].items():
        absence = "" if name in kind["required"] else "; may be left out"
        meanings[name] = Meaning(name_type(facts) + absence, facts["description"])
    return meanings


def column_meanings(columns: Mapping[str, Column]) -> dict[str, Meaning]:
    families = f"Its kind: one of {', '.join(FAMILIES)}."
    return {
        name: Meaning(
            name_type(msgspec.json.schema(column.kind)).replace("null", "empty"),
            families if name == "family" else column.about,
        )
        for name, column in columns.items()
    }


class Explained(NamedTuple):
    """A raw column or a computed metric."""

    name: str
    unit: str
    meanings: Mapping[str, list[str]]
    """The scenarios that use it, by its meaning there: words, or a formula in code."""


def explain_metrics(scenarios: Mapping[str, Scenario]) -> dict[str, list[Explained]]:
    """Return each column of the samples and each computed metric once, by the scenario that has it."""
    owners: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, scenario in scenarios.items():
        units = {metric.name: metric.unit for metric in scenario.metrics}
        texts = {**scenario.columns, **{each: f"Computed: `{text}`." for each, text in scenario.formulas.items()}}
        for column, text in texts.items():
            owners[column, units.get(column, column.rpartition("_")[2])][text].append(name)
    places: dict[str, list[Explained]] = {EVERY: [], SEVERAL: []}
    for (column, unit), meanings in owners.items():
        users = [*dict.fromkeys(chain.from_iterable(meanings.values()))]
        place = EVERY if len(users) == len(scenarios) > 1 else SEVERAL if len(users) > 1 else scenarios[users[0]].title
        places.setdefault(place, []).append(Explained(column, unit, meanings))
    return {place: rows for place, rows in places.items() if rows}


_TYPES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
}


def name_type(facts: Mapping[str, Any]) -> str:
    """Name the type of a field of a JSON Schema: "text", "list of whole numbers or null", "Samples"."""
    if "$ref" in facts:
        name = str(facts["$ref"]).rpartition("/")[2]
        return _HEADINGS.get(name, name)
    if "anyOf" in facts:
        return " or ".join(dict.fromkeys(name_type(option) for option in facts["anyOf"]))
    if "enum" in facts:
        return " or ".join(f"“{value}”" if isinstance(value, str) else str(value) for value in facts["enum"])
    if facts.get("type") == "array":
        return f"list of {name_type(facts.get('items', {}))}"
    if facts.get("type") == "object":
        return f"names to {name_type(facts.get('additionalProperties', {}))}"
    return _TYPES.get(str(facts.get("type")), "anything")
