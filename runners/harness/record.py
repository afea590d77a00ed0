"""The record: what one result file holds, as types. The JSON Schema in results/ is generated from them.

Schema version 1. Raw samples only; no statistic is stored. A change of any field raises the version and is told in the
CHANGELOG.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

SCHEMA_VERSION = 1

Count = Annotated[int, Meta(ge=0)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Identifier = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$", max_length=60)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Timestamp = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
Column = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*_(ns|us|bytes|count)$", max_length=60)]
"""A raw measurement's name; it ends in its unit."""
Status = Literal["ok", "partial", "unsupported", "failed", "timed_out", "not_reached"]
Role = Literal["subject", "control", "reference"]


class Strict(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The record's own kind of struct: immutable, and an unknown field is an error."""


class Run(Strict, frozen=True):
    """One `run` command: what was asked, by whom, from which code."""

    id: Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=80)]
    started: Timestamp
    finished: Timestamp | None
    """null while the run goes on, or when it was cut off."""
    commit: str | None
    """The commit of the measuring code; null outside a git checkout."""
    dirty: bool | None
    """Whether files beside results/ differed from that commit."""
    profile: Literal["quick", "full"]
    rounds: Annotated[int, Meta(ge=1, le=1000)]
    seed: int
    trigger: Literal["local", "dispatch", "schedule"]
    url: str | None
    scenarios: list[Identifier]
    """The scenarios asked for; empty: all."""
    runners: list[Identifier]
    """The runners asked for; empty: all."""
    wall_ns: dict[Identifier, Count]
    """Where this cell's wall time went so far: interpreter_start, imports, warm_up, measured, harness."""


class Machine(Strict, frozen=True):
    """The host. Nothing in it names its owner."""

    label: Name
    cpu: Name
    architecture: Name
    logical_cores: Annotated[int, Meta(ge=1)]
    usable_cores: Annotated[int, Meta(ge=1)]
    memory_bytes: Count | None
    os: Name
    kernel: Name
    virtual: str | None
    """The kind of virtual machine or container; "none" on bare metal; null where that can't be told."""
    load_before: float | None
    """One-minute load average before the first sample."""
    load_after: float | None
    steal_share: Annotated[float, Meta(ge=0, le=1)] | None
    """Share of processor time that the hypervisor kept for others during the run; null where not reported."""


class Build(Strict, frozen=True):
    """A Python interpreter."""

    implementation: Name
    version: Name
    free_threaded: bool
    gil_at_start: bool
    jit: bool | None
    """Whether a just-in-time compiler was on; null where the interpreter does not say."""
    compiler: Name
    flags: str
    """Optimisation options it was configured with."""
    origin: Name
    """Where it came from: uv, pyenv, system, ..."""


class Package(Strict, frozen=True):
    """A package of the runners on this build."""

    version: str | None
    reason: str | None
    """Why it is not installed, as the installer says."""


class Observed(Strict, frozen=True):
    """Proof of what really ran, from the last sample that says so. What was not seen is left out."""

    gil_before: bool | None = None
    gil_after_imports: bool | None = None
    gil_after_run: bool | None = None
    start_method: str | None = None
    """Of multiprocessing; left out where it was not used."""
    loop_classes: list[str] = []
    pool_sizes: list[Count] = []
    threads: Count | None = None
    """Threads in which the work ran."""
    processes: Count | None = None
    """Processes in which the work ran."""
    peak_in_flight: Count | None = None
    asked_at_once: Count | None = None
    """The most that may be in flight; left out where the runner has no such limit."""


Scalar = int | float | None
Cell = int | float | list[int | float] | None

if TYPE_CHECKING:
    Rounds = list[int]
    Source = str
    Statuses = list[Status]
    Reasons = list[str | None]
    Cells = list[Cell]
else:  # in a file, what many have in common stands there once; in memory each has its own
    Rounds = list[Annotated[int, Meta(ge=1)]] | None
    Source = Sha256 | None
    Statuses = list[Status] | Status
    Reasons = list[str | None] | str | None
    Cells = list[Cell] | Scalar


class Samples(Strict, frozen=True, kw_only=True):
    """Columns, one entry a sample.

    Where all samples have the same value, a file holds it once instead of a list; that all are ok it leaves out.
    """

    round: Rounds = None  # type: ignore[assignment]  # likewise
    """Left out where they are 1, 2, 3 and so on."""
    position: list[Count]
    """Place in the block, from 0: the order in which it was measured."""
    status: Statuses = "ok"  # type: ignore[assignment]  # spread below, as in a file it is left out where all are ok
    reason: Reasons = None  # type: ignore[assignment]  # likewise
    warm_up_us: list[Count | None]
    values: dict[Column, Cells]
    """Raw measurements by column; lists hold whole numbers. `..._steps_us` are ascending values, each as its difference
    to the one before (the running sum gives them back). `..._trace_...` are kept of round 1 alone."""

    def __post_init__(self) -> None:
        """Give each sample its own entry."""
        count = len(self.position)
        if self.round is None:
            force_setattr(self, "round", list(range(1, count + 1)))
        for name in ("status", "reason"):
            force_setattr(self, name, _spread(getattr(self, name), count))
        for name in self.values:
            self.values[name] = _spread(self.values[name], count)


def _spread(column: Any, count: int) -> list[Any]:  # noqa: ANN401 - a column of any type
    return column if isinstance(column, list) else [column] * count


class Series(Strict, frozen=True, kw_only=True):
    """One runner in one case."""

    scenario: Identifier
    case: Name
    runner: Identifier
    role: Role
    source_sha256: Source = None  # type: ignore[assignment]  # as below
    """Of the runner's file as it was measured; left out where the record's own list has the same."""
    status: Status
    reason: str | None = None
    """Why it is not ok; left out where it is."""
    observed: Observed | None
    samples: Samples


class Record(Strict, frozen=True, kw_only=True):
    """One result file: a machine and a build."""

    schema_version: Literal[1]
    complete: bool
    """False while the run goes on and when it was cut off."""
    run: Run
    machine: Machine
    build: Build
    reference_build: Build
    packages: dict[str, Package]
    scenario_sha256: dict[Identifier, Sha256]
    """By scenario, of its shared files (`__init__.py` and those that begin with an underscore), in order of name."""
    source_sha256: dict[str, Sha256] = {}
    """By scenario/runner, of the runner's file as it was measured."""
    series: list[Series]

    def __post_init__(self) -> None:
        """Give each series its own hash, and the record a list of them. Raises ValueError where one has none."""
        known = {of_runner(series): series.source_sha256 for series in reversed(self.series)}
        force_setattr(self, "source_sha256", {**known, **self.source_sha256})
        for series in self.series:
            if series.source_sha256 is None:
                force_setattr(series, "source_sha256", self.source_sha256[of_runner(series)])
            if series.source_sha256 is None:
                msg = f"no `source_sha256` is told of {of_runner(series)}"
                raise ValueError(msg)


def of_runner(series: Series) -> str:
    """Name the runner of *series* among those of all scenarios."""
    return f"{series.scenario}/{series.runner}"
