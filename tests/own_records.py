"""Made-up records of `try`. FIXTURES: nothing here was ever measured."""

from collections.abc import Sequence

import msgspec
from factory import build, make_record

from runners.harness.own.record import Item, ModelName, OwnBuild, OwnRecord, OwnSeries, Status, Work
from runners.harness.record.model import Role, SampleRow, Samples

MS = 1_000_000
ITEM = Item(
    compute_ns=6_100_000,
    wait_ns=400_000,
    threads_count=1,
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
    start_ns = 90 * MS if model.startswith("processes") else 0
    rows = []
    for number in range(1, rounds + 1):
        ns = ms * MS * (1 + spread * (number % 3 - 1))
        values = {"elapsed_ns": round(ns), "start_ns": start_ns, "cpu_ns": round(ms * MS * 0.9), "peak_bytes": memory}
        rows.append(SampleRow(number, 0, "ok", None, None, dict(values)))
    made = untimed(model, workers, "ok", wrong=0)
    return msgspec.structs.replace(made, build=on, role=role, samples=Samples.from_rows(rows))


def untimed(
    model: ModelName, workers: int | None, status: Status, reason: str | None = None, wrong: int | None = None
) -> OwnSeries:
    """Make a series without a time."""
    return OwnSeries(
        build=0,
        model=model,
        workers=workers,
        rate_per_s=None,
        role="subject",
        status=status,
        reason=reason,
        wrong_count=wrong,
        compared_count=None if wrong is None else 400,
        samples=Samples.from_rows([]),
    )


def own_record(
    series: Sequence[OwnSeries], versions: Sequence[str] = ("3.14.7",), item: Item = ITEM, **work: object
) -> OwnRecord:
    """Make a record of a function that resizes pictures; without *series* an explained one."""
    facts = {"function": "thumbs:resize", "kind": "function", "sha256": "a" * 64, "items_count": 400}
    facts |= {"at_once": None, "workers": [], "source": None}
    interpreters = [build(each.removesuffix("t"), free_threaded=each.endswith("t")) for each in versions]
    return OwnRecord(
        schema_version=1,
        kind="own",
        id="120000-resize",
        started="2026-01-01T12:00:00Z",
        finished="2026-01-01T12:01:24Z",
        rounds=5 if series else 0,
        work=msgspec.convert(facts | work, Work),
        machine=make_record({}).machine,
        builds=[OwnBuild(build=each, starts_ns=[130 * MS, 90 * MS], item=item, reason=None) for each in interpreters],
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
