"""The data dictionary and the data package: every field and column is explained, with its type."""

import re
from typing import Any, get_args

import pytest

from generate.data.schema import json_schema
from generate.data.table import sample_columns, summary_columns
from generate.downloads.data_dictionary import (
    _JSON,
    EVERY,
    SEVERAL,
    explain_fields,
    explain_metrics,
    name_type,
)
from generate.downloads.datapackage import datapackage
from generate.downloads.scenario_metrics import metrics
from generate.downloads.tables import DTYPES
from runners.harness.catalogue.columns import COMMON_COLUMNS, SERVER_COLUMNS
from runners.harness.catalogue.scenarios import find
from runners.harness.record import model

SECTIONS = {section.name: section for section in explain_fields()}
SCHEMA: dict[str, Any] = json_schema()
KINDS = SCHEMA["$defs"]


def test_every_field_of_a_result_file_is_explained() -> None:
    for name, kind in KINDS.items():
        assert kind["description"], name
        for field, facts in kind["properties"].items():
            words = name_type(facts)
            assert facts["description"], field
            assert "anything" not in words, field
            assert {word for word in words.replace("[", " ").split() if word[:1].isupper()} <= {*KINDS}, field


def test_every_column_is_explained_in_its_order() -> None:
    assert [*SECTIONS["Tables of summaries"].meanings] == [*summary_columns()]
    assert [*SECTIONS["Tables of samples"].meanings] == [*sample_columns()]


@pytest.mark.parametrize("name", _JSON)
def test_every_field_that_programs_read_is_explained(name: str) -> None:
    assert {*SECTIONS[name].meanings} == {*_JSON[name].__annotations__}


def test_everything_has_a_type_and_a_sentence() -> None:
    for section in SECTIONS.values():
        assert not section.note or section.note.endswith(".")
        for name, meaning in section.meanings.items():
            assert meaning.text.endswith("."), (section.name, name)
            assert bool(meaning.type) is (section.kind != "Word"), (section.name, name)
            assert {*re.findall(r"“([A-Z].*?)”", meaning.type)} <= {*SECTIONS}
            assert not re.search(r"[A-Z]\w+Entry|Index[A-Z]|Outcome\b", meaning.type)
    assert SECTIONS["Index"].meanings["runs"].type == "list of “Runs of the index”"
    assert SECTIONS["Verdicts"].meanings["against"].type == "list of text or null; may be left out"
    assert SECTIONS["Tables of summaries"].meanings["estimate"].type == "number or empty"


def test_each_status_is_named_with_the_columns() -> None:
    statuses = {*get_args(model.Status)}
    assert all(status in summary_columns()["status"].about for status in statuses)
    assert all(status in sample_columns()["sample_status"].about for status in statuses - {"partial"})


def test_each_column_and_computed_metric_is_explained_once() -> None:
    scenarios = find()
    places = explain_metrics(scenarios)
    rows = {row.name: row for rows in places.values() for row in rows}
    assert len(rows) == sum(map(len, places.values()))
    assert {*rows} == {name for each in scenarios.values() for name in (*each.columns, *each.formulas)}
    assert {row.name for row in places[EVERY]} == {*COMMON_COLUMNS}
    assert {*SERVER_COLUMNS} <= {row.name for row in places[SEVERAL]}
    assert all(row.name.endswith(f"_{row.unit}") for row in places[EVERY])
    assert rows["bytes_per_task"].unit == "bytes"
    (computed,) = rows["bytes_per_task"].meanings
    assert metrics(scenarios)["idle_tasks"]["formulas"]["bytes_per_task"] in computed


def test_package_describes_every_csv_by_its_columns() -> None:
    files = datapackage(["primes.csv", "primes.parquet", "primes-samples.csv.gz"], "https://example.org/")
    package = files["datapackage.json"]
    assert package["homepage"] == "https://example.org/"
    assert {each["path"]: each["schema"] for each in package["resources"]} == {
        "primes.csv": "summaries.schema.json",
        "primes-samples.csv.gz": "samples.schema.json",
    }
    assert all(re.fullmatch(r"[a-z0-9._-]+", each["name"]) for each in package["resources"])
    types = {"category": "string", "bool": "boolean", "boolean": "boolean", "int64": "integer", "float64": "number"}
    columns = {field["name"]: field["type"] for field in files["summaries.schema.json"]["fields"]}
    assert columns == {name: types[DTYPES[column.kind]] for name, column in summary_columns().items()}
