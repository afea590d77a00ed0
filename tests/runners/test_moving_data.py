"""What counts as a call, and answers that are not what was handed over."""

import pytest

from runners.harness.contract import Surroundings
from runners.moving_data import workload as moving_data


@pytest.mark.parametrize("data", ["an int", *moving_data.MAKE])
def test_content_of_the_last_answer_is_judged(data: str) -> None:
    job = moving_data.prepare({"data": data, "go_on_s": 0.001}, Surroundings(2, 1))
    assert moving_data.judge(job, None).wrong == "nothing was handed over"
    for given in job.calls():
        job.answer = job.function(given)
    outcome = moving_data.judge(job, None)
    assert outcome.wrong == ""
    assert outcome.values == {"calls_count": job.calls_count, "handing_over_ns": job.ended_ns - job.started_ns}
    assert job.ended_ns - job.started_ns >= 1_000_000
    for wrong in (str(job.answer), None):
        job.answer = wrong
        assert "not what was handed over" in moving_data.judge(job, None).wrong
