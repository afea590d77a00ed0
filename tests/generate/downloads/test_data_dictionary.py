"""The data dictionary: every field of a result file, from its schema."""

from __future__ import annotations

from dataclasses import fields

import msgspec

from generate.analysis.summary import SampleValue, Summary
from generate.downloads.data_dictionary import ROOT, SAMPLES, SUMMARIES, dictionary
from runners.harness.record import model
from runners.harness.record.schema import json_schema

KINDS = dictionary(json_schema())


def test_the_file_itself_comes_first_and_every_field_of_it_is_there() -> None:
    assert KINDS[0].name == ROOT
    assert [field.name for field in KINDS[0].fields] == [
        field.encode_name for field in msgspec.structs.fields(model.Record)
    ]


def test_a_kind_that_a_type_names_is_explained() -> None:
    names = {kind.name for kind in KINDS}
    for kind in KINDS:
        for field in kind.fields:
            words = {word for word in field.type.replace("[", " ").split() if word[:1].isupper()}
            assert words <= names, field


def test_no_type_is_left_unnamed() -> None:
    assert [field for kind in KINDS for field in kind.fields if "anything" in field.type] == []


def test_every_column_of_the_tables_is_explained_in_its_order() -> None:
    assert [*SUMMARIES] == [field.name for field in fields(Summary)]
    assert [*SAMPLES] == [field.name for field in fields(SampleValue)]
    assert all(text.endswith(".") for text in {**SUMMARIES, **SAMPLES}.values())


def test_every_field_and_kind_is_explained() -> None:
    assert [(kind.name, field.name) for kind in KINDS for field in kind.fields if not field.text] == []
    assert [kind.name for kind in KINDS if not kind.text] == []
