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


def test_every_kind_and_field_is_explained_and_so_is_each_kind_that_a_type_names() -> None:
    names = {kind.name for kind in KINDS}
    for kind in KINDS:
        assert kind.text, kind.name
        for field in kind.fields:
            assert field.text, field
            assert "anything" not in field.type, field
            words = {word for word in field.type.replace("[", " ").split() if word[:1].isupper()}
            assert words <= names, field


def test_every_column_of_the_tables_is_explained_in_its_order() -> None:
    assert [*SUMMARIES] == [*Summary.__struct_fields__]
    assert [*SAMPLES] == [field.name for field in fields(SampleValue)]
    assert all(text.endswith(".") for text in {**SUMMARIES, **SAMPLES}.values())
