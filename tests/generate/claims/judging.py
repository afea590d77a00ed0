"""Synthetic records and parts of claims to judge them by."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from factory import Plan, altered, make_record
from frames import make_files
from msgspec.structs import replace

from generate.claims.hypotheses import ClaimPart, hypotheses
from generate.claims.judge import Evidence, PartVerdict, Verdict, judge
from generate.claims.kinds import NeverFalls, RatioBelow, ValueWithin
from generate.claims.marks import LETTERS, ClaimVerdict
from generate.claims.model import Claim, Part
from generate.data.between_runs import BetweenRuns
from generate.data.files import MachineKey, ResultFile, ResultKey
from generate.data.gate import check_records
from generate.data.results import Results
from runners.harness.catalogue.scenarios import Scenario, find
from runners.harness.record.model import Record

ALL = find()
SCENARIOS = {name: ALL[name] for name in ("primes", "queue_depth", "heartbeat")}
WHY = "for a test"
FASTER = Part(
    scenario="primes",
    case="published",
    candidate="thread_pool",
    baseline="sync_loop",
    expect=RatioBelow(1),
    why=WHY,
)
COUNT = Part(
    scenario="queue_depth",
    case="published",
    candidate="unbounded",
    metric="depth_max_count",
    expect=ValueWithin(("5", "5")),
    why=WHY,
)
STEPS = Part(
    scenario="heartbeat",
    cases=tuple(
        f"{burst}, jobs that await, {n} at once" for burst, n in (("published", 4), ("half", 16), ("half", 64))
    ),
    candidate="job_queue",
    expect=NeverFalls(0.1),
    why=WHY,
)


def claim_parts(*parts: Part, scenarios: Mapping[str, Scenario] = SCENARIOS) -> list[ClaimPart]:
    made, faults = hypotheses(Claim("S1.1", "says", parts, "S1.toml"), scenarios)
    assert faults == []
    return made


def pool_results(files: Sequence[ResultFile], scenarios: Mapping[str, Scenario] = SCENARIOS) -> Results:
    return Results.pool(scenarios, files, check_records(files, scenarios), BetweenRuns())


def part_verdicts(files: Sequence[ResultFile], *parts: Part) -> list[PartVerdict]:
    return [*judge(claim_parts(*parts), pool_results(files))]


def verdict_on(*records: Record, part: Part = FASTER) -> PartVerdict:
    """Judge *part* by the runs of one build."""
    (verdict,) = part_verdicts(make_files(*records), part)
    return verdict


def evidence(verdict: PartVerdict) -> Evidence:
    assert verdict.evidence is not None
    return verdict.evidence


def with_values(
    runner: str,
    values: Sequence[float],
    *,
    column: str = "elapsed_ns",
    case: str = "published",
    role: str = "subject",
) -> Callable[[Record], Record]:
    def change(series: dict[str, Any]) -> None:
        series["samples"]["values"][column] = [*values]

    return lambda record: altered(
        record, lambda series: (series.runner, series.case, series.role) == (runner, case, role), change
    )


def record_with(ratios: list[float], noise: float = 0.001, **plan: Any) -> Record:  # noqa: ANN401 - the plan's fields
    """Make a record in which thread_pool takes *ratios* times as long as sync_loop."""
    record = make_record(SCENARIOS, Plan(rounds=len(ratios), **plan))
    record = with_values("sync_loop", [10**9] * len(ratios))(record)
    again = [round(10**9 * (1 + noise * (-1) ** number)) for number in range(len(ratios))]
    record = with_values("sync_loop", again, role="control")(record)
    return with_values("thread_pool", [round(10**9 * ratio) for ratio in ratios])(record)


VERDICTS: dict[str, Verdict] = {letter: verdict for verdict, letter in LETTERS.items()} | {"-": "does not apply"}
BUILDS = ("cpython-3.12.1", "cpython-3.13.2", "cpython-3.14.0", "cpython-3.14.0t")
HOST = MachineKey("host", local=False, processor="CPU", cores=2)


def claim_row(*by_build: str) -> list[ClaimVerdict]:
    """Return a claim on the first builds of BUILDS: of each a word, a letter a part; a capital is a part of ours.

    A letter is a verdict's, or - if no set-up could refute it.
    """
    never = Part(not_applicable="by design")
    by_letter = ((letter, never if letter == "-" else FASTER) for letter in by_build[0])
    parts = claim_parts(*(replace(of, name=f"part {letter}", ours=letter.isupper()) for letter, of in by_letter))
    row = []
    for build, word in zip(BUILDS, by_build, strict=False):
        cell = ResultKey(HOST, build)
        verdicts = [PartVerdict(part, cell, VERDICTS[letter]) for part, letter in zip(parts, word.lower(), strict=True)]
        row.append(ClaimVerdict(parts[0].claim, cell, verdicts))
    return row


FAST, SLOW, EVEN = (
    [0.8 + n / 1000 for n in range(12)],
    [1.2 + n / 1000 for n in range(12)],
    [0.97 + n / 200 for n in range(12)],
)
