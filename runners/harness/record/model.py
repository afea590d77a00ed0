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
    """Names the run; of a hosted one, each cell's ends in the cell."""
    started: Timestamp
    """When the first sample was begun, UTC."""
    finished: Timestamp | None
    """null while the run goes on, or when it was cut off."""
    commit: str | None
    """The commit of the measuring code; null outside a git checkout."""
    dirty: bool | None
    """Whether files beside results/ differed from that commit."""
    profile: Literal["quick", "full"]
    """quick shows, full decides."""
    rounds: Annotated[int, Meta(ge=1, le=1000)]
    """How often each series was to be measured."""
    seed: int
    """Of the order of measuring and of drawn workloads."""
    trigger: Literal["local", "dispatch", "schedule"]
    """local: begun by hand on a machine; the others on hosted ones."""
    url: str | None
    """Page of the hosted run; null elsewhere."""
    scenarios: list[Identifier]
    """The scenarios asked for; empty: all."""
    runners: list[Identifier]
    """The runners asked for; empty: all."""
    wall_ns: dict[Identifier, Count]
    """Where this cell's wall time went so far: interpreter_start, imports, warm_up, measured, harness."""


class Machine(Strict, frozen=True):
    """The host. Nothing in it names its owner."""

    label: Name
    """What the machine is called here; of a hosted one, its runner label."""
    cpu: Name
    """Model of the processor."""
    architecture: Name
    """Instruction set: x86_64, arm64, ..."""
    logical_cores: Annotated[int, Meta(ge=1)]
    """Processors that the system has."""
    usable_cores: Annotated[int, Meta(ge=1)]
    """Processors that the run could use."""
    memory_bytes: Count | None
    """Physical memory; null where not told."""
    os: Name
    """Operating system and version."""
    kernel: Name
    """Release of the kernel."""
    virtual: str | None
    """The kind of virtual machine or container; "none" on bare metal; null where that can't be told."""
    load_before: float | None
    """One-minute load average before the first sample."""
    load_after: float | None
    """The same after the last; null where not told, or cut off."""
    steal_share: Annotated[float, Meta(ge=0, le=1)] | None
    """Share of processor time that the hypervisor kept for others during the run; null where not reported."""


class Build(Strict, frozen=True):
    """A Python interpreter."""

    implementation: Name
    """CPython or PyPy."""
    version: Name
    """As the interpreter tells it, without a mark of free-threading."""
    free_threaded: bool
    """Whether it was built to run without the GIL."""
    gil_at_start: bool
    """Whether the GIL was on when nothing was imported yet."""
    jit: bool | None
    """Whether a just-in-time compiler was on; null where the interpreter does not say."""
    compiler: Name
    """What it was compiled with."""
    flags: str
    """Optimisation options it was configured with."""
    origin: Name
    """Where it came from: uv, pyenv, system, ..."""


class Package(Strict, frozen=True):
    """A package of the runners on this build."""

    version: str | None
    """What was installed; null where it could not be."""
    reason: str | None
    """Why it is not installed, as the installer says."""


class Observed(Strict, frozen=True):
    """Proof of what really ran, from the last sample that says so. What was not seen is left out."""

    gil_before: bool | None = None
    """Whether the GIL was on before any import of the runner."""
    gil_after_imports: bool | None = None
    """And after them."""
    gil_after_run: bool | None = None
    """And after the work."""
    start_method: str | None = None
    """Of multiprocessing; left out where it was not used."""
    loop_classes: list[str] = []
    """Classes of the event loops."""
    pool_sizes: list[Count] = []
    """Workers of each pool."""
    threads: Count | None = None
    """Threads in which the work ran."""
    processes: Count | None = None
    """Processes in which the work ran."""
    peak_in_flight: Count | None = None
    """The most pieces of work that were in flight at one moment."""
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
    """Of each sample."""
    reason: Reasons = None  # type: ignore[assignment]  # likewise
    """Why a sample is not ok."""
    warm_up_us: list[Count | None]
    """Time of the warm-up before the sample; null where there was none."""
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
    """The scenario's name."""
    case: Name
    """The case's name in its scenario."""
    runner: Identifier
    """The runner's name."""
    role: Role
    """subject: measured for itself; control: the baseline again; reference: on the reference build, beside this one."""
    source_sha256: Source = None  # type: ignore[assignment]  # as below
    """Of the runner's file as it was measured; left out where the record's own list has the same."""
    status: Status
    """ok, or the worst that befell it; partial: some samples are ok."""
    reason: str | None = None
    """Why it is not ok; left out where it is."""
    observed: Observed | None
    """What was seen to run; null where nothing ran."""
    samples: Samples
    """The raw measurements."""


class Record(Strict, frozen=True, kw_only=True):
    """One result file: a machine and a build."""

    schema_version: Literal[1]
    """Of the form of this file."""
    complete: bool
    """False while the run goes on and when it was cut off."""
    run: Run
    """What was asked, and when."""
    machine: Machine
    """What it ran on."""
    build: Build
    """The interpreter that was measured."""
    reference_build: Build
    """The interpreter that was measured in turn with it, or itself."""
    packages: dict[str, Package]
    """The runners' packages on this build."""
    scenario_sha256: dict[Identifier, Sha256]
    """By scenario, of its shared files (`__init__.py` and those that begin with an underscore), in order of name."""
    source_sha256: dict[str, Sha256] = {}
    """By scenario/runner, of the runner's file as it was measured."""
    series: list[Series]
    """One for each runner, case and role."""

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
