"""The record of a validation: docs/validation.json, from which the method page takes its figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from generate.statistics import validation

if TYPE_CHECKING:
    from generate.statistics.validation import Validation

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def read() -> Validation:
    """Return what was validated so far; nothing where the record is of another version and is to be made anew."""
    try:
        return validation.read(DOCS)
    except validation.ValidationError:
        return validation.Validation()


def write(found: Validation) -> None:
    """Replace the record."""
    text = msgspec.json.format(msgspec.json.encode(found), indent=1)
    (DOCS / validation.FILE).write_bytes(text + b"\n")
