"""The types of a result file. The JSON Schema in results/ is made from them (generate/data/schema.py).

Raw samples only; no statistic is stored. A change that an older reader would misread raises the version; every change
is in the CHANGELOG.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple, Self

from msgspec import Meta, Struct

SCHEMA_VERSION = 2

LARGEST_COUNT = 2**31 - 1
"""For rounds, places in a block and threads: every reader can count that far."""

Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
SmallCount = Annotated[int, Meta(ge=0, le=LARGEST_COUNT)]
Round = Annotated[int, Meta(ge=1, le=LARGEST_COUNT)]
Cores = Annotated[int, Meta(ge=1, le=100_000)]
Load = Annotated[float, Meta(ge=0, le=1e6)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(max_length=2000)]
END = r"$(?!\n)"
"""The end of a pattern in Python and JSON Schema. In Python, `$` also matches before a final newline."""
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
"""The name of a raw measurement ends in its unit."""
LISTS = ("_steps_", "_trace_")
"""Columns of lists have one of these in their names; all others hold single numbers."""
Value = Whole | list[Whole] | None
Status = Literal["ok", "partial", "unsupported", "failed", "timed_out", "not_reached"]
Role = Literal["subject", "control", "reference"]
Profile = Literal["quick", "full", "map"]


def column_fault(values: Mapping[str, Sequence[object]]) -> tuple[str, str] | None:
    """Return the first column with a wrong value, and what is wrong; None without any.

    A column of lists has a list with an item, or null, for each sample; any other has a number or null.
    """
    for name, column in values.items():
        if not any(mark in name for mark in LISTS):
            if list in {*map(type, column)}:
                return name, "a list, where the column's name asks for single numbers"
        elif [] in column:
            return name, "an empty list, where a list holds at least one number"
        elif any(value is not None and not isinstance(value, list) for value in column):
            return name, "a single number, where the column's name asks for lists"
    return None


class SeriesKey(NamedTuple):
    scenario: str
    case: str
    runner: str
    role: Role


class SampleRow(NamedTuple):
    round: int
    position: int
    status: Status
    reason: str | None
    warm_up_us: int | None
    values: dict[str, Value]


class Strict(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An immutable struct that rejects unknown fields."""


class Run(Strict, frozen=True):
    """One `run` command: what was requested, how, and from which code."""

    id: Annotated[str, Meta(pattern=f"^[A-Za-z0-9][A-Za-z0-9._-]*{END}", max_length=80)]
    """Name of the run of one cell. Files with the same id were measured turn by turn."""
    name: Annotated[str, Meta(pattern=f"^[A-Za-z0-9][A-Za-z0-9._-]*{END}", max_length=80)]
    """Name of the run. All cells of a hosted run share it."""
    started: Timestamp
    """Start of the first sample, UTC."""
    finished: Timestamp | None
    """When the last sample had ended, UTC; null during the run, and after an interruption."""
    commit: Name | None
    """The commit of the measuring code; null outside a git checkout."""
    dirty: bool | None
    """True if files other than results/ differed from that commit."""
    profile: Profile
    """quick decides directions, full everything; map has only samples of the map."""
    rounds: Annotated[int, Meta(ge=1, le=1000)]
    """How often each series was to be measured."""
    seed: Whole
    """Of the order of measuring and of drawn workloads."""
    trigger: Literal["local", "dispatch", "schedule"]
    """local: started by hand; the others on hosted machines."""
    url: Text | None
    """Page of the hosted run; null elsewhere."""
    scenarios: list[Identifier]
    """The requested scenarios; empty: all."""
    runners: list[Identifier]
    """The requested runners; empty: all."""
    wall_ns: dict[Identifier, Count]
    """How this cell's wall time was spent so far: interpreter_start, imports, warm_up, measured, harness."""
    calibration: dict[Identifier, Count] = {}
    """Parameters fitted to the machine on the reference build, such as the turns of a loop in 1 ms."""
    memory_budget_bytes: Count | None = None
    """The most memory for a sample: half of what was free when the run began; null if unknown."""
    cases: list[Text] = []
    """The requested cases; empty: all."""


class Machine(Strict, frozen=True):
    """The host. Nothing in it names its owner."""

    label: Name
    """Name of the machine; the runner label of a hosted one."""
    cpu: Name
    """Model of the processor."""
    architecture: Name
    """Instruction set: x86_64, arm64, ..."""
    logical_cores: Cores
    """Processors of the system."""
    usable_cores: Cores
    """Processors that the run could use."""
    memory_bytes: Annotated[int, Meta(ge=0, le=2**60)] | None
    """Physical memory; null if not reported."""
    os: Name
    """Operating system and version."""
    kernel: Name
    """Release of the kernel."""
    virtual: Name | None
    """The kind of virtual machine or container; "none" on bare metal; null if unknown."""
    load_before: Load | None
    """One-minute load average before the first sample."""
    load_after: Load | None
    """The same after the last sample; null if not reported or interrupted."""
    governor: Name | None
    """The frequency governor, as Linux names it: "powersave" slows the processor down; null if not reported."""
    steal_share: Annotated[float, Meta(ge=0, le=1)] | None
    """Share of processor time that the hypervisor kept for others during the run; null if not reported."""
    throttled_share: Annotated[float, Meta(ge=0, le=1)] | None = None
    """Share of processor time that a container's quota withheld during the run; null if not reported."""
    others_share: Annotated[float, Meta(ge=0, le=1)] | None = None
    """Share of processor time that other programs, and orphans of samples, took in the run; null if not reported."""


class Build(Strict, frozen=True):
    """A Python interpreter."""

    implementation: Name
    """CPython or PyPy."""
    version: Name
    """Reported by the interpreter, without a mark of free-threading."""
    free_threaded: bool
    """True if it was built to run without the GIL."""
    gil_at_start: bool
    """True if the GIL was on before any import."""
    jit: bool | None
    """True if a just-in-time compiler was on; null if the interpreter does not report it."""
    compiler: Name
    """The compiler that built it."""
    flags: Text
    """Optimisation options of its configuration."""
    origin: Name
    """Where it came from: uv, pyenv, system, ..."""
    variant: Annotated[tuple[Name, ...], Meta(max_length=20)]
    """How it differs from the plain build: a label, other packages, switches. Empty: not at all."""
    pgo: bool | None
    """True if built with profile-guided optimisation; null if unknown, as in the fields below."""
    lto: bool | None
    """True if built with link-time optimisation."""
    jit_compiled: bool | None
    """True if it has a just-in-time compiler, on or off."""
    shared: bool | None
    """True if it is linked to a shared library, which makes calls a little slower."""
    frame_pointers: bool | None
    """True if it keeps frame pointers, for profilers."""
    variables: Annotated[tuple[Name, ...], Meta(max_length=20)]
    """Environment variables that switched the interpreter: NAME=value."""
    options: Annotated[tuple[Name, ...], Meta(max_length=20)]
    """Its -X options."""


class Package(Strict, frozen=True, kw_only=False):
    """A package of the runners on this build."""

    version: Name | None
    """The installed version; null if it did not install."""
    reason: Text | None
    """Why it did not install, in the installer's words."""
    source: Name | None = None
    """owner/repository@commit, or a file's name, if it is not from an index."""
    sha256: Sha256 | None = None
    """Hash of the file it was installed from; null if unknown."""
    requires: tuple[Name, ...] | None = None
    """Packages that it needs; null if unknown."""


class Observed(Strict, frozen=True, omit_defaults=True):
    """Proof of what really ran, from the last sample that reports it. Unseen facts are left out."""

    gil_before: bool | None = None
    """True if the GIL was on before any import of the runner."""
    gil_after_imports: bool | None = None
    """The same after the imports."""
    gil_after_run: bool | None = None
    """The same after the work."""
    start_method: Name | None = None
    """Start method of multiprocessing, if it was used."""
    loop_classes: list[Name] = []
    """Classes of the event loops."""
    pool_sizes: list[SmallCount] = []
    """Workers of each pool."""
    threads: SmallCount | None = None
    """Number of threads that did the work."""
    processes: SmallCount | None = None
    """Number of processes that did the work."""
    peak_in_flight: SmallCount | None = None
    """The most work in flight at one moment."""
    asked_at_once: SmallCount | None = None
    """The most that may be in flight, if the runner has such a limit."""


class Samples(Strict, frozen=True, kw_only=True):
    """Columns with an entry for each sample."""

    round: list[Round]
    """Number of the round, from 1."""
    position: list[SmallCount]
    """Place in the block, from 0: the order in which it was measured."""
    status: list[Status]
    """Status of the sample."""
    reason: list[Text | None]
    """Why the sample is not ok."""
    warm_up_us: list[Count | None]
    """Time of the warm-up before the sample; null without one."""
    values: dict[Column, list[Value]]
    """Raw measurements by column, in whole numbers. `..._steps_us` are ascending values, each as its difference from
    the one before (the running sum restores them). `..._trace_...` are only kept of the first sample that has them. A
    control keeps no lists."""

    @classmethod
    def from_rows(cls, rows: Sequence[SampleRow]) -> Self:
        """Transpose *rows*. Columns of `values` without any value are left out, the others sorted by name."""
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
        values = zip(*self.values.values(), strict=True) if self.values else [()] * len(self.round)
        facts = zip(self.round, self.position, self.status, self.reason, self.warm_up_us, strict=True)
        for sample, row in zip(facts, values, strict=True):
            yield SampleRow(*sample, dict(zip(self.values, row, strict=True)))

    def ok_rows(self) -> Iterator[SampleRow]:
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
    """subject: measured for itself; control: the baseline again; reference: on the reference build, in turn."""
    source_sha256: Sha256
    """Hash of the runner's file as it was measured."""
    status: Status
    """ok: all samples are; partial: some are, or not all were reached. Otherwise the status of its first sample or,
    without any, why there is none."""
    reason: Text | None
    """Why it is not ok."""
    observed: Observed | None
    """What really ran; null if nothing did."""
    samples: Samples
    """The raw measurements."""

    @property
    def key(self) -> SeriesKey:
        return SeriesKey(self.scenario, self.case, self.runner, self.role)


class Record(Strict, frozen=True, kw_only=True):
    """One result file: a machine and a build."""

    schema_version: Literal[2]
    """Version of the file's format."""
    kind: Literal["cell", "by_product"]
    """cell: a machine and a build, measured for itself. by_product: the reference build, measured in the job of another
    build."""
    complete: bool
    """False during the run, and if it was interrupted or its time ran out before it had every sample."""
    run: Run
    """What was requested, and when."""
    machine: Machine
    """The host."""
    build: Build
    """The measured interpreter."""
    reference_build: Build
    """The interpreter that was measured in turn with it; or the same."""
    packages: dict[Name, Package]
    """The runners' packages on this build."""
    reference_packages: dict[Name, Package]
    """The same on the reference build."""
    scenario_sha256: dict[Identifier, Sha256]
    """By scenario: hash of its shared files (`workload.py` and those that begin with an underscore), sorted by name."""
    series: list[Series]
    """One for each runner, case and role."""


def runner_path(series: Series) -> str:
    """Return the runner of *series* as scenario/runner."""
    return f"{series.scenario}/{series.runner}"
