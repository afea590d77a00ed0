"""Decodes and encodes result files."""

from codecs import BOM_UTF8
from datetime import datetime
from typing import Any

import msgspec

from runners.harness.record.model import SCHEMA_VERSION, Record, Samples, column_fault


class ForeignVersionError(ValueError):
    """The record has a schema version that this code does not read."""


class _Versioned(msgspec.Struct):
    schema_version: object = None


_decoder = msgspec.json.Decoder(Record)


def decode(data: bytes) -> Record:
    """Decode a record. Raises msgspec.ValidationError, which names the field, and ForeignVersionError."""
    data = data.removeprefix(BOM_UTF8)  # editors add the mark
    try:
        record = _decoder.decode(data)
    except msgspec.ValidationError:
        _check_version(data)
        raise
    for name in ("started", "finished"):
        moment = getattr(record.run, name) or "2000-01-01"
        try:
            datetime.fromisoformat(moment)
        except ValueError as error:  # the pattern of a timestamp allows 30 February
            msg = f"Expected a date of the calendar, got {moment} - at `$.run.{name}`"
            raise msgspec.ValidationError(msg) from error
    for index, series in enumerate(record.series):
        check_samples(series.samples, record.run.rounds, f"$.series[{index}].samples")
    return record


def _check_version(data: bytes) -> None:
    """Raise ForeignVersionError if a different version of the format explains why *data* is not a record."""
    try:
        version = msgspec.json.decode(data, type=_Versioned).schema_version
    except msgspec.ValidationError:
        return  # not an object
    if type(version) is int and version != SCHEMA_VERSION:
        msg = f"schema_version is {version}; this code reads {SCHEMA_VERSION}"
        raise ForeignVersionError(msg)


def check_samples(samples: Samples, rounds: int, path: str) -> None:
    """Raise msgspec.ValidationError, which names the field, for columns that don't fit each other or their names."""
    expected = len(samples.round)
    lengths: dict[str, list[Any]] = {
        name: getattr(samples, name) for name in ("position", "status", "reason", "warm_up_us")
    }
    lengths |= {f"values.{name}": column for name, column in samples.values.items()}
    for name, column in lengths.items():
        if len(column) != expected:
            msg = f"Expected {expected} entries as in `round`, got {len(column)} - at `{path}.{name}`"
            raise msgspec.ValidationError(msg)
    if wrong := column_fault(samples.values):
        msg = f"{wrong[1]} - at `{path}.values.{wrong[0]}`"
        raise msgspec.ValidationError(msg)
    for index, number in enumerate(samples.round):
        if number > rounds:
            msg = f"round {number} of a run of {rounds} - at `{path}.round[{index}]`"
            raise msgspec.ValidationError(msg)


def encode(record: Record) -> bytes:
    """Encode a record as one compact JSON line. Equal records have equal bytes."""
    return msgspec.json.encode(record, order="deterministic") + b"\n"


def encode_checked(record: Record) -> bytes:
    """Encode a record that can be read back as it is. Raises ValueError, which names the field if it can."""
    data = encode(record)
    try:
        is_same = decode(data) == record
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error
    if not is_same:
        msg = "a number is not finite, or a value has another type"
        raise ValueError(msg)
    return data
