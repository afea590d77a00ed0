"""Reads matrix.toml: the hosted machines, the Pythons, the cells that can't be, and what a run takes. Our side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from runners.harness.errors import UserError

FILE = Path(__file__).with_name("matrix.toml")

Label = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=30)]
"""It stands in the names of files, jobs and runs."""
Interpreter = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}=[^+=]+$")]
"""label=/path/to/python"""
MOST_REPEATS = 10


class Machine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hosted machine, or a runner of one's own."""

    label: Label
    about: str
    interpreters: list[Interpreter] = []
    """Interpreters that are there, each as label=path. A run names the label; no input of a run names a path."""
    reference: str = ""
    """What its jobs measure in turn with their builds: a version, or one of its labels; empty: as on all machines."""

    @property
    def paths(self) -> dict[str, str]:
        """By label, where its own interpreters are."""
        return dict(text.split("=", 1) for text in self.interpreters)


class Exclusion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cell that can't be."""

    machine: str
    python: str
    reason: str


class Minutes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a run takes at most."""

    quick: float
    """Of one build, with every scenario and the profile's own rounds."""
    full: float
    """Likewise."""
    map: float
    """Likewise."""
    set_up: float
    """Of a job, before it measures."""
    percent: dict[str, float]
    """Of a build's minutes, by scenario."""


class Matrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What matrix.toml holds."""

    reference: str
    pythons: list[str]
    machine: list[Machine]
    exclude: list[Exclusion]
    minutes: Minutes
    kilobytes: dict[str, float]
    """By scenario, how much larger a round makes a result file."""
    repeats: Annotated[int, Meta(ge=1, le=MOST_REPEATS)] = 1
    """How often a schedule measures each build."""

    @property
    def versions(self) -> list[str]:
        """The interpreters that every machine has: the Pythons, without what makes some of them variants."""
        return [*dict.fromkeys(text.partition("+")[0].rpartition("=")[2] for text in self.pythons)]


def read(path: Path | None = None) -> Matrix:
    """Return what matrix.toml holds, or another file of its kind. Raises UserError, with the file and the field."""
    place = path or FILE
    try:
        return msgspec.toml.decode(place.read_bytes(), type=Matrix)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        msg = f"{place.name} can't be read: {error}; what it may hold: .github/workflows/README.md"
        raise UserError(msg) from None
