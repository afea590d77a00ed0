"""One result file: what it holds, what is refused and how it is named, and the JSON Schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import Plan, make
from planted import scenarios

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record import codec, model, schema

if TYPE_CHECKING:
    from collections.abc import Iterator

WHOLE = make(scenarios("misbehaving"), Plan(rounds=3))
MISSING = object()


def changed(path: str, value: object) -> bytes:
    """Return the file with one field changed; *path* as `$.series[0].status` has it."""
    file = json.loads(codec.encode(WHOLE))
    *way, last = path.removeprefix("$.").replace("[", ".").replace("]", "").split(".")
    at: Any = file
    for step in way:
        at = at[int(step) if step.isdigit() else step]
    if value is MISSING:
        del at[last]
    else:
        at[int(last) if last.isdigit() else last] = value
    return json.dumps(file).encode()


def test_what_is_written_is_read_again() -> None:
    assert codec.decode(codec.encode(WHOLE)) == WHOLE


def test_the_same_record_is_the_same_bytes_in_one_line() -> None:
    written = codec.encode(WHOLE)
    assert written == codec.encode(codec.decode(written))
    assert written.count(b"\n") == 1


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("$.extra", 1, "unknown field `extra`"),
        ("$.run.extra", 1, "`$.run`"),
        ("$.series[1].samples.extra", [], "`$.series[1].samples`"),
        ("$.machine.label", 5, "`$.machine.label`"),
        ("$.machine.label", "", "`$.machine.label`"),
        ("$.machine.usable_cores", 0, "`$.machine.usable_cores`"),
        ("$.machine.steal_share", 1.5, "`$.machine.steal_share`"),
        ("$.machine.load_before", "NaN", "`$.machine.load_before`"),
        ("$.run.profile", "slow", "`$.run.profile`"),
        ("$.run.started", "yesterday", "`$.run.started`"),
        ("$.run.scenarios", ["No Name"], "`$.run.scenarios[0]`"),
        ("$.complete", MISSING, "missing required field `complete`"),
        ("$.build.version", MISSING, "`$.build`"),
        ("$.series[0].status", "splendid", "`$.series[0].status`"),
        ("$.series[0].source_sha256", "abc", "`$.series[0].source_sha256`"),
        ("$.series[0].samples.status", "splendid", "`$.series[0].samples.status`"),
        ("$.series[0].samples.round", [0, 1, 2], "`$.series[0].samples.round[0]`"),
        ("$.series[0].samples.values.elapsed", [1, 1, 1], "`$.series[0].samples.values`"),
        ("$.series[0].samples.values.elapsed_ns[0]", "1", "`$.series[0].samples.values[...][0]`"),
        ("$.series[0].samples.values.elapsed_ns[0]", [None], "`$.series[0].samples.values[...][0][0]`"),
        ("$.series[1].samples.values.elapsed_ns", [1], "`$.series[1].samples.values.elapsed_ns`"),
        ("$.series[1].samples.position", [1], "`$.series[1].samples.warm_up_us`"),
        ("$.series[1].samples.reason", [None] * 4, "`$.series[1].samples.reason`"),
        ("$.schema_version", "1", "`$.schema_version`"),
        ("$.schema_version", MISSING, "missing required field `schema_version`"),
    ],
)
def test_a_field_that_is_not_what_it_must_be_is_named(path: str, value: object, named: str) -> None:
    with pytest.raises(msgspec.ValidationError) as refusal:
        codec.decode(changed(path, value))
    assert named in str(refusal.value)


@pytest.mark.parametrize("version", [0, 2, 99])
def test_a_foreign_version_is_named_before_anything_else(version: int) -> None:
    with pytest.raises(codec.ForeignVersionError, match=f"schema_version is {version}; this code reads 1"):
        codec.decode(json.dumps({"schema_version": version, "all": "different"}).encode())


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_is_no_number_is_refused(number: str) -> None:
    written = changed("$.series[0].samples.values.elapsed_ns[0]", 987654321).replace(b"987654321", number.encode())
    assert number.encode() in written
    with pytest.raises(msgspec.DecodeError):
        codec.decode(written)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b'"a"', codec.encode(WHOLE)[:-9]])
def test_what_is_no_record_is_refused(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        codec.decode(data)


def objects(part_of_schema: object) -> Iterator[dict[str, Any]]:
    if isinstance(part_of_schema, dict):
        if "properties" in part_of_schema:
            yield part_of_schema
        for part in part_of_schema.values():
            yield from objects(part)
    elif isinstance(part_of_schema, list):
        for part in part_of_schema:
            yield from objects(part)


def test_the_schema_that_is_published_is_that_of_the_code() -> None:
    published = (catalogue.ROOT / "results" / "result.schema.json").read_text(encoding="utf-8")
    assert published == json.dumps(schema.json_schema(), indent=1, sort_keys=True) + "\n"


def test_the_schema_allows_no_field_beyond_those_it_names_and_requires_them_all() -> None:
    found = list(objects(schema.json_schema()))
    assert len(found) == 8
    assert all(one["additionalProperties"] is False for one in found)
    optional = {name for one in found for name in set(one["properties"]) - set(one["required"])}
    assert optional == {*model.Observed.__struct_fields__, "round", "status", "reason", "source_sha256"}


def test_the_schema_says_of_a_field_what_the_code_says() -> None:
    fields = schema.json_schema()["$defs"]["Run"]["properties"]  # type: ignore[index] # JSON
    assert fields["dirty"]["description"] == "Whether files beside results/ differed from that commit."
