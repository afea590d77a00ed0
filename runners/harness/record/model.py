"""The record: what one result file holds, as types. The JSON Schema in results/ is generated from them.

Raw samples only; no statistic is stored. A change that an older reader would misread raises the version; every change
is in the CHANGELOG.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, Self

from msgspec import Meta, Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SCHEMA_VERSION = 2

LARGEST_COUNT = 2**31 - 1
"""Of a round, a place in a block, a number of threads: what every reader can count with."""

Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
SmallCount = Annotated[int, Meta(ge=0, le=LARGEST_COUNT)]
Round = Annotated[int, Meta(ge=1, le=LARGEST_COUNT)]
Cores = Annotated[int, Meta(ge=1, le=100_000)]
Load = Annotated[float, Meta(ge=0, le=1e6)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(max_length=2000)]
END = r"$(?!\n)"
"""The end of a pattern, in Python and in JSON Schema: in Python, `$` alone matches before a final newline as well."""
Identifier = Annotated[str, Meta(pattern=f"^[a-z][a-z0-9_]*{END}", max_length=60)]
Sha256 = Annotated[str, Meta(pattern=f"^[0-9a-f]{{64}}{END}", max_length=64)]
Timestamp = Annotated[
    str,
    Meta(
        pattern="^(20[0-9]{2}|2100)-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
        f"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z{END}",
        max_length=20,
    ),
]
"""A second from 2000 to 2100, UTC."""
COLUMN = f"^[a-z][a-z0-9_]*_(ns|us|bytes|count){END}"
Column = Annotated[str, Meta(pattern=COLUMN, max_length=60)]
"""A raw measurement's name; it ends in its unit."""
Number = Whole | Annotated[float, Meta(ge=-1e300, le=1e300)]
"""Not nearer to 0 than `columns.SMALLEST`, but 0 itself."""
Value = Number | list[Number] | None
Status = Literal["ok", "partial", "unsupported", "failed", "timed_out", "not_reached"]
Role = Literal["subject", "control", "reference"]
Profile = Literal["quick", "full", "map"]


class SeriesKey(NamedTuple):
    """What names a series in its record."""

    scenario: str
    case: str
    runner: str
    role: Role


class SampleRow(NamedTuple):
    """One sample: an entry of each column."""

    round: int
    position: int
    status: Status
    reason: str | None
    warm_up_us: int | None
    values: dict[str, Value]


class Strict(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The record's own kind of struct: immutable, and an unknown field is an error."""


class Run(Strict, frozen=True):
    """One `run` command: what was asked, by whom, from which code."""

    id: Annotated[str, Meta(pattern=f"^[A-Za-z0-9][A-Za-z0-9._-]*{END}", max_length=80)]
    """Names the run of one cell: files with the same were measured turn by turn."""
    name: Annotated[str, Meta(pattern=f"^[A-Za-z0-9][A-Za-z0-9._-]*{END}", max_length=80)]
    """Names the whole run: all cells of a hosted one have the same."""
    started: Timestamp
    """When the first sample was begun, UTC."""
    finished: Timestamp | None
    """When no more samples were begun; null while the run goes on, or when it was interrupted."""
    commit: Name | None
    """The commit of the measuring code; null outside a git checkout."""
    dirty: bool | None
    """Whether files beside results/ differed from that commit."""
    profile: Profile
    """quick decides directions, full all; map has samples of the map alone."""
    rounds: Annotated[int, Meta(ge=1, le=1000)]
    """How often each series was to be measured."""
    seed: Whole
    """Of the order of measuring and of drawn workloads."""
    trigger: Literal["local", "dispatch", "schedule"]
    """local: begun by hand on a machine; the others on hosted ones."""
    url: Text | None
    """Page of the hosted run; null elsewhere."""
    scenarios: list[Identifier]
    """The scenarios asked for; empty: all."""
    runners: list[Identifier]
    """The runners asked for; empty: all."""
    wall_ns: dict[Identifier, Count]
    """Where this cell's wall time went so far: interpreter_start, imports, warm_up, measured, harness."""
    calibration: dict[Identifier, Count] = {}
    """What scenarios fitted to the machine, on the reference build, such as the turns of a loop that take 1 ms."""
    memory_budget_bytes: Count | None = None
    """What a sample might hold at most: half of what was free when the run began; null where that is not known."""
    cases: list[Text] = []
    """The cases asked for; empty: all."""

    @property
    def is_quick(self) -> bool:
        """Whether it decides directions alone; a run of the map is as full as one of all scenarios."""
        return self.profile == "quick"


class Machine(Strict, frozen=True):
    """The host. Nothing in it names its owner."""

    label: Name
    """What the machine is called here; of a hosted one, its runner label."""
    cpu: Name
    """Model of the processor."""
    architecture: Name
    """Instruction set: x86_64, arm64, ..."""
    logical_cores: Cores
    """Processors that the system has."""
    usable_cores: Cores
    """Processors that the run could use."""
    memory_bytes: Annotated[int, Meta(ge=0, le=2**60)] | None
    """Physical memory; null where not reported."""
    os: Name
    """Operating system and version."""
    kernel: Name
    """Release of the kernel."""
    virtual: Name | None
    """The kind of virtual machine or container; "none" on bare metal; null where that can't be told."""
    load_before: Load | None
    """One-minute load average before the first sample."""
    load_after: Load | None
    """The same after the last; null where not reported, or cut off."""
    governor: Name | None
    """How the processor's speed is governed, as Linux names it: "powersave" slows it down; null where not reported."""
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
    flags: Text
    """Optimisation options it was configured with."""
    origin: Name
    """Where it came from: uv, pyenv, system, ..."""
    variant: Annotated[tuple[Name, ...], Meta(max_length=20)]
    """What tells it from the plain build: a label, other packages, switches. Empty: it is the plain one."""
    pgo: bool | None
    """Whether its compiler was led by a profile; null where that is not known, as in the fields below."""
    lto: bool | None
    """Whether it was optimised over all of its files when linked."""
    jit_compiled: bool | None
    """Whether a just-in-time compiler is in it, on or off."""
    shared: bool | None
    """Whether it is linked to a library of its own, which makes calls a little slower."""
    frame_pointers: bool | None
    """Whether it keeps frame pointers, for profilers."""
    variables: Annotated[tuple[Name, ...], Meta(max_length=20)]
    """Environment variables that switch the interpreter, as it ran with them: NAME=value."""
    options: Annotated[tuple[Name, ...], Meta(max_length=20)]
    """What followed -X when it ran."""


class Package(Strict, frozen=True, kw_only=False):
    """A package of the runners on this build."""

    version: Name | None
    """What was installed; null where it could not be."""
    reason: Text | None
    """Why it is not installed, as the installer says."""
    source: Name | None = None
    """owner/repository@commit, or a file's name, where it is from no index."""
    sha256: Sha256 | None = None
    """Of the file that it was installed from: of an index, or of this machine; null where that is not known."""
    requires: tuple[Name, ...] | None = None
    """Packages that it needs; null if that is not known."""


class Observed(Strict, frozen=True, omit_defaults=True):
    """Proof of what really ran, from the last sample that says so. What was not seen is left out."""

    gil_before: bool | None = None
    """Whether the GIL was on before any import of the runner."""
    gil_after_imports: bool | None = None
    """And after them."""
    gil_after_run: bool | None = None
    """And after the work."""
    start_method: Name | None = None
    """Of multiprocessing; left out where it was not used."""
    loop_classes: list[Name] = []
    """Classes of the event loops."""
    pool_sizes: list[SmallCount] = []
    """Workers of each pool."""
    threads: SmallCount | None = None
    """Threads in which the work ran."""
    processes: SmallCount | None = None
    """Processes in which the work ran."""
    peak_in_flight: SmallCount | None = None
    """The most pieces of work that were in flight at one moment."""
    asked_at_once: SmallCount | None = None
    """The most that may be in flight; left out where the runner has no such limit."""


class Samples(Strict, frozen=True, kw_only=True):
    """Columns, one entry a sample."""

    round: list[Round]
    """Number of the round, from 1."""
    position: list[SmallCount]
    """Place in the block, from 0: the order in which it was measured."""
    status: list[Status]
    """Of each sample."""
    reason: list[Text | None]
    """Why a sample is not ok."""
    warm_up_us: list[Count | None]
    """Time of the warm-up before the sample; null where there was none."""
    values: dict[Column, list[Value]]
    """Raw measurements by column; lists hold whole numbers. `..._steps_us` are ascending values, each as its difference
    to the one before (the running sum gives them back). `..._trace_...` are kept of the first sample that has them; a
    control keeps no lists."""

    @classmethod
    def of(cls, rows: Sequence[SampleRow]) -> Self:
        """Make the columns of *rows*; those of `values`, in order of name, of which any sample has a value."""
        names = sorted({name for row in rows for name, value in row.values.items() if value is not None})
        return cls(
            round=[row.round for row in rows],
            position=[row.position for row in rows],
            status=[row.status for row in rows],
            reason=[row.reason for row in rows],
            warm_up_us=[row.warm_up_us for row in rows],
            values={name: [row.values.get(name) for row in rows] for name in names},
        )

    def rows(self) -> Iterator[SampleRow]:
        """Go through the samples, in the order in which they stand."""
        values = zip(*self.values.values(), strict=True) if self.values else [()] * len(self.round)
        of_samples = zip(self.round, self.position, self.status, self.reason, self.warm_up_us, values, strict=True)
        for number, position, status, reason, warm_up_us, of_row in of_samples:
            yield SampleRow(number, position, status, reason, warm_up_us, dict(zip(self.values, of_row, strict=True)))

    def ok_rows(self) -> Iterator[SampleRow]:
        """Go through the samples that are ok."""
        return (row for row in self.rows() if row.status == "ok")


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
    source_sha256: Sha256
    """Of the runner's file as it was measured."""
    status: Status
    """ok: all samples are; partial: some are, or not all were reached. Else that of its first sample or, without any,
    why there is none."""
    reason: Text | None
    """Why it is not ok."""
    observed: Observed | None
    """What was seen to run; null where nothing ran."""
    samples: Samples
    """The raw measurements."""

    @property
    def key(self) -> SeriesKey:
        """What names it in its record."""
        return SeriesKey(self.scenario, self.case, self.runner, self.role)


class Record(Strict, frozen=True, kw_only=True):
    """One result file: a machine and a build."""

    schema_version: Literal[2]
    """Version of the file's format."""
    kind: Literal["cell", "by_product"]
    """cell: a machine and a build, measured for itself. by_product: the reference build, measured beside another build
    in that one's job."""
    complete: bool
    """False while the run goes on, and when it was interrupted or its time ran out before it had every sample."""
    run: Run
    """What was asked, and when."""
    machine: Machine
    """What it ran on."""
    build: Build
    """The interpreter that was measured."""
    reference_build: Build
    """The interpreter that was measured in turn with it, or itself."""
    packages: dict[Name, Package]
    """The runners' packages on this build."""
    reference_packages: dict[Name, Package]
    """And on the reference build."""
    scenario_sha256: dict[Identifier, Sha256]
    """By scenario, of its shared files (`workload.py` and those that begin with an underscore), in order of name."""
    series: list[Series]
    """One for each runner, case and role."""


def of_runner(series: Series) -> str:
    """Name the runner of *series* among those of all scenarios."""
    return f"{series.scenario}/{series.runner}"
