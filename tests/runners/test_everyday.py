"""Six everyday pieces of work: items, wrong answers, and the models tried on each."""

import asyncio
import json
import zlib

import pytest

from runners.everyday import _work, scenario, workload
from runners.everyday.workload import Answer, Job
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings, peak_in_flight

SCENARIO = catalogue.find()["everyday"]
CASES = [*SCENARIO.cases]


def tiny(case: str) -> Job:
    made = SCENARIO.cases[case]
    return workload.prepare({**made.parameters, **made.warm_up, "items": 3, "wait_s": 0.0}, Surroundings(2, 1))


def done(job: Job) -> list[Answer]:
    return [job.work(item) for item in job.items]


@pytest.mark.parametrize("case", CASES)
def test_lost_doubled_or_wrong_answer_is_found(case: str) -> None:
    job = tiny(case)
    right = done(job)
    outcome = workload.judge(job, right[::-1])
    assert outcome.wrong == ""
    assert 0 < outcome.values["longest_item_ns"] <= outcome.values["all_items_ns"]  # type: ignore[operator]  # numbers
    assert workload.judge(job, right[:2]).wrong == "3 items are to be done, each once; 2 were answered"
    assert workload.judge(job, [*right[:2], right[0]]).wrong == "3 items are to be done, each once; 3 were answered"
    assert workload.judge(job, []).wrong == "3 items are to be done, each once; 0 were answered"
    altered = [*right[:2], right[2]._replace(result=-7)]
    assert workload.judge(job, altered).wrong == f"item 2 gave -7, not {right[2].result}"
    overlapping = [answer._replace(span=right[0].span) for answer in right]
    assert peak_in_flight(workload.judge(job, overlapping).spans) == 3 > workload.at_once(job)["one"]


@pytest.mark.parametrize("case", CASES)
def test_coroutine_gives_the_same_answers(case: str) -> None:
    job = tiny(case)

    async def doubled(item: _work.Item) -> int:
        return 2 * job.compute(item)

    async def both() -> tuple[list[Answer], list[Answer]]:
        here = [await job.work_async(item) for item in job.items]
        return here, [await job.work_async(item, doubled) for item in job.items]

    expected = [(answer.number, answer.result) for answer in done(job)]
    here, elsewhere = asyncio.run(both())
    assert [(answer.number, answer.result) for answer in here] == expected
    assert [answer.result for answer in elsewhere] == [2 * result for _, result in expected]


def test_item_that_did_not_wait_is_wrong() -> None:
    job = tiny("1,000 API calls of 100 ms")
    hasty = job._replace(items=[item._replace(wait_s=0.1) for item in job.items])
    assert workload.judge(hasty, done(job)).wrong.endswith("was done before its wait of 100 ms was over")


def test_items_match_the_case() -> None:
    blobs = [item.payload for item in tiny("compress 200 files").items]
    assert {len(blob) for blob in blobs} == {65_536}
    assert len({*blobs}) == 3
    assert 0.1 < len(zlib.compress(blobs[0])) / 65_536 < 0.9  # as text does, and neither noise nor noughts
    request = SCENARIO.cases["20 requests of 20 ms and 10 ms of JSON"]
    body = workload.prepare({**request.parameters, "items": 1}, Surroundings(2, 1)).items[0].payload
    assert len(json.loads(body)) == request.parameters["turns"]
    files = workload.prepare(SCENARIO.cases["read 500 small files"].parameters, Surroundings(2, 1)).items
    assert len(files) == 500
    assert all(_work.result_of(file) <= 4096 for file in files)
    assert sum(_work.result_of(file) > 0 for file in files) > 400


def test_limits_and_ideals_follow_items_and_cores() -> None:
    job = tiny("read 500 small files")
    assert workload.at_once(job) == {"one": 1, "workers": 2, "large pool": 3, "items": 3, "default executor": 3}
    assert scenario.ideal_ns({"wait_s": 0.1, "turns": 0}, 2, {}) == 1e8
    assert scenario.ideal_ns({"wait_s": 0.0}, 2, {"longest_item_ns": 10, "all_items_ns": 100}) == 50
    assert scenario.ideal_ns({"wait_s": 0.0}, 64, {"longest_item_ns": 10, "all_items_ns": 100}) == 10
    assert scenario.ideal_ns({"wait_s": 0.0}, 2, {}) is None
