"""Records to and from the bytes of a result file. What many entries have in common stands in a file once."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from runners.harness.record import columns
from runners.harness.record.model import SCHEMA_VERSION, Record, Samples

FEWEST_TO_GATHER = 2


class ForeignVersionError(ValueError):
    """The record is of a schema version that this code does not read."""


class _Version(Struct):
    schema_version: int | UnsetType = UNSET


_decoder = msgspec.json.Decoder(Record)
_version_decoder = msgspec.json.Decoder(_Version)


def decode(data: bytes) -> Record:
    """Read a record.

    Raises msgspec.ValidationError, which names the field, and ForeignVersionError.
    """
    version = _version_decoder.decode(data).schema_version
    if version is not UNSET and version != SCHEMA_VERSION:
        msg = f"schema_version is {version}; this code reads {SCHEMA_VERSION}"
        raise ForeignVersionError(msg)
    record = _decoder.decode(data)
    for index, series in enumerate(record.series):
        _check_lengths(series.samples, f"$.series[{index}].samples")
        _check_kinds(series.samples, f"$.series[{index}].samples")
    return record


def _check_lengths(samples: Samples, path: str) -> None:
    expected = len(samples.round)
    columns: dict[str, list[Any]] = {
        name: getattr(samples, name) for name in ("position", "status", "reason", "warm_up_us")
    }
    columns |= {f"values.{name}": column for name, column in samples.values.items()}
    for name, column in columns.items():
        if len(column) != expected:
            msg = f"Expected {expected} entries as in `round`, got {len(column)} - at `{path}.{name}`"
            raise msgspec.ValidationError(msg)


def _check_kinds(samples: Samples, path: str) -> None:
    """Refuse what would break who reads it: lists are told by their names, and places are small."""
    for name, places in (("round", samples.round), ("position", samples.position)):
        if max(places, default=0) > columns.LARGEST_PLACE:
            msg = f"Expected at most {columns.LARGEST_PLACE} - at `{path}.{name}`"
            raise msgspec.ValidationError(msg)
    if wrong := columns.fault(samples.values):
        msg = f"{wrong[1]} - at `{path}.values.{wrong[0]}`"
        raise msgspec.ValidationError(msg)


def encode(record: Record) -> bytes:
    """Write a record as one compact JSON line, the same bytes for the same record."""
    plain = msgspec.to_builtins(record, order="deterministic")
    for series in plain["series"]:
        samples = series["samples"]
        if series["source_sha256"] == record.source_sha256[f"{series['scenario']}/{series['runner']}"]:
            del series["source_sha256"]
        if samples["round"] == list(range(1, len(samples["round"]) + 1)):
            del samples["round"]
        for name, usual in (("status", "ok"), ("reason", None)):
            samples[name] = _gathered(samples[name])
            if samples[name] == usual:
                del samples[name]
        if series["reason"] is None:
            del series["reason"]
        samples["values"] = {name: _gathered(column) for name, column in samples["values"].items()}
        if series["observed"] is not None:
            series["observed"] = {name: seen for name, seen in series["observed"].items() if seen not in (None, [])}
    return msgspec.json.encode(plain) + b"\n"


def _gathered(column: list[Any]) -> Any:  # noqa: ANN401 - a column of any type
    """Return the one value that two or more samples share, or the column as it is."""
    first = column[0] if column else None
    if len(column) < FEWEST_TO_GATHER or isinstance(first, list):
        return column
    return first if all(type(cell) is type(first) and cell == first for cell in column) else column
