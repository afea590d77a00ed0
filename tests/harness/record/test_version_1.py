"""Files of version 1 of the record: read as if they were of this one, with nothing lost."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from runners.harness.catalogue.scenarios import ROOT
from runners.harness.record import codec

COMMITTED = sorted((ROOT / "results" / "2026-11-21").rglob("*.json"))
FILE: dict[str, Any] = json.loads(COMMITTED[0].read_bytes())
ROUNDS = 12


def spread(column: Any, count: int) -> list[Any]:  # noqa: ANN401 - JSON
    return column if isinstance(column, list) else [column] * count


def changed(**fields: object) -> bytes:
    return json.dumps(FILE | fields).encode()


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.name)
def test_every_sample_of_a_committed_file_is_there(path: Any) -> None:  # noqa: ANN401 - of an untyped parameter
    plain, record = json.loads(path.read_bytes()), codec.decode(path.read_bytes())
    assert (record.schema_version, record.kind, record.run.name) == (1, "cell", plain["run"]["id"])
    assert [series.key for series in record.series] == [
        (one["scenario"], one["case"], one["runner"], one["role"]) for one in plain["series"]
    ]
    for series, one in zip(record.series, plain["series"], strict=True):
        samples, count = one["samples"], len(one["samples"]["position"])
        assert series.samples.round == (samples.get("round") or [*range(1, count + 1)])
        assert series.samples.status == spread(samples.get("status", "ok"), count)
        assert series.samples.values == {name: spread(cells, count) for name, cells in samples["values"].items()}
        assert series.source_sha256 == plain["source_sha256"][f"{one['scenario']}/{one['runner']}"]


def test_what_is_read_is_read_alike_without_checks_and_again_from_what_is_written() -> None:
    record = codec.decode(COMMITTED[0].read_bytes())
    assert codec.decode_again(COMMITTED[0].read_bytes()) == record
    of_this_version = msgspec.structs.replace(record, schema_version=2)
    assert codec.decode(codec.encode(of_this_version)) == of_this_version


@pytest.mark.parametrize(
    ("flags", "origin", "pgo_lto_shared"),
    [
        ("--enable-shared -O3", "pyenv", (False, False, True)),
        ("--enable-optimizations --with-lto -O3", "uv", (True, True, False)),
        ("-O2", "system", (None, None, False)),
    ],
)
def test_how_an_interpreter_was_built_is_read_from_its_flags(
    flags: str, origin: str, pgo_lto_shared: tuple[bool | None, ...]
) -> None:
    build = codec.decode(changed(build=FILE["build"] | {"flags": flags, "origin": origin})).build
    assert (build.pgo, build.lto, build.shared) == pgo_lto_shared
    assert build.variant == ()


@pytest.mark.parametrize("field", ["run", "machine", "build", "reference_build", "packages", "series", "source_sha256"])
@pytest.mark.parametrize("value", [None, 5, "x", [5], {"a": 1}, [[]]])
def test_what_is_no_record_is_refused_and_never_breaks_the_reader(field: str, value: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        codec.decode(changed(**{field: value}))
