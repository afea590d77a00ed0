"""Every runner over a few tasks: they end as the library documents, and each has cleaned up."""

from typing import Any

import pytest
from apart import Parameters, take_rightly

from runners.cancellation import workload as cancellation
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Span, Surroundings, peak_in_flight

SCENARIO = catalogue.find()["cancellation"]
TASKS = 60
TINY: Parameters = {"size": "tiny", "tasks": TASKS, "wait_s": 0.2, "lead_s": 0.01, "clean_up_s": 0.0}
RUN_ON = ("gather_child_fails", "wait_timeout")
"""Their tasks run on."""
POOL = "thread_pool_shutdown"
TIME_TO_BEGIN: Parameters = {"lead_s": 0.1, "wait_s": 0.5}
"""For a pool of threads: each begins in its own time, and none may be over when the pool is shut down."""
GATHERED = ("gather_cancel", "wait_for_timeout")
"""They go on as soon as one of the tasks is gone."""
TAKING_PART = [
    (runner.name, float(case.parameters["clean_up_s"]))
    for runner in SCENARIO.runners.values()
    for case in SCENARIO.cases.values()
    if runner.takes_part(case)
]


def few(**different: float) -> cancellation.Job:
    return cancellation.prepare({**TINY, "tasks": 3, **different}, Surroundings(2, 1))


def clean_ups(*ends_ns: int) -> list[cancellation.CleanUp]:
    return [cancellation.CleanUp(number, Span(1, end_ns, 1, 1)) for number, end_ns in enumerate(ends_ns)]


def job_after() -> cancellation.Job:
    """Return a job of three tasks that were cancelled at 10 and gone at 30, all of them rightly."""
    job = few()
    job.begun = [0, 1, 2]
    job.clean_ups = clean_ups(20, 20, 20)
    job.begun_before_count = 3
    job.cancelled_ns, job.went_on_ns, job.gone_ns = 10, 15, 30
    return job


@pytest.mark.parametrize(("runner", "clean_up_s"), TAKING_PART)
def test_cancelled_tasks_are_gone_and_others_counted(runner: str, clean_up_s: float) -> None:
    times = TIME_TO_BEGIN if runner == POOL else {}
    values, observed = take_rightly(SCENARIO, runner, {**TINY, **times, "clean_up_s": clean_up_s})
    begun = observed.asked_at_once
    assert observed.peak_in_flight == begun is not None
    ran_on = begun if runner in (*RUN_ON, POOL) else 0
    assert (values["ran_on_count"], values["cleaned_up_count"]) == (ran_on, begun)
    assert values["withdrawn_count"] == TASKS - begun
    if not (clean_up_s and runner in GATHERED):
        assert values["left_count"] == (TASKS if runner in RUN_ON else 0)
    assert 0 < values["went_on_ns"] <= values["gone_ns"] <= values["elapsed_ns"]


def test_right_account_is_accepted() -> None:
    outcome = cancellation.judge(job_after(), [])
    assert outcome.wrong == ""
    assert (outcome.values["gone_ns"], outcome.values["went_on_ns"]) == (20, 5)
    assert peak_in_flight(outcome.spans) == 3


WITHDRAWN = "3 tasks are to begin or to be withdrawn; {} began, {} were withdrawn"
CLEANED_UP = "3 tasks began and are to clean up, each once; there were {} clean-ups"


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"begun": [0, 1]}, WITHDRAWN.format(2, 0)),
        *(({name: 0}, "it is not said when") for name in ("cancelled_ns", "went_on_ns", "gone_ns")),
        ({"clean_ups": clean_ups(20, 20)}, CLEANED_UP.format(2)),
        ({"clean_ups": clean_ups(20, 20) * 2}, CLEANED_UP.format(4)),
        ({"begun_before_count": 2}, "1 tasks began after they were cancelled"),
        ({"clean_ups": clean_ups(9, 20, 20)}, "1 tasks were over before they were cancelled"),
        ({"clean_ups": clean_ups(31, 20, 20)}, "1 tasks were not gone when all were said to be"),
    ],
)
def test_wrong_account_is_found(changes: dict[str, Any], wrong: str) -> None:
    job = job_after()
    for name, value in changes.items():
        setattr(job, name, value)
    assert cancellation.judge(job, []).wrong.startswith(wrong)
    assert cancellation.judge(job_after(), [2]).wrong == WITHDRAWN.format(3, 1)


def test_signalled_thread_does_not_run_on() -> None:
    job = few()
    job.block(0, lambda _: True, lambda _: None)
    job.block(1, lambda _: None, lambda _: None)
    assert (job.ran_on, job.all_wait.is_set()) == ([1], False)
    job.block(2, lambda _: False, lambda _: None)
    assert (job.ran_on, job.all_wait.is_set()) == ([1, 2], True)
