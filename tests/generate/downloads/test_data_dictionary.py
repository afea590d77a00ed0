"""The data dictionary: every field of a result file, from its schema, and every column of the tables."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, get_args

import msgspec
import pytest

from generate.claims.entries import EstimateEntry, RunEntry, VerdictEntry
from generate.data.table import SampleValue, to_frame
from generate.downloads.data_dictionary import (
    SAMPLES,
    computed_metrics,
    explained,
    raw_columns,
    summary_columns,
    type_words,
)
from generate.downloads.run_index import GeneratedFrom, Index, IndexCell, IndexPool, IndexRun
from generate.downloads.scenario_metrics import ScenarioMetric, metrics
from runners.harness.catalogue.columns import OF_ALL, OF_SERVERS
from runners.harness.catalogue.scenarios import find
from runners.harness.record import model
from runners.harness.record.cells_file import CellOutcome, RunOutcomes
from runners.harness.record.schema import json_schema

SECTIONS = {section.name: section for section in explained()}
SCHEMA: dict[str, Any] = json_schema()
KINDS = SCHEMA["$defs"]


def test_the_file_itself_comes_first_with_every_field() -> None:
    assert next(iter(KINDS)) == "Record"
    assert [*KINDS["Record"]["properties"]] == [field.encode_name for field in msgspec.structs.fields(model.Record)]


def test_every_kind_and_field_is_explained() -> None:
    for name, kind in KINDS.items():
        assert kind["description"], name
        for field, facts in kind["properties"].items():
            assert facts["description"], field
            words = type_words(facts)
            assert "anything" not in words, field
            assert {word for word in words.replace("[", " ").split() if word[:1].isupper()} <= {*KINDS}, field


def test_a_number_that_a_field_must_have_is_not_shown_as_text() -> None:
    assert type_words({"enum": [2]}) == "2"
    assert type_words({"enum": ["cell", "by_product"]}) == "“cell” or “by_product”"


def test_every_column_of_the_tables_is_explained_in_its_order() -> None:
    assert [*summary_columns()] == [*to_frame([]).columns]
    assert [*SAMPLES] == [field.name for field in fields(SampleValue)]
    assert all(text.endswith(".") for text in SAMPLES.values())


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Index", Index),
        ("Origin of the data", GeneratedFrom),
        ("Runs of the index", IndexRun),
        ("Cells of the index", IndexCell),
        ("Pools of the index", IndexPool),
        ("Outcomes of hosted runs", RunOutcomes),
        ("Outcomes of their cells", CellOutcome),
        ("Metrics of the scenarios", ScenarioMetric),
        ("Verdicts", VerdictEntry),
        ("Estimates of the verdicts", EstimateEntry),
        ("Runs of the verdicts", RunEntry),
    ],
)
def test_every_field_of_what_programs_read_is_explained(name: str, kind: type) -> None:
    assert {*SECTIONS[name].meanings} == {*kind.__annotations__}


def test_all_that_is_explained_ends_as_a_sentence_does() -> None:
    texts = [meaning.text for section in SECTIONS.values() for meaning in section.meanings.values()]
    assert all(
        text.endswith(".") for text in [*texts, *(section.note for section in SECTIONS.values() if section.note)]
    )


def test_each_column_and_field_has_a_type() -> None:
    for section in SECTIONS.values():
        for name, meaning in section.meanings.items():
            assert bool(meaning.type) is (section.kind != "Word"), (section.name, name)
            assert {*re.findall(r"“([A-Z].*?)”", meaning.type)} <= {*SECTIONS}
            assert not re.search(r"[A-Z]\w+Entry|Index[A-Z]|Outcome\b", meaning.type)
    assert SECTIONS["Index"].meanings["runs"].type == "list of “Runs of the index”"
    assert SECTIONS["Verdicts"].meanings["against"].type == "list of text or null; may be left out"
    assert SECTIONS["Tables of summaries"].meanings["estimate"].type == "number or empty"


def test_each_status_is_named_with_the_columns() -> None:
    statuses = {*get_args(model.Status)}
    assert {word for word in statuses if word in summary_columns()["status"].text} == statuses
    assert {word for word in statuses if word in SECTIONS["Tables of samples"].meanings["sample_status"].text} == (
        statuses - {"partial"}
    )


def test_every_name_of_the_metrics_file_is_one_that_is_explained() -> None:
    names = {name for facts in metrics(find()).values() for name in facts}
    assert names == {*SECTIONS["Metrics of the scenarios"].meanings}


def test_each_raw_column_is_explained_once_with_its_unit() -> None:
    scenarios = find()
    rows = raw_columns(scenarios)
    names = {name for scenario in scenarios.values() for name in scenario.columns}
    assert {row.name for row in rows} == names
    shared = [row.name for row in rows if row.scenario not in scenarios]
    assert len(shared) == len({*shared}) == len(OF_ALL) + len(OF_SERVERS)
    assert not {row.name for row in rows if row.scenario in scenarios} & {*shared}
    assert {row.scenario for row in rows if row.name == "completed_count"} == {"blocking_server, open_loop"}
    assert all(row.name.endswith(f"_{row.unit}") for row in rows)


def test_each_computed_metric_has_its_formula() -> None:
    scenarios = find()
    rows = computed_metrics(scenarios)
    assert ("idle_tasks", "bytes_per_task", "bytes") in {row[:3] for row in rows}
    facts = metrics(scenarios)
    assert [row.text for row in rows] == [facts[row.scenario]["formulas"][row.name] for row in rows]
