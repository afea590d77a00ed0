import json
from pathlib import Path

import msgspec
import pytest
from own_records import COMPUTING, LOOP, own_record

from generate.data.read import load
from runners.harness.own import record
from runners.harness.record.model import SampleRow, Samples

RECORD = own_record(COMPUTING)


@pytest.mark.parametrize(
    "fault",
    [
        {"samples": msgspec.structs.replace(LOOP.samples, round=[1])},
        {"samples": Samples.from_rows([SampleRow(1, 0, "ok", None, None, {"elapsed_ns": [1]})])},
        {"build": 1},
        {"workers": 0},
        {"reason": "x" * 3000},
    ],
)
def test_bad_series_is_never_written(fault: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError, match=r"\$\.series\[0\]"):
        record.encode(own_record([msgspec.structs.replace(LOOP, **fault)]))


def test_unknown_field_is_refused() -> None:
    data = json.loads(record.encode(RECORD)) | {"items": ["a secret"]}
    with pytest.raises(msgspec.ValidationError, match="items"):
        record.decode(json.dumps(data).encode())


def test_own_records_are_no_result_files(tmp_path: Path) -> None:
    (tmp_path / record.FILE).write_bytes(record.encode(RECORD))
    (tmp_path / record.SCHEMA_FILE).write_text("{}")
    loaded = load(tmp_path)
    assert (loaded.files, loaded.problems) == ([], [])
