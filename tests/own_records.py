"""Made-up records of `try`. FIXTURES: nothing here was ever measured."""

from collections.abc import Sequence

import msgspec
from factory import build

from runners.harness.own.record import Item, ModelName, OwnBuild, OwnRecord, OwnSeries, Status, Work
from runners.harness.record.model import Machine, Role, SampleRow, Samples

MS = 1_000_000
MACHINE = Machine(
    label="fixture-host",
    cpu="Fixture CPU",
    architecture="x86_64",
    logical_cores=2,
    usable_cores=2,
    memory_bytes=8 * 2**30,
    os="Fixture 1",
    kernel="1",
    virtual=None,
    load_before=0.1,
    load_after=0.1,
    governor=None,
    steal_share=None,
)
ITEM = Item(
    compute_ns=6_100_000,
    wait_ns=400_000,
    longest_ns=8_000_000,
    blocking_ns=None,
    gil_share=1.0,
    argument_bytes=310_000,
    answer_bytes=120,
    pickle_ns=60_000,
)


def timed(  # noqa: PLR0913 - a record has many fields
    model: ModelName,
    workers: int | None,
    ms: float,
    *,
    on: int = 0,
    role: Role = "subject",
    spread: float = 0.01,
    rounds: int = 5,
    memory: int = 58_000_000,
) -> OwnSeries:
    """Make a series whose rounds differ by *spread*; all series have the same disturbances."""
    rows = [
        SampleRow(
            number,
            0,
            "ok",
            None,
            None,
            {
                "elapsed_ns": round(ms * MS * (1 + spread * (number % 3 - 1))),
                "start_ns": 0 if workers is None else 90 * MS,
                "cpu_ns": round(ms * MS * 0.9),
                "peak_bytes": memory,
            },
        )
        for number in range(1, rounds + 1)
    ]
    return _series(model, workers, on=on, role=role, status="ok", samples=Samples.from_rows(rows))


def untimed(
    model: ModelName, workers: int | None, status: Status, reason: str | None = None, wrong: int | None = None
) -> OwnSeries:
    """Make a series without a time."""
    series = _series(model, workers, on=0, role="subject", status=status, samples=Samples.from_rows([]))
    compared = None if wrong is None else 400
    return msgspec.structs.replace(series, reason=reason, wrong_count=wrong, compared_count=compared)


def _series(  # noqa: PLR0913 - a record has many fields
    model: ModelName, workers: int | None, *, on: int, role: Role, status: Status, samples: Samples
) -> OwnSeries:
    return OwnSeries(
        build=on,
        model=model,
        workers=workers,
        rate_per_s=None,
        role=role,
        status=status,
        reason=None,
        wrong_count=0,
        compared_count=400,
        samples=samples,
    )


def own_record(series: Sequence[OwnSeries], versions: Sequence[str] = ("3.14.7",), **work: object) -> OwnRecord:
    """Make a record of a function that resizes pictures."""
    facts = {
        "function": "thumbs:resize",
        "kind": "function",
        "sha256": "a" * 64,
        "items_count": 400,
        "source": None,
    }
    builds = [
        OwnBuild(
            build=build(version.removesuffix("t"), free_threaded=version.endswith("t")),
            starts_ns=[130_000_000, 90_000_000],
            item=ITEM,
            reason=None,
        )
        for version in versions
    ]
    return OwnRecord(
        schema_version=1,
        kind="own",
        id="120000-resize",
        started="2026-01-01T12:00:00Z",
        finished="2026-01-01T12:01:24Z",
        rounds=5,
        work=msgspec.convert(facts | work, Work),
        machine=MACHINE,
        builds=builds,
        notes=[],
        series=[*series],
    )


LOOP, CONTROL = timed("loop", None, 2610, memory=41_000_000), timed("loop", None, 2620, role="control")
COMPUTING = (
    LOOP,
    CONTROL,
    timed("threads", 2, 2660),
    timed("processes_spawn", 2, 1450),
    timed("processes_fork", 2, 1400),
)
