"""Trials of one and two workers: their parts, their times, and totals that reveal a lost step."""

from apart import Parameters

from runners.harness.contract import Span, Surroundings
from runners.sharing import workload as sharing

SMALL: Parameters = {"size": "small", "workers": 2, "steps_percent": 1, "step_size": "1.0"}


def counted_job(lost: int = 0) -> sharing.Job:
    """Return a job whose workers count a number a nanosecond; its last trial loses some in what they share."""
    job = sharing.prepare(SMALL, Surroundings(2, 1))
    for trial in job.trials(steps=1_000):
        trial.answers = [sharing.Answer(len(part), Span(part.start, part.stop, 1, part.start)) for part in trial.parts]
    job.done[-1].total = 10 - lost
    return job


def test_two_workers_divide_the_steps_of_one() -> None:
    job = counted_job()
    assert [trial.parts for trial in job.done[:2]] == [[range(10)], [range(5), range(5, 10)]]
    assert [trial.workers for trial in job.done] == [1, 2, 1, 2, 1, 2]


def test_trials_last_from_the_first_beginning_to_the_last_end() -> None:
    outcome = sharing.judge(counted_job(), None)
    assert (outcome.wrong, outcome.values) == ("", {"one_worker_ns": 30, "two_workers_ns": 30, "steps_count": 30})


def test_lost_steps_and_missing_trials_are_wrong() -> None:
    assert sharing.judge(counted_job(lost=1), None).wrong == "2 workers counted 9 steps, not 10"
    job = counted_job()
    job.done[0].answers.clear()
    assert sharing.judge(job, None).wrong == "0 workers took part, not 1"
    job.done.pop()
    assert sharing.judge(job, None).wrong == "the trials have [1, 2, 1, 2, 1] workers"
