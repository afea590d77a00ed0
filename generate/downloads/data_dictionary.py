"""The data dictionary: what each download holds, and the types of a result file's fields in words."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

import msgspec

from generate.claims import entries
from generate.data import table
from generate.data.table import PREFIXES
from generate.downloads import run_index, scenario_metrics
from runners.harness.catalogue.columns import OF_ALL, OF_SERVERS, unit_of
from runners.harness.catalogue.families import FAMILIES
from runners.harness.record import cells_file
from runners.harness.record.schema import texts_of_fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.catalogue.scenarios import Scenario

_TEXTS = texts_of_fields(Path(table.__file__))
_SUMMARY = _TEXTS["Summary"] | {"family": f"Its kind: one of {', '.join(FAMILIES)}."}
SAMPLES = {field.name: {**_SUMMARY, **_TEXTS["SampleValue"]}[field.name] for field in fields(table.SampleValue)}
"""Of the tables of samples, one row a sample and metric."""


class Meaning(NamedTuple):
    """What stands under a name."""

    type: str
    """In words."""
    text: str


class Section(NamedTuple):
    """Names that are explained together."""

    kind: str
    """What they are: columns, fields or words."""
    name: str
    note: str
    """What there is to say of all of them; may be empty."""
    meanings: Mapping[str, Meaning]


_NOTES = {
    "Tables of summaries": """One row for each series and metric of a machine and build, over all runs that are pooled.
    What is empty in CSV is null in Parquet. The columns of an estimate come four times: of the value, of its ratio to
    the baseline, to the reference build, and to its counterpart with the GIL.""",
    "Tables of samples": """One row for each sample and metric of the runs that are pooled. What else is known of its
    series is in the summaries: join them by `cell`, `scenario`, `case`, `runner`, `role` and `metric`.""",
    "Verdicts": "If a part of a claim is never measured, all from `scenario` to `bounds` are left out.",
    "Metrics of the scenarios": "What `metrics.json` has of each scenario, by its name.",
}
"""A note on all names of a section."""
_TYPED: Mapping[str, type] = {
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
"""What programs read as JSON, a section each."""
_OF_MODULES = {
    kind: texts
    for module in (run_index, cells_file, scenario_metrics, entries)
    for kind, texts in texts_of_fields(Path(str(module.__file__))).items()
}
_SECTIONS = {kind.__name__: name for name, kind in _TYPED.items()}


def explained() -> list[Section]:
    """Return all that is explained next to the fields of a result file."""
    tables = [
        Section("Column", name, _note(name), meanings)
        for name, meanings in (
            ("Tables of summaries", summary_columns()),
            ("Tables of samples", _meanings(table.SampleValue, SAMPLES, absent="empty")),
        )
    ]
    read = [Section("Field", name, _note(name), _meanings(kind, _texts(kind))) for name, kind in _TYPED.items()]
    words: dict[str, Meaning] = {word: Meaning("", text) for word, text in run_index.WORDS.items()}
    return [*tables, *read, Section("Word", "Why a file is history", "", words)]


def summary_columns() -> dict[str, Meaning]:
    """Return the columns of the tables of summaries, in their order: an estimate has several."""
    types, columns = get_type_hints(table.Summary), {}
    for name, text in _SUMMARY.items():
        if name not in PREFIXES:
            columns[name] = Meaning(_with_absent(type_words(msgspec.json.schema(types[name])), "empty"), text)
            continue
        for number, column in enumerate(table.estimate_columns(PREFIXES[name])):
            what = f"{column.about} {text}" if number == 0 else column.about
            columns[column.name] = Meaning(_ESTIMATE_TYPES.get(column.name.rpartition("_")[2], "number or empty"), what)
    return columns


_ESTIMATE_TYPES = {"runs": "whole number", "rounds": "whole number", "decides": "true or false"}
"""Of an estimate's columns that are no plain numbers, by the end of the name."""


def _note(name: str) -> str:
    return " ".join(_NOTES.get(name, "").split())


def _texts(kind: type) -> Mapping[str, str]:
    """Return the text of each field of a kind; an entry of the verdicts has those of what is judged as well."""
    more = _OF_MODULES["Judged"] if kind is entries.VerdictEntry else {}
    return _OF_MODULES[kind.__name__] | more


def _meanings(kind: type, texts: Mapping[str, str], *, absent: str = "null") -> dict[str, Meaning]:
    """Return type and text of each field; what is not there is *absent*."""
    facts = msgspec.json.schema(kind)["$defs"][kind.__name__]
    found = {}
    for name, text in texts.items():
        words = _with_absent(type_words(facts["properties"][name]), absent)
        for of, section in _SECTIONS.items():
            words = re.sub(rf"\b{of}\b", f"“{section}”", words)
        left_out = "" if absent != "null" or name in facts["required"] else "; may be left out"
        found[name] = Meaning(words + left_out, text)
    return found


def _with_absent(words: str, absent: str) -> str:
    return re.sub(r"\bnull\b", absent, words)


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
