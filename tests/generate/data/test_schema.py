"""The published JSON Schemas."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from generate.data import read, schema
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.own import record as own_record
from runners.harness.record import model


def parts(value: object) -> Iterator[dict[str, Any]]:
    """Yield every object in a JSON Schema."""
    if isinstance(value, dict):
        yield value
        value = [*value.values()]
    for part in value if isinstance(value, list) else ():
        yield from parts(part)


@pytest.mark.parametrize(
    ("file", "made"), [(read.SCHEMA_FILE, schema.json_schema), (own_record.SCHEMA_FILE, schema.own_json_schema)]
)
def test_published_schema_is_that_of_the_code(file: str, made: Callable[[], dict[str, object]]) -> None:
    published = (ROOT / "results" / file).read_text(encoding="utf-8")
    assert published == json.dumps(made(), indent=1, sort_keys=True) + "\n"


def test_schema_requires_all_fields_and_allows_no_other() -> None:
    kinds = [part for part in parts(schema.json_schema()) if "properties" in part]
    assert len(kinds) == 8
    assert all(kind["additionalProperties"] is False for kind in kinds)
    optional = {name for kind in kinds for name in set(kind["properties"]) - set(kind["required"])}
    later = {"calibration", "memory_budget_bytes", "cases", "throttled_share", "others_share"}  # added to version 2
    assert optional == {*model.Observed.__struct_fields__, "source", "sha256", "requires", *later}


def test_schema_bounds_every_number_and_text() -> None:
    needed = {"string": {"maxLength"}, "integer": {"minimum", "maximum"}, "number": {"minimum", "maximum"}}
    kinds = [*parts(schema.json_schema())]
    mappings = [kind for kind in kinds if "additionalProperties" in kind and "properties" not in kind]
    kinds += [{"type": "string", **mapping.get("propertyNames", {})} for mapping in mappings]
    assert [kind for kind in kinds if not needed.get(str(kind.get("type")), set()) <= kind.keys()] == []
