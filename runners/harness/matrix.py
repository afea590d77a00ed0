"""Reads matrix.toml: the hosted machines, the Pythons, and the cells that can't be. Our side."""

from __future__ import annotations

from pathlib import Path

import msgspec

FILE = Path(__file__).with_name("matrix.toml")


class Machine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hosted machine."""

    label: str
    about: str


class Exclusion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cell that can't be."""

    machine: str
    python: str
    reason: str


class Matrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What matrix.toml holds."""

    reference: str
    pythons: list[str]
    machine: list[Machine]
    exclude: list[Exclusion]


def read() -> Matrix:
    """Return what matrix.toml holds."""
    return msgspec.toml.decode(FILE.read_bytes(), type=Matrix)
