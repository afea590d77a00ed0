"""The data dictionary: what stands in each download, and the types of a result file's fields in words."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from generate.analysis import summary
from generate.analysis.history_words import WORDS
from generate.claims import entries
from generate.downloads import run_index, scenario_metrics
from runners.harness.catalogue.columns import OF_ALL, OF_SERVERS, unit_of
from runners.harness.catalogue.families import FAMILIES
from runners.harness.record import cells_file
from runners.harness.record.schema import texts_of_fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.catalogue.scenarios import Scenario

_TEXTS = texts_of_fields(Path(summary.__file__))
SUMMARIES = _TEXTS["Summary"] | {"family": f"Its kind: one of {', '.join(FAMILIES)}."}
"""Of the tables of summaries, one row a series and metric."""
SAMPLES = {field.name: {**SUMMARIES, **_TEXTS["SampleValue"]}[field.name] for field in fields(summary.SampleValue)}
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
    "Tables of summaries": """One row for each series and metric of the current results. What is empty in
    CSV is null in Parquet.""",
    "Tables of samples": """One row for each sample and metric. What else is known of its series stands in the
    summaries: join them by `path`, `scenario`, `case`, `runner`, `role` and `metric`. The samples of the reference
    build that a result was paired with are here only where its file of that run is current too; `reference_path` of the
    summaries names the file that has them.""",
    "Verdicts": "Where a part of a claim is never measured, all from `scenario` to `bounds` are left out.",
    "Metrics of the scenarios": "What `metrics.json` has of each scenario, by its name.",
}
"""What there is to say of all names of a section."""
_TYPED: Mapping[str, type] = {
    "Index": run_index.Index,
    "Origin of the data": run_index.GeneratedFrom,
    "Runs of the index": run_index.IndexRun,
    "Cells of the index": run_index.IndexCell,
    "Runs that stand beside each other": run_index.IndexRunsBeside,
    "Outcomes of hosted runs": cells_file.RunOutcomes,
    "Outcomes of their cells": cells_file.CellOutcome,
    "Metrics of the scenarios": scenario_metrics.ScenarioMetric,
    "Verdicts": entries.VerdictEntry,
    "Intervals of the verdicts": entries.IntervalEntry,
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
    """Return all that is explained beside the fields of a result file."""
    tables = [
        Section("Column", name, _note(name), _meanings(kind, texts, absent="empty"))
        for name, kind, texts in (
            ("Tables of summaries", summary.Summary, SUMMARIES),
            ("Tables of samples", summary.SampleValue, SAMPLES),
        )
    ]
    read = [Section("Field", name, _note(name), _meanings(kind, _texts(kind))) for name, kind in _TYPED.items()]
    words = {word: Meaning("", text) for word, text in WORDS.items()}
    return [*tables, *read, Section("Word", "Why a file is not current", "", words)]


def _note(name: str) -> str:
    return " ".join(_NOTES.get(name, "").split())


def _texts(kind: type) -> Mapping[str, str]:
    """Return what is said of each field of a kind; an entry of verdicts begins with what every one of them has."""
    more = _OF_MODULES["Judged"] if kind is entries.VerdictEntry else {}
    return _OF_MODULES[kind.__name__] | more


def _meanings(kind: type, texts: Mapping[str, str], *, absent: str = "null") -> dict[str, Meaning]:
    """Return type and text of each field; what is not there is *absent*."""
    facts = msgspec.json.schema(kind)["$defs"][kind.__name__]
    found = {}
    for name, text in texts.items():
        words = re.sub(r"\bnull\b", absent, type_words(facts["properties"][name]))
        for of, section in _SECTIONS.items():
            words = re.sub(rf"\b{of}\b", f"“{section}”", words)
        left_out = "" if absent != "null" or name in facts["required"] else "; may be left out"
        found[name] = Meaning(words + left_out, text)
    return found


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
