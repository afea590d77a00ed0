"""The types of the record that `try` writes. results/own.schema.json is generated from them.

It describes the work by counts and hashes only: no item, answer, path or traceback, and no source without --keep-code.
Raw samples only; no statistic is stored. Their columns, each of one pass over all items (short work is repeated, and
this is its mean):

elapsed_ns  its time, with the start and end of pools
start_ns    the part that a pass over nothing takes: starting and ending its workers
cpu_ns      processor time, in this process and in all that it started
peak_bytes  the most memory; of processes as if each held as much as the largest of them

A service's samples have the columns of runners/harness/http_load instead.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from runners.harness.record import model
from runners.harness.record.codec import check_samples
from runners.harness.record.model import (
    Build,
    Count,
    Machine,
    Name,
    Role,
    Samples,
    Sha256,
    SmallCount,
    Text,
    Timestamp,
)

FILE, SCHEMA_FILE = "own.json", "own.schema.json"
Threaded = Literal["threads", "to_thread", "greenlets"]
Apart = Literal["processes_fork", "processes_forkserver", "processes_spawn", "interpreters"]
Awaited = Literal["gather", "taskgroup", "trio", "uvloop", "loops_in_threads"]
ModelName = Literal["loop", Threaded, Awaited, Apart, "service"]
"""From the simplest: among models that are equally fast, the first is the advice."""
Status = Literal["ok", "partial", "wrong_answers", "unsupported", "failed", "timed_out", "not_reached"]


class Work(model.Strict, frozen=True, kw_only=True):
    """What was measured."""

    function: Name
    """Its module and qualified name, as thumbs:resize; of a service, the program's name."""
    kind: Literal["function", "coroutine", "service"]
    """coroutine: an `async def`."""
    sha256: Sha256 | None
    """Hash of the function's file; null for a service."""
    items_count: Count
    """Items, or calls, of one pass."""
    at_once: SmallCount | None
    """The most items in flight; null without --at-once."""
    workers: list[SmallCount]
    """Sizes of pools; empty without --workers."""
    source: str | None
    """The function's source; null without --keep-code."""


class Item(model.Strict, frozen=True, kw_only=True):
    """What one item costs, as a mean."""

    compute_ns: Count
    """Processor time of its thread."""
    wait_ns: Count
    """The rest of its time."""
    threads_count: SmallCount
    """Threads of a process that has only imported the function."""
    longest_ns: Count
    """The time of the longest item."""
    blocking_ns: Count | None
    """Part of the wait in which a coroutine stops its event loop; null for a function."""
    gil_share: Annotated[float, Meta(ge=0, le=1)] | None
    """Part of the computing that threads can't share out, as the GIL or another lock is held; null if not known."""
    argument_bytes: Count | None
    """Pickled; null if it can't be pickled."""
    answer_bytes: Count | None
    """Pickled; null if it can't be pickled."""
    pickle_ns: Count | None
    """Time to pickle and unpickle both; null if they can't be pickled."""


class OwnBuild(model.Strict, frozen=True, kw_only=True):
    """An interpreter, and what one item costs with it."""

    build: Build
    starts_ns: Annotated[list[Count], Meta(max_length=2)]
    """Time from the start of a process until it has imported the function, in the first process and in the second."""
    item: Item | None
    """Null for a service, or if none could be run."""
    reason: Text | None
    """Why nothing can be measured with it."""


class OwnSeries(model.Strict, frozen=True, kw_only=True):
    """One model with one size of pool, on one build."""

    build: SmallCount
    """Place of its build in `builds`, from 0."""
    model: ModelName
    """How the items are run at once."""
    workers: Annotated[int, Meta(ge=1, le=1_000_000)] | None
    """Size of its pool, or the most coroutines at once; null for the loop and a service."""
    rate_per_s: Annotated[float, Meta(ge=0, le=1e6)] | None
    """Requests a second; null unless it is a service."""
    role: Role
    """control: the loop again, under another name."""
    status: Status
    """ok: all samples are; partial: some are. wrong_answers: answers differ from the loop's."""
    reason: Text | None
    """Why it is not ok."""
    wrong_count: Count | None
    """Items with another answer than the loop's, the most of all samples; null if none was compared."""
    compared_count: Count | None
    """Items that were compared in each sample; null if answers can't be."""
    samples: Samples
    """The raw measurements; empty unless ok or partial."""


class OwnRecord(model.Strict, frozen=True, kw_only=True):
    """One `own.json`: a function, measured on one machine with one or more builds. Never collected or published."""

    schema_version: Literal[1]
    """Version of the file's format."""
    kind: Literal["own"]
    """Tells it from result files."""
    id: Name
    """Name of its folder."""
    started: Timestamp
    finished: Timestamp | None
    """Null during the run and after an interruption."""
    rounds: Annotated[int, Meta(ge=0, le=1000)]
    """Each has a sample of every series; 0 if --explain only examined an item."""
    work: Work
    machine: Machine
    builds: Annotated[list[OwnBuild], Meta(min_length=1, max_length=20)]
    """The interpreters, in the requested order."""
    notes: Annotated[list[Text], Meta(max_length=100)]
    """Sentences for the reader: fewer items, a network, a package that turns the GIL on."""
    series: list[OwnSeries]
    """One for each build, model and size of pool, with a control for each build."""


def decode(data: bytes) -> OwnRecord:
    """Decode a record. Raises msgspec.ValidationError, which names the field."""
    record = msgspec.json.decode(data, type=OwnRecord)
    for index, series in enumerate(record.series):
        check_samples(series.samples, record.rounds, f"$.series[{index}].samples")
        if series.build >= len(record.builds):
            msg = f"there is no build {series.build} - at `$.series[{index}].build`"
            raise msgspec.ValidationError(msg)
    return record


def encode(record: OwnRecord) -> bytes:
    """Encode a record, after checking that `decode` will read it."""
    data = msgspec.json.encode(record, order="deterministic") + b"\n"
    decode(data)
    return data
