"""Rounds of made-up samples, each of which takes a second."""

import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import pytest

from runners.harness.own import session
from runners.harness.own.record import ModelName
from runners.harness.own.session import LEAST_ROUNDS, MOST_ROUNDS, TOO_SLOW, Trial, take_rounds
from runners.harness.process.launcher import SampleResult

FAILED = SampleResult("failed", "KeyError")
Measured = tuple[list[Trial], list[ModelName]]
Measure = Callable[..., Measured]


def took(ns: int, wrong: int = 0) -> SampleResult:
    return SampleResult("ok", None, {"elapsed_ns": ns, "wrong_count": wrong, "compared_count": 10})


@pytest.fixture
def measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Give each model its samples, the last of them again and again; return its trials and the order of samples."""
    order: list[ModelName] = []
    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: float(len(order))))

    def call(deadline_s: float = math.inf, **samples: Sequence[SampleResult]) -> Measured:
        trials = [Trial(0, model) for model in ("loop", "threads", "to_thread", "greenlets") if model in samples]
        kept: list[int] = []

        def take(trial: Trial) -> SampleResult:
            order.append(trial.model)
            given = samples[trial.model]
            return given[min(order.count(trial.model), len(given)) - 1]

        lines = [*take_rounds(trials, take, deadline_s, lambda: kept.append(len(order)))]
        assert kept == [*range(1, len(order) + 1)]
        assert len(lines) == max(len(trial.rows) for trial in trials)
        return trials, order

    return call


def test_each_round_is_complete_and_in_another_order(measure: Measure) -> None:
    trials, order = measure(loop=[took(10)], threads=[took(10)], to_thread=[took(10)], greenlets=[took(10)])
    rounds = {tuple(order[start : start + 4]) for start in range(0, len(order), 4)}
    assert {frozenset(each) for each in rounds} == {frozenset(trial.model for trial in trials)}
    assert len(rounds) > 1
    assert len(order) == 4 * MOST_ROUNDS


@pytest.mark.parametrize(("deadline_s", "rounds"), [(0, LEAST_ROUNDS), (9, 4), (10, 5), (math.inf, MOST_ROUNDS)])
def test_no_round_begins_that_would_end_too_late(measure: Measure, deadline_s: float, rounds: int) -> None:
    _, order = measure(deadline_s, loop=[took(10)], threads=[took(10)])
    assert len(order) == 2 * rounds


@pytest.mark.parametrize(("sample", "rounds"), [(TOO_SLOW * 10 - 1, MOST_ROUNDS), (TOO_SLOW * 10 + 1, LEAST_ROUNDS)])
def test_far_slower_models_have_the_least_rounds(measure: Measure, sample: int, rounds: int) -> None:
    (_, slow), _ = measure(loop=[took(10)], threads=[took(sample)])
    assert (slow.status, len(slow.rows)) == ("ok", rounds)


@pytest.mark.parametrize(
    ("samples", "status", "taken", "kept"),
    [
        ([FAILED], "failed", 1, 0),
        ([took(10), FAILED], "partial", 2, 1),
        ([took(10), took(10, wrong=3)], "wrong_answers", 2, 0),
        ([took(10, wrong=3)], "wrong_answers", 1, 0),
    ],
)
def test_model_that_fails_or_is_wrong_is_not_measured_again(
    measure: Measure, samples: list[SampleResult], status: str, taken: int, kept: int
) -> None:
    (loop, other), order = measure(loop=[took(10)], threads=samples)
    assert (other.status, order.count("threads")) == (status, taken)
    assert len(other.series().samples.round) == kept
    assert (loop.status, len(loop.rows)) == ("ok", MOST_ROUNDS)
    assert other.wrong_count == (3 if status == "wrong_answers" else None if status == "failed" else 0)
