"""Every runner on a tiny tree, and the home-made gathers against asyncio.gather."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest
from apart import Parameters, take_rightly

from runners.gather_tree import scenario
from runners.gather_tree import workload as gather_tree
from runners.gather_tree._twin_gather import gather_after, gather_before
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings

Gather = Callable[..., Any]

SCENARIO = catalogue.find()["gather_tree"]
TINY: Parameters = {"size": "tiny", "leaf": "none", "depth": 3, "branches": 5, "seed": 0, "wait_s": 0.001}
LEAVES = ("none", "io", "memoization", "cpu_io_mixed")
GATHERS: list[Gather] = [gather_before, gather_after, asyncio.gather]
NAMES = ["before", "after", "asyncio.gather"]
EAGER = [False, pytest.param(True, marks=pytest.mark.skipif(sys.version_info < (3, 12), reason="needs Python 3.12"))]


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("runner", SCENARIO.runners.values(), ids=SCENARIO.runners.keys())
def test_every_leaf_is_reached_once(runner: catalogue.Runner, leaf: str) -> None:
    if leaf not in runner.only.get("leaf", LEAVES):
        pytest.skip(f"{runner.name} takes no part where leaves are {leaf}")
    values, _ = take_rightly(SCENARIO, runner.name, {**TINY, "leaf": leaf})
    expected = {"none": [0], "io": [125], "memoization": range(60, 110), "cpu_io_mixed": range(20, 70)}
    assert values["waits_count"] in expected[leaf]


def test_lost_leaf_or_missed_wait_is_wrong() -> None:
    job = gather_tree.prepare({**TINY, "leaf": "io"}, Surroundings(2, 1))
    assert gather_tree.judge(job, 124).wrong == "the tree has 125 leaves; 124 were reached"
    assert gather_tree.judge(job, 125).wrong == "125 leaves have to wait; 0 did"
    job.leaves.waits = 125
    assert gather_tree.judge(job, 125).wrong == ""


def test_ideal_is_the_plain_calls_or_one_wait() -> None:
    assert scenario.ideal_ns(TINY, 2, {"nested_awaits_ns": 500, "waits_count": 0}) == 500
    assert scenario.ideal_ns(TINY, 2, {"nested_awaits_ns": 500, "waits_count": 1}) == 1_000_000
    assert scenario.ideal_ns(TINY, 2, {"nested_awaits_ns": 9_000_000, "waits_count": 1}) == 9_000_000
    assert scenario.ideal_ns(TINY, 2, {}) is None


async def late(result: object, turns: int) -> object:
    for _ in range(turns):
        await asyncio.sleep(0)
    if isinstance(result, BaseException):
        raise result
    return result


async def outcome(awaitable: Awaitable[Any]) -> Any:  # noqa: ANN401 - any result, or what was raised
    try:
        return await awaitable
    except BaseException as error:  # noqa: BLE001 - cancellations too
        return type(error), error.args


def done(result: object) -> asyncio.Future[object]:
    future = asyncio.get_running_loop().create_future()
    future.set_result(result)
    return future


def every_gather(behaves: Callable[[Gather], Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make a test of what every gather does, with tasks that begin at once and with those that don't."""

    @pytest.mark.parametrize("eager", EAGER)
    @pytest.mark.parametrize("gather", GATHERS, ids=NAMES)
    def test(gather: Gather, *, eager: bool) -> None:
        async def main() -> None:
            if eager:
                asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)  # type: ignore[attr-defined]
            await behaves(gather)

        asyncio.run(main())

    return test


@every_gather
async def test_results_are_in_order_and_first_error_is_raised(gather: Gather) -> None:
    assert await gather(late("a", 3), late("b", 0), late("c", 1)) == ["a", "b", "c"]
    slow = asyncio.ensure_future(late("slow", 9))
    failing = gather(late(ValueError("second"), 3), late(KeyError("first"), 1), slow)
    assert await outcome(failing) == (KeyError, ("first",))
    assert not slow.done()
    assert await slow == "slow"


@every_gather
async def test_cancelling_it_cancels_the_children(gather: Gather) -> None:
    for return_exceptions in (False, True):
        children = [asyncio.ensure_future(late(number, 99)) for number in range(3)]
        outer = gather(done("done"), *children, return_exceptions=return_exceptions)
        asyncio.get_running_loop().call_soon(outer.cancel, "stop")
        assert (await outcome(outer))[0] is asyncio.CancelledError
        assert all(child.cancelled() for child in children)
        assert not outer.cancel()


@pytest.mark.parametrize(
    ("gather", "at_once"),
    [(gather_before, False), (gather_after, True), (asyncio.gather, sys.version_info >= (3, 12))],
    ids=NAMES,
)
def test_only_the_new_gather_is_done_with_its_children(gather: Gather, *, at_once: bool) -> None:
    async def main() -> tuple[bool, list[str]]:
        future = done("done")
        outer = gather(future, future)
        return outer.done(), await outer

    assert asyncio.run(main()) == (at_once, ["done", "done"])
