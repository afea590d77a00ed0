"""Every runner next to a short computation: right results, in turn or in parallel, and every lag counted."""

import pytest
from apart import Parameters, take_rightly

from runners.cpu_beside_io import workload as beside
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Span, Surroundings, peak_in_flight

SCENARIO = catalogue.find()["cpu_beside_io"]
MS = 1_000_000
SHORT: Parameters = {"size": "short", "work": "python", "chunks": 20, "amount": 50_000, "idle_s": 0.02}
KINDS: dict[str, Parameters] = {
    "python": SHORT,
    "c_keeps": {**SHORT, "work": "c_keeps", "chunks": 1, "amount": 20_000},
    "c_frees": {**SHORT, "work": "c_frees", "chunks": 1, "amount": 300_000},  # a tenth of a second
    "nothing": {**SHORT, "work": "nothing", "chunks": 0},
}
TAKING_PART = [
    (runner.name, str(case.parameters["work"]))
    for runner in SCENARIO.runners.values()
    for case in SCENARIO.cases.values()
    if runner.takes_part(case)
]


def job_after(beats: list[tuple[int, int]], **different: float | str) -> beside.Job:
    """Return a job of two pieces of 100 turns each, with beats from and to."""
    job = beside.prepare({**SHORT, "chunks": 2, "amount": 100, **different}, Surroundings(2, 1))
    job.beats = [Span(start, end, 1, 1) for start, end in beats]
    job.lags_ns = [5 for _ in beats]
    return job


def pieces(*results: int) -> list[beside.Part]:
    return [beside.Part(result, Span(100 * at, 100 * at + 90, 1, 2)) for at, result in enumerate(results)]


@pytest.mark.parametrize(("runner", "kind"), TAKING_PART)
def test_loop_has_its_turns_or_is_seen_to_have_none(runner: str, kind: str) -> None:
    values, observed = take_rightly(SCENARIO, runner, KINDS[kind])
    assert (values["lag_median_ns"] or 0) <= (values["lag_99th_percentile_ns"] or 0) <= (values["lag_worst_ns"] or 0)
    if observed.asked_at_once == 1:
        assert (observed.peak_in_flight, values["beats_beside_count"]) == (1, 0)
    elif kind == "c_frees" or (kind == "python" and runner != "thread_switch_long"):
        assert (observed.peak_in_flight, values["beats_beside_count"] > 0) == (2, True)
    assert (values.get("computing_ns") is None) == (kind == "nothing")


def test_computing_loop_is_late_at_every_moment() -> None:
    values, _ = take_rightly(SCENARIO, "on_loop", SHORT)
    assert values["lag_worst_ns"] >= values["computing_ns"] - MS
    assert values["beats_due_count"] >= values["computing_ns"] // MS - 1
    assert values["lag_median_ns"] >= 0.4 * values["computing_ns"] - MS


def test_every_period_of_a_late_beat_was_due() -> None:
    job = job_after([])
    job.note_beat(0, 5 * MS + MS // 2)
    assert job.lags_ns == [4_500_000, 3_500_000, 2_500_000, 1_500_000, 500_000]
    job.note_beat(0, MS)
    assert job.lags_ns[5:] == [0]
    job.note_beat(0, MS - 1)  # ended before it was due
    assert (len(job.lags_ns), len(job.beats)) == (6, 3)


def test_percentiles_are_by_nearest_rank() -> None:
    job = job_after([(1, 2)])
    job.lags_ns = [*range(1000, 0, -1)]
    values = beside.judge(job, pieces(4950, 4950)).values
    names = ("lag_99th_percentile_ns", "lag_median_ns", "lag_worst_ns", "beats_due_count")
    assert [values[name] for name in names] == [990, 500, 1000, 1000]
    assert isinstance(trace := values["lag_trace_us"], list)
    assert len(trace) == 200


@pytest.mark.parametrize(
    ("job", "results", "wrong"),
    [
        (job_after([(1, 2)]), (4950, 4950), ""),
        (job_after([(1, 2)]), (4950,), "2 pieces are to be computed; 1 were"),
        (job_after([(1, 2)]), (4950, 4951), "a piece comes to 4950; not all of them did"),
        (job_after([]), (4950, 4950), "the heart never beat"),
        (job_after([(1, 2)], work="nothing", chunks=0), (), ""),
        (job_after([(1, 2)], work="nothing", chunks=0), (0,), "0 pieces are to be computed; 1 were"),
    ],
)
def test_wrong_piece_or_silent_heart_is_wrong(job: beside.Job, results: tuple[int, ...], wrong: str) -> None:
    assert beside.judge(job, pieces(*results)).wrong == wrong


def test_beat_inside_a_piece_is_counted() -> None:
    outcome = beside.judge(job_after([(92, 95)]), pieces(4950, 4950))
    assert (outcome.values["beats_beside_count"], peak_in_flight(outcome.spans)) == (0, 1)
    outcome = beside.judge(job_after([(50, 52)]), pieces(4950, 4950))
    assert (outcome.values["beats_beside_count"], peak_in_flight(outcome.spans)) == (1, 2)
