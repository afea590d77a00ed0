"""Reads matrix.toml: hosted machines, Pythons, impossible cells, and the cost of a run."""

from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from runners.harness.errors import UserError
from runners.harness.record.model import Profile

FILE = Path(__file__).with_name("matrix.toml")

Label = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=30)]
"""Part of the names of files, jobs and runs."""
Interpreter = Annotated[str, Meta(pattern=r"^(?!.*--run)[A-Za-z0-9][A-Za-z0-9._-]{0,39}=[^+=]+$")]
"""label=/path/to/python; ids of repeated cells end in --run2 and so on"""
MOST_REPEATS = 10


class Machine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hosted machine, or a self-hosted runner."""

    label: Label
    about: str
    interpreters: list[Interpreter] = []
    """Its own interpreters, as label=path. Runs only name labels."""
    reference: str = ""
    """Reference of its jobs: a version, or one of its labels. Default: that of all machines."""

    @property
    def paths(self) -> dict[str, str]:
        """Paths of its own interpreters, by label."""
        return dict(text.split("=", 1) for text in self.interpreters)


class Exclusion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An impossible cell."""

    machine: str
    python: str
    reason: str


class Minutes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The most that a run takes."""

    quick: float
    """For one build, every scenario and the profile's own rounds, like the next two."""
    full: float
    map: float
    set_up: float
    """For a job, before it measures."""
    percent: dict[str, float]
    """Share of a build's minutes, by scenario."""

    def estimate(self, profile: Profile, scenarios: Collection[str]) -> float:
        """Return the most that a build takes. Without *scenarios*, or with one of unknown share, count them all."""
        minutes: float = getattr(self, profile)
        if profile == "map" or not scenarios or not self.percent.keys() >= {*scenarios}:
            return minutes
        return minutes * min(1.0, sum(self.percent[name] for name in scenarios) / sum(self.percent.values()))


class Matrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of matrix.toml."""

    reference: str
    pythons: list[str]
    machine: list[Machine]
    exclude: list[Exclusion]
    minutes: Minutes
    kilobytes: dict[str, float]
    """Growth of a result file by a round, by scenario."""
    repeats: Annotated[int, Meta(ge=1, le=MOST_REPEATS)] = 1

    @property
    def versions(self) -> list[str]:
        """The interpreters that every machine has: `pythons` without variants."""
        return [*dict.fromkeys(text.partition("+")[0].rpartition("=")[2] for text in self.pythons)]


def read(path: Path | None = None) -> Matrix:
    """Read matrix.toml, or a file like it. Raises UserError with the file and the field."""
    place = path or FILE
    try:
        return msgspec.toml.decode(place.read_bytes(), type=Matrix)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        msg = f"{place.name} can't be read: {error}; see .github/workflows/README.md"
        raise UserError(msg) from None
