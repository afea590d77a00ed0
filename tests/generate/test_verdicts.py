"""Verdicts on synthetic records: each kind of expectation, what may not decide, and what does not apply."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import Plan, altered, build, make

from generate.claims import Claim, Expect, Needs, Part, Printed, Text
from generate.load import ResultFile
from generate.questions import Judgeable, questions
from generate.tidy import look
from generate.verdicts import Judged, verdicts
from runners.harness.catalogue import find

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from runners.harness.record import Record

ALL = find()
SCENARIOS = {name: ALL[name] for name in ("primes", "queue_depth", "heartbeat")}
WHY = "for a test"
FASTER = Part(
    scenario="primes",
    case="published",
    candidate="thread_pool",
    baseline="sync_loop",
    expect=Expect(ratio_below=1),
    why=WHY,
)
COUNT = Part(
    scenario="queue_depth",
    case="published",
    candidate="unbounded",
    metric="depth_max_count",
    expect=Expect(value_within=("5", "5")),
    why=WHY,
)
STEPS = Part(
    scenario="heartbeat",
    cases=tuple(f"published, jobs that await, {limit} at once" for limit in (4, 16, 64)),
    candidate="job_queue",
    expect=Expect(never_falls=0.1),
    why=WHY,
)


def changed(part: Part, **changes: Any) -> Part:  # noqa: ANN401 - any field
    fields = {name: getattr(part, name) for name in part.__struct_fields__}
    return Part(**(fields | changes))


def asked_of(*parts: Part) -> list[Judgeable]:
    asked, faults = questions(Claim("S1.1", "says", parts, Text("S1.toml", 1, ())), SCENARIOS)
    assert faults == []
    return asked


def files_of(*records: Record) -> list[ResultFile]:
    return [
        ResultFile(f"{number}.json", record, f"{number}", local=False, size_bytes=1)
        for number, record in enumerate(records)
    ]


def judged(record: Record, *parts: Part) -> list[Judged]:
    return verdicts(asked_of(*parts), look(files_of(record), SCENARIOS))


def one(record: Record, part: Part) -> Judged:
    (found,) = judged(record, part)
    return found


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
    """Make a record in which thread_pool takes *ratios* times as long as sync_loop, and that *noise* more or less."""
    record = make(SCENARIOS, Plan(rounds=len(ratios), **plan))
    record = with_values("sync_loop", [10**9] * len(ratios))(record)
    again = [round(10**9 * (1 + noise * (-1) ** number)) for number in range(len(ratios))]
    record = with_values("sync_loop", again, role="control")(record)
    return with_values("thread_pool", [round(10**9 * ratio) for ratio in ratios])(record)


FAST, SLOW, EVEN = (
    [0.8 + n / 1000 for n in range(12)],
    [1.2 + n / 1000 for n in range(12)],
    [0.97 + n / 200 for n in range(12)],
)


@pytest.mark.parametrize(
    ("expect", "ratios", "verdict"),
    [
        (Expect(ratio_below=1), FAST, "holds"),
        (Expect(ratio_below=1), SLOW, "does not hold"),
        (Expect(ratio_below=1), EVEN, "too close to call"),
        (Expect(ratio_above=1), SLOW, "holds"),
        (Expect(ratio_above=1), FAST, "does not hold"),
        (Expect(ratio_above=1), EVEN, "too close to call"),
        (Expect(ratio_within=0.10), EVEN, "holds"),
        (Expect(ratio_within=0.10), SLOW, "does not hold"),
        (Expect(ratio_within=0.10), FAST, "does not hold"),
        (Expect(ratio_within=0.02), EVEN, "too close to call"),
        (Expect(ratio_near_printed=1.25), FAST, "holds"),
        (Expect(ratio_near_printed=1.25), SLOW, "does not hold"),
        (Expect(ratio_near_printed=1.008), FAST, "too close to call"),
    ],
)
def test_a_ratio_is_judged_by_where_its_interval_lies(expect: Expect, ratios: list[float], verdict: str) -> None:
    part = changed(FASTER, expect=expect, printed=Printed("0.8 s", "1 s"))
    found = one(record_with(ratios), part)
    assert (found.verdict, found.leans) == (verdict, None)
    assert found.evidence is not None
    assert found.evidence.compared[0].count == 12


@pytest.mark.parametrize(
    ("expect", "verdict"),
    [
        (Expect(value_at_most="900 ms"), "holds"),
        (Expect(value_at_most="700 ms"), "does not hold"),
        (Expect(value_at_most="805 ms"), "too close to call"),
        (Expect(value_at_least="700 ms"), "holds"),
        (Expect(value_at_least="0.9 s"), "does not hold"),
        (Expect(value_within=("700 ms", "900 ms")), "holds"),
        (Expect(value_within=("850 ms", "900 ms")), "does not hold"),
        (Expect(value_within=("805 ms", "900 ms")), "too close to call"),
    ],
)
def test_a_value_is_judged_by_where_its_interval_lies(expect: Expect, verdict: str) -> None:
    found = one(record_with(FAST), changed(FASTER, baseline="", expect=expect))
    assert found.verdict == verdict


@pytest.mark.parametrize(
    ("counts", "verdict"), [([5] * 12, "holds"), ([4] * 12, "does not hold"), ([5] * 11 + [4], "too close to call")]
)
def test_a_count_that_does_not_vary_is_judged_exactly(counts: list[float], verdict: str) -> None:
    record = with_values("unbounded", counts, column="depth_max_count")(make(SCENARIOS))
    found = one(record, COUNT)
    assert found.verdict == verdict
    assert found.evidence is not None
    assert (found.evidence.signs is None) == (len({*counts}) == 1)


@pytest.mark.parametrize(
    ("worst", "verdict"),
    [
        ((10, 20, 30), "holds"),
        ((10, 9.5, 30), "holds"),
        ((10, 20, 10), "does not hold"),
        ((20, 10, 30), "does not hold"),
    ],
)
def test_a_sweep_never_falls_unless_any_step_does(worst: tuple[float, ...], verdict: str) -> None:
    record = make(SCENARIOS)
    for case, value in zip(STEPS.cases, worst, strict=True):
        values = [round(value * (1e6 + n)) for n in range(12)]
        record = with_values("job_queue", values, column="heartbeat_worst_delay_ns", case=case)(record)
    assert one(record, STEPS).verdict == verdict


@pytest.mark.parametrize(
    ("expect", "ratios", "verdict"),
    [
        (Expect(ratio_below=1), FAST, "holds"),
        (Expect(ratio_above=1), FAST, "does not hold"),
        (Expect(ratio_within=0.10), SLOW, "does not hold"),
    ],
)
def test_no_difference_is_decided_that_the_baseline_has_from_itself(
    expect: Expect, ratios: list[float], verdict: str
) -> None:
    assert one(record_with(ratios, noise=0.1), changed(FASTER, expect=expect)).verdict == verdict
    found = one(record_with(ratios, noise=0.3), changed(FASTER, expect=expect))
    assert (found.verdict, found.leans) == ("too close to call", verdict)
    assert "inside the noise" in found.reason


@pytest.mark.parametrize("expect", [Expect(ratio_within=0.10), Expect(ratio_above=0.5), Expect(ratio_below=0.5)])
def test_noise_does_not_undo_what_claims_no_difference(expect: Expect) -> None:
    quiet = one(record_with(EVEN), changed(FASTER, expect=expect))
    assert quiet.verdict in {"holds", "does not hold"}
    assert one(record_with(EVEN, noise=0.3), changed(FASTER, expect=expect)).verdict == quiet.verdict


def test_a_control_that_failed_in_a_round_leaves_a_ratio_undecided_and_a_value_not() -> None:
    def fail(series: dict[str, Any]) -> None:
        series["samples"]["status"][2] = "failed"
        series["samples"]["reason"][2] = "lost"

    record = altered(record_with(FAST), lambda series: (series.runner, series.role) == ("sync_loop", "control"), fail)
    found = one(record, FASTER)
    assert (found.verdict, found.leans) == ("not measured", "holds")
    assert found.reason.startswith("the control of “published” failed in a round")
    assert one(record, changed(FASTER, baseline="", expect=Expect(value_at_most="900 ms"))).verdict == "holds"


def test_a_version_that_is_none_is_not_judged() -> None:
    found = one(record_with(FAST, build=build("3.x.1")), FASTER)
    assert (found.verdict, found.reason) == ("not measured", "“3.x.1” is no version of a Python")


def test_what_the_newest_run_left_out_is_taken_from_the_one_before() -> None:
    whole = record_with(FAST)
    partial = msgspec.structs.replace(
        record_with(SLOW, run_id="later"),
        series=[one for one in record_with(SLOW).series if one.runner != "thread_pool"],
    )
    newer = replace_started(partial, "2026-02-02T00:00:00Z")
    (found,) = verdicts(asked_of(FASTER), look(files_of(whole, newer), SCENARIOS))
    assert found.verdict == "holds"


def test_a_quick_run_decides_nothing_and_says_which_way_it_leans() -> None:
    found = one(record_with(FAST[:3], profile="quick"), FASTER)
    assert (found.verdict, found.leans, found.reason) == ("not measured", "holds", "a quick run decides nothing")


def test_fewer_than_nine_pairs_decide_nothing() -> None:
    assert one(record_with(FAST[:9]), FASTER).verdict == "holds"
    found = one(record_with(FAST[:8]), FASTER)
    assert (found.verdict, found.leans, found.reason) == ("not measured", "holds", "8 rounds; at least 9 decide")


def test_a_round_that_failed_decides_nothing() -> None:
    def fail(series: dict[str, Any]) -> None:
        series["samples"]["status"][2] = "timed_out"
        series["samples"]["reason"][2] = "slow"

    record = altered(record_with(FAST), lambda series: series.runner == "thread_pool", fail)
    found = one(record, FASTER)
    assert (found.verdict, found.leans) == ("not measured", "holds")
    assert found.reason.startswith("thread_pool in “published” failed in a round")


def test_what_is_not_there_is_not_measured_with_the_reason() -> None:
    record = make(SCENARIOS, Plan(status={"thread_pool": "unsupported"}))
    assert one(record, FASTER).reason == "thread_pool in “published”: unsupported: fixture: unsupported"
    quick = make(SCENARIOS, Plan(profile="quick", rounds=3))
    assert one(quick, STEPS).reason == "a quick run has no job_queue in “published, jobs that await, 4 at once”"
    without = make({"primes": SCENARIOS["primes"]})
    assert one(without, COUNT).reason == "no run here has the scenario queue_depth"


def test_a_series_that_the_gate_refuses_takes_no_part() -> None:
    record = altered(record_with(FAST), lambda series: series.runner == "thread_pool", _impossible)
    found = one(record, FASTER)
    assert found.verdict == "not measured"
    assert "refused by the sanity gate" in found.reason


def _impossible(series: dict[str, Any]) -> None:
    series["samples"]["values"]["cpu_us"] = [10**12] * 12


def test_what_another_version_of_a_runner_measured_is_not_judged() -> None:
    def older(series: dict[str, Any]) -> None:
        series["source_sha256"] = "0" * 64

    record = altered(record_with(FAST), lambda series: series.runner == "sync_loop", older)
    assert one(record, FASTER).reason == "sync_loop has changed since it was measured; measure again"


@pytest.mark.parametrize(
    ("needs", "verdict", "reason"),
    [
        (Needs(cores=4), "not applicable", "needs 4 cores; here are 2"),
        (Needs(python="3.14"), "not applicable", "needs Python 3.14 or later"),
        (Needs(gil=False), "not applicable", "is about a build without the GIL"),
        (Needs(cores=2, python="3.13", gil=True), "holds", ""),
    ],
)
def test_a_claim_about_another_kind_of_machine_or_build_does_not_apply(needs: Needs, verdict: str, reason: str) -> None:
    found = one(record_with(FAST), changed(FASTER, needs=needs))
    assert (found.verdict, found.reason) == (verdict, reason)


def test_a_claim_that_is_never_measured_says_why() -> None:
    found = one(record_with(FAST), Part(not_measured="needs a grid"))
    assert (found.verdict, found.reason) == ("not measured", "needs a grid")


def test_wrong_decisions_are_held_down_over_all_claims_of_a_cell() -> None:
    """Ten of twelve on one side decide alone; beside many claims on which nothing is decided they do not."""
    barely = [0.8] * 10 + [1.2] * 2
    record = record_with(barely)
    assert one(record, FASTER).verdict == "holds"
    undecided = changed(FASTER, expect=Expect(ratio_below=0.8))
    first, *_ = judged(record, FASTER, *[undecided] * 5)
    assert (first.verdict, first.leans) == ("too close to call", "holds")
    assert "too likely" in first.reason


def test_the_newest_full_run_speaks_and_not_a_newer_quick_one() -> None:
    full, quick = record_with(FAST), record_with(SLOW[:3], profile="quick", run_id="later")
    newer = replace_started(quick, "2026-02-02T00:00:00Z")
    (found,) = verdicts(asked_of(FASTER), look(files_of(full, newer), SCENARIOS))
    assert found.verdict == "holds"
    (newest,) = verdicts(
        asked_of(FASTER),
        look(files_of(full, replace_started(record_with(SLOW, run_id="b"), "2026-03-03T00:00:00Z")), SCENARIOS),
    )
    assert newest.verdict == "does not hold"


def replace_started(record: Record, started: str) -> Record:
    return msgspec.structs.replace(record, run=msgspec.structs.replace(record.run, started=started))


def test_every_build_and_machine_is_judged_by_itself() -> None:
    there = record_with(FAST, build=build("3.14.0", free_threaded=True), machine="other", run_id="2")
    found = verdicts(asked_of(FASTER), look(files_of(record_with(SLOW), there), SCENARIOS))
    assert {(one.column.machine, one.column.build): one.verdict for one in found} == {
        ("fixture-host", "cpython-3.13.1"): "does not hold",
        ("other", "cpython-3.14.0t"): "holds",
    }
    own = [replace(file, path="local/0.json", local=True) for file in files_of(record_with(FAST))]
    both = verdicts(asked_of(FASTER), look([*own, *files_of(record_with(SLOW))], SCENARIOS))
    assert [(one.column.local, one.verdict) for one in both] == [
        (True, "holds"),
        (False, "does not hold"),
    ]
