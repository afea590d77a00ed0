"""Blocking server: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "http_server_fair"

STEPS_S = (0.02, 0.06, 0.2)
"""Save a user, send a mail, call a social network's API."""

_LOAD: Parameters = {"at_once": 12, "requests": 120, "timeout_s": 20.0}
CASES = {
    "tenth": Case(
        {"size": "tenth", "factor": 0.1, **_LOAD},
        warm_up={"requests": 1},
        quick=False,
        steady=True,
        time_limit_s=60.0,
    ),
    "tenth, 60 requests": Case(
        {"size": "tenth", "factor": 0.1, **_LOAD, "requests": 60},
        warm_up={"requests": 1},
        full=False,
        time_limit_s=60.0,
    ),
    "published delays": Case(
        {"size": "published", "factor": 1.0, **_LOAD, "requests": 48},
        warm_up={"requests": 1},
        baseline="threading_server",
        quick=False,
        steady=True,
    ),
}


class Job(NamedTuple):
    """What a server gets: the three waits of a request, how many requests come at once, and how to report its port."""

    steps_s: tuple[float, ...]
    at_once: int
    requests: int
    ready: Callable[[int], None]


def prepare(parameters: Parameters, surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return Job(
        tuple(step_s * float(parameters["factor"]) for step_s in STEPS_S),
        int(parameters["at_once"]),
        int(parameters["requests"]),
        surroundings.ready or (lambda _port: None),
    )


def at_once(job: Job) -> dict[str, int]:
    """Say how many requests may be in work at one moment, by what the server declares in AT_ONCE."""
    return {"one": 1, "requests": job.at_once}


def judge(job: Job, returned: Mapping[str, Value]) -> Outcome:
    """Check the columns that the load generator measured. A failed request is data; a wrong answer is not."""
    completed, failed = returned.get("completed_count"), returned.get("failed_count")
    wrong = ""
    if not isinstance(completed, int) or not isinstance(failed, int) or completed + failed != job.requests:
        wrong = f"{completed} answered and {failed} failed requests are not the {job.requests} that were made"
    elif returned.get("wrong_answer_count"):
        wrong = f"{returned['wrong_answer_count']} answers were not a 200 with an empty body"
    elif not completed:
        wrong = "no request was answered"
    return Outcome(dict(returned), [], wrong)
